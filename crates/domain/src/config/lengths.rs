//! Lengths of time.

use std::time::Duration;

/// This many days.
pub const fn days(count: u64) -> Duration {
    Duration::from_hours(24 * count)
}
