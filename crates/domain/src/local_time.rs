//! Times as people write them: by the clocks of a place, without an offset.
//!
//! Where clocks are set forward, some times do not exist; where they are set back, some come twice. Neither is guessed:
//! the first is refused, and for the second somebody says which one is meant.

use jiff::{
    Timestamp,
    civil::DateTime,
    tz::{self, AmbiguousOffset, TimeZoneDatabase},
};

use super::{clock::Stamp, status::named, time_zone::TimeZone};

named! {
    /// Which of two moments, where clocks that are set back show the same time twice.
    Which {
        /// Before the clocks are set back.
        First = "first",
        /// After.
        Second = "second",
    }
}

/// Why a written time is no moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// It is no time.
    NoTime,
    /// Clocks are set forward past it.
    Skipped,
    /// It comes twice, and nobody said which one is meant.
    Twice,
}

fn clocks(zone: &TimeZone) -> tz::TimeZone {
    TimeZoneDatabase::bundled().get(zone.as_str()).unwrap_or(tz::TimeZone::UTC)
}

fn stamp(at: Result<Timestamp, jiff::Error>) -> Result<Stamp, Unclear> {
    at.map(|at| Stamp::from_micros(at.as_microsecond())).map_err(|_| Unclear::NoTime)
}

fn civil(at: Stamp, zone: &tz::TimeZone) -> Option<DateTime> {
    Timestamp::from_microsecond(at.micros()).ok().map(|at| zone.to_datetime(at))
}

/// Reads a time such as `2027-01-01T21:00`, as browsers send it. `which` counts only for a time that comes twice.
pub fn read(text: &str, which: Option<Which>, zone: &TimeZone) -> Result<Stamp, Unclear> {
    let is_plain = text.len() <= 19 && text.bytes().all(|byte| byte.is_ascii_digit() || b"-:T".contains(&byte));
    let written: Option<DateTime> = text.parse().ok().filter(|_| is_plain && text.contains('T'));
    let found = clocks(zone).to_ambiguous_timestamp(written.ok_or(Unclear::NoTime)?);
    match (found.offset(), which) {
        (AmbiguousOffset::Unambiguous { .. }, _) => stamp(found.compatible()),
        (AmbiguousOffset::Gap { .. }, _) => Err(Unclear::Skipped),
        (AmbiguousOffset::Fold { .. }, None) => Err(Unclear::Twice),
        (AmbiguousOffset::Fold { .. }, Some(Which::First)) => stamp(found.earlier()),
        (AmbiguousOffset::Fold { .. }, Some(Which::Second)) => stamp(found.later()),
    }
}

/// Writes a moment so that [`read`] reads it again, to the second. Empty for what no calendar has.
pub fn write(at: Stamp, zone: &TimeZone) -> (String, Option<Which>) {
    let clocks = clocks(zone);
    let Some(local) = civil(at, &clocks) else { return (String::new(), None) };
    let found = clocks.to_ambiguous_timestamp(local);
    let which = match found.offset() {
        AmbiguousOffset::Fold { .. } if found.later().is_ok_and(|later| later.as_microsecond() <= at.micros()) => {
            Some(Which::Second)
        }
        AmbiguousOffset::Fold { .. } => Some(Which::First),
        _ => None,
    };
    // Browsers take seconds, but not all fractions of them.
    let form = if local.second() == 0 { "%Y-%m-%dT%H:%M" } else { "%Y-%m-%dT%H:%M:%S" };
    (local.strftime(form).to_string(), which)
}

/// A moment that is as far from `to` as `at` is from `from`, by the clocks there: two hours before the doors open stays two
/// hours before, in another season too. A time that clocks skip becomes the one that they show instead.
pub fn moved(at: Stamp, from: Stamp, to: Stamp, zone: &TimeZone) -> Option<Stamp> {
    let clocks = clocks(zone);
    let distance = civil(at, &clocks)?.duration_since(civil(from, &clocks)?);
    let local = civil(to, &clocks)?.checked_add(distance).ok()?;
    stamp(clocks.to_ambiguous_timestamp(local).compatible()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn madrid() -> TimeZone {
        TimeZone::parse("Europe/Madrid").unwrap()
    }

    #[test]
    fn a_time_is_read_by_the_clocks_of_its_place() {
        let read = |text: &str| read(text, None, &madrid());
        assert_eq!(read("2026-07-01T21:00"), Ok(Stamp::parse("2026-07-01T19:00:00Z").unwrap()));
        assert_eq!(read("2026-12-01T21:00:30"), Ok(Stamp::parse("2026-12-01T20:00:30Z").unwrap()));
        for wrong in
            ["", "2026-07-01", "21:00", "2026-02-30T10:00", "2026-07-01T21:00Z", "tomorrow", "2026-07-01T25:00"]
        {
            assert_eq!(read(wrong), Err(Unclear::NoTime), "{wrong}");
        }
    }

    #[test]
    fn a_time_that_is_skipped_or_comes_twice_is_not_guessed() {
        let zone = madrid();
        assert_eq!(read("2026-03-29T02:30", None, &zone), Err(Unclear::Skipped));
        assert_eq!(read("2026-03-29T02:30", Some(Which::Second), &zone), Err(Unclear::Skipped));
        assert_eq!(read("2026-10-25T02:30", None, &zone), Err(Unclear::Twice));
        let (first, second) =
            (Stamp::parse("2026-10-25T00:30:00Z").unwrap(), Stamp::parse("2026-10-25T01:30:00Z").unwrap());
        assert_eq!(read("2026-10-25T02:30", Some(Which::First), &zone), Ok(first));
        assert_eq!(read("2026-10-25T02:30", Some(Which::Second), &zone), Ok(second));
        assert_eq!(write(first, &zone), ("2026-10-25T02:30".into(), Some(Which::First)));
        assert_eq!(write(second, &zone), ("2026-10-25T02:30".into(), Some(Which::Second)));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for zone in ["UTC", "Europe/Madrid", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"] {
            let zone = TimeZone::parse(zone).unwrap();
            for hour in 0..24 * 370 {
                let at = Stamp::from_micros(1_767_225_600_000_000 + hour * 3_600_000_000 + 1_000_000);
                let (text, which) = write(at, &zone);
                assert_eq!(read(&text, which, &zone), Ok(at), "{text} {which:?} {zone:?}");
            }
        }
        assert_eq!(write(Stamp::END, &madrid()).0, "");
    }

    #[test]
    fn what_moves_with_the_start_keeps_its_time_of_day() {
        let at = |text: &str| read(text, None, &madrid()).unwrap();
        let (from, to) = (at("2026-07-01T21:00"), at("2026-12-05T20:00"));
        assert_eq!(moved(at("2026-07-02T02:00"), from, to, &madrid()), Some(at("2026-12-06T01:00")));
        assert_eq!(moved(at("2026-03-01T12:00"), from, to, &madrid()), Some(at("2026-08-05T11:00")));
    }
}
