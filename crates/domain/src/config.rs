//! Every setting and every limit, with its reason.
//!
//! Settings that an operator may change are fields of [`Config`]. Promises and safety limits are constants.

use std::{fmt, net::IpAddr, path::PathBuf, sync::Arc, time::Duration};

use ipnet::IpNet;

/// The settings of one server; `taquilla serve --help` explains those that an operator sets.
#[derive(Clone, Debug)]
pub struct Config {
    /// Requests a second that one key may make; `None` is no limit.
    pub rate_limit: Option<std::num::NonZeroU32>,
    /// Requests a second that one address may make to the shop; `None` is no limit.
    pub shop_rate_limit: Option<std::num::NonZeroU32>,
    /// Calls a second that one door link may make, and that one address may make; `None` is no limit.
    pub door_rate_limit: Option<std::num::NonZeroU32>,
    /// Connections that a server serves at the same time, as far as the system lets it open files.
    pub connections_max: usize,
    /// Connections that one address may have at the same time; `None` is no limit. Behind a proxy it does not apply.
    pub connections_per_address: Option<std::num::NonZeroU32>,
    /// Whether requests come through a proxy that appends the caller's address to `X-Forwarded-For`.
    pub trust_proxy: bool,
    /// Where the world reaches this service, for links in pages. If it begins with https, cookies are sent over https only.
    pub public_url: Option<String>,
    /// Whether this server itself speaks https; `None` is plain http, as behind a proxy.
    pub https: Option<Https>,
    /// A client that has not finished its TLS handshake in this time is disconnected.
    pub handshake_timeout: Duration,
    /// A client that has not sent a whole request head in this time is disconnected, and so is an idle connection.
    pub head_timeout: Duration,
    /// A client has this long to send a request's body, or it gets 408. A request that has arrived and is not answered
    /// in this time gets 503, so that a stuck database does not pile up work.
    pub request_timeout: Duration,
    /// A client that takes no byte of its answer for this long is disconnected.
    pub write_timeout: Duration,
    /// How long requests under way may continue after the server was told to stop.
    pub shutdown_grace: Duration,
    /// How long the answer to an order is kept for a repetition with the same `Idempotency-Key`.
    pub order_answers_kept: Duration,
    /// How long the stock of a new order is held for its buyer, unless the order asks for another time.
    pub hold: Duration,
    /// The longest hold that an order of the shop may ask for.
    pub hold_max: Duration,
    /// Unpaid orders with which one address may hold stock at the same time; `None` is no limit.
    pub unpaid_per_address: Option<std::num::NonZeroU32>,
    /// Unpaid orders with which one buyer's e-mail address may hold stock at the same time; `None` is no limit.
    pub unpaid_per_buyer: Option<std::num::NonZeroU32>,
    /// How long after its hold has ended an order that nobody has paid is rejected; `None` is never.
    pub unpaid_after: Option<Duration>,
    /// How long the scan log is kept. A scan that a phone uploads again later than this is decided anew.
    pub scans_kept: Duration,
    /// Networks that webhooks may be sent to although they are not public. Plain http is allowed there too.
    pub webhook_allow: Vec<IpNet>,
    /// How long a receiver of webhooks may take.
    pub webhook_timeouts: WebhookTimeouts,
    /// How host names in the URLs of endpoints are looked up.
    pub webhook_lookup: Lookup,
    /// Backups that the server makes by itself; `None` is none.
    pub backups: Option<Backups>,
    /// Which requests get a line in the log.
    pub log_requests: LogRequests,
}

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

/// What stands behind a server's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Https {
    /// An authority that browsers know.
    Trusted,
    /// Nobody: it was made here, for a try. Browsers warn of it.
    Local,
}

/// How certificates are got by ACME.
#[derive(Clone, Debug)]
pub struct Acme {
    /// The names that the certificate is for, in lower case.
    pub domains: Vec<String>,
    /// The folder with the account and the certificate.
    pub folder: PathBuf,
    /// The authority's directory.
    pub directory: String,
    /// A file with the roots that the authority itself is trusted by; `None` is the system's.
    pub root: Option<PathBuf>,
}

/// Backups that servers make by themselves.
#[derive(Clone, Debug)]
pub struct Backups {
    /// The folder that they are in.
    pub folder: PathBuf,
    /// How often one is made.
    pub every: Duration,
    /// How many are kept.
    pub kept: usize,
}

/// How long a receiver of webhooks may take for each part of one attempt.
#[derive(Clone, Copy, Debug)]
pub struct WebhookTimeouts {
    /// Looking up the name and connecting, TLS included.
    pub connect: Duration,
    /// The status and headers of the answer. Time that connecting did not use is added.
    pub head: Duration,
    /// The rest of the answer, as far as it is read. The status is known by then, so this does not change the result.
    pub body: Duration,
}

/// How long PostgreSQL may take. The values are [`PostgresTimeouts::default`]; tests take shorter ones.
#[derive(Clone, Copy, Debug)]
pub struct PostgresTimeouts {
    /// How long a move waits for its producer's turn before the request gets 503. Nothing is held meanwhile, and a
    /// hundred buyers at once may need seconds, so this is longer than the next one.
    pub turn: Duration,
    /// How long a transaction waits for a permit to write, and anybody for a connection, before the request gets 503.
    pub wait: Duration,
    /// PostgreSQL cancels a statement that takes longer than this, such as a wait for a lock.
    pub statement: Duration,
    /// If no answer has come this long after that, the connection is lost: it is closed, and others are used.
    pub margin: Duration,
}

impl Default for PostgresTimeouts {
    fn default() -> Self {
        // A request is answered within 15 s; a connection that is lost is found before that.
        let seconds = Duration::from_secs;
        Self { turn: seconds(10), wait: seconds(5), statement: seconds(10), margin: seconds(2) }
    }
}

/// How names are looked up.
#[derive(Clone, Default)]
pub enum Lookup {
    /// The system's resolver.
    #[default]
    System,
    /// A test's own function, which may change its answers.
    Scripted(Arc<Script>),
}

