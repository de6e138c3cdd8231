//! Every setting and every limit, with its reason.
//!
//! What an operator may change is a field of [`Config`]; what is a promise or a safety belt is a constant.

use std::{fmt, net::IpAddr, sync::Arc, time::Duration};

use ipnet::IpNet;

/// What may differ from server to server; `taquilla serve --help` says what an operator sets.
#[derive(Clone, Debug)]
pub struct Config {
    /// Requests a second that one key may make; `None` is no limit.
    pub rate_limit: Option<std::num::NonZeroU32>,
    /// Requests a second that one address may make to the shop; `None` is no limit.
    pub shop_rate_limit: Option<std::num::NonZeroU32>,
    /// Calls a second that one door link may make, and one address; `None` is no limit.
    pub door_rate_limit: Option<std::num::NonZeroU32>,
    /// Whether requests come through a proxy that appends the caller's address to `X-Forwarded-For`.
    pub trust_proxy: bool,
    /// A client that has not sent a whole request head by then is disconnected; an idle connection too.
    pub head_timeout: Duration,
    /// A request not answered by then gets 503, so that a stuck database cannot pile up work.
    pub request_timeout: Duration,
    /// A client that takes no byte of its answer for this long is disconnected.
    pub write_timeout: Duration,
    /// How long requests in flight may go on once a stop was asked for.
    pub shutdown_grace: Duration,
    /// How long the answer to an order is kept for whoever repeats it with the same `Idempotency-Key`.
    pub order_answers_kept: Duration,
    /// How long the scan log is kept. A scan that a phone uploads later than this is decided anew.
    pub scans_kept: Duration,
    /// Networks that webhooks may be sent to although they are not public, and without TLS.
    pub webhook_allow: Vec<IpNet>,
    /// How long a receiver of webhooks may take.
    pub webhook_timeouts: WebhookTimeouts,
    /// Where the names in their URLs become addresses.
    pub webhook_lookup: Lookup,
}

/// How long a receiver of webhooks may take for each part of one attempt.
#[derive(Clone, Copy, Debug)]
pub struct WebhookTimeouts {
    /// To be found and connected to, TLS included.
    pub connect: Duration,
    /// Its status and headers; what was not needed to connect may be used, too.
    pub head: Duration,
    /// From there to the end of what is read of its body. The status is known by then, so this decides nothing.
    pub body: Duration,
}

/// Where names become addresses.
#[derive(Clone, Default)]
pub enum Lookup {
    /// The system's resolver.
    #[default]
    System,
    /// A test that changes its mind.
    Scripted(Arc<Script>),
}

/// The addresses of a name, as a test would have them.
pub type Script = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

impl fmt::Debug for Lookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Scripted(_) => "Scripted(…)",
        })
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            rate_limit: None,
            shop_rate_limit: std::num::NonZeroU32::new(SHOP_PER_SECOND),
            door_rate_limit: std::num::NonZeroU32::new(DOOR_PER_SECOND),
            trust_proxy: false,
            head_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(15),
            write_timeout: Duration::from_secs(30),
            shutdown_grace: Duration::from_secs(30),
            order_answers_kept: days(ORDER_ANSWERS_KEPT_DAYS),
            scans_kept: days(SCANS_KEPT_DAYS),
            webhook_allow: Vec::new(),
            webhook_timeouts: WebhookTimeouts {
                connect: Duration::from_secs(5),
                head: Duration::from_secs(15),
                body: Duration::from_secs(5),
            },
            webhook_lookup: Lookup::System,
        }
    }
}

/// Where the data lives when nobody says otherwise.
pub const DEFAULT_DATABASE: &str = "sqlite:data/taquilla.db";
/// Where the server listens when nobody says otherwise: this machine only.
pub const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

// Requests.

/// Connections served at once; further ones wait in the kernel's queue.
pub const CONNECTIONS_MAX: usize = 10_000;
/// Bytes of path and query together. The longest honest request (every filter and a cursor) is under 1 kB.
pub const TARGET_MAX: usize = 8 * 1024;
/// Bytes of all header names and values together.
pub const HEADERS_MAX: usize = 16 * 1024;
/// Header lines. Over this hyper itself answers a bare 431.
pub const HEADER_LINES_MAX: usize = 100;
/// What hyper buffers of a request head before it gives up by itself. It is well above [`TARGET_MAX`] and
/// [`HEADERS_MAX`] together, so that an honest mistake still gets our explained answer.
pub const HEAD_BUFFER: usize = 128 * 1024;

