//! A try in the house: https with a certificate that is made here.

use std::net::SocketAddr;

use clap::{Args, builder::FalseyValueParser};
use rustls::pki_types::CertificateDer;

use taquilla_domain::{
    config::{DEFAULT_HTTP_LISTEN_LOCAL, DEFAULT_LISTEN_LOCAL},
    time_source::TimeSource,
};

use super::{
    common::Database,
    listen::{Listen, bind, from_here, parse_listen},
};
use crate::{server::Listeners, tls};

#[derive(Args)]
pub struct HttpsLocal {
    /// Serve https with a certificate made here, to try it with phones at home: they warn, then open their cameras
    #[arg(long, env = "TAQUILLA_HTTPS_LOCAL", value_parser = FalseyValueParser::new())]
    pub https_local: bool,
    /// With https, an address and port where plain http is redirected to https; with --https-local [default: 0.0.0.0:8080]
    #[arg(long, value_name = "ADDR", env = "TAQUILLA_HTTP_LISTEN", value_parser = parse_listen)]
    pub http_listen: Option<String>,
}

/// A try that can begin.
pub struct Try {
    pub listeners: Listeners,
    /// Where other machines in the network reach it.
    pub address: String,
    /// Where the page is that says what browsers will warn of.
    pub page: String,
    pub certificate: CertificateDer<'static>,
}

impl HttpsLocal {
    /// Listens, and makes the certificate unless it is there.
    pub async fn prepare(&self, listen: &Listen, database: &Database) -> anyhow::Result<Try> {
        let main = listen.bind(DEFAULT_LISTEN_LOCAL).await?;
        let http = self.http_listen.as_deref().unwrap_or(DEFAULT_HTTP_LISTEN_LOCAL);
        let http = bind("--http-listen", http).await?;
        let (here, page) = (in_network(main.local_addr()?), in_network(http.local_addr()?));
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        names.extend([from_here(main.local_addr()?), here].map(|address| address.ip().to_string()));
        let file = database.folder().join("https-local.pem");
        let (certificates, certificate) = tls::keep_local(&file, &names, TimeSource::System.now())?;
        let listeners =
            Listeners { main, stays: false, certificates: Some(certificates), http: Some(http), metrics: None };
        Ok(Try { listeners, address: format!("https://{here}"), page: format!("http://{page}"), certificate })
    }
}

/// An address by which other machines in the network reach a listener here.
fn in_network(address: SocketAddr) -> SocketAddr {
    match tls::address_in_network().filter(|_| address.ip().is_unspecified()) {
        Some(ip) => SocketAddr::new(ip, address.port()),
        None => from_here(address),
    }
}
