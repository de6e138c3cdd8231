//! Days by the clocks of a time zone.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime},
    tz::{TimeZone, TimeZoneDatabase},
};

use super::clock::Stamp;

/// The years that may be asked for: those in which offsets are whole quarters of an hour, and that can be counted with.
const YEARS: std::ops::RangeInclusive<i16> = 1980..=2200;

/// The time zone of this name; UTC if there is none.
pub fn zone(name: &str) -> TimeZone {
    TimeZoneDatabase::bundled().get(name).unwrap_or(TimeZone::UTC)
}

/// Reads a day as a browser sends it.
pub fn parse(text: &str) -> Option<Date> {
    text.parse::<Date>().ok().filter(|date| date.to_string() == text && YEARS.contains(&date.year()))
}

/// What clocks show at a moment.
pub fn clock_of(at: Stamp, zone: &TimeZone) -> DateTime {
    zone.to_datetime(Timestamp::from_microsecond(at.micros()).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// The day of a moment.
pub fn day_of(at: Stamp, zone: &TimeZone) -> Date {
    clock_of(at, zone).date()
}

/// The day that so many days after 1970-01-01 is.
pub fn numbered(day: i64) -> Date {
    let days = i32::try_from(day).unwrap_or(0);
    Date::constant(1970, 1, 1).checked_add(days.days()).unwrap_or(Date::ZERO)
}

/// The number of a day, counted from 1970-01-01.
pub fn number(date: Date) -> i64 {
    i64::from(date.since(Date::constant(1970, 1, 1)).map_or(0, |span| span.get_days()))
}

/// The first moment of a day.
pub fn beginning(date: Date, zone: &TimeZone) -> Stamp {
    let start = date.to_zoned(zone.clone()).and_then(|midnight| midnight.start_of_day());
    Stamp::from_micros(start.map_or(0, |start| start.timestamp().as_microsecond()))
}

/// Some days, one after another.
#[derive(Clone, Debug)]
pub struct Days {
    /// The first.
    pub from: Date,
    /// The last, which belongs to them.
    pub to: Date,
    /// Whose clocks count.
    pub zone: TimeZone,
}

impl Days {
    /// The first moment.
    pub fn begin(&self) -> Stamp {
        beginning(self.from, &self.zone)
    }

    /// The moment after the last.
    pub fn end(&self) -> Stamp {
        beginning(self.to.tomorrow().unwrap_or(self.to), &self.zone)
    }

    /// How many days.
    pub fn count(&self) -> i64 {
        number(self.to) - number(self.from) + 1
    }

    /// Each day.
    pub fn each(&self) -> impl Iterator<Item = Date> + use<> {
        (number(self.from)..=number(self.to)).map(numbered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(zone_name: &str, from: &str, to: &str) -> Days {
        Days { from: parse(from).unwrap(), to: parse(to).unwrap(), zone: zone(zone_name) }
    }

    #[test]
    fn a_day_has_23_or_25_hours_when_clocks_change() {
        const HOUR: i64 = 3_600_000_000;
        for (day, hours) in [("2026-03-28", 24), ("2026-03-29", 23), ("2026-10-25", 25), ("2026-10-26", 24)] {
            let days = days("Europe/Madrid", day, day);
            assert_eq!((days.end().micros() - days.begin().micros()) / HOUR, hours, "{day}");
        }
        // Here midnight is left out when clocks are put forward.
        let chile = days("America/Santiago", "2026-09-06", "2026-09-06");
        assert_eq!((chile.end().micros() - chile.begin().micros()) / HOUR, 23);
    }

    #[test]
    fn days_are_numbered() {
        for text in ["1980-01-01", "2026-02-28", "2200-12-31"] {
            let date = parse(text).unwrap();
            assert_eq!((numbered(number(date)), date.to_string().as_str()), (date, text));
        }
        for wrong in ["", "2026-2-3", "2026-02-30", "20260203", "1979-12-31", "9999-12-31", "2026-02-03T10:00"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(days("UTC", "2026-02-27", "2026-03-01").each().count(), 3);
    }
}
