//! Time zones of events.

use jiff::tz::TimeZoneDatabase;

use super::invalid::Invalid;

/// An IANA time zone, by its name. Which ones there are does not depend on the machine: the list is in the binary. A
/// name that is younger than the binary is refused; IANA adds one every few years.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeZone(String);

impl TimeZone {
    /// Reads a time zone, in capitals or not.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let found = TimeZoneDatabase::bundled().get(text).ok();
        match found.as_ref().and_then(|zone| zone.iana_name()).filter(|_| !text.eq_ignore_ascii_case("Etc/Unknown")) {
            Some(name) => Ok(Self(name.to_owned())),
            None => {
                // A long text, or one with characters that a terminal obeys, is not repeated.
                let known = text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_graphic());
                let there_is_none = if known { format!("there is no time zone {text}; ") } else { String::new() };
                let expected = "the IANA name of one is expected, such as Europe/Madrid";
                Err(Invalid::new(format!("{there_is_none}{expected}")))
            }
        }
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
}
