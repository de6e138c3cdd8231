//! The beginning of a connection: TLS, or the plain http of somebody who took one for the other.

use std::{io, pin::Pin, time::Duration};

use rustls::server::Acceptor;
use tokio::{io::AsyncWriteExt, net::TcpStream};
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::{LazyConfigAcceptor, server::TlsStream};

use super::{certificates::Certificates, challenge};

/// A connection whose reads and writes take only so long.
pub type Timed = Pin<Box<TimeoutStream<TcpStream>>>;

/// What a connection turned out to be.
pub enum Opened {
    /// TLS, and HTTP/1.1 in it.
    Http1(Box<TlsStream<Timed>>),
    /// TLS, and HTTP/2 in it.
    Http2(Box<TlsStream<Timed>>),
    /// Something else, which is not read yet.
    Plain(Timed),
    /// Over: it was a question of an authority, or nothing came.
    Over,
}

/// The first byte of a TLS handshake.
const HANDSHAKE: u8 = 0x16;

/// Begins a connection.
pub async fn open(stream: Timed, certificates: &Certificates, within: Duration) -> io::Result<Opened> {
    let opening = async {
        let mut first = [0];
        match stream.get_ref().peek(&mut first).await? {
            0 => Ok(Opened::Over),
            _ if first == [HANDSHAKE] => shake_hands(stream, certificates).await,
            _ => Ok(Opened::Plain(stream)),
        }
    };
    tokio::time::timeout(within, opening).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

async fn shake_hands(stream: Timed, certificates: &Certificates) -> io::Result<Opened> {
    let begun = LazyConfigAcceptor::new(Acceptor::default(), stream).await?;
    let hello = begun.client_hello();
    let asks = hello.alpn().is_some_and(|mut protocols| protocols.any(|protocol| protocol == challenge::PROTOCOL));
    if asks {
        let name = hello.server_name().unwrap_or_default().to_owned();
        let Some(config) = certificates.for_authority(&name).await else {
            return Err(io::Error::other("no authority was asked about this name"));
        };
        // The certificate is the answer. There is nothing else to say.
        begun.into_stream(config).await?.shutdown().await?;
        return Ok(Opened::Over);
    }
    let Some(config) = certificates.for_client(hello.server_name()) else {
        return Err(io::Error::other("there is no certificate for this name yet"));
    };
    let stream = Box::new(begun.into_stream(config).await?);
    Ok(match stream.get_ref().1.alpn_protocol() {
        Some(b"h2") => Opened::Http2(stream),
        _ => Opened::Http1(stream),
    })
}
