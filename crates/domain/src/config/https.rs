//! Https of the server's own, and certificates.

use std::{path::PathBuf, time::Duration};

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
    /// The names that have a certificate each, in lower case.
    pub domains: Vec<String>,
    /// The folder with the account and the certificates.
    pub folder: PathBuf,
    /// The authority's directory.
    pub directory: String,
    /// A file with the roots that the authority itself is trusted by; `None` is the system's.
    pub root: Option<PathBuf>,
}

/// Requests that a client may have under way on one HTTP/2 connection. A browser has far fewer.
pub const HTTP2_STREAMS_MAX: u32 = 100;
/// Bytes of a request's head with HTTP/2, which counts 32 more for each line. Above this the library itself answers a bare
/// 431; [`TARGET_MAX`](super::TARGET_MAX) and the limits beside it together stay below, so an honest mistake gets our answer.
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
/// Domains of one server. Each has a certificate of its own, and Let's Encrypt allows 300 orders in three hours.
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
