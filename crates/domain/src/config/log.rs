//! The log.

use std::time::Duration;

/// Which requests get a line in the log. Those that are refused or fail always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogRequests {
    /// All of them.
    #[default]
    All,
    /// No others.
    Errors,
    /// One in so many of the others.
    OneIn(std::num::NonZeroU32),
}

/// How long a line of the log waits, to be written together with others. A killed server loses the lines of this time.
pub const LOG_WAIT: Duration = Duration::from_millis(10);
/// Bytes of the log that may wait. Whoever logs more writes them, and waits for whoever reads the log.
pub const LOG_WAITING_MAX: usize = 256 * 1024;

/// The largest N of `--log-requests 1/N`.
pub const LOG_ONE_IN_MAX: u32 = 1_000_000;