/// A test's function from a name to its addresses.
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
            connections_max: CONNECTIONS_MAX,
            connections_per_address: std::num::NonZeroU32::new(CONNECTIONS_PER_ADDRESS),
            trust_proxy: false,
            public_url: None,
            https: None,
            handshake_timeout: Duration::from_secs(10),
            head_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(15),
            write_timeout: Duration::from_secs(30),
            shutdown_grace: Duration::from_secs(30),
            order_answers_kept: days(ORDER_ANSWERS_KEPT_DAYS),
            hold: HOLD,
            hold_max: HOLD_ASKED_MAX,
            unpaid_per_address: std::num::NonZeroU32::new(UNPAID_PER_ADDRESS),
            unpaid_per_buyer: std::num::NonZeroU32::new(UNPAID_PER_BUYER),
            unpaid_after: Some(days(UNPAID_DAYS)),
            scans_kept: days(SCANS_KEPT_DAYS),
            webhook_allow: Vec::new(),
            webhook_timeouts: WebhookTimeouts {
                connect: Duration::from_secs(5),
                head: Duration::from_secs(15),
                body: Duration::from_secs(5),
            },
            webhook_lookup: Lookup::System,
            backups: None,
            log_requests: LogRequests::All,
        }
    }
}

/// The database if none is named.
pub const DEFAULT_DATABASE: &str = "sqlite:data/taquilla.db";
/// The address to listen at if none is given: this machine only.
pub const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
/// The same with a certificate that browsers trust: the port that browsers ask.
pub const DEFAULT_LISTEN_HTTPS: &str = "0.0.0.0:443";
/// The same with a certificate that was made here: phones in the house reach it, and nobody has to be root.
pub const DEFAULT_LISTEN_LOCAL: &str = "0.0.0.0:8443";
/// Where the page before such a try is.
pub const DEFAULT_HTTP_LISTEN_LOCAL: &str = "0.0.0.0:8080";

// Requests.

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

// HTTPS.

/// Requests that a client may have under way on one HTTP/2 connection. A browser has far fewer.
pub const HTTP2_STREAMS_MAX: u32 = 100;
/// Bytes of a request's head with HTTP/2, which counts 32 more for each line. Above this the library itself answers a bare
/// 431; [`TARGET_MAX`], [`HEADERS_MAX`] and [`HEADER_LINES_MAX`] together stay below, so an honest mistake gets our answer.
pub const HTTP2_HEAD_MAX: u32 = 32 * 1024;
/// Bodies of one connection that are read at once. Others wait, so that a connection cannot fill the memory with bodies that
/// never end.
pub const HTTP2_BODIES_MAX: usize = 8;
/// Bytes of one body that a client may send before a handler reads them.
pub const HTTP2_STREAM_WINDOW: u32 = 128 * 1024;
/// The same for all bodies of a connection.
pub const HTTP2_CONNECTION_WINDOW: u32 = 512 * 1024;
/// Bytes of an answer that wait for the client to take them, before a handler is asked for more.
pub const HTTP2_SEND_BUFFER: usize = 64 * 1024;
/// Requests that a client has taken back and that are not dealt with yet. With more, as in a flood of them, the connection is
/// closed.
pub const HTTP2_RESETS_MAX: usize = 20;
/// Streams that the server has ended because the client broke the rules. With more, the connection is closed.
pub const HTTP2_ERRORS_MAX: usize = 100;
/// A connection with HTTP/2 is probed this often.
pub const HTTP2_PING: Duration = Duration::from_secs(20);
/// It is closed if there is no answer for so long. The question waits behind everything that a slow client has still to take.
pub const HTTP2_PING_ANSWERED: Duration = Duration::from_mins(1);
/// Bytes of an answer that are handed over at a time. Who takes the next ones has taken most of those before.
pub const HTTP2_PIECE: usize = 16 * 1024;
/// How long a client has to take the last bytes of its answers, after the server was told to stop.
pub const HTTP2_LAST_BYTES: Duration = Duration::from_secs(10);
/// How long a client has for the rest of its answers, after the connection was told to end.
pub const HTTP2_DRAIN: Duration = Duration::from_mins(2);
/// How long a client that has no request under way has to hear that the server stops. A phone that sleeps never answers.
pub const HTTP2_GOODBYE: Duration = Duration::from_secs(3);
/// Days that a certificate is valid which was made here. Phones refuse those that last much longer than a year.
pub const LOCAL_CERTIFICATE_DAYS: u64 = 397;
/// It is made anew this many days before its end.
pub const LOCAL_CERTIFICATE_RENEWED_DAYS: u64 = 30;
/// How often a server looks whether its certificate was replaced.
pub const CERTIFICATE_POLL: Duration = Duration::from_secs(1);
/// Bytes of a file with certificates or a key. Real ones have a few thousand.
pub const CERTIFICATE_FILE_MAX: u64 = 1024 * 1024;
/// The authority that gives certificates by ACME if no other is named.
pub const ACME_DIRECTORY: &str = "https://acme-v02.api.letsencrypt.org/directory";
/// Names in one certificate: as many as Let's Encrypt allows.
pub const ACME_DOMAINS_MAX: usize = 100;
/// How long one request to the authority may take.
pub const ACME_REQUEST: Duration = Duration::from_secs(30);
/// Bytes of an answer of the authority that are read.
pub const ACME_ANSWER_MAX: usize = 1024 * 1024;
/// How long the authority has to look at this server, and to issue the certificate.
pub const ACME_PATIENCE: Duration = Duration::from_mins(2);
/// The pause before another order if a server ended while it made one.
pub const ACME_BEGUN: Duration = Duration::from_secs(30);
/// The pause after the first failure. It doubles with each further one: Let's Encrypt allows five an hour.
pub const ACME_AGAIN: Duration = Duration::from_mins(5);
/// The longest pause.
pub const ACME_AGAIN_MAX: Duration = Duration::from_hours(12);
/// The pause after a success, so that a wrong clock does not order without end.
pub const ACME_AFTER_SUCCESS: Duration = Duration::from_hours(1);

/// Answers shorter than this are not compressed, because that would save no packet.
pub const COMPRESSED_MIN: u64 = 1024;

