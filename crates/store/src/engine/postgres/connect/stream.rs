//! A connection under TLS, as the driver wants it.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use rustls::{
    ClientConfig,
    pki_types::{InvalidDnsNameError, ServerName},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Socket,
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream},
};
use tokio_rustls::{TlsConnector, client};

use super::certificate;

/// What the driver begins TLS with, for one attempt to connect.
#[derive(Clone)]
pub struct BeginTls {
    config: Arc<ClientConfig>,
    offered: Arc<AtomicBool>,
}

impl BeginTls {
    pub fn new(config: Arc<ClientConfig>) -> Self {
        Self { config, offered: Arc::default() }
    }

    /// Whether the server has offered TLS.
    pub fn was_offered(&self) -> bool {
        self.offered.load(Ordering::Acquire)
    }
}

impl MakeTlsConnect<Socket> for BeginTls {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, InvalidDnsNameError> {
        Ok(Handshake { with: self.clone(), host: ServerName::try_from(host.to_owned())? })
    }
}

/// The driver asks for a handshake once the server has offered TLS.
pub struct Handshake {
    with: BeginTls,
    host: ServerName<'static>,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        self.with.offered.store(true, Ordering::Release);
        Box::pin(async move { Ok(Encrypted(TlsConnector::from(self.with.config).connect(self.host, socket).await?)) })
    }
}

/// A connection under TLS.
pub struct Encrypted(client::TlsStream<Socket>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        let (_, session) = self.0.get_ref();
        let certificate = session.peer_certificates().and_then(|chain| chain.first());
        certificate
            .and_then(|certificate| certificate::end_point(certificate))
            .map_or_else(ChannelBinding::none, ChannelBinding::tls_server_end_point)
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, into)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, from)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(cx, from)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
