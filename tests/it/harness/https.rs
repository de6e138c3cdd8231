//! A server with https of its own inside the test, and clients of it.

use std::{net::SocketAddr, path::PathBuf, pin::Pin, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use taquilla::{server::Listeners, tls};
use taquilla_domain::config::{Config, Https};
use taquilla_rules::task::Task;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsConnector, client::TlsStream};

use super::{Authority, Issued, Server, World};

/// The name that the certificates are for.
pub const NAME: &str = "tickets.example";

/// A server with a certificate in two files.
pub struct HttpsServer {
    pub server: Server,
    /// Where https is.
    pub address: SocketAddr,
    /// Where plain http is led to https.
    pub http: SocketAddr,
    pub authority: Authority,
    pub certificate: PathBuf,
    pub key: PathBuf,
    _keeper: Task,
    _folder: tempfile::TempDir,
}

impl HttpsServer {
    pub async fn start(world: &World, config: Config) -> Self {
        let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
        let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        let issued = authority.issue_for(&[NAME]);
        write(&issued, &certificate, &key);
        let (certificates, keeper) = tls::follow(&certificate, &key).unwrap();
        let main = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let http = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, http_address) = (main.local_addr().unwrap(), http.local_addr().unwrap());
        let listeners =
            Listeners { main, stays: false, certificates: Some(certificates), http: Some(http), metrics: None };
        let config = Config { https: Some(Https::Trusted), ..config };
        let server = Server::start_at(listeners, world.store.clone(), config, world.time()).await;
        let _keeper = keeper;
        Self { server, address, http: http_address, authority, certificate, key, _keeper, _folder: folder }
    }

    /// Replaces the certificate by another one of the same authority.
    pub fn replace_certificate(&self) -> Issued {
        let issued = self.authority.issue_for(&[NAME]);
        write(&issued, &self.certificate, &self.key);
        issued
    }

    /// A client that trusts the authority and speaks HTTP/1.1, or HTTP/2 where the server offers it.
    pub fn client(&self, http2: bool) -> reqwest::Client {
        client_trusting(&self.authority.pem(), NAME, self.address, http2)
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://{NAME}:{}{path}", self.address.port())
    }

    /// A connection under TLS, for what no well-behaved client sends.
    pub async fn connect(&self, protocol: &str) -> TlsStream<TcpStream> {
        connect(self.address, NAME, &self.authority.pem(), &[protocol]).await.unwrap()
    }

    /// A connection with HTTP/2 that can be asked for anything.
    pub async fn http2(&self) -> (h2::client::SendRequest<bytes::Bytes>, Http2) {
        self.http2_with(&h2::client::Builder::new()).await
    }

    pub async fn http2_with(&self, builder: &h2::client::Builder) -> (h2::client::SendRequest<bytes::Bytes>, Http2) {
        let stream = self.connect("h2").await;
        let (requests, connection) = builder.handshake(stream).await.unwrap();
        (requests, Box::pin(connection))
    }
}

/// A connection of a client, which must be driven.
pub type Http2 = Pin<Box<h2::client::Connection<TlsStream<TcpStream>>>>;

/// Writes both files, each at once, as programs that renew certificates do.
pub fn write(issued: &Issued, certificate: &std::path::Path, key: &std::path::Path) {
    for (path, content) in [(key, issued.key.serialize_pem()), (certificate, issued.pem())] {
        let part = path.with_extension("new");
        std::fs::write(&part, content).unwrap();
        std::fs::rename(part, path).unwrap();
    }
}

/// A client that trusts one certificate, without proxies and redirects, and finds a name at an address.
pub fn client_trusting(pem: &str, name: &str, address: SocketAddr, http2: bool) -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let builder = builder.tls_certs_only([reqwest::Certificate::from_pem(pem.as_bytes()).unwrap()]);
    let builder = builder.resolve(name, address);
    if http2 { builder } else { builder.http1_only() }.build().unwrap()
}

/// A connection under TLS that offers these protocols.
pub async fn connect(
    address: SocketAddr,
    name: &str,
    pem: &str,
    protocols: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(pem.as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from(name.to_owned()).unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}
