//! The pause that another server asks for.

use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;

use taquilla_domain::{clock::Stamp, config::WEBHOOK_RETRY_AFTER_MAX};

/// The pause that a `Retry-After` header asks for, as seconds or as a date, capped at the longest that is obeyed. A
/// past date is a pause of zero. Any other text is ignored.
pub(crate) fn retry_after(value: &str, now: Stamp) -> Option<Duration> {
    let value = value.trim();
    let asked = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number too large to parse is capped like any other.
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        // An HTTP date has the form of RFC 2822 with the zone GMT. A wrong weekday is accepted.
        let until = DateTimeParser::new().relaxed_weekday(true).parse_timestamp(value).ok()?.as_microsecond();
        Duration::from_micros(u64::try_from(until.saturating_sub(now.micros())).unwrap_or(0))
    };
    Some(asked.min(WEBHOOK_RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_understood_up_to_the_longest_that_is_obeyed() {
        let now = Stamp::parse("2026-11-01T12:00:00Z").unwrap();
        for (value, seconds) in [
            ("0", Some(0)),
            ("120", Some(120)),
            (" 120 ", Some(120)),
            ("3600", Some(3_600)),
            ("3601", Some(3_600)),
            ("99999999999999999999999999", Some(3_600)),
            ("Sun, 01 Nov 2026 12:00:30 GMT", Some(30)),
            ("Sun, 01 Nov 2026 11:00:00 GMT", Some(0)),
            ("Mon, 02 Nov 2026 12:00:00 GMT", Some(3_600)),
            ("Wed, 31 Dec 9997 23:59:59 GMT", Some(3_600)),
            ("Tue, 01 Nov 2026 12:00:30 GMT", Some(30)),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("soon", None),
            ("１２", None),
            ("2026-11-01T12:00:30Z", None),
        ] {
            assert_eq!(retry_after(value, now), seconds.map(Duration::from_secs), "{value:?}");
        }
        assert_eq!(retry_after("Sun, 01 Nov 2026 12:00:30 GMT", Stamp::BEGINNING), Some(WEBHOOK_RETRY_AFTER_MAX));
    }
}
