//! A call to another server, within bounds of time and size.

use std::{sync::Arc, time::Instant};

use ipnet::IpNet;
use reqwest::{ClientBuilder, Response, redirect};
use tokio::time::timeout;
use url::Url;

use taquilla_domain::{
    addresses::Reach,
    config::{WEBHOOK_AT_ONCE, WEBHOOK_IDLE},
    endpoint_url::EndpointUrl,
};

use super::{
    answer::{Answer, Rest},
    limits::{Limits, Within},
    no_client::NoClient,
    problem::Problem,
    request::Request,
    resolver::Resolver,
    roots::{Roots, tls},
    whom::Whom,
};

/// What no root certificate means to an operator.
const NO_ROOTS: &str = "no root certificates were found; install the system's, or name a file in SSL_CERT_FILE";

/// Calls the servers of others. Cheap to clone; the clones share their connections.
#[derive(Clone)]
pub struct Client {
    https: Connections,
    /// Separate from `https`, because plain http may reach fewer addresses.
    http: Connections,
    /// The networks that strangers' URLs may lead to although they are not public; `None` if no stranger gave the URLs.
    allow: Option<Arc<[IpNet]>>,
    limits: Limits,
}

/// The clients for requests of one scheme.
#[derive(Clone)]
struct Connections {
    /// Reuses connections.
    kept: reqwest::Client,
    /// Opens a new connection for each request.
    fresh: reqwest::Client,
}

impl Client {
    /// A client for these, with these limits on each call.
    pub fn new(whom: Whom, limits: Limits) -> Result<Self, NoClient> {
        match whom {
            Whom::Strangers { allow, lookup } => {
                let roots = Roots::System.load()?;
                if roots.is_empty() {
                    // The server still runs without root certificates; only calls over https fail.
                    tracing::warn!("no webhook can be sent over https: {NO_ROOTS}");
                }
                let tls = tls(roots)?;
                let allow: Arc<[IpNet]> = allow.into();
                let resolver = Resolver::new(lookup, Reach::Public, Arc::clone(&allow));
                let reaching = |reach| {
                    Connections::build(|| {
                        let builder = reqwest::Client::builder().tls_backend_preconfigured(tls.clone()).no_proxy();
                        limited(builder.dns_resolver(resolver.reaching(reach)), &limits)
                    })
                };
                let (https, http) = (reaching(Reach::Public)?, reaching(Reach::Allowed)?);
                Ok(Self { https, http, allow: Some(allow), limits })
            }
            Whom::Chosen(roots) => {
                let roots = roots.load()?;
                if roots.is_empty() {
                    return Err(NoClient::Roots(NO_ROOTS.to_owned()));
                }
                let tls = tls(roots)?;
                let builder = || reqwest::Client::builder().tls_backend_preconfigured(tls.clone()).https_only(true);
                Self::trusting(builder, limits)
            }
            Whom::Ourselves(roots) => {
                let tls = tls(roots.load()?)?;
                let builder = || reqwest::Client::builder().tls_backend_preconfigured(tls.clone()).no_proxy();
                Self::trusting(builder, limits)
            }
        }
    }

    /// A client for URLs that no stranger gave.
    fn trusting(builder: impl Fn() -> ClientBuilder, limits: Limits) -> Result<Self, NoClient> {
        let connections = Connections::build(|| limited(builder(), &limits))?;
        Ok(Self { https: connections.clone(), http: connections, allow: None, limits })
    }

    /// Makes one call. It always ends.
    pub async fn send(&self, request: Request<'_>) -> Result<Answer, Problem> {
        let started = Instant::now();
        let within = self.limits.within;
        let response = timeout(within.head(), self.head(request)).await.map_err(|_| Problem::too_late(within))??;
        Ok(self.read(response, started).await)
    }

    async fn head(&self, request: Request<'_>) -> Result<Response, Problem> {
        let url = match &self.allow {
            // A literal address is never looked up, so it is checked here and nowhere else. The allow-list may also have
            // changed since somebody looked at the URL.
            Some(allow) => {
                EndpointUrl::parse(request.url, allow).map(Url::from).map_err(|invalid| Problem::new(&invalid))?
            }
            None => Url::parse(request.url).map_err(|cause| Problem::failed(&cause))?,
        };
        let connections = if url.scheme() == "https" { &self.https } else { &self.http };
        let Request { method, headers, body, may_arrive_twice, .. } = request;
        let send = async |client: &reqwest::Client| {
            let asked = client.request(method.clone(), url.clone()).headers(headers.clone()).body(body.clone());
            asked.send().await.map_err(|error| Problem::no_answer(error, self.limits.within))
        };
        match send(&connections.kept).await {
            // Most likely the server had closed the idle connection and never read the request. If it did read it, it gets
            // the request twice.
            Err(problem) if may_arrive_twice && problem.is_closed() => send(&connections.fresh).await,
            sent => sent,
        }
    }

    /// Reads the beginning of the answer. Its status is known already, so a problem here does not undo it.
    async fn read(&self, mut response: Response, started: Instant) -> Answer {
        let (within, limit) = (self.limits.within, self.limits.bytes);
        let mut body = Vec::new();
        // One deadline covers the whole body, so that a body that drips gets no more time with every byte.
        let rest = match timeout(within.body(started.elapsed()), read_some(&mut response, &mut body, limit)).await {
            Ok(Ok(rest)) => rest,
            Ok(Err(_)) => Rest::Lost(Problem::broken_off()),
            Err(_) => Rest::Lost(Problem::unfinished(within)),
        };
        let headers = std::mem::take(response.headers_mut());
        Answer { status: response.status(), headers, body, rest }
    }
}

impl Connections {
    fn build(builder: impl Fn() -> ClientBuilder) -> Result<Self, NoClient> {
        let kept = builder().pool_max_idle_per_host(WEBHOOK_AT_ONCE).build()?;
        Ok(Self { kept, fresh: builder().pool_max_idle_per_host(0).build()? })
    }
}

/// What holds for every call.
fn limited(builder: ClientBuilder, limits: &Limits) -> ClientBuilder {
    let builder = match limits.within {
        Within::All(_) => builder,
        Within::Parts { connect, .. } => builder.connect_timeout(connect),
    };
    builder
        // Nobody agreed to the target of a redirect, so it is not followed.
        .redirect(redirect::Policy::none())
        .referer(false)
        // The caller counts the attempts and repeats them.
        .retry(reqwest::retry::never())
        // With HTTP/1, hyper accepts at most 100 header lines of an answer, and about 400 kB for all of them.
        .http1_only()
        .tcp_nodelay(true)
        .pool_idle_timeout(WEBHOOK_IDLE)
        .user_agent(concat!("Taquilla/", env!("CARGO_PKG_VERSION")))
}

/// Reads to the end or the limit. A connection whose answer was not read to its end is closed and not reused.
async fn read_some(response: &mut Response, body: &mut Vec<u8>, limit: usize) -> reqwest::Result<Rest> {
    while let Some(chunk) = response.chunk().await? {
        let room = limit - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            return Ok(Rest::Left);
        }
    }
    Ok(Rest::Read)
}
