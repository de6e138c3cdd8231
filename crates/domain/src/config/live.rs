//! The door, live.

use std::time::Duration;

/// How often a server looks whether anything has changed for an event whose live page is open. One look is one row by its
/// key. Somebody who enters is to be seen within a second.
pub const LIVE_POLL: Duration = Duration::from_millis(250);
/// A server that has read the figures rests this many times as long as that took, so that a slow database is not asked
/// without pause.
pub const LIVE_REST: u32 = 3;
/// The figures are read anew after this time even if no move changed them: door links expire and are revoked without one,
/// and minutes pass.
pub const LIVE_AGAIN: Duration = Duration::from_secs(10);
/// A stream without news says that it is there as often, so that no proxy takes it for dead.
pub const LIVE_BEAT: Duration = Duration::from_secs(15);
/// How often it is looked up whether the reader of a stream may still see it.
pub const LIVE_CHECKED: Duration = Duration::from_secs(3);
/// How long a browser waits before it opens a broken stream again.
pub const LIVE_REOPENED_MS: u64 = 1_000;
/// Streams of one server. Each keeps a connection; a page that gets none asks again and again instead.
pub const LIVE_STREAMS_MAX: usize = 1_000;
/// Streams of one user on one server: windows on several screens, and those that were closed a moment ago.
pub const LIVE_STREAMS_PER_USER: usize = 24;
/// When a page that got no stream may ask for one again, in seconds.
pub const LIVE_FULL_RETRY_S: u64 = 30;
/// The minutes that the chart of a live page shows.
pub const LIVE_MINUTES: i64 = 120;
/// The latest entries, refusals and conflicts on a live page, and its stations.
pub const LIVE_ROWS: usize = 12;
/// The door links that a live page knows: the newest of an event.
pub const LIVE_LINKS: i64 = 50;
/// The events on the page that leads to their doors: those from yesterday on, and as many before.
pub const NIGHTS_MAX: i64 = 30;