// Lists.

/// Rows on a page if the client names no limit.
pub const PAGE_DEFAULT: u32 = 50;
/// The most rows on a page.
pub const PAGE_MAX: u32 = 200;
/// Rows examined for one page when a filter cannot be served by the index alone (two time filters at once, say). The
/// page may then be shorter than the limit, with `has_more`, and its cost stays flat (G8). Also the most tickets of one
/// order that are sorted for a page; an order placed here has [`ORDER_TICKETS_MAX`] and their transfers.
pub const EXAMINED_MAX: usize = 1_000;

/// How many times one list is read because its rows are of ticket types whose names the server does not know yet. The
/// first reading finds them all; another is needed only if rows of further ticket types were added meanwhile.
pub const LIST_READS_MAX: usize = 10;

/// Transfers that are followed, back and forth, from one ticket. Far more than a ticket is ever passed on.
pub const CHAIN_MAX: i64 = 10_000;

// Texts and numbers of the data itself.

/// Characters in an id, ours or imported.
pub const ID_MAX: usize = 128;
/// Characters in a name, a label, an address.
pub const NAME_MAX: usize = 500;
/// Characters in a description or a URL.
pub const TEXT_MAX: usize = 10_000;
/// The largest amount of money, in whole units. Sums over a whole order stay far from overflow.
pub const AMOUNT_MAX: i64 = 1_000_000_000_000;
/// The largest count (stock, quantity, position).
pub const COUNT_MAX: i64 = 1_000_000_000;
/// Tickets issued before `issued_at` existed have this date (2026-08-11T00:00:00Z).
pub const LEGACY_ISSUED_AT_MICROS: i64 = 1_786_406_400_000_000;

// Keys.

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

// Import.

/// Bytes in one line of an import.
pub const IMPORT_LINE_MAX: usize = 1024 * 1024;
/// Lines sent to the database together: enough to keep PostgreSQL busy, few enough to keep memory flat.
pub const IMPORT_BATCH: usize = 1_000;
/// Items of one order, and different items in one bundle.
pub const ITEMS_MAX: usize = 500;

// The log.

/// How long a line of the log waits, to be written together with others. A killed server loses the lines of this time.
pub const LOG_WAIT: Duration = Duration::from_millis(10);
/// Bytes of the log that may wait. Whoever logs more writes them, and waits for whoever reads the log.
pub const LOG_WAITING_MAX: usize = 256 * 1024;

/// The largest N of `--log-requests 1/N`.
pub const LOG_ONE_IN_MAX: u32 = 1_000_000;

// Metrics.

/// How long what the database told for metrics is told again without asking. Prometheus asks every 15 seconds or more, and
/// two of them ask at about the same time.
pub const METRICS_KEPT: Duration = Duration::from_secs(5);
/// How long the database may take to tell it. Prometheus gives up after 10 seconds, and must learn that the database is
/// down.
pub const METRICS_DATABASE_TIME: Duration = Duration::from_secs(2);
/// Sums of holds that are added up. A hundred thousand take about 20 ms; with more, what is held is not told.
pub const METRICS_SUMS_MAX: i64 = 100_000;
/// Endpoints of webhooks that are looked at. With more, nothing is told of them.
pub const METRICS_ENDPOINTS_MAX: i64 = 10_000;
/// Connections that ask for metrics at the same time. More wait in the kernel's queue.
pub const METRICS_CONNECTIONS_MAX: usize = 16;
/// A connection that has sent no whole request for this long is closed. Prometheus keeps its connection, and comes once a
/// minute if it is not told otherwise.
pub const METRICS_IDLE: Duration = Duration::from_mins(2);
/// Bytes of the head of a request for metrics.
pub const METRICS_HEAD_BUFFER: usize = 16 * 1024;
/// Whoever takes no byte of the metrics for this long is disconnected.
pub const METRICS_WRITE_TIMEOUT: Duration = Duration::from_secs(10);

// The store.

/// Prepared statements kept per connection: room for every shape of every list.
pub const STATEMENTS_MAX: usize = 512;
/// Keys, door links and payment processors that a server remembers, of each this many, about 200 bytes each. A reading
/// connection to SQLite remembers as many keys.
pub const KNOWN_MAX: usize = 10_000;
/// Names of ticket types that a server remembers, a few hundred bytes each. Learning a new name copies all names of its
/// producer, so they must not grow without end.
pub const TYPE_NAMES_MAX: usize = 20_000;
/// Tickets read together by work that goes through all of them.
pub const TICKETS_AT_A_TIME: i64 = 1_000;
/// Orders read together by work that goes through all of them; each may have [`ITEMS_MAX`] items.
pub const ORDERS_AT_A_TIME: i64 = 200;
/// Connections to PostgreSQL per server.
pub const POSTGRES_POOL: usize = 16;
/// How many of these connections may write at the same time; the others are for readers.
pub const POSTGRES_WRITERS: usize = 10;
/// A connection to PostgreSQL that was silent for this long is probed, by both ends.
pub const POSTGRES_KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
/// The pause between two probes.
pub const POSTGRES_KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
/// A connection is lost after this many probes without an answer.
pub const POSTGRES_KEEPALIVE_RETRIES: u32 = 4;
/// A connection is lost if nothing that was sent arrives for this long. Long work has no other deadline.
pub const POSTGRES_LOST: Duration = Duration::from_secs(30);
/// How many times a write is tried in all, if it meets deadlocks, serialization failures or other conflicts.
pub const WRITE_ATTEMPTS: u32 = 8;
/// How long a read waits for another process that has locked the whole SQLite file. In WAL mode that hardly ever happens,
/// and a waiting read keeps a thread from all other requests.
pub const SQLITE_READ_BUSY: Duration = Duration::from_secs(1);
/// How long a write waits for another process that is writing to the same SQLite file (an import, say).
pub const SQLITE_BUSY: Duration = Duration::from_secs(300);
/// Bytes of a page in a new SQLite file. A ticket takes about 900, so a page of a list needs few reads. With 16 kB,
/// reading is hardly faster and writes log more bytes.
pub const SQLITE_PAGE: i64 = 8 * 1024;
/// Page cache of one SQLite connection, in KiB.
pub const SQLITE_CACHE_KIB: i64 = 8 * 1024;
/// Bytes of a SQLite file that reading connections see where the operating system keeps them, instead of copying each page
/// into a cache of their own: the most that SQLite takes. What lies beyond is copied, and so is what the write-ahead log has.
pub const SQLITE_MAPPED: i64 = 0x7fff_0000;
/// Page cache of the one connection that writes, in KiB. It is larger because a scan changes a dozen pages all over the
/// file.
pub const SQLITE_WRITER_CACHE_KIB: i64 = 32 * 1024;
/// Page cache of a connection that does long work such as an import, in KiB. It is larger because such work touches all
/// parts of every index.
pub const SQLITE_LONG_WORK_CACHE_KIB: i64 = 128 * 1024;
/// Bytes that the write-ahead log may keep on disk once its content is in the database.
pub const SQLITE_WAL_KEPT: i64 = 64 * 1024 * 1024;

