//! Taking connections, until nobody who came is left in the door.
//!
//! What waits in the kernel's queue is a connection that its client holds for open: closing the listener would cut it off
//! without an answer. So a server that stops sends newcomers away first, and takes those that wait before it closes.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
    sync::Arc,
};

use socket2::{SockFilter, SockRef};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    time::sleep,
};

use taquilla_domain::config::{ACCEPT_PAUSE, STOP_HANDSHAKES};
use taquilla_http::{
    connections::{Connections, Place},
    seldom::Seldom,
};

use super::connection::{Entrance, Serving};

/// Where connections are taken, and who serves them.
pub struct Taking {
    /// Where the service is.
    pub main: TcpListener,
    /// Where clients of plain http are led to https.
    pub http: Option<TcpListener>,
    /// Whether somebody else keeps the main listener open, and hands it to the next server.
    pub stays: bool,
    /// The places.
    pub connections: Arc<Connections>,
    /// Serves connections.
    pub serving: Arc<Serving>,
    /// Says when the server stops.
    pub stop: watch::Sender<bool>,
}

impl Taking {
    /// Takes connections until something has happened.
    pub async fn until<T>(&self, happened: impl Future<Output = T>) -> T {
        let failing = Seldom::default();
        tokio::pin!(happened);
        loop {
            tokio::select! {
                outcome = &mut happened => return outcome,
                accepted = self.next() => match accepted {
                    Ok(Some((stream, peer, place, entrance))) => {
                        self.serving.serve(stream, peer, place, entrance, self.stop.subscribe());
                    }
                    Ok(None) => {}
                    Err(cause) => {
                        // The likely cause is a lack of file descriptors, so some connections have to go.
                        if failing.is_due() {
                            tracing::warn!(%cause, "cannot accept connections");
                        }
                        self.connections.make_room();
                        sleep(ACCEPT_PAUSE).await;
                    }
                },
            }
        }
    }

    /// Sends newcomers away, while connections that have begun are still taken.
    pub async fn turn_newcomers_away(&self) {
        let own = (!self.stays).then_some(&self.main);
        for listener in own.into_iter().chain(&self.http) {
            // Without it a connection may be lost that begins in the last microseconds, as in any server.
            if let Err(cause) = SockRef::from(listener).attach_filter(&NO_NEWCOMERS) {
                tracing::debug!(%cause, "newcomers cannot be told from others");
            }
        }
        self.until(sleep(STOP_HANDSHAKES)).await;
    }

    /// Takes everybody who waits, and closes. A listener that stays is left as it is: the next server takes who waits there.
    pub async fn close(self) -> (watch::Sender<bool>, Arc<Serving>) {
        let Self { main, http, stays, connections, serving, stop } = self;
        let main = (!stays).then_some((main, Entrance::Main));
        for (listener, entrance) in main.into_iter().chain(http.map(|http| (http, Entrance::Http))) {
            for (stream, peer) in waiting(listener) {
                if let Some(place) = connections.admit(peer.ip()).await {
                    serving.serve(stream, peer, place, entrance, stop.subscribe());
                }
            }
        }
        (stop, serving)
    }

    /// The next connection with its place, and where it came to. `None` if it was turned away, or gone before it was accepted.
    async fn next(&self) -> io::Result<Option<(TcpStream, SocketAddr, Place, Entrance)>> {
        let plain = async {
            match &self.http {
                Some(http) => http.accept().await,
                None => std::future::pending().await,
            }
        };
        let (accepted, entrance) = tokio::select! {
            accepted = self.main.accept() => (accepted, Entrance::Main),
            accepted = plain => (accepted, Entrance::Http),
        };
        match accepted {
            Ok((stream, peer)) => {
                Ok(self.connections.admit(peer.ip()).await.map(|place| (stream, peer, place, entrance)))
            }
            Err(cause) if matches!(cause.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => Ok(None),
            Err(cause) => Err(cause),
        }
    }
}

/// A program for the kernel, which begins to read at the head of TCP: a packet that begins a connection (SYN without ACK in
/// byte 13) is dropped, and all others pass. The client sends it again a second later, when the port is closed or another
/// server listens there.
const NO_NEWCOMERS: [SockFilter; 5] = [
    SockFilter::new(0x30, 0, 0, 13),          // load a byte
    SockFilter::new(0x54, 0, 0, 0x12),        // keep the bits of SYN and ACK
    SockFilter::new(0x15, 0, 1, 0x02),        // if there is SYN alone
    SockFilter::new(0x06, 0, 0, 0),           // drop it
    SockFilter::new(0x06, 0, 0, 0xffff_ffff), // else let all of it pass
];

/// Everybody who waits, in no time. The runtime would tell only of those that it has heard of.
fn waiting(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    let mut waiting = Vec::new();
    loop {
        let taken = listener.accept().and_then(|(stream, peer)| {
            stream.set_nonblocking(true)?;
            Ok((TcpStream::from_std(stream)?, peer))
        });
        match taken {
            Ok(connection) => waiting.push(connection),
            Err(cause) if matches!(cause.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {}
            // Nobody is left, or there are no files for more.
            Err(_) => return waiting,
        }
    }
}
