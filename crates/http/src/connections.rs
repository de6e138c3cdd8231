//! The open connections: how many there may be, and which of them give way to a newcomer.
//!
//! A connection on which the server waits for its client gives way: one that has sent nothing, half a head or half a
//! body, one that is idle between two requests, and one that does not take its answer. Who has waited longest is closed
//! first. A request that has arrived whole is never cut off. With HTTP/2 a connection has many requests at a time; it gives
//! way while the server waits for the client with all of them.
//!
//! Every connection has a turn: the client's while the server waits for it, the server's from a whole request to its
//! answer. The turn also tells whose fault a timeout is: 408 for a body that does not come, 503 for an answer that does
//! not.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr},
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore, SemaphorePermit},
    time::{Instant, timeout},
};

use taquilla_domain::config::{CONNECTION_SPARED, Config, HTTP2_BODIES_MAX, ROOM_POLL};

use super::{rate::network, seldom::Seldom};

/// The open connections of one server.
pub struct Connections {
    room: Arc<Semaphore>,
    max: usize,
    per_address: Option<NonZeroU32>,
    open: Mutex<HashMap<IpAddr, HashMap<u64, Arc<Connection>>>>,
    opened: AtomicU64,
    started: Instant,
    full: Seldom,
    refused: Seldom,
    refusals: AtomicU64,
    displaced: AtomicU64,
}

/// How the places are used at this moment.
pub struct Used {
    /// How many there are.
    pub max: usize,
    /// Connections on which the server waits for its client.
    pub clients: usize,
    /// Connections on which a request is being answered.
    pub servers: usize,
    /// How many got a place so far.
    pub accepted: u64,
    /// How many got none, because their address has its share.
    pub refused: u64,
    /// How many were closed for others.
    pub displaced: u64,
}

impl Connections {
    /// No connections yet, and room for as many as the settings allow.
    pub fn new(config: &Config) -> Arc<Self> {
        Arc::new(Self {
            room: Arc::new(Semaphore::new(config.connections.most)),
            max: config.connections.most,
            // All connections of a proxy come from its one address.
            per_address: config.connections.per_address.filter(|_| !config.trust_proxy),
            open: Mutex::default(),
            opened: AtomicU64::new(0),
            started: Instant::now(),
            full: Seldom::default(),
            refused: Seldom::default(),
            refusals: AtomicU64::new(0),
            displaced: AtomicU64::new(0),
        })
    }

    /// How the places are used.
    pub fn used(&self) -> Used {
        let open = self.open.lock();
        let all = || open.values().flat_map(HashMap::values);
        let servers = all().filter(|connection| connection.is_busy()).count();
        Used {
            max: self.max,
            clients: all().count() - servers,
            servers,
            accepted: self.opened.load(Ordering::Relaxed),
            refused: self.refusals.load(Ordering::Relaxed),
            displaced: self.displaced.load(Ordering::Relaxed),
        }
    }

    /// Gives a new connection its place. Waits while all are taken and none gives way. `None` if the connection's
    /// address has its share of the places and none of its own gives way.
    pub async fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let network = network(address);
        if !self.has_share(network) {
            self.refusals.fetch_add(1, Ordering::Relaxed);
            if self.refused.is_due() {
                tracing::warn!("an address has as many connections as it may: its new ones are closed");
            }
            return None;
        }
        let room = self.wait_for_room().await;
        let connection = Arc::new(Connection::new(self.started));
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        self.open.lock().entry(network).or_default().insert(number, Arc::clone(&connection));
        Some(Place { connection, number, network, home: Arc::clone(self), _room: room })
    }

    /// Whether an address may have another connection; if not, some of its own are closed to make that true.
    fn has_share(&self, network: IpAddr) -> bool {
        let Some(share) = self.per_address.map(|share| share.get() as usize) else { return true };
        let open = self.open.lock();
        let Some(own) = open.get(&network).filter(|own| own.len() >= share) else { return true };
        let leaving = own.values().filter(|connection| connection.is_leaving()).count();
        own.len() - leaving < share || self.displace(own.values(), share) > 0
    }

    async fn wait_for_room(&self) -> Option<OwnedSemaphorePermit> {
        loop {
            if let Ok(room) = Arc::clone(&self.room).try_acquire_owned() {
                return Some(room);
            }
            self.make_room();
            if let Ok(room) = timeout(ROOM_POLL, Arc::clone(&self.room).acquire_owned()).await {
                // The semaphore is never closed, so this is always a permit.
                return room.ok();
            }
        }
    }

    /// Closes some connections that give way, unless some are already leaving.
    pub fn make_room(&self) {
        let open = self.open.lock();
        let all = || open.values().flat_map(HashMap::values);
        let leaving = all().any(|connection| connection.is_leaving());
        if !leaving && self.displace(all(), self.max) == 0 && self.full.is_due() {
            tracing::warn!(connections = self.max, "all connections are being served: new ones wait");
        }
    }

    fn displace<'a>(&self, connections: impl Iterator<Item = &'a Arc<Connection>>, all_of: usize) -> usize {
        let closed = close_longest_waiting(connections, all_of);
        self.displaced.fetch_add(closed as u64, Ordering::Relaxed);
        closed
    }
}

/// Closes those that the server has waited for longest: a hundredth of `all_of`, so that a flood of newcomers does not
/// search through all connections for each of them. Returns how many.
fn close_longest_waiting<'a>(connections: impl Iterator<Item = &'a Arc<Connection>>, all_of: usize) -> usize {
    let mut waiting: Vec<_> =
        connections.filter_map(|connection| Some((connection.gives_way()?, connection))).collect();
    waiting.sort_unstable_by_key(|(state, _)| *state);
    waiting.iter().take(1 + all_of / 100).filter(|(state, connection)| connection.close(*state)).count()
}

