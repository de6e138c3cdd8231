//! Takes up pieces of work.

use std::{collections::HashSet, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::task::{JoinHandle, JoinSet};

use taquilla_domain::{
    config::{WORK_LEASE, WORK_POLL, WORK_TOGETHER},
    time_source::TimeSource,
    work::WorkKind,
};
use taquilla_store::{
    ChangeResult, Store, transaction,
    work::pieces::{self, Piece},
};

use super::{erasure, import, refund, retention, tools::Tools};
use crate::boxoffice::Queue;

/// The running task of a server that does long work. Dropping this ends it, even in the middle of a step; another server,
/// or this one when it starts again, goes on once the lease is over.
pub struct Work(JoinHandle<()>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Work {
    /// Begins to look for work.
    pub fn start(store: Store, queue: Queue, time: TimeSource) -> Self {
        Self(tokio::spawn(look(Tools { store, queue, time })))
    }
}

async fn look(tools: Tools) {
    let mut running = JoinSet::new();
    let own: Arc<Mutex<HashSet<String>>> = Arc::default();
    loop {
        tokio::time::sleep(WORK_POLL).await;
        while running.try_join_next().is_some() {}
        if running.len() >= WORK_TOGETHER {
            continue;
        }
        let found = match to_do(&tools).await {
            Ok(found) => found,
            Err(cause) => {
                tracing::warn!(%cause, "cannot look for work");
                continue;
            }
        };
        for piece in found {
            if running.len() < WORK_TOGETHER && own.lock().insert(piece.id.clone()) {
                let (tools, own) = (tools.clone(), Arc::clone(&own));
                running.spawn(async move {
                    // A panic must not keep the piece from being taken up again.
                    if AssertUnwindSafe(take_up(&tools, &piece)).catch_unwind().await.is_err() {
                        tracing::error!(work = piece.id, "a piece of work panicked; it is taken up again later");
                    }
                    own.lock().remove(&piece.id);
                });
            }
        }
    }
}

async fn to_do(tools: &Tools) -> Result<Vec<Piece>, taquilla_store::Error> {
    pieces::to_do(&mut tools.store.read().await?, tools.time.now(), WORK_TOGETHER as i64 * 2).await
}

async fn take_up(tools: &Tools, piece: &Piece) {
    if let Err(cause) = work_on(tools, piece).await {
        tracing::warn!(work = piece.id, ?cause, "a piece of work is interrupted; it is taken up again later");
    }
}

async fn work_on(tools: &Tools, piece: &Piece) -> ChangeResult<()> {
    let now = tools.time.now();
    let taken = transaction!(tools.store.begin_unstamped(), |tx| {
        pieces::take_up(tx, piece, now, now.plus(WORK_LEASE)).await
    })?;
    let Some(piece) = taken else { return Ok(()) };
    match piece.kind {
        WorkKind::Refund => refund::refund_all(tools, piece).await,
        WorkKind::Import => import::import(tools, piece).await,
        // What these wait for is deep, so it is kept on the heap: a thread's stack is small.
        WorkKind::Erasure => erasure::erase(&tools.store, &tools.time, piece).boxed().await,
        WorkKind::Retention => retention::erase_old(&tools.store, &tools.time, piece).boxed().await,
    }
}
