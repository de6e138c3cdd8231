//! What this server has seen of its database: the time that it told last, and whether its schema has become newer than this
//! program.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use taquilla_domain::{clock::Stamp, config::CLOCK_JUMP};

use super::{
    commits::Commits,
    error::{Error, Result},
};

/// SQL for the version that servers must know at least to run on a database.
pub const NEEDED: &str = "(SELECT max(coalesce(works_from, version)) FROM schema_migrations)";

/// Shared by all connections of a server.
pub struct LastSeen {
    /// The producers that its own commits concern.
    pub commits: Commits,
    /// The version of the schema that this program works with.
    known_schema: i64,
    /// The database's time at the last move, and when that was.
    last_move: Mutex<Option<(Instant, Stamp)>>,
    /// The version that servers must know, once it was seen to be newer than this program.
    newer_schema: AtomicI64,
}

impl LastSeen {
    /// Nothing yet.
    pub fn new(known_schema: i64) -> Self {
        Self { commits: Commits::default(), known_schema, last_move: Mutex::default(), newer_schema: AtomicI64::new(0) }
    }

    /// Notes the database's time at a move. Stamps never go back, so a clock that jumps ahead leaves its mark on every
    /// stamp until time has caught up: whoever looks for the cause finds both times in the log.
    pub fn note_move(&self, now: Stamp) {
        let mut last = self.last_move.lock();
        if let Some(expected) = last.and_then(|(at, before)| jumped(before, at.elapsed(), now)) {
            tracing::warn!(%expected, %now, "the database's clock jumped ahead between two moves");
        }
        *last = Some((Instant::now(), now));
    }

    /// Notes the version that servers must know. A newer one means that the database was upgraded under this server, which
    /// must not write any more: it does not know what to keep true.
    pub fn note_schema(&self, found: i64) -> Result<()> {
        let known = self.known_schema;
        if found > known && self.newer_schema.swap(found, Ordering::Relaxed) != found {
            tracing::error!(found, known, "the schema was upgraded under this server, which writes no more");
        }
        self.may_write()
    }

    /// Whether nothing newer was seen.
    pub fn may_write(&self) -> Result<()> {
        match self.newer_schema.load(Ordering::Relaxed) {
            0 => Ok(()),
            found => Err(Error::NewerSchema { found, known: self.known_schema }),
        }
    }
}

/// The time that was to be expected, if the present is ahead of it by more than is believed.
fn jumped(before: Stamp, passed: Duration, now: Stamp) -> Option<Stamp> {
    let expected = before.plus(passed);
    (now > expected.plus(CLOCK_JUMP)).then_some(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_jump_ahead_is_told() {
        let (noon, second) = (Stamp::from_micros(1_800_000_000_000_000), Duration::from_secs(1));
        assert_eq!(jumped(noon, CLOCK_JUMP * 3, noon.plus(CLOCK_JUMP * 3)), None, "nobody bought for hours");
        assert_eq!(jumped(noon, second, noon.plus(second + CLOCK_JUMP)), None);
        assert_eq!(jumped(noon, second, noon.plus(2 * second + CLOCK_JUMP)), Some(noon.plus(second)));
        assert_eq!(jumped(noon, second, noon.minus(CLOCK_JUMP * 2)), None, "stamps do not go back with it");
    }
}
