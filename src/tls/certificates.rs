//! The certificate that is served now.

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

/// What handshakes need. The certificate may be replaced at any time; connections that are open keep theirs.
pub struct Certificates {
    current: RwLock<Option<Arc<ServerConfig>>>,
    tickets: Arc<dyn ProducesTickets>,
    /// Where answers to an authority's question are found, and for which names.
    challenges: Option<(PathBuf, Vec<String>)>,
    /// When the one that is served ends.
    ends: RwLock<Option<Stamp>>,
    /// Orders that have failed since the last success.
    order_failures: AtomicU32,
}

impl Certificates {
    /// No certificate yet.
    pub(super) fn none() -> Result<Self, rustls::Error> {
        Ok(Self {
            current: RwLock::new(None),
            tickets: Ticketer::new()?,
            challenges: None,
            ends: RwLock::new(None),
            order_failures: AtomicU32::new(0),
        })
    }

    /// No certificate yet, and questions of an authority about these names are answered from this folder.
    pub(super) fn answering(folder: PathBuf, domains: Vec<String>) -> Result<Self, rustls::Error> {
        Ok(Self { challenges: Some((folder, domains)), ..Self::none()? })
    }

    /// Serves this certificate from now on.
    pub(super) fn serve(&self, pair: &Pair) -> Result<(), rustls::Error> {
        let mut config = configuration(Arc::clone(&pair.certified), &PROTOCOLS)?;
        config.ticketer = Arc::clone(&self.tickets);
        *self.current.write() = Some(Arc::new(config));
        *self.ends.write() = Some(pair.until);
        Ok(())
    }

    /// When the one that is served ends, if there is one.
    pub fn ends(&self) -> Option<Stamp> {
        *self.ends.read()
    }

    /// Notes how many orders have failed since the last success.
    pub(super) fn note_order_failures(&self, failures: u32) {
        self.order_failures.store(failures, Ordering::Relaxed);
    }

    /// How many have, if certificates are ordered.
    pub fn order_failures(&self) -> Option<u32> {
        self.challenges.as_ref().map(|_| self.order_failures.load(Ordering::Relaxed))
    }

    /// What a handshake needs now, unless there is no certificate yet.
    pub fn current(&self) -> Option<Arc<ServerConfig>> {
        self.current.read().clone()
    }

    /// What a handshake needs in which an authority asks whether a name is ours.
    pub async fn for_authority(&self, name: &str) -> Option<Arc<ServerConfig>> {
        let (folder, domains) = self.challenges.as_ref()?;
        let (folder, domain) = (folder.clone(), domains.iter().find(|domain| *domain == name)?.clone());
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
