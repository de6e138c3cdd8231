//! Who may wait for an answer for long while others want a connection.
//!
//! A statement is usually answered within milliseconds. Where a part of the database is frozen, statements about that part
//! hang until the deadline, of however many producers. So a statement that has hung for a second gives its connection up,
//! and whoever asked is told 503, if all of this is so: somebody waits for a connection, others are answered meanwhile, and
//! a few hang already. When nobody is answered, the whole database may hang for a moment, or those that hang have every
//! connection; then they give theirs up later, but before those who wait must leave.

use std::{
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use tokio::sync::{Semaphore, SemaphorePermit};

use taquilla_domain::config::{POSTGRES_HANGING, POSTGRES_HANGS_AFTER, POSTGRES_HANGS_MAX};

/// What all connections of a pool know of one another.
pub struct Patience {
    places: Semaphore,
    /// How many wait for a connection.
    wanting: AtomicUsize,
    /// When the last answer came, in milliseconds since `began`.
    answered: AtomicU64,
    began: Instant,
}

impl Default for Patience {
    fn default() -> Self {
        let places = Semaphore::new(POSTGRES_HANGING);
        Self { places, wanting: AtomicUsize::new(0), answered: AtomicU64::new(0), began: Instant::now() }
    }
}

/// Somebody who waits for a connection, until this is dropped.
pub struct Wanting<'a>(&'a Patience);

impl Drop for Wanting<'_> {
    fn drop(&mut self) {
        self.0.wanting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Patience {
    /// Somebody waits for a connection.
    pub fn want(&self) -> Wanting<'_> {
        self.wanting.fetch_add(1, Ordering::Relaxed);
        Wanting(self)
    }

    /// An answer came.
    pub fn note_answer(&self) {
        self.answered.store(self.began.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    /// One of the few places for statements that hang, if there is one.
    pub fn place(&self) -> Option<SemaphorePermit<'_>> {
        self.places.try_acquire().ok()
    }

    /// Whether a statement that hangs, and has no place, must give its connection up.
    pub fn is_over(&self, asked: Instant) -> bool {
        // Answers to what was asked together with it may have come a little later.
        let others = asked.saturating_duration_since(self.began) + POSTGRES_HANGS_AFTER / 2;
        self.wanting.load(Ordering::Relaxed) > 0
            && (Duration::from_millis(self.answered.load(Ordering::Relaxed)) > others
                || asked.elapsed() > POSTGRES_HANGS_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_over_only_if_others_are_answered_and_somebody_waits() {
        let patience = Patience::default();
        let asked = patience.began;
        let Some(long_ago) = patience.began.checked_sub(POSTGRES_HANGS_AFTER) else { return };
        let patience = Patience { began: long_ago, ..patience };
        assert!(!patience.is_over(long_ago), "nobody was answered since");
        patience.note_answer();
        assert!(!patience.is_over(long_ago), "nobody waits");
        let wanting = patience.want();
        assert!(patience.is_over(long_ago));
        assert!(!patience.is_over(asked), "nobody was answered long after it was asked");
        drop(wanting);
        assert!(!patience.is_over(long_ago));
        let taken: Vec<_> = (0..POSTGRES_HANGING).map(|_| patience.place()).collect();
        assert!(taken.iter().all(Option::is_some) && patience.place().is_none());
    }
}
