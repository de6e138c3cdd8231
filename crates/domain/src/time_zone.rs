//! Time zones of events.

use std::fmt;

use jiff::tz::TimeZoneDatabase;

use super::{folded::folded, invalid::Invalid};

/// Names of zones that are proposed at most, so that the list can be read.
const PROPOSED: usize = 6;
/// Letters that must be typed before zones are proposed.
const PROPOSED_FROM: usize = 3;
/// Bytes of what somebody types; no zone has a longer name.
const TYPED_MAX: usize = 64;

/// Cities that Spanish calls otherwise, as [`city`] folds them.
const IN_SPANISH: &[(&str, &str)] = &[
    ("atenas", "Europe/Athens"),
    ("bruselas", "Europe/Brussels"),
    ("canarias", "Atlantic/Canary"),
    ("ciudad de mexico", "America/Mexico_City"),
    ("copenhague", "Europe/Copenhagen"),
    ("estocolmo", "Europe/Stockholm"),
    ("islas canarias", "Atlantic/Canary"),
    ("la habana", "America/Havana"),
    ("lisboa", "Europe/Lisbon"),
    ("londres", "Europe/London"),
    ("luxemburgo", "Europe/Luxembourg"),
    ("moscu", "Europe/Moscow"),
    ("nueva york", "America/New_York"),
    ("praga", "Europe/Prague"),
    ("roma", "Europe/Rome"),
    ("tokio", "Asia/Tokyo"),
    ("varsovia", "Europe/Warsaw"),
    ("viena", "Europe/Vienna"),
];

/// An IANA time zone, by its name. Which ones there are does not depend on the machine: the list is in the binary. A
/// name that is younger than the binary is refused; IANA adds one every few years.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeZone(String);

/// What was typed means no zone, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOneZone {
    typed: String,
    /// The names of those that may be meant.
    pub proposed: Vec<String>,
}

impl fmt::Display for NotOneZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.proposed.is_empty() {
            return missing(&self.typed).fmt(f);
        }
        write!(f, "{} may be any of {}; name one of them", self.typed, self.proposed.join(", "))
    }
}

impl std::error::Error for NotOneZone {}

fn missing(text: &str) -> Invalid {
    // A long text, or one with characters that a terminal obeys, is not repeated.
    let known = text.len() <= TYPED_MAX && text.bytes().all(|byte| byte.is_ascii_graphic());
    let there_is_none = if known { format!("there is no time zone {text}; ") } else { String::new() };
    Invalid::new(format!("{there_is_none}the IANA name of one is expected, such as Europe/Madrid"))
}

