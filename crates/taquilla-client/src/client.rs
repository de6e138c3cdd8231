//! Every call of the read API.

use std::{fmt, sync::Arc, time::Duration};

use reqwest::{header::HeaderValue, redirect};
use serde::{Deserialize, de::DeserializeOwned};
use url::{Host, Url};

use super::{
    answers::Answers,
    backoff::Retries,
    call::{Caller, segment},
    error::Error,
    filters::{EventFilter, OrderFilter, Query, TicketFilter},
    rows::Rows,
    shapes::{Event, Me, Order, Ticket, TicketType},
    tls::tls,
};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a server may be silent in the middle of a call.
const SILENCE: Duration = Duration::from_secs(60);
/// The largest page.
const PAGE: u16 = 200;

/// A client of one server with one key. Cheap to clone; the clones share their connections.
#[derive(Clone)]
pub struct Client {
    caller: Arc<Caller>,
}

/// The settings of a client.
pub struct Builder {
    url: String,
    key: String,
    retries: Retries,
    silence: Duration,
    user_agent: String,
}

impl Builder {
    /// When a call is made again.
    #[must_use]
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// How long the server may be silent in the middle of a call; 60 seconds if this is not said.
    #[must_use]
    pub fn silence(mut self, silence: Duration) -> Self {
        self.silence = silence;
        self
    }

    /// What the client calls itself.
    #[must_use]
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = name.into();
        self
    }

    /// The client. No call is made.
    pub fn build(self) -> Result<Client, Error> {
        let (base, is_here) = address(&self.url)?;
        let unusable =
            |_| Error::Setup("the key has characters that no key has; is it whole, and nothing else?".to_owned());
        let key = self.key.trim();
        if key.is_empty() {
            return Err(Error::Setup("the key is empty".to_owned()));
        }
        let mut key = HeaderValue::from_str(&format!("Bearer {key}")).map_err(unusable)?;
        key.set_sensitive(true);
        let failed = |cause: &dyn fmt::Display| Error::Setup(format!("no client can be made: {cause}"));
        let mut http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls().map_err(|cause| failed(&cause))?)
            .connect_timeout(CONNECT)
            .read_timeout(self.silence)
            // The key is for nobody else.
            .redirect(redirect::Policy::none())
            .referer(false)
            // The calls are repeated here, with the pauses that the server asks for.
            .retry(reqwest::retry::never())
            .http1_only()
            .tcp_nodelay(true)
            .user_agent(self.user_agent);
        if is_here {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|cause| failed(&cause))?;
        let caller = Caller { http, base, key, retries: self.retries, answers: Answers::default() };
        Ok(Client { caller: Arc::new(caller) })
    }
}

/// The address of a server, with or without `/api/v1`, and whether it is this machine.
fn address(text: &str) -> Result<(Url, bool), Error> {
    let form = || Error::Setup(format!("{text} is no address of a server; https://tickets.example.com is one"));
    let mut url = Url::parse(text.trim()).map_err(|_| form())?;
    if !["http", "https"].contains(&url.scheme()) || url.query().is_some() || url.fragment().is_some() {
        return Err(form());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::Setup("the address names a user; a key is all that is needed".to_owned()));
    }
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => return Err(form()),
    };
    if url.scheme() == "http" && !is_here {
        return Err(Error::Setup(format!("{text} would send the key where others can read it; use https")));
    }
    let path = url.path().trim_end_matches('/');
    let path = format!("{}/api/v1", path.strip_suffix("/api/v1").unwrap_or(path));
    url.set_path(&path);
    Ok((url, is_here))
}

impl Client {
    /// A client of the server at this address, such as `https://tickets.example.com`. Plain http only leads to this machine.
    pub fn new(url: &str, key: &str) -> Result<Self, Error> {
        Self::builder(url, key).build()
    }

