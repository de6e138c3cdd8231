//! Checking and importing a file that somebody has uploaded.

use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::json;

use super::tools::Tools;
use crate::{
    config::{WORK_ALIVE, WORK_LEASE},
    domain::work::WorkState,
    import::{self, Error, Progress, Summary, Uploaded},
    store::{
        ChangeError, ChangeResult,
        work::{
            pieces::{self, Piece},
            uploads,
        },
    },
    transaction,
};

/// Checks the file, or imports it if somebody has said so. Meanwhile it is written down how far that is.
pub(super) async fn import(tools: &Tools, piece: Piece) -> ChangeResult<()> {
    let read = AtomicI64::new(0);
    let progress = |progress| {
        if let Progress::Read(bytes) = progress {
            read.store(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::Relaxed);
        }
    };
    let (store, tenant, time) = (&tools.store, piece.tenant, &tools.time);
    let work = async {
        let file = Uploaded::new(store, tenant, &piece.id);
        match piece.state {
            WorkState::Checking => import::check(store, tenant, file, time, progress).await,
            _ => import::run(store, tenant, file, &piece.by(time.now()), time, progress).await,
        }
    };
    let ended = tokio::select! {
        ended = work => ended,
        lost = tell(tools, piece.clone(), &read) => return lost,
    };
    end(tools, &piece, ended).await
}

/// Writes down how far the import is, until it is another server's.
async fn tell(tools: &Tools, mut piece: Piece, read: &AtomicI64) -> ChangeResult<()> {
    loop {
        tokio::time::sleep(WORK_ALIVE).await;
        piece.done = read.load(Ordering::Relaxed);
        let (told, until) = (&piece, tools.time.now().plus(WORK_LEASE));
        let ours = transaction!(tools.store.begin_unstamped(), |tx| pieces::advance(tx, told, until).await)?;
        piece.leased_until = until;
        if ours != Some(true) {
            return Ok(());
        }
    }
}

async fn end(tools: &Tools, piece: &Piece, ended: Result<Summary, Error>) -> ChangeResult<()> {
    let (state, outcome) = match ended {
        // A file that is there already was imported by the server that this one took over from, or by somebody else.
        Ok(summary) if piece.state == WorkState::Running => (WorkState::Done, json!(summary)),
        Ok(summary) => (WorkState::Checked, json!(summary)),
        Err(Error::Line(fault)) => {
            (WorkState::Faulty, json!({"line": fault.line, "field": fault.field, "message": fault.message}))
        }
        Err(Error::Read(cause)) => return Err(crate::store::Error::internal(cause).into()),
        Err(Error::Store(cause)) => return Err(cause.into()),
    };
    let (tenant, now, outcome) = (piece.tenant, tools.time.now(), outcome.to_string());
    let finished_at = (state != WorkState::Checked).then_some(now);
    transaction!(tools.store.begin_unstamped(), |tx| {
        if pieces::turn(tx, tenant, &piece.id, &[piece.state], state, finished_at).await? {
            pieces::say(tx, tenant, &piece.id, &outcome).await?;
            if finished_at.is_some() {
                uploads::forget(tx, tenant, &piece.id).await?;
            }
        }
        Ok::<_, ChangeError>(())
    })
}