/// A name as it is compared: folded, with spaces between its words.
fn city(text: &str) -> String {
    let spaced = folded(text).replace(['_', '-', ','], " ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name of the place without its continent.
fn place(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The names of all zones.
pub fn names() -> Vec<String> {
    TimeZoneDatabase::bundled().available().map(|name| name.to_string()).collect()
}

/// Leaves out the older of two names of one place: America/Buenos_Aires is America/Argentina/Buenos_Aires now.
fn newest(names: Vec<String>) -> Vec<String> {
    let is_newer = |one: &str, other: &str| {
        let continent = |name: &str| name.split('/').next().unwrap_or_default().to_owned();
        place(one) == place(other) && continent(one) == continent(other) && one.len() > other.len()
    };
    names.iter().filter(|name| !names.iter().any(|other| is_newer(other, name))).cloned().collect()
}

impl TimeZone {
    /// Reads a time zone, in capitals or not.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let found = TimeZoneDatabase::bundled().get(text).ok();
        match found.as_ref().and_then(|zone| zone.iana_name()).filter(|_| !text.eq_ignore_ascii_case("Etc/Unknown")) {
            Some(name) => Ok(Self(name.to_owned())),
            None => Err(missing(text)),
        }
    }

    /// Finds the time zone that somebody means: by its name, or by its city alone, however it is written.
    pub fn find(text: &str) -> Result<Self, NotOneZone> {
        let text = text.trim();
        if let Ok(zone) = Self::parse(text) {
            return Ok(zone);
        }
        let none = || NotOneZone { typed: text.to_owned(), proposed: Vec::new() };
        let wanted = city(text);
        if text.len() > TYPED_MAX || wanted.is_empty() || text.contains(char::is_control) {
            return Err(none());
        }
        if let Some((_, name)) = IN_SPANISH.iter().find(|(spanish, _)| *spanish == wanted) {
            return Ok(Self((*name).to_owned()));
        }
        let names: Vec<String> = names().into_iter().filter(|name| Self::parse(name).is_ok()).collect();
        let is_meant = |name: &&String| city(place(name)) == wanted || city(name) == wanted;
        let meant = newest(names.iter().filter(is_meant).cloned().collect());
        if let [one] = &meant[..] {
            return Ok(Self(one.clone()));
        }
        let begins = |name: &&String| wanted.len() >= PROPOSED_FROM && city(place(name)).starts_with(&wanted);
        let mut proposed = match meant.is_empty() {
            true => newest(names.iter().filter(begins).cloned().collect()),
            false => meant,
        };
        proposed.truncate(PROPOSED);
        Err(NotOneZone { proposed, ..none() })
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for TimeZone {
    fn default() -> Self {
        Self("UTC".to_owned())
    }
}

impl From<TimeZone> for String {
    fn from(zone: TimeZone) -> Self {
        zone.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_zone_is_one_that_there_is() {
        for right in ["UTC", "Europe/Madrid", "America/Argentina/Buenos_Aires", "Etc/GMT+3", "US/Pacific"] {
            assert_eq!(TimeZone::parse(right).as_ref().map(TimeZone::as_str), Ok(right));
        }
        assert_eq!(TimeZone::parse("europe/MADRID").unwrap().as_str(), "Europe/Madrid");
        for wrong in ["", "Europe/", "/Madrid", "+01:00", "Europe/Madird", "Etc/Unknown", "a\nb", &"x".repeat(65)] {
            assert!(TimeZone::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_city_is_enough_however_it_is_written() {
        for (typed, name) in [
            ("madrid", "Europe/Madrid"),
            (" MADRID ", "Europe/Madrid"),
            ("Europe/Madrid", "Europe/Madrid"),
            ("buenos aires", "America/Argentina/Buenos_Aires"),
            ("Bogotá", "America/Bogota"),
            ("são paulo", "America/Sao_Paulo"),
            ("new-york", "America/New_York"),
            ("america/new york", "America/New_York"),
            ("port au prince", "America/Port-au-Prince"),
            ("Ciudad de México", "America/Mexico_City"),
            ("mexico city", "America/Mexico_City"),
            ("Londres", "Europe/London"),
            ("utc", "UTC"),
        ] {
            assert_eq!(TimeZone::find(typed).as_ref().map(TimeZone::as_str), Ok(name), "{typed}");
        }
    }

    #[test]
    fn what_is_not_one_zone_is_said_with_those_that_may_be_meant() {
        let nicosia = TimeZone::find("nicosia").unwrap_err();
        assert_eq!(nicosia.proposed, ["Asia/Nicosia", "Europe/Nicosia"]);
        assert_eq!(nicosia.to_string(), "nicosia may be any of Asia/Nicosia, Europe/Nicosia; name one of them");
        assert_eq!(TimeZone::find("madri").unwrap_err().proposed, ["Europe/Madrid"]);
        for nothing in ["", "x", "Atlantis", "a\nb", &"x".repeat(65), "Etc/Unknown", "ma"] {
            assert_eq!(TimeZone::find(nothing).unwrap_err().proposed, Vec::<String>::new(), "{nothing:?}");
        }
        assert!(TimeZone::find("san").unwrap_err().proposed.len() <= PROPOSED);
        for (spanish, name) in IN_SPANISH {
            assert_eq!(TimeZone::parse(name).unwrap().as_str(), *name);
            assert_eq!(city(spanish), *spanish);
        }
    }
}