/// Answers shorter than this are sent as they are: compressing them saves no packet.
pub const COMPRESSED_MIN: u64 = 1024;

// Lists.

/// Rows on a page when the client does not say.
pub const PAGE_DEFAULT: u32 = 50;
/// Rows on a page at the most.
pub const PAGE_MAX: u32 = 200;
/// Rows examined for one page when a filter cannot be served by the index alone (two time filters at once, say).
/// The page is then shorter than asked, with `has_more`, and its cost stays flat (G8).
pub const EXAMINED_MAX: usize = 1_000;

// Texts and numbers of the data itself.

/// Characters in an id, ours or imported.
pub const ID_MAX: usize = 128;
/// Characters in a name, a label, an address.
pub const NAME_MAX: usize = 500;
/// Characters in a description or a URL.
pub const TEXT_MAX: usize = 10_000;
/// The largest amount of money, in whole units: sums of a whole order stay far from overflow.
pub const AMOUNT_MAX: i64 = 1_000_000_000_000;
/// The largest count (stock, quantity, position).
pub const COUNT_MAX: i64 = 1_000_000_000;
/// Every ticket issued before this field existed carries this date (2026-08-11T00:00:00Z).
pub const LEGACY_ISSUED_AT_MICROS: i64 = 1_786_406_400_000_000;

// Keys.

/// A key's last-used time is written at most this often.
pub const LAST_USED_EVERY: Duration = Duration::from_secs(60);
/// Uses waiting to be written. When it is full a use is skipped; the next one after it will be written.
pub const LAST_USED_QUEUE: usize = 1_024;
/// Failed authentications a second from one address, and how many may come at once.
pub const FAILED_AUTH_PER_SECOND: u32 = 20;
/// See [`FAILED_AUTH_PER_SECOND`].
pub const FAILED_AUTH_BURST: u32 = 200;

// Import.

/// Bytes in one line of an import.
pub const IMPORT_LINE_MAX: usize = 1024 * 1024;
/// Lines sent to the database at once: enough to keep PostgreSQL's pipe full, little enough for flat memory.
pub const IMPORT_BATCH: usize = 1_000;
/// Items of one order, or kinds of items in one bundle.
pub const ITEMS_MAX: usize = 500;

// The store.

/// Prepared statements kept per connection: every shape of every list, with room to spare.
pub const STATEMENTS_MAX: usize = 512;
/// Keys that a server remembers, about 200 bytes each.
pub const KNOWN_KEYS_MAX: usize = 10_000;
/// Names of ticket types that a server remembers, a few hundred bytes each. Meeting a new one costs a copy of those of
/// its producer, so they are not for ever.
pub const TYPE_NAMES_MAX: usize = 20_000;
/// Tickets read at a time by work that goes through all of them.
pub const TICKETS_AT_A_TIME: i64 = 1_000;
/// Connections to PostgreSQL per server.
pub const POSTGRES_POOL: usize = 16;
/// How many of them may be writing at once; the others are for readers.
pub const POSTGRES_WRITERS: usize = 10;
/// How long a request waits for a PostgreSQL connection before it gets 503.
pub const POSTGRES_WAIT: Duration = Duration::from_secs(5);
/// A read that takes longer than this is given up by PostgreSQL; none should come near.
pub const POSTGRES_STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a write is tried again after a deadlock or a serialization failure.
pub const WRITE_ATTEMPTS: u32 = 8;
/// How long a write waits for another process that is writing to the same SQLite file (an import, say).
pub const SQLITE_BUSY: Duration = Duration::from_secs(300);
/// Bytes of a page in a new SQLite file: a ticket takes about 900, and a page of a list is then few reads. With 16 kB
/// reading is hardly faster, and a write logs larger pages.
pub const SQLITE_PAGE: i64 = 8 * 1024;
/// Page cache of one SQLite connection, in KiB.
pub const SQLITE_CACHE_KIB: i64 = 8 * 1024;
/// Page cache of the one connection that writes, in KiB: a scan changes a dozen pages all over the file.
pub const SQLITE_WRITER_CACHE_KIB: i64 = 32 * 1024;
/// Page cache of a connection that does long work such as an import, in KiB: it touches every index all over.
pub const SQLITE_LONG_WORK_CACHE_KIB: i64 = 128 * 1024;
/// Bytes that the write-ahead log may keep on disk once its content is in the database.
pub const SQLITE_WAL_KEPT: i64 = 64 * 1024 * 1024;

// The door.

