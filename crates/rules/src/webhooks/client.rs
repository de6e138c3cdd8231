//! One attempt to deliver: a request to a stranger's server, and its answer, within bounds of time and size.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use ipnet::IpNet;
use reqwest::{Response, header::RETRY_AFTER, redirect};
use tokio::time::timeout;
use url::Url;

use taquilla_domain::{
    addresses::Reach,
    clock::Stamp,
    config::{Lookup, WEBHOOK_AT_ONCE, WEBHOOK_IDLE, WEBHOOK_RESPONSE_KEPT, WEBHOOK_RESPONSE_READ, WebhookTimeouts},
    endpoint_url::EndpointUrl,
};

use super::{lookup::Resolver, problem, retry_after::retry_after, tls};

/// Sends webhooks. Cheap to clone; the clones share their connections.
#[derive(Clone)]
pub struct Client {
    https: Connections,
    /// Separate from `https`, because plain http may reach fewer addresses.
    http: Connections,
    allow: Arc<[IpNet]>,
    timeouts: WebhookTimeouts,
}

/// The clients for requests of one scheme.
#[derive(Clone)]
struct Connections {
    /// Reuses connections.
    kept: reqwest::Client,
    /// Opens a new connection for each request.
    fresh: reqwest::Client,
}

/// Why a client cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum NoClient {
    /// The TLS library cannot be used as it was built.
    #[error("webhooks cannot be sent: {0}")]
    Tls(#[from] rustls::Error),
    /// The HTTP library cannot be used as it was built.
    #[error("webhooks cannot be sent: {0}")]
    Http(#[from] reqwest::Error),
}

/// The result of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// Why there was no answer, or what was wrong with it after its status, in a sentence for staff.
    pub problem: Option<String>,
    /// The beginning of the answer's body.
    pub response: String,
    /// How long a pause the receiver asked for.
    pub retry_after: Option<Duration>,
    /// How long the attempt took.
    pub duration: Duration,
}

impl Client {
    /// A client that connects to public addresses and to those in the allowed networks.
    pub fn new(allow: Vec<IpNet>, timeouts: WebhookTimeouts, lookup: Lookup) -> Result<Self, NoClient> {
        let allow: Arc<[IpNet]> = allow.into();
        let tls = tls::configuration()?;
        let resolver = Resolver::new(lookup, Reach::Public, Arc::clone(&allow));
        let build = |reach, idle| {
            reqwest::Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .dns_resolver(resolver.reaching(reach))
                // A proxy would look up the name and connect in our place, without our checks.
                .no_proxy()
                // Nobody agreed to the target of a redirect, so it is not followed and counts as a failure.
                .redirect(redirect::Policy::none())
                .referer(false)
                // The courier counts the attempts and repeats them.
                .retry(reqwest::retry::never())
                // With HTTP/1, hyper accepts at most 100 header lines of an answer, and about 400 kB for all of them.
                .http1_only()
                .tcp_nodelay(true)
                .connect_timeout(timeouts.connect)
                .pool_max_idle_per_host(idle)
                .pool_idle_timeout(WEBHOOK_IDLE)
                .user_agent(concat!("Taquilla/", env!("CARGO_PKG_VERSION")))
                .build()
        };
        let connections =
            |reach| Ok::<_, NoClient>(Connections { kept: build(reach, WEBHOOK_AT_ONCE)?, fresh: build(reach, 0)? });
        Ok(Self { https: connections(Reach::Public)?, http: connections(Reach::Allowed)?, allow, timeouts })
    }

    /// Makes one attempt. It always ends; what went wrong is in the reply.
    pub async fn post(&self, url: &str, headers: &[(&'static str, String)], body: String, now: Stamp) -> Reply {
        let started = Instant::now();
        let reply = match self.send(url, headers, body).await {
            Ok(response) => self.read(response, now).await,
            Err(problem) => Reply { problem: Some(problem), ..Reply::default() },
        };
        Reply { duration: started.elapsed(), ..reply }
    }

    async fn send(&self, url: &str, headers: &[(&'static str, String)], body: String) -> Result<Response, String> {
        // A literal address is never looked up, so it is checked here and nowhere else. The allow-list may also have
        // changed since the endpoint was made.
        let url = EndpointUrl::parse(url, &self.allow).map(Url::from).map_err(|invalid| invalid.to_string())?;
        let connections = if url.scheme() == "https" { &self.https } else { &self.http };
        let request = |client: &reqwest::Client, body: &Bytes| {
            let request = client.post(url.clone()).body(body.clone());
            headers.iter().fold(request, |request, (name, value)| request.header(*name, value))
        };
        let body = Bytes::from(body);
        let (kept, fresh) = (request(&connections.kept, &body), request(&connections.fresh, &body));
        let sending = async {
            let sent = kept.send().await.map_err(|error| problem::no_answer(error, &self.timeouts));
            match sent {
                // Most likely the receiver had closed the idle connection and never read the request. If it did read
                // it, it gets the message twice.
                Err(problem) if problem == problem::CLOSED => {
                    fresh.send().await.map_err(|error| problem::no_answer(error, &self.timeouts))
                }
                sent => sent,
            }
        };
        // The library does not say when it has connected, so the time for connecting and the time for the answer are
        // one deadline.
        let deadline = self.timeouts.connect + self.timeouts.head;
        timeout(deadline, sending).await.unwrap_or_else(|_| Err(problem::too_late(&self.timeouts)))
    }

    /// Reads the beginning of the answer. Its status is known already, so a problem here does not change the result.
    async fn read(&self, mut response: Response, now: Stamp) -> Reply {
        let status = response.status().as_u16();
        let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after = asked.and_then(|value| retry_after(value, now));
        let mut bytes = Vec::new();
        // One deadline covers the whole body, so that a body that drips gets no more time with every byte.
        let problem = match timeout(self.timeouts.body, read_some(&mut response, &mut bytes)).await {
            Ok(Ok(())) => None,
            Ok(Err(_)) => Some("the answer broke off before its end".to_owned()),
            Err(_) => Some(problem::unfinished(&self.timeouts)),
        };
        let response = problem::readable(&String::from_utf8_lossy(&bytes), WEBHOOK_RESPONSE_KEPT);
        Reply { status: Some(status), problem, response, retry_after, duration: Duration::ZERO }
    }
}

/// Reads to the end or the limit. A connection whose answer was not read to its end is closed and not reused.
async fn read_some(response: &mut Response, bytes: &mut Vec<u8>) -> reqwest::Result<()> {
    while bytes.len() < WEBHOOK_RESPONSE_READ
        && let Some(chunk) = response.chunk().await?
    {
        bytes.extend_from_slice(&chunk[..chunk.len().min(WEBHOOK_RESPONSE_READ - bytes.len())]);
    }
    Ok(())
}
