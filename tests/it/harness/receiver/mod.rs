//! A receiver of webhooks for tests: it records requests and answers well or badly, as a test asks.

mod behaviour;
mod official;
mod record;
mod request;
mod tls;

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpSocket},
    task::JoinSet,
};
use tokio_rustls::TlsAcceptor;

use self::record::Record;
pub use self::{behaviour::Behaviour, official::OfficialReceiver, request::Received, tls::TlsReceiver};
use super::PATIENCE;

/// A small buffer keeps unread bodies out of the socket, so that [`Receiver::bytes_sent`] shows what was read.
const SEND_BUFFER: u32 = 16 * 1024;

/// A receiver on a free port of this machine. It and its connections end when it is dropped.
pub struct Receiver {
    address: SocketAddr,
    /// The scheme, the host and the port of its URLs.
    origin: String,
    record: Arc<Record>,
    _accepting: JoinSet<()>,
}

impl Receiver {
    pub async fn start(behaviour: Behaviour) -> Self {
        Self::start_on("127.0.0.1", behaviour).await
    }

    /// Starts a receiver on another address of this machine, such as 127.0.0.2.
    pub async fn start_on(ip: &str, behaviour: Behaviour) -> Self {
        let (listener, address) = listen(ip.parse().unwrap());
        Self::accept(listener, address, format!("http://{address}"), None, behaviour)
    }

    fn accept(
        listener: TcpListener,
        address: SocketAddr,
        origin: String,
        secured: Option<TlsAcceptor>,
        behaviour: Behaviour,
    ) -> Self {
        let record = Arc::new(Record::new(behaviour));
        let mut accepting = JoinSet::new();
        accepting.spawn(accept(listener, secured, Arc::clone(&record)));
        Self { address, origin, record, _accepting: accepting }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Changes how later requests are answered.
    pub fn behave(&self, behaviour: Behaviour) {
        self.record.behave(behaviour);
    }

    pub fn received(&self) -> Vec<Received> {
        self.record.seen().received.clone()
    }

    /// Waits until this many requests have come, and returns all of them.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        self.wait_until(&format!("{count} requests"), |receiver| receiver.record.seen().received.len() >= count).await;
        self.received()
    }

    /// Waits until a condition on this receiver holds.
    pub async fn wait_until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        self.record.until(what, PATIENCE, || holds(self)).await;
    }

    /// Connections accepted so far.
    pub fn connections(&self) -> usize {
        self.record.seen().connections
    }

    /// Requests that are being answered. The end of a client is noticed a moment later.
    pub fn busy(&self) -> usize {
        self.record.seen().busy
    }

    /// The most requests that were ever being answered at once.
    pub fn busiest(&self) -> usize {
        self.record.seen().busiest
    }

    /// Bytes of bodies that were sent. Up to some 200 kB of them may still be unread in the sockets.
    pub fn bytes_sent(&self) -> u64 {
        self.record.seen().body_bytes
    }
}

/// An address of this machine that refuses connections.
pub fn refusing_address() -> SocketAddr {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = socket.local_addr().unwrap();
    // The socket is bound and never listens, so the port refuses connections and nobody else gets it while this process
    // runs.
    std::mem::forget(socket);
    address
}

fn listen(ip: IpAddr) -> (TcpListener, SocketAddr) {
    let socket = if ip.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }.unwrap();
    // Accepted connections inherit this setting.
    socket.set_send_buffer_size(SEND_BUFFER).unwrap();
    socket.bind(SocketAddr::new(ip, 0)).unwrap();
    let listener = socket.listen(1024).unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

async fn accept(listener: TcpListener, secured: Option<TlsAcceptor>, record: Arc<Record>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted.unwrap();
                // Without this, single bytes would be held back and sent together.
                stream.set_nodelay(true).unwrap();
                record.connected();
                let (secured, record) = (secured.clone(), Arc::clone(&record));
                connections.spawn(async move {
                    match secured {
                        None => serve(stream, &record).await,
                        Some(secured) => match secured.accept(stream).await {
                            Ok(stream) => serve(stream, &record).await,
                            Err(cause) => record.mishap(format!("TLS: {cause}")),
                        },
                    }
                });
            }
            Some(ended) = connections.join_next() => {
                if let Err(cause) = ended {
                    record.mishap(format!("a connection failed: {cause}"));
                }
            }
        }
    }
}

/// Answers the requests of one connection, one after the other.
async fn serve(stream: impl AsyncRead + AsyncWrite, record: &Record) {
    let (mut reader, mut writer) = tokio::io::split(stream);
    let mut buffer = Vec::new();
    loop {
        let received = match request::read(&mut reader, &mut buffer).await {
            Ok(Some(received)) => received,
            Ok(None) => break,
            Err(cause) => return record.mishap(format!("a request could not be read: {cause}")),
        };
        let (index, behaviour, busy) = record.begin(received.clone());
        let kept = tokio::select! {
            biased;
            kept = behaviour.answer(&received, index, &mut writer, record, busy) => kept.unwrap_or(false),
            () = left(&mut reader, &mut buffer) => false,
        };
        if !kept || received.closes() {
            break;
        }
    }
    // The client may have closed first.
    let _ = writer.shutdown().await;
}

/// Waits until the client closes the connection.
async fn left(reader: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) {
    while reader.read_buf(buffer).await.is_ok_and(|count| count > 0) {}
}

mod tests;