/// The place of an open connection, which is free again once this is dropped.
pub struct Place {
    /// The connection.
    pub connection: Arc<Connection>,
    number: u64,
    network: IpAddr,
    home: Arc<Connections>,
    _room: Option<OwnedSemaphorePermit>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.home.open.lock();
        if let Some(own) = open.get_mut(&self.network) {
            own.remove(&self.number);
            if own.is_empty() {
                open.remove(&self.network);
            }
        }
    }
}

/// One connection: how many of its requests the server works on, and since when that is so.
pub struct Connection {
    started: Instant,
    /// The time of the last change in microseconds from `started`, [`BUSY_BITS`] to the left of the number of requests
    /// that are the server's turn; or [`LEAVING`].
    state: AtomicU64,
    leave: Notify,
    bodies: Semaphore,
}

/// The bits of a connection's state that count requests. HTTP/1.1 has one at a time, HTTP/2 as many as
/// [`taquilla_domain::config::HTTP2_STREAMS_MAX`].
const BUSY_BITS: u32 = 16;
const BUSY: u64 = (1 << BUSY_BITS) - 1;
/// In the place of a state: the connection was told to leave.
const LEAVING: u64 = u64::MAX;

impl Connection {
    fn new(started: Instant) -> Self {
        let connection =
            Self { started, state: AtomicU64::new(0), leave: Notify::new(), bodies: Semaphore::new(HTTP2_BODIES_MAX) };
        connection.state.store(connection.now() << BUSY_BITS, Ordering::Release);
        connection
    }

    /// Microseconds since the server began.
    fn now(&self) -> u64 {
        self.started.elapsed().as_micros() as u64
    }

    /// Changes how many requests the server works on. `false` if the connection is leaving.
    fn count(&self, change: impl Fn(u64) -> u64) -> bool {
        let now = self.now() << BUSY_BITS;
        let next = |state| (state != LEAVING).then(|| now | (change(state & BUSY) & BUSY));
        self.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, next).is_ok()
    }

    /// Whether the server works on one of its requests.
    fn is_busy(&self) -> bool {
        let state = self.state.load(Ordering::Acquire);
        state != LEAVING && state & BUSY != 0
    }

    fn is_leaving(&self) -> bool {
        self.state.load(Ordering::Acquire) == LEAVING
    }

    /// The present state, if the server has waited for the client so long that the connection gives way.
    fn gives_way(&self) -> Option<u64> {
        let state = self.state.load(Ordering::Acquire);
        let since = self.started + Duration::from_micros(state >> BUSY_BITS);
        (state & BUSY == 0 && since.elapsed() >= CONNECTION_SPARED).then_some(state)
    }

    /// Tells the connection to leave, unless its state has changed since.
    fn close(&self, state: u64) -> bool {
        let closed = self.state.compare_exchange(state, LEAVING, Ordering::AcqRel, Ordering::Acquire).is_ok();
        if closed {
            self.leave.notify_one();
        }
        closed
    }

    /// Returns once the connection has to leave.
    pub async fn told_to_leave(&self) {
        self.leave.notified().await;
    }
}

/// One request and its answer on a connection: where it came from, whose turn it is, and since when.
pub struct Exchange {
    /// The address that the request came from.
    pub address: IpAddr,
    connection: Arc<Connection>,
    /// The beginning of the turn in microseconds from the connection's `started`, one bit to the left of [`SERVERS`].
    turn: AtomicU64,
}

/// Who must do something before a request can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The client has had to send a request or the rest of one, or to take its answer, since this time.
    Client(Instant),
    /// The server has had the whole request since this time.
    Server(Instant),
}

/// The bit of a turn that is the server's.
const SERVERS: u64 = 1;

impl Exchange {
    /// A request that begins now, with the client's turn.
    pub fn new(connection: Arc<Connection>, address: IpAddr) -> Self {
        let turn = AtomicU64::new(connection.now() << 1);
        Self { address, connection, turn }
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        let turn = self.turn.load(Ordering::Acquire);
        let since = self.connection.started + Duration::from_micros(turn >> 1);
        if turn & SERVERS == 0 { Turn::Client(since) } else { Turn::Server(since) }
    }

    /// Waits until few enough other bodies of the connection are being read. What was read of a body stays in memory until
    /// the rest has come.
    pub async fn turn_to_send(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed, so this is always a permit.
        self.connection.bodies.acquire().await.ok()
    }

    /// Notes that the client has done its part: from now on the connection is not closed for others. If it was told to
    /// leave already, this never returns, and whoever awaits it is dropped.
    pub async fn take_turn(&self) {
        let before = self.turn.swap((self.connection.now() << 1) | SERVERS, Ordering::AcqRel);
        if before & SERVERS == 0 && !self.connection.count(|busy| busy + 1) {
            std::future::pending().await
        }
    }

    /// Notes that the server waits for the client.
    pub fn wait_for_client(&self) {
        let before = self.turn.swap(self.connection.now() << 1, Ordering::AcqRel);
        if before & SERVERS != 0 {
            self.connection.count(|busy| busy.saturating_sub(1));
        }
    }
}

/// The address of a request that came over no connection, as in tests.
pub(super) const NOWHERE: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

impl Default for Exchange {
    fn default() -> Self {
        Self::new(Arc::new(Connection::new(Instant::now())), NOWHERE)
    }
}

/// A client may take back a request at any time with HTTP/2, and keep the connection.
impl Drop for Exchange {
    fn drop(&mut self) {
        self.wait_for_client();
    }
}