/// Calls a second that one door link may make, and one address, when nobody says otherwise. A gate with a hundred
/// phones behind one address stays below.
pub const DOOR_PER_SECOND: u32 = 200;
/// See [`DOOR_PER_SECOND`]: this many times as many may come at once, such as what a phone kept while it was offline.
pub const DOOR_BURST_FACTOR: u32 = 20;
/// Wrong PINs for one door link, and from one address, before none is tried any more.
pub const WRONG_PINS_MAX: u32 = 10;
/// After [`WRONG_PINS_MAX`] one more may be tried each time this has passed: ten thousand PINs take days.
pub const WRONG_PIN_EVERY: Duration = Duration::from_secs(30);
/// The shortest and the longest PIN, in digits.
pub const PIN_DIGITS: std::ops::RangeInclusive<usize> = 4..=12;
/// Ticket types and stations that one door link names at most.
pub const DOOR_LIST_MAX: usize = 200;
/// Bytes of a code that somebody shows: the most that a QR code holds. One longer than an id is no ticket's.
pub const CODE_MAX: usize = 4_296;
/// Scans in one upload of a phone that was offline.
pub const SCANS_MAX: usize = 100;
/// Bytes of a request's body to the door: an upload of the longest codes.
pub const DOOR_BODY_MAX: usize = 1024 * 1024;
/// Scans of all phones that are decided in one transaction: enough for the disk not to matter, little enough for the
/// first of them not to wait for long.
pub const SCANS_TOGETHER: usize = 256;
/// Scans that may wait for their turn, of one producer on one server, before further ones get 503.
pub const SCANS_WAITING_MAX: usize = 10_000;
/// Codes on a page of the offline list.
pub const CODES_PAGE: usize = 2_000;
/// Bytes of a code's hash on the offline list: among a million codes two are alike once in 10^17 doors.
pub const CODE_HASH_BYTES: usize = 12;
/// Lines of the scan log that are shown when nobody says otherwise.
pub const LOG_DEFAULT: i64 = 50;

// The box office.

/// Tickets that one order may become, bundles taken apart.
pub const ORDER_TICKETS_MAX: i64 = 1_000;
/// Seqs that one move takes from the producer's counter: far more than it writes rows, and there are 10^18 of them.
pub const SEQS_PER_MOVE: i64 = 1_000_000;
/// Requests a second that one address may make to the shop when nobody says otherwise, and how many may come at once.
pub const SHOP_PER_SECOND: u32 = 20;
/// See [`SHOP_PER_SECOND`]: this many times as much.
pub const SHOP_BURST_FACTOR: u32 = 10;
/// Bytes of a request's body to the shop.
pub const SHOP_BODY_MAX: usize = 64 * 1024;
/// How far the time on a payment's callback may be from ours; an older one may be a replay.
pub const PAYMENT_TOLERANCE: Duration = Duration::from_secs(5 * 60);

// Forgetting.

/// Days that the answer to an order is kept when nobody says otherwise. A buyer's page repeats an order within minutes; a
/// shop of one's own may have a queue that was down for days.
pub const ORDER_ANSWERS_KEPT_DAYS: u64 = 30;
/// Days that the scan log is kept when nobody says otherwise: a season and its accounts.
pub const SCANS_KEPT_DAYS: u64 = 400;
/// The fewest days that the scan log may be kept. A phone keeps what it decided without signal until it has told the
/// server; one that was left in a drawer after a festival must still get its own answers.
pub const SCANS_KEPT_DAYS_MIN: u64 = 30;
/// The most days that anything may be kept, so that no number of days overflows.
pub const KEPT_DAYS_MAX: u64 = 36_500;
/// How often a server forgets what is old.
pub const PRUNE_EVERY: Duration = Duration::from_hours(1);
/// How long after its start it does so for the first time.
pub const PRUNE_FIRST: Duration = Duration::from_mins(5);
/// How often it looks whether that time has come.
pub const PRUNE_POLL: Duration = Duration::from_millis(200);
/// Rows that are deleted in one transaction, so that nobody waits for long.
pub const PRUNED_TOGETHER: i64 = 100;
/// What lies between two such transactions: two million rows an hour, and most of the time for others.
pub const PRUNE_PAUSE: Duration = Duration::from_millis(100);

/// So many days.
pub const fn days(count: u64) -> Duration {
    Duration::from_hours(24 * count)
}

// Webhooks.

