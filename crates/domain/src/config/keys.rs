//! API keys, and failed authentications.

use std::time::Duration;

/// A key's last-used time is written at most this often.
pub const LAST_USED_EVERY: Duration = Duration::from_secs(60);
/// How long a server that stops waits until the last uses are written.
pub const LAST_USED_AT_STOP: Duration = Duration::from_secs(5);
/// Uses that may wait to be written. If the queue is full a use is skipped, and a later one is written.
pub const LAST_USED_QUEUE: usize = 1_024;
/// Failed authentications a second that one address may make.
pub const FAILED_AUTH_PER_SECOND: u32 = 20;
/// How many failed authentications may come at once from one address.
pub const FAILED_AUTH_BURST: u32 = 200;
