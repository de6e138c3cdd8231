//! A receiver behind TLS, with a certificate of an authority made for the test.

use std::{ops::Deref, sync::Arc};

use rcgen::ExtendedKeyUsagePurpose;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::{CryptoProvider, ring},
        pki_types::PrivateKeyDer,
    },
};

use super::{
    super::authority::{Authority, Issued, named},
    Behaviour, Receiver, listen,
};

/// A [`Receiver`] at `https://localhost:PORT`. Its certificate is valid for 127.0.0.1 too.
pub struct TlsReceiver {
    receiver: Receiver,
    ca_pem: String,
}

impl TlsReceiver {
    pub async fn start(behaviour: Behaviour) -> Self {
        let authority = Authority::new();
        let mut params = named(&["localhost", "127.0.0.1"]);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let Issued { certificate, key } = authority.issue(&params);
        let config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.into()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
            .unwrap();
        let secured = TlsAcceptor::from(Arc::new(config));
        let (listener, address) = listen([127, 0, 0, 1].into());
        let origin = format!("https://localhost:{}", address.port());
        let receiver = Receiver::accept(listener, address, origin, Some(secured), behaviour);
        Self { receiver, ca_pem: authority.pem() }
    }

    /// The authority's certificate, as the content of a file for `SSL_CERT_FILE`.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }
}

impl Deref for TlsReceiver {
    type Target = Receiver;

    fn deref(&self) -> &Receiver {
        &self.receiver
    }
}

/// The provider is passed explicitly: a default for the whole process would hide it if the server forgot to choose its
/// own.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

mod tests {
    use std::{io, sync::Arc};

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };
    use tokio_rustls::{
        TlsConnector,
        rustls::{
            ClientConfig, RootCertStore,
            pki_types::{CertificateDer, ServerName, pem::PemObject},
        },
    };

    use super::provider;
    use crate::harness::receiver::{Behaviour, TlsReceiver};

    /// Posts to a receiver as `name`, trusting the certificates in `trusted`.
    async fn post(receiver: &TlsReceiver, name: &'static str, trusted: &str) -> io::Result<String> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(trusted.as_bytes()).unwrap()).unwrap();
        let config = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let plain = TcpStream::connect(receiver.address()).await?;
        let server = ServerName::try_from(name).unwrap();
        let mut stream = TlsConnector::from(Arc::new(config)).connect(server, plain).await?;
        stream.write_all(b"POST /hook HTTP/1.1\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}").await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    #[tokio::test]
    async fn only_who_trusts_its_authority_talks_to_it() {
        let receiver = TlsReceiver::start(Behaviour::ok().with_body("thanks")).await;
        let port = receiver.address().port();
        assert_eq!(receiver.url("/hook"), format!("https://localhost:{port}/hook"));
        for name in ["localhost", "127.0.0.1"] {
            let answer = post(&receiver, name, receiver.ca_pem()).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nthanks"), "{answer}");
        }
        let another = TlsReceiver::start(Behaviour::ok()).await;
        for (name, trusted) in [("localhost", another.ca_pem()), ("example.com", receiver.ca_pem())] {
            let refused = post(&receiver, name, trusted).await.unwrap_err().to_string();
            assert!(refused.contains("invalid peer certificate"), "{refused}");
        }
        receiver.wait_until("two failed handshakes", |receiver| receiver.record.seen().mishaps.len() == 2).await;
        assert_eq!((receiver.received().len(), receiver.connections()), (2, 4));
    }

    #[tokio::test]
    async fn what_hangs_and_drips_does_so_behind_tls_too() {
        let receiver = TlsReceiver::start(Behaviour::Drip).await;
        let ca_pem = receiver.ca_pem().to_owned();
        tokio::select! {
            answer = post(&receiver, "localhost", &ca_pem) => panic!("{answer:?}"),
            () = receiver.wait_until("three drops", |receiver| receiver.bytes_sent() >= 3) => {}
        }
        receiver.wait_until("the client to be missed", |receiver| receiver.busy() == 0).await;
        assert_eq!(receiver.busiest(), 1);
    }
}