// The door.

/// Calls a second that one door link may make, and that one address may make, by default. A gate with a hundred phones
/// behind one address stays below this.
pub const DOOR_PER_SECOND: u32 = 200;
/// How many times [`DOOR_PER_SECOND`] may come at once, such as the scans that a phone kept while it was offline.
pub const DOOR_BURST_FACTOR: u32 = 20;
/// Wrong PINs that may be tried for one door link, and from one address, before further tries must wait.
pub const WRONG_PINS_MAX: u32 = 10;
/// After [`WRONG_PINS_MAX`], one more PIN may be tried each time this has passed. Trying ten thousand PINs takes days.
pub const WRONG_PIN_EVERY: Duration = Duration::from_secs(30);
/// The shortest and the longest PIN, in digits.
pub const PIN_DIGITS: std::ops::RangeInclusive<usize> = 4..=12;
/// The most ticket types, and the most stations, that one door link may name.
pub const DOOR_LIST_MAX: usize = 200;
/// Bytes of a code shown at a door: the most that a QR code holds. A code longer than an id belongs to no ticket.
pub const CODE_MAX: usize = 4_296;
/// Scans in one upload of a phone that was offline.
pub const SCANS_MAX: usize = 100;
/// Bytes of a request's body to the door: room for a full upload of the longest codes.
pub const DOOR_BODY_MAX: usize = 1024 * 1024;
/// Scans of all phones that one group decides: enough that the wait for the disk does not matter, few enough that
/// nobody else waits long.
pub const SCANS_TOGETHER: usize = 256;
/// Tickets of an order that are counted for the answer to a scan ("2 of 4"). An order from an import may have any number,
/// and every scan of its tickets would read them all; nobody at a door counts a larger group by heart.
pub const GROUP_TICKETS_MAX: usize = 200;
/// Codes on a page of the offline list.
pub const CODES_PAGE: usize = 2_000;
/// Bytes of a code's hash on the offline list. Among a million codes, two hashes are equal at one door in 10^17.
pub const CODE_HASH_BYTES: usize = 12;
/// Lines of the scan log that are shown by default.
pub const LOG_DEFAULT: i64 = 50;

// The overview.

/// The events that the overview shows: more do not fit on a phone before what waits for a person.
pub const OVERVIEW_EVENTS: usize = 6;
/// Events that are looked at to find them: some that begin soon may be drafts, or cancelled.
pub const OVERVIEW_EXAMINED: usize = 50;
/// How long after its start an event without a known end counts as on.
pub const EVENT_LASTS: Duration = Duration::from_secs(12 * 3_600);
/// How long after its start an event is looked for at all.
pub const EVENT_LASTS_MAX: Duration = Duration::from_secs(3 * 24 * 3_600);
/// The most of anything that the overview counts; beyond it says that there are more. So a page costs the same however
/// much is left undone.
pub const ATTENTION_MAX: i64 = 100;
/// How long before its end something that ends by itself is shown.
pub const ENDS_SOON: Duration = Duration::from_secs(7 * 24 * 3_600);
/// How long before its end a hold is shown.
pub const HOLD_ENDS_SOON: Duration = Duration::from_secs(10 * 60);
/// How long an order waits before it is shown as waiting for long: a processor that takes days is no reason to look.
pub const PENDING_LONG: Duration = Duration::from_secs(3 * 24 * 3_600);
/// Days of the overview's sales.
pub const SALES_DAYS: usize = 14;
/// Payments on a page of those that somebody has to deal with.
pub const PAYMENTS_PAGE: usize = 50;

// The demo, whose people buy and enter by themselves.

/// Nights that a demo goes through before it rests, about six days of running: orders and tickets are never deleted, so a
/// demo that somebody forgot must not fill their disk.
pub const DEMO_NIGHTS_MAX: u32 = 20;
/// How long a demo is lively after its start. Then it goes on at a pace that nobody pays for in disk or heat.
pub const DEMO_LIVELY_FOR: Duration = Duration::from_secs(2 * 3_600);
/// Payments to come that a demo remembers; orders whose payment does not fit stay unpaid.
pub const DEMO_PAYMENTS_MAX: usize = 50;
/// Payments for staff to deal with that a demo leaves in their list.
pub const DEMO_UNSETTLED_MAX: usize = 4;

// Finding things on the command line.

/// Rows that a list or a search shows if no limit is named.
pub const FOUND_DEFAULT: usize = 50;
/// The most rows that one list or search shows. They are in memory together, so there is an end to them.
pub const FOUND_MAX: usize = 10_000;
/// Rows that one statement of a search reads: enough that the way to the database does not matter, few enough to keep
/// memory flat and to let go of the database often.
pub const SEARCHED_TOGETHER: usize = 1_000;
/// Columns that a table may take without `--wide`: every terminal has as many.
pub const TABLE_WIDTH: u16 = 80;
/// Columns that an id may take in a list. Those made here have at most 30; a longer one gets a line of its own.
pub const TABLE_ID_WIDTH: usize = 30;

// The box office.

