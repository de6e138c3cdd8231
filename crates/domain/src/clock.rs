//! Stamps: points in time as the service stores and prints them.

use std::fmt;

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
    fmt::temporal::{DateTimePrinter, Pieces},
    tz::Offset,
};

/// A point in time as microseconds since 1970-01-01T00:00:00Z. It is printed with exactly six decimals, so that string
/// order is time order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(i64);

impl Stamp {
    /// Earlier than any stamp that can be written.
    pub const BEGINNING: Self = Self(i64::MIN);
    /// Later than any stamp that can be written.
    pub const END: Self = Self(i64::MAX);

    /// The stamp with this many microseconds.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch, as stored.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Milliseconds since the epoch, never negative, for the part of an id that sorts it by time.
    pub fn millis(self) -> u64 {
        u64::try_from(self.0 / 1_000).unwrap_or(0)
    }

    /// This much later.
    pub fn plus(self, span: std::time::Duration) -> Self {
        let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(micros))
    }

    /// How long ago an earlier stamp is; nothing if it lies ahead.
    pub fn since(self, earlier: Self) -> std::time::Duration {
        std::time::Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// This much earlier.
    pub fn minus(self, span: std::time::Duration) -> Self {
        let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_sub(micros))
    }

    /// When its minute began.
    pub const fn minute(self) -> Self {
        Self(self.0 - self.0.rem_euclid(60_000_000))
    }

    /// Reads an RFC 3339 timestamp with any offset, or a plain date (midnight UTC).
    ///
    /// A `+` that was not escaped in a URL arrives as a space, which is accepted. Digits below the microsecond are
    /// dropped, which keeps "strictly after" and "up to" true for stored stamps.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > 64 {
            return None;
        }
        if text.len() == 10 {
            return text.parse::<Date>().ok().map(|date| Self::of_civil(date.at(0, 0, 0, 0), Offset::UTC));
        }
        // jiff accepts more than RFC 3339 (weeks, annotations); these checks refuse the rest.
        let bytes = text.as_bytes();
        if bytes.len() < 20 || bytes[4] != b'-' || bytes[7] != b'-' || !matches!(bytes[10], b'T' | b't' | b' ') {
            return None;
        }
        if bytes[13] != b':' || bytes[16] != b':' || text.contains('[') {
            return None;
        }
        let restored;
        let text = match text.get(11..)?.find(' ') {
            Some(at) => {
                restored = format!("{}+{}", &text[..11 + at], &text[12 + at..]);
                &restored
            }
            None => text,
        };
        let pieces = Pieces::parse(text).ok()?;
        Some(Self::of_civil(pieces.date().to_datetime(pieces.time()?), pieces.to_numeric_offset()?))
    }

    /// Counts the microseconds itself, because the last hours of the year 9999 are outside jiff's timestamps.
    fn of_civil(local: DateTime, offset: Offset) -> Self {
        let micros = local.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_nanos().div_euclid(1_000)
            - i128::from(offset.seconds()) * 1_000_000;
        Self(i64::try_from(micros).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(6));
        // No stamp outside jiff's range (years -9999 to 9999) is ever stored; printing one gives the nearest that jiff
        // has.
        let timestamp =
            Timestamp::from_microsecond(self.0).unwrap_or(if self.0 < 0 { Timestamp::MIN } else { Timestamp::MAX });
        PRINTER.print_timestamp(&timestamp, jiff::fmt::StdFmtWrite(f)).map_err(|_| fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_prints_six_decimals_and_reads_back() {
        for micros in [0, 1, 1_786_406_400_000_000, 1_786_406_400_123_456, -1] {
            let text = Stamp::from_micros(micros).to_string();
            assert_eq!(text.len(), 27, "{text}");
            assert_eq!(Stamp::parse(&text), Some(Stamp::from_micros(micros)), "{text}");
        }
        assert_eq!(
            Stamp::from_micros(crate::config::LEGACY_ISSUED_AT_MICROS).to_string(),
            "2026-08-11T00:00:00.000000Z"
        );
    }

    #[test]
    fn dates_are_read_in_every_honest_form() {
        let expected = Stamp::parse("2026-08-11T10:00:00Z");
        assert!(expected.is_some());
        for text in [
            "2026-08-11T12:00:00+02:00",
            "2026-08-11T12:00:00 02:00",
            "2026-08-11T10:00:00.0000009Z",
            "2026-08-11 10:00:00Z",
            "2026-08-11t10:00:00z",
        ] {
            assert_eq!(Stamp::parse(text), expected, "{text}");
        }
        assert_eq!(Stamp::parse("2026-08-11"), Stamp::parse("2026-08-11T00:00:00Z"));
        assert!(Stamp::parse("9999-12-31T23:59:59-23:59") > Stamp::parse("9999-12-31"));
    }

    #[test]
    fn what_is_not_a_date_is_refused() {
        for text in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-02-30",
            "2026-08-11T10:00:00",
            "1786406400",
            "2026-08-11T25:00:00Z",
            "2026-W33-2T10:00:00Z",
            "2026-08-11T10:00:00+02:00[Europe/Madrid]",
            "２０２６-08-11T10:00:00Z",
            "2026-8-1",
        ] {
            assert_eq!(Stamp::parse(text), None, "{text}");
        }
    }
}
