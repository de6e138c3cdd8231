//! What an operator may change.

use super::{
    backups::Backups,
    forgetting::KeptFor,
    holds::HoldSettings,
    https::Https,
    log::LogRequests,
    requests::{ConnectionLimits, RateLimits, Timeouts},
    webhooks::WebhookSettings,
};

/// The settings of one server; `taquilla serve --help` explains those that an operator sets.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// How many requests a client may make.
    pub rates: RateLimits,
    /// How many connections there may be.
    pub connections: ConnectionLimits,
    /// How long clients and requests may take.
    pub timeouts: Timeouts,
    /// Whether requests come through a proxy that appends the caller's address to `X-Forwarded-For`.
    pub trust_proxy: bool,
    /// Where the world reaches this service, for links in pages. If it begins with https, cookies are sent over https only.
    pub public_url: Option<String>,
    /// Whether this server itself speaks https; `None` is plain http, as behind a proxy.
    pub https: Option<Https>,
    /// How stock is held for those who have not paid yet.
    pub holds: HoldSettings,
    /// How long things are kept.
    pub kept: KeptFor,
    /// How webhooks are sent.
    pub webhooks: WebhookSettings,
    /// Backups that the server makes by itself; `None` is none.
    pub backups: Option<Backups>,
    /// Which requests get a line in the log.
    pub log_requests: LogRequests,
    /// Whether this is the demo, where buyers pay at the development processor, which moves no money.
    pub is_demo: bool,
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