/// How long after a failed attempt the next one comes: 21 h 1 min 5 s in all. After the last the message has failed.
pub const WEBHOOK_LADDER: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(15),
    Duration::from_mins(40),
    Duration::from_hours(2),
    Duration::from_hours(4),
    Duration::from_hours(6),
    Duration::from_hours(8),
];
/// By up to this part each of them is longer, so that what failed together does not come back together.
pub const WEBHOOK_JITTER: f64 = 0.1;
/// The longest `Retry-After` that is obeyed; a receiver that needs longer meets the ladder.
pub const WEBHOOK_RETRY_AFTER_MAX: Duration = Duration::from_hours(1);
/// An endpoint where nothing but failure was seen for this long is paused.
pub const WEBHOOK_FAILING_MAX: Duration = Duration::from_hours(5 * 24);
/// How long messages, deliveries and attempts are kept once they are settled, and how long a paused endpoint's wait.
pub const WEBHOOK_KEPT: Duration = Duration::from_hours(30 * 24);
/// Rows that a command changes in one transaction, and how long it then lets others write: a replay of very many must not
/// hold up a door.
pub const WEBHOOK_REPLAYED_TOGETHER: i64 = 200;
/// See [`WEBHOOK_REPLAYED_TOGETHER`].
pub const WEBHOOK_COMMAND_PAUSE: Duration = Duration::from_millis(20);
/// How long the secret before a rotation still signs, too.
pub const WEBHOOK_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// Secrets that sign at the same time; nobody can rotate oftener.
pub const WEBHOOK_SECRETS_MAX: usize = 5;
/// Endpoints of one producer.
pub const WEBHOOK_ENDPOINTS_MAX: i64 = 100;
/// Characters in an endpoint's URL.
pub const WEBHOOK_URL_MAX: usize = 2_000;
/// Requests that one endpoint gets at the same time once it has answered well, over all servers. Until then, and after
/// each failure, it is one: a receiver that hangs occupies nobody.
pub const WEBHOOK_AT_ONCE: usize = 8;
/// Deliveries of one endpoint that a server holds in memory. A turn that writes down half of them and takes as many new
/// ones lasts a few milliseconds, so that a scan does not wait for long.
pub const WEBHOOK_IN_HAND: usize = 128;
/// As long as the endpoint gets one request at a time.
pub const WEBHOOK_IN_HAND_FIRST: usize = 2;
/// Messages that one turn looks at while it moves an endpoint on, most of which it may not want.
pub const WEBHOOK_EXAMINED: i64 = 256;
/// Endpoints that one server works for at the same time.
pub const WEBHOOK_COURIERS_MAX: usize = 250;
/// Transactions for webhooks that one server runs at the same time; the others are for people who wait.
pub const WEBHOOK_WRITERS: usize = 2;
/// How often a server looks for endpoints with something to send.
pub const WEBHOOK_POLL: Duration = Duration::from_millis(200);
/// What was answered is written down at least this often while something is under way, and not much oftener.
pub const WEBHOOK_TURN: Duration = Duration::from_millis(25);
/// How long a turn that failed waits before it is tried again, and an endpoint that had nothing to send until it is looked
/// at again.
pub const WEBHOOK_TURN_AGAIN: Duration = Duration::from_secs(1);
/// How long a server works for one endpoint at a stretch. Then those come first that waited longer.
pub const WEBHOOK_SHIFT: Duration = Duration::from_secs(30);
/// A lease that ends later than this from now was written by a clock that is wrong, and is none.
pub const WEBHOOK_LEASE_PLAUSIBLE: Duration = Duration::from_mins(1);
/// For how long a server has an endpoint to itself. It asks for more three times as often; after it was killed another
/// one takes over once this has passed.
pub const WEBHOOK_LEASE: Duration = Duration::from_secs(10);
/// Bytes of an answer that are read, and then no more.
pub const WEBHOOK_RESPONSE_READ: usize = 16 * 1024;
/// Characters of it that are kept.
pub const WEBHOOK_RESPONSE_KEPT: usize = 1_000;
/// Characters of what went wrong on the way that are kept: some of it is a stranger's text.
pub const WEBHOOK_PROBLEM_KEPT: usize = 300;
/// How long a connection to a receiver is kept for the next request. Many servers close theirs after 5 s; a request that
/// meets that would fail for no reason.
pub const WEBHOOK_IDLE: Duration = Duration::from_secs(4);
/// Names that are looked up at the same time. The system's resolver holds a thread until it gives up, be it long after
/// we did, and the runtime has 512 of them: names that nobody answers for must not take them all.
pub const WEBHOOK_LOOKUPS_MAX: usize = 256;
