//! Who is left alone for a while, because asking for them failed. Nobody else waits for them.

use std::{
    collections::HashMap,
    hash::Hash,
    time::{Duration, Instant},
};

use taquilla_domain::config::{PRODUCER_PAUSE, PRODUCER_PAUSE_MAX};

/// The pauses of those that have one, by the machine's own time: what cannot be reached knows no other.
pub(super) struct Pauses<Whom>(HashMap<Whom, Pause>);

struct Pause {
    until: Instant,
    lasts: Duration,
}

impl<Whom> Default for Pauses<Whom> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<Whom: Eq + Hash> Pauses<Whom> {
    /// Whether somebody is to be left alone.
    pub(super) fn has(&self, whom: &Whom, now: Instant) -> bool {
        self.0.get(whom).is_some_and(|pause| now < pause.until)
    }

    /// Whether the last question about somebody failed, however long ago.
    pub(super) fn has_failed(&self, whom: &Whom) -> bool {
        self.0.contains_key(whom)
    }

    /// Leaves somebody alone, each time for longer.
    pub(super) fn begin(&mut self, whom: Whom, now: Instant) {
        let before = self.0.get(&whom).map(|pause| pause.lasts);
        let lasts = before.map_or(PRODUCER_PAUSE, |lasts| PRODUCER_PAUSE_MAX.min(lasts * 2));
        self.0.insert(whom, Pause { until: now + lasts, lasts });
    }

    /// Somebody can be reached.
    pub(super) fn end(&mut self, whom: &Whom) {
        self.0.remove(whom);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_grows_up_to_a_bound_and_is_forgotten_by_a_success() {
        let (mut pauses, now) = (Pauses::default(), Instant::now());
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            pauses.begin("a", now);
            let end = now + Duration::from_secs(seconds);
            assert!(pauses.has(&"a", end - Duration::from_millis(1)) && !pauses.has(&"a", end), "{seconds}");
            assert!(!pauses.has(&"b", now), "nobody else waits");
        }
        pauses.end(&"a");
        assert!(!pauses.has(&"a", now));
        pauses.begin("a", now);
        assert!(!pauses.has(&"a", now + PRODUCER_PAUSE), "and then from the shortest");
    }
}
