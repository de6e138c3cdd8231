//! The certificates that are served now.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use parking_lot::RwLock;
use rustls::{
    ServerConfig,
    crypto::ring::{self, Ticketer},
    server::ProducesTickets,
    sign::{CertifiedKey, SingleCertAndKey},
};

use taquilla_domain::clock::Stamp;

use super::{challenge, pair::Pair};

/// The protocols over TLS, the better one first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// What handshakes need. A certificate may be replaced at any time; connections that are open keep theirs.
pub struct Certificates {
    /// One for each domain, or one for whatever name a client asks for. Clients that ask for another name, or for none, get
    /// the first that there is.
    places: Vec<Place>,
    tickets: Arc<dyn ProducesTickets>,
    /// Where answers to an authority's question are found, if certificates are ordered.
    challenges: Option<PathBuf>,
}

/// Where the certificate of a domain is.
#[derive(Default)]
struct Place {
    /// The domain; `None` for whatever name.
    domain: Option<String>,
    /// What is served, and when it ends.
    served: RwLock<Option<(Arc<ServerConfig>, Stamp)>>,
    /// Orders that have failed since the last success.
    order_failures: AtomicU32,
}

impl Place {
    fn config(&self) -> Option<Arc<ServerConfig>> {
        self.served.read().as_ref().map(|(config, _)| Arc::clone(config))
    }
}

impl Certificates {
    /// No certificate yet.
    pub(super) fn none() -> Result<Self, rustls::Error> {
        Ok(Self { places: vec![Place::default()], tickets: Ticketer::new()?, challenges: None })
    }

    /// No certificate yet, and questions of an authority about these domains are answered from this folder.
    pub(super) fn answering(folder: PathBuf, domains: &[String]) -> Result<Self, rustls::Error> {
        let place = |domain: &String| Place { domain: Some(domain.clone()), ..Place::default() };
        Ok(Self { places: domains.iter().map(place).collect(), challenges: Some(folder), ..Self::none()? })
    }

    /// Serves this certificate from now on, whatever name a client asks for.
    pub(super) fn serve(&self, pair: &Pair) -> Result<(), rustls::Error> {
        self.replace(None, pair)
    }

    /// Serves this certificate from now on to those who ask for the domain.
    pub(super) fn serve_for(&self, domain: &str, pair: &Pair) -> Result<(), rustls::Error> {
        self.replace(Some(domain), pair)
    }

    fn replace(&self, domain: Option<&str>, pair: &Pair) -> Result<(), rustls::Error> {
        let mut config = configuration(Arc::clone(&pair.certified), &PROTOCOLS)?;
        config.ticketer = Arc::clone(&self.tickets);
        if let Some(place) = self.place(domain) {
            *place.served.write() = Some((Arc::new(config), pair.until));
        }
        Ok(())
    }

    fn place(&self, domain: Option<&str>) -> Option<&Place> {
        self.places.iter().find(|place| place.domain.as_deref() == domain)
    }

    /// When the first of those that are served ends, if there is one.
    pub fn ends(&self) -> Option<Stamp> {
        self.places.iter().filter_map(|place| place.served.read().as_ref().map(|(_, ends)| *ends)).min()
    }

    /// Notes how many orders for a domain have failed since the last success.
    pub(super) fn note_order_failures(&self, domain: &str, failures: u32) {
        if let Some(place) = self.place(Some(domain)) {
            place.order_failures.store(failures, Ordering::Relaxed);
        }
    }

    /// How many have for the domain with the most, if certificates are ordered.
    pub fn order_failures(&self) -> Option<u32> {
        self.challenges.as_ref()?;
        self.places.iter().map(|place| place.order_failures.load(Ordering::Relaxed)).max()
    }

    /// What a handshake needs with a client that asks for this name, unless there is no certificate yet. One of another domain
    /// does not serve in its place: browsers would warn of a stranger.
    pub fn for_client(&self, name: Option<&str>) -> Option<Arc<ServerConfig>> {
        match self.place(name) {
            Some(place) => place.config(),
            None => self.places.iter().find_map(Place::config),
        }
    }

    /// What a handshake needs in which an authority asks whether a name is ours.
    pub async fn for_authority(&self, name: &str) -> Option<Arc<ServerConfig>> {
        let (folder, domain) = (self.challenges.clone()?, self.place(Some(name))?.domain.clone()?);
        let answer = tokio::task::spawn_blocking(move || challenge::answer(&folder, &domain)).await.ok()??;
        configuration(Arc::new(answer), &[challenge::PROTOCOL]).ok().map(Arc::new)
    }
}

fn configuration(certified: Arc<CertifiedKey>, protocols: &[&[u8]]) -> Result<ServerConfig, rustls::Error> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(certified)));
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(config)
}
