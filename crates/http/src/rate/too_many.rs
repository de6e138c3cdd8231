//! What is said to whoever made too many tries.

use std::time::Duration;

use crate::errors::Error;

/// The refusal of a try.
#[derive(Debug)]
pub struct TooMany {
    /// How long to wait.
    pub retry_after_s: u64,
    /// What it says to a program. Pages have their own words.
    detail: &'static str,
}

impl TooMany {
    pub(super) fn new(wait: Duration, detail: &'static str) -> Self {
        Self { retry_after_s: whole_seconds(wait), detail }
    }
}

impl From<TooMany> for Error {
    fn from(TooMany { retry_after_s, detail }: TooMany) -> Self {
        Self::RateLimited { retry_after_s, detail, allowance: None }
    }
}

/// A time to wait as it is told: rounded up, and at least a second.
pub(super) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).max(1) as u64
}
