//! Days and moments.

use std::time::Duration;

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
    tz::{TimeZone, TimeZoneDatabase},
};

use taquilla_domain::clock::Stamp;

use super::shown_time::ShownTime;
use crate::texts::Language;

/// A minute, in microseconds.
const MINUTE_MICROS: u64 = 60_000_000;

/// The days of the week from Monday on, and the months, as a language shortens them.
struct Names {
    weekdays: [&'static str; 7],
    months: [&'static str; 12],
}

const ENGLISH: Names = Names {
    weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"],
};

const SPANISH: Names = Names {
    weekdays: ["lun", "mar", "mié", "jue", "vie", "sáb", "dom"],
    months: ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
};

/// How days and moments are written for a reader: in a language, by the clocks of a place, and at a present whose year goes
/// without saying.
#[derive(Clone)]
pub struct Dates {
    language: Language,
    /// `None` for a place that is not known: moments there are shown as programs write them.
    zone: Option<TimeZone>,
    now: Stamp,
}

impl Dates {
    /// Dates for a reader of this language, by the clocks of this zone.
    pub fn new(language: Language, zone: &str, now: Stamp) -> Self {
        Self { language, zone: TimeZoneDatabase::bundled().get(zone).ok(), now }
    }

    fn names(&self) -> &'static Names {
        match self.language {
            Language::English => &ENGLISH,
            Language::Spanish => &SPANISH,
        }
    }

    /// What the clocks there show.
    fn local(&self, at: &Stamp) -> Option<DateTime> {
        Some(self.zone.as_ref()?.to_datetime(Timestamp::from_microsecond(at.micros()).ok()?))
    }

    /// "28 Nov", or "28 Nov 2027" in another year.
    fn in_month(&self, date: Date) -> String {
        let (day, year) = (date.day(), date.year());
        let month = self.names().months[usize::from(date.month().unsigned_abs() - 1)];
        match self.local(&self.now).is_some_and(|now| now.year() == year) {
            true => format!("{day} {month}"),
            false => format!("{day} {month} {year}"),
        }
    }

    /// "Sat 28 Nov", or "Sat 28 Nov 2027" in another year.
    fn day_words(&self, date: Date) -> String {
        let weekday = self.names().weekdays[date.weekday().to_monday_zero_offset().unsigned_abs() as usize];
        format!("{weekday} {}", self.in_month(date))
    }

    /// The words of a moment, and of a place without clocks what programs write.
    fn words(&self, at: &Stamp, write: impl Fn(DateTime) -> String) -> ShownTime {
        let Some(local) = self.local(at) else { return ShownTime::none(at.to_string()) };
        // Browsers read no more than three digits of a fraction; people are told minutes.
        let iso = Timestamp::from_microsecond(at.micros())
            .map_or_else(|_| at.to_string(), |at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        ShownTime::new(iso, write(local))
    }

    /// A moment, to the minute: "Sat 28 Nov, 21:00".
    pub fn time(&self, at: &Stamp) -> ShownTime {
        self.words(at, |local| format!("{}, {}", self.day_words(local.date()), local.strftime("%H:%M")))
    }

    /// A moment with the name of its clocks, for those who may read by others: "Sat 28 Nov, 21:00 America/New_York".
    pub fn time_with_zone(&self, at: &Stamp, zone: &str) -> ShownTime {
        self.words(at, |local| format!("{}, {} {zone}", self.day_words(local.date()), local.strftime("%H:%M")))
    }

    /// The clock of a moment, to the second, with its day where that is not today: "21:00:05", "Sat 28 Nov, 21:00:05".
    pub fn to_the_second(&self, at: &Stamp) -> ShownTime {
        let today = self.local(&self.now).map(|now| now.date());
        self.words(at, |local| match today == Some(local.date()) {
            true => local.strftime("%H:%M:%S").to_string(),
            false => format!("{}, {}", self.day_words(local.date()), local.strftime("%H:%M:%S")),
        })
    }

    /// The clock of a moment, with its day where that is not today: "21:00", "Sun 29 Nov, 00:10". A part of a minute counts
    /// as a whole one, so that nobody comes too early.
    /// Clocks that others read are named.
    pub fn soon(&self, at: &Stamp, named: Option<&str>) -> ShownTime {
        let at = at.plus(Duration::from_micros(MINUTE_MICROS - 1));
        let whole = Stamp::from_micros(at.micros() - at.micros().rem_euclid(MINUTE_MICROS as i64));
        let today = self.local(&self.now).map(|now| now.date());
        let zone = named.map(|zone| format!(" {zone}")).unwrap_or_default();
        self.words(&whole, |local| match today == Some(local.date()) {
            true => format!("{}{zone}", local.strftime("%H:%M")),
            false => format!("{}, {}{zone}", self.day_words(local.date()), local.strftime("%H:%M")),
        })
    }

    /// What a clock there shows: "21:00".
    pub fn clock(&self, at: &Stamp) -> String {
        self.local(at).map_or_else(|| at.to_string(), |local| local.strftime("%H:%M").to_string())
    }

    /// A day: "Sat 28 Nov".
    pub fn day(&self, date: Date) -> ShownTime {
        ShownTime::new(date.to_string(), self.day_words(date))
    }

    /// Some days, one after another: "Sat 28 Nov – Fri 4 Dec".
    pub fn days(&self, from: Date, to: Date) -> String {
        match from == to {
            true => self.day_words(from),
            false => format!("{} – {}", self.day_words(from), self.day_words(to)),
        }
    }

    /// A day as the axis of a chart shows it: "28 Nov".
    pub fn tick(&self, date: Date) -> String {
        self.in_month(date)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// What the scanner's page tests, too: it writes the same moments.
    const CASES: &str = include_str!("../../../../web/tests/unit/moments.json");

    #[derive(Deserialize)]
    struct Case {
        at: String,
        zone: String,
        now: String,
        en: String,
        es: String,
    }

    fn stamp(text: &str) -> Stamp {
        Stamp::parse(text).unwrap()
    }

    #[test]
    fn moments_are_written_as_people_do() {
        let cases: Vec<Case> = serde_json::from_str(CASES).unwrap();
        assert!(cases.len() > 15);
        for case in cases {
            for (language, expected) in [(Language::English, &case.en), (Language::Spanish, &case.es)] {
                let shown = Dates::new(language, &case.zone, stamp(&case.now)).time(&stamp(&case.at));
                assert_eq!(shown.text(), expected, "{} in {}", case.at, case.zone);
                assert_eq!(shown.to_string(), format!("<time datetime=\"{}\">{expected}</time>", case.at));
            }
        }
    }

    #[test]
    fn the_year_is_that_of_the_clocks_there() {
        let (at, now) = (stamp("2026-12-31T12:00:00Z"), stamp("2026-12-31T23:30:00Z"));
        let read_in = |zone: &str| Dates::new(Language::English, zone, now).time(&at).text().to_owned();
        assert_eq!(read_in("UTC"), "Thu 31 Dec, 12:00");
        assert_eq!(read_in("Europe/Madrid"), "Thu 31 Dec 2026, 13:00", "it is 2027 there");
    }

    #[test]
    fn clocks_that_others_read_are_named() {
        let dates = Dates::new(Language::Spanish, "America/New_York", stamp("2026-11-01T00:00:00Z"));
        let shown = dates.time_with_zone(&stamp("2026-11-21T06:30:00Z"), "America/New_York");
        assert_eq!(shown.text(), "sáb 21 nov, 01:30 America/New_York");
    }

    #[test]
    fn a_moment_of_today_is_its_clock() {
        let dates = Dates::new(Language::English, "Europe/Madrid", stamp("2026-11-20T23:30:00Z"));
        assert_eq!(dates.to_the_second(&stamp("2026-11-20T23:05:09Z")).text(), "00:05:09");
        assert_eq!(dates.to_the_second(&stamp("2026-11-20T22:05:09Z")).text(), "Fri 20 Nov, 23:05:09");
        assert_eq!(dates.clock(&stamp("2026-11-20T22:05:09Z")), "23:05");
        assert_eq!(dates.soon(&stamp("2026-11-20T23:35:00Z"), None).text(), "00:35");
        assert_eq!(dates.soon(&stamp("2026-11-20T23:35:01Z"), Some("Europe/Madrid")).text(), "00:36 Europe/Madrid");
        assert_eq!(dates.soon(&stamp("2026-11-20T22:59:30Z"), None).text(), "00:00");
        assert_eq!(dates.soon(&stamp("2026-11-21T23:10:00Z"), None).text(), "Sun 22 Nov, 00:10");
    }

    #[test]
    fn days_are_written_alone_and_together() {
        let dates = Dates::new(Language::Spanish, "UTC", stamp("2026-11-20T00:00:00Z"));
        let (from, to) = (Date::constant(2026, 12, 28), Date::constant(2027, 1, 3));
        assert_eq!(dates.day(from).to_string(), "<time datetime=\"2026-12-28\">lun 28 dic</time>");
        assert_eq!(dates.days(from, to), "lun 28 dic – dom 3 ene 2027");
        assert_eq!(dates.days(from, from), "lun 28 dic");
        assert_eq!((dates.tick(from), dates.tick(to)), ("28 dic".to_owned(), "3 ene 2027".to_owned()));
    }

    #[test]
    fn a_place_without_clocks_has_the_moment_of_programs() {
        let at = stamp("2026-11-20T19:00:00Z");
        assert_eq!(Dates::new(Language::English, "Nowhere/Here", at).time(&at).to_string(), at.to_string());
    }
}
