//! Whether the visits of an event are those of a crowd: more in a second than few, in this second or the one before.

use std::time::Duration;

use taquilla_domain::config::SHOP_FEW;

const SECOND: Duration = Duration::from_secs(1);

/// The visits of one event in this second.
#[derive(Debug, Default)]
pub struct Visits {
    since: Duration,
    count: u32,
    /// Whether a crowd came in the second before.
    was_crowd: bool,
}

impl Visits {
    /// Counts a visit, and says whether it is one of a crowd.
    pub fn count(&mut self, now: Duration) -> bool {
        let passed = now.saturating_sub(self.since);
        if passed >= SECOND {
            let was_crowd = passed < 2 * SECOND && self.count > SHOP_FEW;
            *self = Self { since: now, count: 0, was_crowd };
        }
        self.count = self.count.saturating_add(1);
        self.was_crowd || self.count > SHOP_FEW
    }

    /// Whether nobody has come for so long that nothing needs to be remembered.
    pub fn are_over(&self, now: Duration) -> bool {
        now.saturating_sub(self.since) >= 2 * SECOND
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_one_until_a_second_with_few() {
        let mut visits = Visits::default();
        let at = |tenths: u64| Duration::from_millis(10_000 + 100 * tenths);
        let mut crowds = |tenths: u64, count: u32| (0..count).filter(|_| visits.count(at(tenths))).count();
        assert_eq!(crowds(0, SHOP_FEW), 0);
        assert_eq!(crowds(9, 3), 3, "the same second");
        assert_eq!(crowds(12, 1), 1, "a second after a crowd");
        assert_eq!(crowds(22, 1), 0, "a second after one visit");
        assert_eq!(crowds(23, SHOP_FEW + 1), 2);
        assert_eq!(crowds(60, 1), 0, "long after a crowd");
        assert!(!visits.are_over(at(70)) && visits.are_over(at(80)));
    }
}
