//! Takes up pieces of work.

use std::{collections::HashSet, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::task::JoinSet;

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
use crate::{
    boxoffice::Queue,
    task::{Rounds, Task},
};

/// Begins to look for work. If the task is dropped in the middle of a step, another server, or this one when it starts
/// again, goes on once the lease is over.
pub fn start(store: Store, queue: Queue, time: TimeSource) -> Task {
    let tools = Tools { store, queue, time };
    Task::every(WORK_POLL, Looking { tools, running: JoinSet::new(), own: Arc::default() })
}

struct Looking {
    tools: Tools,
    running: JoinSet<()>,
    /// The pieces that this server works on.
    own: Arc<Mutex<HashSet<String>>>,
}

impl Rounds for Looking {
    type Error = taquilla_store::Error;

    const TROUBLE: &'static str = "cannot look for work";

    async fn round(&mut self) -> Result<(), taquilla_store::Error> {
        while self.running.try_join_next().is_some() {}
        if self.running.len() >= WORK_TOGETHER {
            return Ok(());
        }
        for piece in to_do(&self.tools).await? {
            if self.running.len() < WORK_TOGETHER && self.own.lock().insert(piece.id.clone()) {
                let (tools, own) = (self.tools.clone(), Arc::clone(&self.own));
                self.running.spawn(async move {
                    // A panic must not keep the piece from being taken up again.
                    if AssertUnwindSafe(take_up(&tools, &piece)).catch_unwind().await.is_err() {
                        tracing::error!(work = piece.id, "a piece of work panicked; it is taken up again later");
                    }
                    own.lock().remove(&piece.id);
                });
            }
        }
        Ok(())
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
