//! Points in time.

use std::{fmt, str::FromStr};

use jiff::{Timestamp, civil::DateTime, fmt::rfc2822::DateTimeParser, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A point in time, as exactly as the server tells it.
///
/// It is shown as Taquilla writes it, in UTC with six decimals, or with nine where a server is that exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Timestamp);

impl Time {
    /// A mark before everything.
    pub const BEGINNING: Self = Self(Timestamp::UNIX_EPOCH);

    /// The present by the clock of this machine.
    pub fn now() -> Self {
        Self(Timestamp::now())
    }

    /// The same point in time as the library `jiff` has it.
    pub fn timestamp(self) -> Timestamp {
        self.0
    }

    /// The date in an HTTP header.
    pub(crate) fn of_header(text: &str) -> Option<Self> {
        DateTimeParser::new().relaxed_weekday(true).parse_timestamp(text).ok().map(Self)
    }
}

impl From<Timestamp> for Time {
    fn from(at: Timestamp) -> Self {
        Self(at)
    }
}

impl FromStr for Time {
    type Err = jiff::Error;

    /// Reads a timestamp of ISO 8601. One without an offset is in UTC, as the specification says of all of them.
    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        text.parse::<Timestamp>().map(Self).or_else(|cause| {
            let civil: DateTime = text.parse().map_err(|_| cause)?;
            Ok(Self(TimeZone::UTC.to_timestamp(civil)?))
        })
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_exact = self.0.subsec_nanosecond() % 1_000 != 0;
        write!(f, "{:.*}", if is_exact { 9 } else { 6 }, self.0)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Time;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time such as 2026-11-15T02:09:44.316657Z")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Time, E> {
                text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(Visitor)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn times_of_other_servers_are_understood_and_shown_in_one_form() {
        for (text, shown) in [
            ("2026-11-15T02:09:44.316657Z", "2026-11-15T02:09:44.316657Z"),
            ("2026-11-15T02:09:44.316Z", "2026-11-15T02:09:44.316000Z"),
            ("2026-11-15T02:09:44.123456789Z", "2026-11-15T02:09:44.123456789Z"),
            ("2026-11-15T03:09:44+01:00", "2026-11-15T02:09:44.000000Z"),
            ("2026-11-15T02:09:44", "2026-11-15T02:09:44.000000Z"),
            ("2026-11-15 02:09:44.5", "2026-11-15T02:09:44.500000Z"),
        ] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), shown);
        }
        assert!("soon".parse::<Time>().is_err());
        let date = Time::of_header("Sun, 01 Nov 2026 12:00:30 GMT").unwrap();
        assert_eq!(date.to_string(), "2026-11-01T12:00:30.000000Z");
    }
}
