//! Counts tries that may be guesses, and stops whoever makes too many.
//!
//! A try is counted before it is looked at, by account and by address, and taken back when it was right. An unknown
//! user costs a hash and the writes of a known one.

use std::{collections::HashMap, hash::Hash, time::Duration};

use parking_lot::Mutex;

use taquilla_domain::time_source::TimeSource;

/// Tries by their source. A source may make `max` at once, and one more each time `every` has passed.
pub struct Tries<S> {
    max: u32,
    every: Duration,
    time: TimeSource,
    counts: Mutex<HashMap<S, Count>>,
}

/// The number of tries, less one for each `every` that has passed.
struct Count {
    tries: u32,
    /// Up to when passed time was taken into account.
    settled: Duration,
}

impl<S: Clone + Eq + Hash> Tries<S> {
    /// No tries yet.
    pub fn new(max: u32, every: Duration, time: &TimeSource) -> Self {
        Self { max, every, time: time.clone(), counts: Mutex::default() }
    }

    /// Counts a try of all these sources, unless one of them has made too many. Then it gives the time to wait.
    pub fn count(&self, sources: &[S]) -> Result<(), Duration> {
        let mut counts = self.counts.lock();
        sources.iter().try_for_each(|source| self.allowed(&mut counts, source))?;
        for source in sources {
            counts.entry(source.clone()).or_insert(Count { tries: 0, settled: self.time.passed() }).tries += 1;
        }
        Ok(())
    }

    /// Whether a source may make another try, without counting one. If not, it gives the time to wait.
    pub fn check(&self, source: &S) -> Result<(), Duration> {
        self.allowed(&mut self.counts.lock(), source)
    }

    fn allowed(&self, counts: &mut HashMap<S, Count>, source: &S) -> Result<(), Duration> {
        let Some(count) = counts.get_mut(source) else { return Ok(()) };
        let now = self.time.passed();
        count.settle(now, self.every);
        match (count.tries + 1).saturating_sub(self.max) {
            0 => Ok(()),
            to_forgive => Err((self.every * to_forgive).saturating_sub(now.saturating_sub(count.settled))),
        }
    }

    /// Charges a source for a try that was refused, for so many beyond the most at once. Gives the time that it has to wait.
    pub fn charge(&self, source: &S, beyond: u32) -> Duration {
        let mut counts = self.counts.lock();
        let count = counts.entry(source.clone()).or_insert(Count { tries: 0, settled: self.time.passed() });
        count.tries = count.tries.max((count.tries + 1).min(self.max + beyond));
        self.allowed(&mut counts, source).err().unwrap_or_default()
    }

    /// Takes back a try, because it was right.
    pub fn take_back(&self, sources: &[S]) {
        let mut counts = self.counts.lock();
        for source in sources {
            if let Some(count) = counts.get_mut(source) {
                count.tries = count.tries.saturating_sub(1);
            }
        }
    }

    /// Forgets sources whose tries have all been long ago, so that memory stays flat.
    pub fn forget_idle(&self) {
        let (mut counts, now) = (self.counts.lock(), self.time.passed());
        counts.retain(|_, count| {
            count.settle(now, self.every);
            count.tries > 0
        });
        counts.shrink_to_fit();
    }
}

impl Count {
    fn settle(&mut self, now: Duration, every: Duration) {
        let passed = now.saturating_sub(self.settled).as_micros() / every.as_micros().max(1);
        let forgiven = u32::try_from(passed).unwrap_or(u32::MAX).min(self.tries);
        self.tries -= forgiven;
        // A source without tries starts anew. For others the rest of the last interval still counts.
        self.settled = if self.tries == 0 { now } else { self.settled + every * forgiven };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_made_too_many_tries_waits() {
        let tries = Tries::new(2, Duration::from_hours(1), &TimeSource::System);
        assert!(tries.count(&["a", "b"]).is_ok() && tries.count(&["a"]).is_ok());
        assert!(tries.check(&"a").is_err() && tries.check(&"b").is_ok(), "each source has its own");
        let wait = tries.count(&["b", "a"]).unwrap_err();
        assert!(wait <= Duration::from_hours(1) && wait > Duration::from_mins(30), "{wait:?}");
        assert!(tries.count(&["b"]).is_ok(), "a refused try counts for nobody");
        tries.take_back(&["a"]);
        assert!(tries.check(&"a").is_ok());
        tries.forget_idle();
        assert!(tries.check(&"b").is_err(), "only those are forgotten who have no tries left");
    }

    #[test]
    fn tries_are_forgiven_one_by_one() {
        let (start, every) = (Duration::from_hours(2), Duration::from_secs(10));
        let mut count = Count { tries: 3, settled: start };
        count.settle(start + Duration::from_secs(9), every);
        assert_eq!(count.tries, 3);
        count.settle(start + Duration::from_secs(19), every);
        assert_eq!(count.tries, 2);
        count.settle(start + Duration::from_secs(20), every);
        assert_eq!(count.tries, 1, "the nine seconds before were not lost");
        count.settle(start + Duration::from_hours(1), every);
        assert_eq!(count.tries, 0);
    }
}