/// Tickets that one order may become, counting each item of its bundles.
pub const ORDER_TICKETS_MAX: i64 = 1_000;
/// New orders that one group decides. With more, an order hardly costs less, and everybody else waits longer.
pub const ORDERS_TOGETHER: usize = 128;
/// Payments that one group settles.
pub const PAYMENTS_TOGETHER: usize = 128;
/// Decisions of staff, such as refunds, that one group makes.
pub const STAFF_TOGETHER: usize = 32;
/// A group that has issued or changed this many tickets decides no further sale; the next group does. A group may so have
/// this many and those of one more sale.
pub const TICKETS_TOGETHER: usize = 1_000;
/// Requests of one kind (orders, payments, scans, decisions of staff) and one producer that may wait on one server before
/// further ones get 503.
pub const WAITING_MAX: usize = 10_000;
/// Seqs that one move takes from the producer's counter: far more than the rows it writes. There are 10^18.
pub const SEQS_PER_MOVE: i64 = 1_000_000;
/// Requests a second that one address may make to the shop by default.
pub const SHOP_PER_SECOND: u32 = 20;
/// How many times [`SHOP_PER_SECOND`] may come at once.
pub const SHOP_BURST_FACTOR: u32 = 10;
/// Bytes of a request's body to the shop.
pub const SHOP_BODY_MAX: usize = 64 * 1024;
/// Characters of a buyer's or attendee's name that the shop takes. Anybody may place an order, so what the shop stores for
/// nothing is bounded more tightly than what staff write and import ([`NAME_MAX`]). The longest full names are shorter.
pub const SHOP_NAME_MAX: usize = 200;
/// Characters of an e-mail address that the shop takes: the longest that mail can be sent to.
pub const SHOP_EMAIL_MAX: usize = 254;
/// Characters of a phone number that the shop takes. A number has 15 digits at most; people add spaces and an extension.
pub const SHOP_PHONE_MAX: usize = 40;
/// Characters of an identity document that the shop takes: a number of about 20, and perhaps its kind and country.
pub const SHOP_DOCUMENT_MAX: usize = 64;
/// Bytes of the details of buyer and attendees together in one order of the shop: a group of 150 people with name, e-mail
/// address, phone number and document.
pub const SHOP_DETAILS_MAX: usize = 16 * 1024;
/// How long the stock of a new order is held by default: long enough to find a card and to pay with it.
pub const HOLD: Duration = Duration::from_mins(30);
/// The longest hold that an order of the shop may ask for by default. Anybody may ask, so this is an hour: the sessions of
/// most processors are shorter.
pub const HOLD_ASKED_MAX: Duration = Duration::from_hours(1);
/// The longest hold at all, for bank transfers and cash vouchers.
pub const HOLD_MAX: Duration = days(14);
/// Holds end at whole multiples of one of these, and never earlier than they should. So few moments are told apart, and
/// adding up what is held of an item reads few rows, however many hold it.
pub const HOLD_STEPS_S: [u64; 8] = [1, 5, 15, 60, 5 * 60, 15 * 60, 3_600, 4 * 3_600];
/// A hold's step is the largest that is at most this part of its length: 15 s for half an hour. Holds of one length then
/// end at 120 to 600 different moments.
pub const HOLD_PARTS: u64 = 120;
/// Unpaid orders with which one address may hold stock by default. Many people share the address of a campus or of a mobile
/// network, and few of them are about to pay at the same moment.
pub const UNPAID_PER_ADDRESS: u32 = 100;
/// Unpaid orders with which one buyer's e-mail address may hold stock by default: somebody who began anew several times.
pub const UNPAID_PER_BUYER: u32 = 10;
/// How long the sums of holds that have ended are kept, so that a clock that was set back finds them.
pub const HELD_KEPT: Duration = days(1);
/// How long a processor's replaced secret is still taken beside the new one.
pub const PAYMENT_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// Secrets of one processor that may be taken at the same time. With this many, the next one must wait.
pub const PAYMENT_SECRETS_MAX: usize = 5;
/// Characters that are kept of the values in a payment's notice. Right ones are not longer.
pub const TOLD_MAX: usize = 128;
/// How far the time on a payment's callback may be from ours; an older callback may be a replay.
pub const PAYMENT_TOLERANCE: Duration = Duration::from_secs(5 * 60);

// Forgetting.

/// Days that the answer to an order is kept by default. A buyer's page repeats an order within minutes; a producer's
/// own shop may have a queue that was down for days.
pub const ORDER_ANSWERS_KEPT_DAYS: u64 = 30;
/// Days that the scan log is kept by default: a season and its accounts.
pub const SCANS_KEPT_DAYS: u64 = 400;
/// The fewest days that the scan log may be kept. A phone keeps the decisions it made offline until it has uploaded
/// them, and a phone left in a drawer after a festival must still get its own answers.
pub const SCANS_KEPT_DAYS_MIN: u64 = 30;
/// Days after the end of its hold when an order that nobody has paid is rejected by default. Bank transfers take up to a
/// week and cash vouchers up to three; a late payment would meet a rejected order and have to be paid back. After its hold
/// a pending order keeps no stock from anybody, so waiting costs nobody a ticket.
pub const UNPAID_DAYS: u64 = 30;
/// Unpaid orders that one move looks at and rejects. Sales and scans of the producer wait for it, and each order takes
/// several statements.
pub const UNPAID_TOGETHER: i64 = 20;
/// The most days that anything may be kept, so that no number of days overflows.
pub const KEPT_DAYS_MAX: u64 = 36_500;
/// How often a server deletes what is old.
pub const PRUNE_EVERY: Duration = Duration::from_hours(1);
/// How long after its start a server deletes for the first time.
pub const PRUNE_FIRST: Duration = Duration::from_mins(5);
/// How often a server looks whether it is time to delete.
pub const PRUNE_POLL: Duration = Duration::from_millis(200);
/// Rows that one transaction deletes, so that sales and scans do not wait long.
pub const PRUNED_TOGETHER: i64 = 100;
/// The pause between two such transactions. It allows two million rows an hour and leaves most of the time to others.
pub const PRUNE_PAUSE: Duration = Duration::from_millis(100);

