//! When a call is made again.

use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::StatusCode;

use super::time::Time;

/// How often a call is made again, and after which pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How many times a call is made at most, the first time included.
    pub attempts: u32,
    /// The pause before the second attempt. Each further one is twice as long.
    pub first_pause: Duration,
    /// The longest pause of the client's own.
    pub longest_pause: Duration,
    /// The longest pause that a server may ask for by `Retry-After`. When it asks for more, the call fails at once.
    pub longest_asked: Duration,
}

impl Default for Retries {
    /// Six attempts over about fifteen seconds: enough for a server that restarts.
    fn default() -> Self {
        Self {
            attempts: 6,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            longest_asked: Duration::from_secs(300),
        }
    }
}

impl Retries {
    /// The pause after so many failed attempts: none when there were enough of them, or when the server asks for a longer one
    /// than it may. It varies by half, so that many clients do not come back together.
    pub(crate) fn pause(&self, failed: u32, asked: Option<Duration>) -> Option<Duration> {
        if failed >= self.attempts {
            return None;
        }
        match asked {
            Some(asked) => (asked <= self.longest_asked).then_some(asked),
            None => {
                let doubled = self.first_pause.saturating_mul(1 << (failed - 1).min(16));
                Some(doubled.min(self.longest_pause).mul_f64(rand::random_range(0.5..=1.0)))
            }
        }
    }
}

/// Whether the same call may succeed later although nobody mends anything.
pub(crate) fn is_passing(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::REQUEST_TIMEOUT
}

/// The pause that a `Retry-After` header asks for, as seconds or as a date. Anything else asks for none.
pub(crate) fn asked(header: &str, now: Time) -> Option<Duration> {
    let header = header.trim();
    if !header.is_empty() && header.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(header.parse().unwrap_or(u64::MAX)));
    }
    let until = DateTimeParser::new().relaxed_weekday(true).parse_timestamp(header).ok()?;
    Some(Duration::try_from(until.duration_since(now.timestamp())).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_obey_the_server() {
        let retries = Retries { attempts: 9, ..Retries::default() };
        for (failed, longest) in [(1, 500), (2, 1_000), (3, 2_000), (7, 30_000), (8, 30_000)] {
            let pause = retries.pause(failed, None).unwrap().as_millis();
            assert!((longest / 2..=longest).contains(&pause), "{pause} ms after {failed}");
        }
        assert_eq!(retries.pause(9, None), None, "enough attempts");
        let seconds = Duration::from_secs;
        assert_eq!(retries.pause(1, Some(seconds(300))), Some(seconds(300)));
        assert_eq!(retries.pause(1, Some(seconds(301))), None, "too long to wait");
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        let now: Time = "2026-11-01T12:00:00Z".parse().unwrap();
        for (header, seconds) in [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("99999999999999999999999999", Some(u64::MAX)),
            ("Sun, 01 Nov 2026 12:00:30 GMT", Some(30)),
            ("Sun, 01 Nov 2026 11:00:00 GMT", Some(0)),
            ("", None),
            ("-1", None),
            ("soon", None),
        ] {
            assert_eq!(asked(header, now), seconds.map(Duration::from_secs), "{header:?}");
        }
    }
}
