//! Checking and importing a file that somebody has uploaded.

use serde_json::json;

use taquilla_domain::work::WorkState;
use taquilla_store::{
    ChangeError, ChangeResult, transaction,
    work::{
        pieces::{self, Piece},
        uploads,
    },
};

use super::{
    alive::{PieceProgress, stay_alive},
    tools::Tools,
};
use crate::import::{self, Error, Progress, Summary, Uploaded};

/// Checks the file, or imports it if somebody has said so. Meanwhile it is written down how far that is.
pub(super) async fn import(tools: &Tools, piece: Piece) -> ChangeResult<()> {
    let how_far = PieceProgress::of(&piece);
    how_far.set_done(0);
    let progress = |progress| {
        if let Progress::Read(bytes) = progress {
            how_far.set_done(i64::try_from(bytes).unwrap_or(i64::MAX));
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
        lost = stay_alive(store, time, piece.clone(), &how_far) => return lost,
    };
    end(tools, &piece, ended).await
}

async fn end(tools: &Tools, piece: &Piece, ended: Result<Summary, Error>) -> ChangeResult<()> {
    let (state, outcome) = match ended {
        // A file that is there already was imported by the server that this one took over from, or by somebody else.
        Ok(summary) if piece.state == WorkState::Running => (WorkState::Done, json!(summary)),
        Ok(summary) => (WorkState::Checked, json!(summary)),
        Err(Error::Line(fault)) => {
            (WorkState::Faulty, json!({"line": fault.line, "field": fault.field, "message": fault.message}))
        }
        Err(Error::Read(cause)) => return Err(taquilla_store::Error::internal(cause).into()),
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