// Backups.

/// How often servers make a backup by themselves, if they are to and nobody says how often.
pub const BACKUP_EVERY: Duration = Duration::from_hours(24);
/// The shortest time between two backups that servers make by themselves: each goes through the whole database.
pub const BACKUP_EVERY_MIN: Duration = Duration::from_mins(5);
/// The longest.
pub const BACKUP_EVERY_MAX: Duration = days(30);
/// Backups that are kept of those that servers made by themselves, if nobody says how many: a week.
pub const BACKUPS_KEPT: u64 = 7;
/// The most that can be kept.
pub const BACKUPS_KEPT_MAX: u64 = 10_000;
/// How often a server looks whether it is time for a backup.
pub const BACKUP_POLL: Duration = Duration::from_secs(1);
/// How long the turn to make a backup belongs to a server that says nothing more of it.
pub const BACKUP_LEASE: Duration = Duration::from_secs(30);
/// How often a server says that it is still at a backup.
pub const BACKUP_ALIVE: Duration = Duration::from_secs(5);
/// After a backup failed, no server tries again before this has passed.
pub const BACKUP_AGAIN: Duration = Duration::from_mins(10);
/// A time of a backup, or of the turn to make one, that is further ahead than this was written by a wrong clock.
pub const BACKUP_PLAUSIBLE: Duration = Duration::from_hours(1);
/// How hard backups are compressed, as zstd counts. Higher levels take much longer and make little smaller.
pub const BACKUP_COMPRESSION: i32 = 3;
/// Rows after which a backup says how far it is, and looks whether it is to stop.
pub const BACKUP_STEP: u64 = 1_000;
/// Rows of a backup that are sent to the database together.
pub const RESTORE_BATCH: usize = 1_000;
/// Bytes of rows that are sent together, about: a message of an order with 500 items is large.
pub const RESTORE_BATCH_BYTES: usize = 4 * 1024 * 1024;
/// Bytes of the longest line of a backup that is read. The largest rows are messages and answers of some megabytes.
pub const RESTORE_LINE_MAX: u64 = 64 * 1024 * 1024;
/// How far the clocks of servers may be apart at most. A restored producer's clock begins this much after the present, so
/// that no server has given out a later stamp before.
pub const CLOCKS_DIFFER_MAX: Duration = Duration::from_mins(1);
/// The places of an endpoint's messages go on at the next multiple of this after a restore: more messages than any endpoint
/// gets between two backups.
pub const RESTORED_SEQUENCE_STEP: i64 = 1_000_000_000;
/// Bytes of a list of revoked keys, or of erasures.
pub const RESTORE_LIST_MAX: u64 = 64 * 1024 * 1024;

/// This many days.
pub const fn days(count: u64) -> Duration {
    Duration::from_hours(24 * count)
}

// Webhooks.

/// How long after each failed attempt the next one comes: 21 h 1 min 5 s in all. If the attempt after the last wait
/// fails, the delivery has failed.
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
/// Each wait is longer by a random part up to this one, so that deliveries that failed together are not repeated
/// together.
pub const WEBHOOK_JITTER: f64 = 0.1;
/// The longest `Retry-After` that is obeyed. A receiver that needs longer gets the next attempts of the ladder.
pub const WEBHOOK_RETRY_AFTER_MAX: Duration = Duration::from_hours(1);
/// An endpoint that succeeds after it failed for this long catches up: messages that wait for another attempt are sent
/// at once. After a shorter time none waits much longer than this. A message that the receiver refuses whenever it comes
/// makes an endpoint fail until the next success, so without this limit each success would send it once more.
pub const WEBHOOK_OUTAGE: Duration = Duration::from_mins(1);
/// Failures in a row after which an endpoint stops to catch up. One or two may be messages that the receiver refuses.
pub const WEBHOOK_CATCH_UP_FAILURES: usize = 3;
/// After every attempt has failed for this long, an endpoint gets the state `failing` and no more messages.
pub const WEBHOOK_FAILING_MAX: Duration = Duration::from_hours(5 * 24);
/// How long messages, deliveries and attempts are kept once they are settled, and how long deliveries wait for an
/// endpoint that is not active.
pub const WEBHOOK_KEPT: Duration = Duration::from_hours(30 * 24);
/// Rows that a replay changes in one transaction, so that a large replay does not hold up a door.
pub const WEBHOOK_REPLAYED_TOGETHER: i64 = 200;
/// How long a command pauses between two transactions, so that others can write.
pub const WEBHOOK_COMMAND_PAUSE: Duration = Duration::from_millis(20);
/// How long a replaced secret still signs beside the new one.
pub const WEBHOOK_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// Secrets that may sign at the same time. With this many, the next rotation must wait.
pub const WEBHOOK_SECRETS_MAX: usize = 5;
/// Endpoints of one producer.
pub const WEBHOOK_ENDPOINTS_MAX: i64 = 100;
/// Characters in an endpoint's URL.
pub const WEBHOOK_URL_MAX: usize = 2_000;
/// Requests that one endpoint gets at the same time, over all servers. Before the first success and after a failure it
/// gets one at a time, so that a receiver that hangs occupies little, and one that is just back is not flooded. Each
/// success allows one more.
pub const WEBHOOK_AT_ONCE: usize = 8;
/// Deliveries of one endpoint that a courier holds in memory. A turn that writes down half of them and takes as many
/// new ones lasts a few milliseconds, so a scan does not wait long for it.
pub const WEBHOOK_IN_HAND: usize = 128;
/// The same while the endpoint gets one request at a time.
pub const WEBHOOK_IN_HAND_FIRST: usize = 2;
/// Messages that one turn examines for an endpoint. The endpoint may want only a few of them.
pub const WEBHOOK_EXAMINED: i64 = 256;
/// Endpoints that one server works for at the same time.
pub const WEBHOOK_COURIERS_MAX: usize = 250;
/// Transactions for webhooks that one server runs at the same time, so that sales and scans find the database free.
pub const WEBHOOK_WRITERS: usize = 2;
/// How often a server looks for endpoints with work.
pub const WEBHOOK_POLL: Duration = Duration::from_millis(200);
/// A courier writes down an answer at the latest after this time, together with others that came meanwhile.
pub const WEBHOOK_TURN: Duration = Duration::from_millis(25);
/// How long a courier waits before it repeats a failed turn, and how long an endpoint that had nothing to send is left
/// alone.
pub const WEBHOOK_TURN_AGAIN: Duration = Duration::from_secs(1);
/// How long a courier works for one endpoint without a break. Then endpoints that have waited longer come first.
pub const WEBHOOK_SHIFT: Duration = Duration::from_secs(30);
/// A lease that ends later than this from now was written by a wrong clock and does not count.
pub const WEBHOOK_LEASE_PLAUSIBLE: Duration = Duration::from_mins(1);
/// How long a courier's lease on an endpoint lasts. The courier renews it after a third of that time. If its server was
/// killed, another courier takes over when the lease ends.
pub const WEBHOOK_LEASE: Duration = Duration::from_secs(10);
/// Bytes of an answer's body that are read.
pub const WEBHOOK_RESPONSE_READ: usize = 16 * 1024;
/// Characters of an answer's body that are kept.
pub const WEBHOOK_RESPONSE_KEPT: usize = 1_000;
/// Characters kept of an attempt's problem, which may contain a stranger's text.
pub const WEBHOOK_PROBLEM_KEPT: usize = 300;
/// How long an idle connection to a receiver is kept for the next request. Many servers close theirs after 5 s, and a
/// request sent at that moment would fail for no reason.
pub const WEBHOOK_IDLE: Duration = Duration::from_secs(4);
/// Names that are looked up at the same time. A look-up by the system's resolver holds a thread until it ends, even
/// long after we gave up, and the runtime has 512 threads for such work. Names that nobody answers for must not take
/// them all.
pub const WEBHOOK_LOOKUPS_MAX: usize = 256;

