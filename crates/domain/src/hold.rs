//! When a hold ends.

use std::time::Duration;

use super::clock::Stamp;
use crate::config::{HOLD_PARTS, HOLD_STEPS_S};

/// The end of a hold that begins now and lasts at least this long. It is a whole multiple of the step that belongs to the
/// length, so that many holds end together.
pub fn end(now: Stamp, length: Duration) -> Stamp {
    let longest = length.as_secs() / HOLD_PARTS;
    let step_s = HOLD_STEPS_S.into_iter().rev().find(|step| *step <= longest).unwrap_or(HOLD_STEPS_S[0]);
    let step = step_s as i64 * 1_000_000;
    let exact = now.plus(length).micros();
    Stamp::from_micros(
        exact.div_euclid(step).saturating_add(i64::from(exact.rem_euclid(step) > 0)).saturating_mul(step),
    )
}

/// How long it is until then, in whole seconds, at least one.
pub fn seconds_until(until: Stamp, now: Stamp) -> u64 {
    let micros = until.micros().saturating_sub(now.micros());
    u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HOLD_MAX;

    #[test]
    fn a_hold_lasts_as_long_as_said_and_hardly_longer() {
        let lengths = [1, 2, 59, 60, 119, 600, 1_800, 3_600, 7_200, 86_400, HOLD_MAX.as_secs()];
        for length in lengths.map(Duration::from_secs) {
            let mut ends = std::collections::BTreeSet::new();
            for at in 0..1_000 {
                // All over the length of one hold.
                let now = Stamp::from_micros(1_790_000_000_123_456 + at * length.as_micros() as i64 / 1_000);
                let until = end(now, length);
                let exact = now.plus(length);
                assert!(until >= exact && until < exact.plus((length / 120).max(Duration::from_secs(1))), "{length:?}");
                ends.insert(until);
            }
            assert!(ends.len() <= 602, "{} ends of holds of {length:?}", ends.len());
        }
        let until = end(Stamp::parse("2026-11-16T12:00:01Z").unwrap(), Duration::from_mins(30));
        assert_eq!(until.to_string(), "2026-11-16T12:30:15.000000Z");
        let until = end(Stamp::parse("2026-11-16T12:00:00Z").unwrap(), Duration::from_mins(30));
        assert_eq!(until.to_string(), "2026-11-16T12:30:00.000000Z");
    }

    #[test]
    fn who_waits_is_told_whole_seconds() {
        let now = Stamp::from_micros(10_000_000);
        let seconds = [9_000_000, 10_000_000, 10_000_001, 11_000_000, 11_000_001]
            .map(|until| seconds_until(Stamp::from_micros(until), now));
        assert_eq!(seconds, [1, 1, 1, 1, 2]);
    }
}
