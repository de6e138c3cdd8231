//! Saying that a piece of work is being done, beside the work itself.

use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;

use taquilla_domain::{
    config::{WORK_ALIVE, WORK_LEASE},
    time_source::TimeSource,
};
use taquilla_store::{
    ChangeError, ChangeResult, Store, transaction,
    work::pieces::{self, Piece},
};

/// How far a piece of work is.
pub(super) struct PieceProgress {
    done: AtomicI64,
    /// How much there is in all, or less than nothing if that is not known.
    total: AtomicI64,
    /// What is said of it so far.
    said: Mutex<String>,
}

impl PieceProgress {
    pub(super) fn of(piece: &Piece) -> Self {
        Self {
            done: AtomicI64::new(piece.done),
            total: AtomicI64::new(piece.total.unwrap_or(-1)),
            said: Mutex::new(piece.outcome.clone()),
        }
    }

    pub(super) fn done(&self) -> i64 {
        self.done.load(Ordering::Relaxed)
    }

    pub(super) fn set_done(&self, done: i64) {
        self.done.store(done, Ordering::Relaxed);
    }

    pub(super) fn say(&self, outcome: String) {
        *self.said.lock() = outcome;
    }

    pub(super) fn set_total(&self, total: i64) {
        self.total.store(total, Ordering::Relaxed);
    }
}

/// Writes down how far the work is, until it is another server's or somebody stopped it.
pub(super) async fn stay_alive(
    store: &Store,
    time: &TimeSource,
    mut piece: Piece,
    how_far: &PieceProgress,
) -> ChangeResult<()> {
    loop {
        tokio::time::sleep(WORK_ALIVE).await;
        piece.done = how_far.done();
        piece.total = Some(how_far.total.load(Ordering::Relaxed)).filter(|total| *total >= 0);
        let (told, until, said) = (&piece, time.now().plus(WORK_LEASE), how_far.said.lock().clone());
        let ours = transaction!(store.begin_unstamped(), |tx| {
            let ours = pieces::advance(tx, told, until).await?;
            if ours == Some(true) && said != told.outcome {
                pieces::say(tx, told.tenant, &told.id, &said).await?;
            }
            Ok::<_, ChangeError>(ours)
        })?;
        piece.leased_until = until;
        if ours != Some(true) {
            return Ok(());
        }
    }
}
