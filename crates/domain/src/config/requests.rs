//! What a client may send, and how many at once.

use std::{num::NonZeroU32, time::Duration};

use super::{
    door::DOOR_PER_SECOND,
    shop::SHOP_PER_SECOND,
    webhooks::{WEBHOOK_AT_ONCE, WEBHOOK_COURIERS_MAX, WEBHOOK_LOOKUPS_MAX},
};

/// Requests a second; `None` is no limit.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits {
    /// Those of one key to the read API.
    pub key: Option<NonZeroU32>,
    /// Those of one address to the shop.
    pub shop: Option<NonZeroU32>,
    /// Those of one door link, and of one address to the door.
    pub door: Option<NonZeroU32>,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { key: None, shop: NonZeroU32::new(SHOP_PER_SECOND), door: NonZeroU32::new(DOOR_PER_SECOND) }
    }
}

/// Connections at the same time.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Those that a server serves, as far as the system lets it open files.
    pub most: usize,
    /// Those of one address; `None` is no limit. Behind a proxy it does not apply.
    pub per_address: Option<NonZeroU32>,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { most: CONNECTIONS_MAX, per_address: NonZeroU32::new(CONNECTIONS_PER_ADDRESS) }
    }
}

/// How long a client or a request may take.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// A client that has not finished its TLS handshake in this time is disconnected.
    pub handshake: Duration,
    /// A client that has not sent a whole request head in this time is disconnected, and so is an idle connection.
    pub head: Duration,
    /// A client has this long to send a request's body, or it gets 408. A request that has arrived and is not answered
    /// in this time gets 503, so that a stuck database does not pile up work.
    pub request: Duration,
    /// A client that takes no byte of its answer for this long is disconnected.
    pub write: Duration,
    /// How long requests under way may continue after the server was told to stop.
    pub stop: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { handshake: seconds(10), head: seconds(30), request: seconds(15), write: seconds(30), stop: seconds(30) }
    }
}

/// Connections served at the same time. For further ones, those are closed that the server waits for longest; if it
/// waits for none, further ones wait in the kernel's queue.
pub const CONNECTIONS_MAX: usize = 10_000;
/// Connections that one address may have at the same time by default. A venue with a hundred phones behind one address
/// stays below this, with six connections for each browser, and ten such addresses fit.
pub const CONNECTIONS_PER_ADDRESS: u32 = 1_000;
/// A connection is not closed for another one before the server has waited for its client this long: time enough to
/// send an answer that was just made.
pub const CONNECTION_SPARED: Duration = Duration::from_secs(1);
/// How often a newcomer that waits for room looks again whether a connection has become idle.
pub const ROOM_POLL: Duration = Duration::from_millis(20);
/// Open files that connections leave to the rest: requests to receivers of webhooks and look-ups of their names, the
/// database, and a few for the process itself. If the system allows less than twice this, it is half of that.
pub const FILES_RESERVED: usize = WEBHOOK_COURIERS_MAX * WEBHOOK_AT_ONCE + WEBHOOK_LOOKUPS_MAX + 244;
/// How long a server that was told to stop goes on taking connections by default, while it says that it is not ready: the
/// connections of proxies end meanwhile, each after an answer. Who watches `/readyz` less often needs more.
pub const DRAIN: Duration = Duration::from_secs(1);
/// The longest that it may.
pub const DRAIN_MAX: Duration = Duration::from_mins(10);
/// How long a server that stops waits for connections that have begun to arrive: a way around the world and back.
pub const STOP_HANDSHAKES: Duration = Duration::from_millis(300);
/// How long after its beginning a server that stops waits for the first request of a connection. A browser opens some on
/// suspicion, and asks nothing.
pub const STOP_FIRST_REQUEST: Duration = Duration::from_secs(2);
/// How long a failure to accept a connection pauses the server, so that it does not try without end while there are no
/// files left.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// A warning that strangers can cause is logged at most this often.
pub const WARN_EVERY: Duration = Duration::from_mins(1);
/// Bytes of path and query together. The longest honest request (every filter and a cursor) is under 1 kB.
pub const TARGET_MAX: usize = 8 * 1024;
/// Bytes of all header names and values together.
pub const HEADERS_MAX: usize = 16 * 1024;
/// Header lines. With more, hyper itself answers a bare 431.
pub const HEADER_LINES_MAX: usize = 100;
/// Bytes of a request head that hyper buffers before it gives up by itself. This is well above [`TARGET_MAX`] and
/// [`HEADERS_MAX`] together, so that an honest mistake still gets our explained answer.
pub const HEAD_BUFFER: usize = 128 * 1024;