    /// The same with settings.
    pub fn builder(url: &str, key: &str) -> Builder {
        let user_agent = concat!("taquilla-client/", env!("CARGO_PKG_VERSION")).to_owned();
        Builder { url: url.to_owned(), key: key.to_owned(), retries: Retries::default(), silence: SILENCE, user_agent }
    }

    /// Whose data the key reads, and the key. Permission `EVENTS_READ`.
    pub async fn me(&self) -> Result<Me, Error> {
        self.one("/me".to_owned()).await
    }

    /// Events. Permission `EVENTS_READ`.
    pub fn events(&self, filter: &EventFilter) -> Rows<Event> {
        self.list("/events".to_owned(), filter.query())
    }

    /// An event. Permission `EVENTS_READ`.
    pub async fn event(&self, id: &str) -> Result<Event, Error> {
        self.one(format!("/events/{}", segment(id))).await
    }

    /// All that is for sale at an event, with what was deleted if asked for: they come at once. Permission `EVENTS_READ`.
    pub async fn ticket_types(&self, event_id: &str, include_deleted: bool) -> Result<Vec<TicketType>, Error> {
        #[derive(Deserialize)]
        struct All {
            data: Vec<TicketType>,
        }
        let path = format!("/events/{}/ticket-types", segment(event_id));
        let query = if include_deleted { vec![("include_deleted", "true".to_owned())] } else { Query::new() };
        let all: All = self.caller.get(&path, &query).await?.json(&path)?;
        Ok(all.data)
    }

    /// Sales. Permission `ORDERS_READ`.
    pub fn orders(&self, filter: &OrderFilter) -> Rows<Order> {
        self.list("/orders".to_owned(), filter.query())
    }

    /// An order. Permission `ORDERS_READ`.
    pub async fn order(&self, id: &str) -> Result<Order, Error> {
        self.one(format!("/orders/{}", segment(id))).await
    }

    /// Tickets of every status. Permission `TICKETS_READ`.
    pub fn tickets(&self, filter: &TicketFilter) -> Rows<Ticket> {
        self.list("/tickets".to_owned(), filter.query())
    }

    /// A ticket, by the value of its QR code. Permission `TICKETS_READ`.
    pub async fn ticket(&self, id: &str) -> Result<Ticket, Error> {
        self.one(format!("/tickets/{}", segment(id))).await
    }

    /// The tickets that one entrance has been, from the first holder's to the present one's. Permission `TICKETS_READ`. Not every
    /// server knows it.
    pub fn chain(&self, ticket_id: &str) -> Rows<Ticket> {
        self.list(format!("/tickets/{}/chain", segment(ticket_id)), Query::new())
    }

    async fn one<T: DeserializeOwned>(&self, path: String) -> Result<T, Error> {
        self.caller.get(&path, &Query::new()).await?.json(&path)
    }

    fn list<T: DeserializeOwned>(&self, path: String, query: Query) -> Rows<T> {
        Rows::new(Arc::clone(&self.caller), path, query, PAGE)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("server", &self.caller.base.as_str()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_the_api_and_the_key_stays_private() {
        for (text, base) in [
            ("https://tickets.example.com", "https://tickets.example.com/api/v1"),
            ("https://tickets.example.com/", "https://tickets.example.com/api/v1"),
            ("https://tickets.example.com/api/v1/", "https://tickets.example.com/api/v1"),
            ("https://example.com/box", "https://example.com/box/api/v1"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api/v1"),
            ("http://[::1]:8080", "http://[::1]:8080/api/v1"),
            ("http://localhost", "http://localhost/api/v1"),
        ] {
            assert_eq!(address(text).unwrap().0.as_str(), base);
        }
        for text in ["http://tickets.example.com", "ftp://x", "tickets", "https://u:p@x", "https://x?key=1", ""] {
            assert!(address(text).is_err(), "{text}");
        }
        let client = Client::new("https://x", "tq_secret").unwrap();
        assert!(!format!("{client:?}").contains("secret"));
        assert!(Client::new("https://x", " ").is_err());
        assert!(Client::new("https://x", "a\nb").is_err());
    }
}