// Staff and the dashboard.

/// The name that authenticator apps show beside their codes.
pub const SERVICE_NAME: &str = "Taquilla";
/// Characters of an e-mail address: the longest that mail can be sent to.
pub const EMAIL_MAX: usize = 254;
/// The shortest and the longest password, in characters. Longer ones are no safer, and hashing them costs time.
pub const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=128;
/// Memory that hashing a password takes, in KiB, and how often it goes through it: OWASP's first choice for argon2id.
pub const ARGON2_MEMORY_KIB: u32 = 19 * 1024;
/// See [`ARGON2_MEMORY_KIB`].
pub const ARGON2_PASSES: u32 = 2;
/// Passwords that one server hashes at the same time, each on a thread of its own. Whoever tries to sign in meanwhile waits.
pub const PASSWORDS_AT_ONCE: usize = 4;
/// Passwords that may wait to be hashed on one server before further ones get 503.
pub const PASSWORDS_WAITING: usize = 64;
/// Failed attempts to sign in that one account may have, and one address, before further ones must wait.
pub const SIGN_INS_MAX: u32 = 10;
/// After [`SIGN_INS_MAX`], one more attempt may be made each time this has passed.
pub const SIGN_IN_EVERY: Duration = Duration::from_secs(60);
/// A session ends when it was not used for this long: a working day with its breaks.
pub const SESSION_IDLE: Duration = Duration::from_hours(12);
/// A session ends after this time, however often it is used.
pub const SESSION_LONGEST: Duration = days(14);
/// How often the use of a session is written down at most.
pub const SESSION_SEEN_EVERY: Duration = Duration::from_mins(1);
/// Sessions of one user. Signing in once more ends the oldest.
pub const SESSIONS_MAX: usize = 50;
/// How long after showing the password a page may be opened that changes keys, payments, the team or secrets.
pub const CONFIRMED_FOR: Duration = Duration::from_mins(15);
/// How much longer than [`CONFIRMED_FOR`] the form on such a page may be sent, so that nobody loses what they have written.
pub const CONFIRMED_GRACE: Duration = Duration::from_mins(30);
/// How long an invitation can be accepted.
pub const INVITATION_LASTS: Duration = days(7);
/// How long a link to choose a new password, or to begin the service, works.
pub const RESET_LASTS: Duration = Duration::from_hours(24);
/// How long the second factor may be shown after the password was right.
pub const SECOND_FACTOR_LASTS: Duration = Duration::from_mins(10);
/// Recovery codes that a user gets.
pub const RECOVERY_CODES: usize = 10;
/// Members of one producer's team, and invitations that are open.
pub const TEAM_MAX: usize = 500;
/// Roles that one producer can make.
pub const ROLES_MAX: usize = 50;
/// Producers that one user sees in the dashboard.
pub const MEMBERSHIPS_MAX: i64 = 500;
/// Bytes of a form that the dashboard takes.
pub const FORM_MAX: usize = 64 * 1024;
/// Bytes of a file that is imported through the dashboard. A larger one is for the command line.
pub const UPLOAD_MAX: i64 = 512 * 1024 * 1024;
/// Bytes of a file that are kept as one row: small enough that no sale waits for it.
pub const UPLOAD_PART: usize = 256 * 1024;
/// How long a file may take to arrive.
pub const UPLOAD_LASTS: Duration = Duration::from_hours(1);
/// How long a file is kept that nobody has imported or given up.
pub const UPLOAD_KEPT: Duration = Duration::from_hours(7 * 24);
/// How often a server looks for work to take up.
pub const WORK_POLL: Duration = Duration::from_millis(500);
/// How long a piece of work belongs to a server that says nothing more of it.
pub const WORK_LEASE: Duration = Duration::from_secs(20);
/// How often a server says that it still works.
pub const WORK_ALIVE: Duration = Duration::from_secs(2);
/// Pieces of work that one server does at the same time.
pub const WORK_TOGETHER: usize = 2;
/// Orders that could not be refunded which one piece of work remembers. More would say that something else is wrong.
pub const WORK_FAILED_MAX: i64 = 1_000;
/// Orders, or tickets, whose people one move erases: few enough that no sale waits for long.
pub const ERASED_TOGETHER: usize = 50;
/// Orders, or tickets, that are looked for at once before those that were found are erased.
pub const ERASED_AT_ONCE: usize = 5_000;
/// After such a move whoever erases rests this many times as long as it took, so that sales have most of the time.
pub const ERASED_REST: u32 = 2;
/// Rows that are compared at a time when people are looked for.
pub const PEOPLE_EXAMINED: i64 = 500;
/// Orders and tickets of one person that the dashboard takes out at once. More are for the command line.
pub const PERSON_ROWS_MAX: usize = 5_000;
/// The most days after an event's end for which a producer can set people to be kept: ten years.
pub const RETENTION_DAYS_MAX: i64 = 3_650;
/// By so much people may be kept too long before a check says so: servers look once an hour, and erase step by step.
pub const RETENTION_LATE: Duration = days(2);
/// Rows on a page of the dashboard.
pub const DASHBOARD_ROWS: i64 = 50;
// Searching orders and tickets.

