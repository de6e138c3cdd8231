//! Time zones of events.

use super::invalid::Invalid;

/// A text with the form of an IANA time zone. It is not checked against the list, which changes several times a year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeZone(String);

impl TimeZone {
    /// Reads a time zone.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let is_part = |part: &str| {
            part.bytes().next().is_some_and(|first| first.is_ascii_alphabetic())
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+'))
        };
        match text.len() <= 64 && text.split('/').all(is_part) {
            true => Ok(Self(text.to_owned())),
            false => Err(Invalid::new("an IANA time zone is expected, such as Europe/Madrid")),
        }
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
    fn a_time_zone_has_the_form_of_one() {
        for right in ["UTC", "Europe/Madrid", "America/Argentina/Buenos_Aires", "Etc/GMT+3"] {
            assert!(TimeZone::parse(right).is_ok(), "{right}");
        }
        for wrong in ["", "Europe/", "/Madrid", "+01:00", "Europe/Madrid; DROP", &"x".repeat(65)] {
            assert!(TimeZone::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
