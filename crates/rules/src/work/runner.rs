//! Takes up pieces of work.

use std::{collections::HashMap, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::task::JoinSet;

use taquilla_domain::{
    config::{WORK_LEASE, WORK_POLL, WORK_TOGETHER},
    time_source::TimeSource,
    work::WorkKind,
};
use taquilla_store::{
    ChangeResult, Store, Tenant, transaction,
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
    Task::every(WORK_POLL, Looking { tools, running: JoinSet::new(), turns: Arc::default() })
}

struct Looking {
    tools: Tools,
    running: JoinSet<()>,
    turns: Arc<Mutex<Turns>>,
}

/// Whose turn it is. Each producer that waits has a place before any has a second one, and of those that wait the next in
/// turn has it, so nobody's long work keeps others' from beginning.
#[derive(Default)]
struct Turns {
    /// The pieces that this server works on, with their producers.
    own: HashMap<String, Tenant>,
    /// Who had the last turn.
    last: Option<Tenant>,
}

impl Rounds for Looking {
    type Error = taquilla_store::Error;

    const TROUBLE: &'static str = "cannot look for work";

    async fn round(&mut self) -> Result<(), taquilla_store::Error> {
        while self.running.try_join_next().is_some() {}
        while self.running.len() < WORK_TOGETHER {
            let Some(piece) = self.next().await? else {
                // While nobody waits, nobody's turn has to be remembered, and one question is enough.
                self.turns.lock().last = None;
                break;
            };
            // One that has just ended here may be seen once more; it is looked at again in the next round.
            let mut turns = self.turns.lock();
            if turns.own.insert(piece.id.clone(), piece.tenant).is_some() {
                break;
            }
            turns.last = Some(piece.tenant);
            let (tools, turns) = (self.tools.clone(), Arc::clone(&self.turns));
            self.running.spawn(async move {
                // A panic must not keep the piece from being taken up again.
                if AssertUnwindSafe(take_up(&tools, &piece)).catch_unwind().await.is_err() {
                    tracing::error!(work = piece.id, "a piece of work panicked; it is taken up again later");
                }
                turns.lock().own.remove(&piece.id);
            });
        }
        Ok(())
    }
}

impl Looking {
    async fn next(&self) -> Result<Option<Piece>, taquilla_store::Error> {
        let (last, busy) = {
            let turns = self.turns.lock();
            (turns.last, turns.own.values().copied().collect::<Vec<Tenant>>())
        };
        let (mut conn, now) = (self.tools.store.read().await?, self.tools.time.now());
        match pieces::next(&mut conn, now, last, &busy).await? {
            None if !busy.is_empty() => pieces::next(&mut conn, now, last, &[]).await,
            found => Ok(found),
        }
    }
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