/// How often a server looks for orders and tickets that staff cannot find yet: what was sold is found about a second later.
pub const SEARCH_POLL: Duration = Duration::from_secs(1);
/// How often it looks whether that time has come, by the clock that tests step.
pub const SEARCH_CLOCK_POLL: Duration = Duration::from_millis(100);
/// Orders, and tickets, whose words one transaction writes. On SQLite a sale may have to wait for it, so they are few.
pub const SEARCH_TOGETHER: i64 = 100;
/// After such a transaction its task rests this many times as long as it took, so that it never takes more than a quarter
/// of the time in which sales are written.
pub const SEARCH_REST: u32 = 3;
/// Producers that are looked after in one round.
pub const SEARCH_PRODUCERS: i64 = 100;
/// Bytes of an entry of the index. Whoever types more than this finds all that begins so.
pub const SEARCH_ENTRY_MAX: usize = 40;
/// Bytes of the entry of a ticket's code. Few codes begin alike, and those are compared as a whole.
pub const SEARCH_CODE_MAX: usize = 12;
/// Letters of a code or an order's id that must be typed. Fewer would bring a part of everything.
pub const SEARCH_CODE_MIN: usize = 4;
/// Entries of one person, because a name of 500 characters may have 250 words.
pub const SEARCH_ENTRIES_MAX: usize = 24;
/// Words of a text that is looked for.
pub const SEARCH_WORDS_MAX: usize = 6;
/// Rows that a search fetches at a time, newest first, until there are enough.
pub const TICKETS_FETCHED: usize = 100;
/// Events that a page lets staff choose from, the newest.
pub const EVENTS_OFFERED: usize = 100;
/// Tickets on one page that is printed, because each has a drawing.
pub const TICKETS_PRINTED: usize = 20;
/// Tickets of one order that its pages show. Only an import brings an order with more.
pub const ORDER_TICKETS_SHOWN: i64 = 1_000;
/// Orders whose tickets are listed when the text begins their ids.
pub const SEARCH_ORDERS_MAX: usize = 10;

/// Events on the front page.
pub const FRONT_EVENTS: i64 = 12;
/// Characters that are kept of what a browser says of itself.
pub const DEVICE_MAX: usize = 200;
/// How long the page of a test message waits for its result.
pub const TEST_WAIT: Duration = Duration::from_secs(10);
/// How often it looks whether there is one.
pub const TEST_POLL: Duration = Duration::from_millis(50);

/// Days that a report covers if nobody says which.
pub const REPORT_DAYS: i64 = 30;
/// Days that a report covers at most: a leap year.
pub const REPORT_DAYS_MAX: i64 = 366;
/// Bars of a chart. More days than this are shown as weeks, which are as many bars as a phone can show.
pub const REPORT_BARS: i64 = 62;
/// Points of an entry curve, as many as a laptop can show.
pub const REPORT_ENTRY_STEPS: i64 = 150;
/// Rows of sums that a report adds up, and that its file has: some megabytes.
pub const REPORT_ROWS_MAX: usize = 50_000;
/// Exports that run at once on a server: each keeps a page of rows in memory and reads one page after another.
pub const EXPORTS_MAX: usize = 16;
/// Exports of one producer among them, so that none takes the places of the others.
pub const EXPORTS_PER_PRODUCER: usize = 4;
/// When to try again if there is no place for an export.
pub const EXPORT_RETRY_S: u64 = 30;
/// Rows that an export reads at a time: a few hundred kilobytes.
pub const EXPORT_PAGE: usize = 250;
/// How often an export tries to read a page while the database is busy, before it breaks off.
pub const EXPORT_TRIES: u32 = 5;
/// How long it waits in between.
pub const EXPORT_PAUSE: Duration = Duration::from_secs(1);
/// Events whose names and time zones an export keeps in memory.
pub const EXPORT_EVENTS: usize = 1_000;

// What `taquilla doctor` finds wrong.

/// How far the database's clock may be from this machine's. Holds are decided by the one, everything else by the other, and
/// clocks that follow a time server are closer than this.
pub const CLOCK_APART_MAX: Duration = Duration::from_secs(2);
/// How far this machine's clock may be behind the last change: a restored producer's clock begins ahead of the present.
pub const CLOCK_BEHIND_MAX: Duration = Duration::from_secs(CLOCKS_DIFFER_MAX.as_secs() + CLOCK_APART_MAX.as_secs());
/// Free bytes of a disk below which something is wrong: SQLite's log alone may take 64 MiB, and more during an import.
pub const DISK_FREE_MIN: u64 = 256 * 1024 * 1024;
/// Free bytes of a disk below which somebody should look.
pub const DISK_FREE_LOW: u64 = 1024 * 1024 * 1024;
/// Memory below which a server cannot do what it is made for: passwords that are hashed at once take 76 MiB, the rest 50.
pub const MEMORY_MIN: u64 = 128 * 1024 * 1024;
/// Memory below which somebody should look: twice that.
pub const MEMORY_LOW: u64 = 2 * MEMORY_MIN;
/// How long the public URL may take to answer.
pub const REACHED_WITHIN: Duration = Duration::from_secs(10);

// The door, live.

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
