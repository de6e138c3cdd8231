//! One connection, from its first byte to its last.

use std::{
    convert::Infallible,
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    Router,
    body::HttpBody,
    http::{HeaderValue, Request, Response, header},
};
use bytes::Bytes;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::Notify,
    time::{Instant, sleep_until},
};
use tokio_io_timeout::TimeoutStream;
use tower::{Service, ServiceExt};

use taquilla_domain::config::{Config, HEAD_BUFFER, HEADER_LINES_MAX, STOP_FIRST_REQUEST};
use taquilla_http::connections::Place;

use super::{
    compression::Compressed,
    head_timer::HeadTimer,
    http2,
    request::Peer,
    stop::{Stop, stopped},
};
use crate::tls::{self, Certificates, Opened, Timed};

/// What serving a connection needs.
pub struct Serving {
    /// All routes.
    pub app: Compressed,
    /// What is answered over plain http if the service is over https.
    pub plain: Router,
    /// What https needs; `None` if the service is over plain http.
    pub certificates: Option<Arc<Certificates>>,
    /// Whether the server was told to stop: answers say then that the connection ends.
    pub leaving: Arc<AtomicBool>,
    /// The server's settings.
    pub config: Config,
}

/// Where a connection came to.
#[derive(Clone, Copy)]
pub enum Entrance {
    /// Where the service is.
    Main,
    /// Where only the way to https is shown.
    Http,
}

impl Serving {
    /// Serves a connection in a task of its own.
    pub fn serve(
        self: &Arc<Self>,
        stream: TcpStream,
        address: SocketAddr,
        place: Place,
        entrance: Entrance,
        stop: Stop,
    ) {
        if let Err(cause) = stream.set_nodelay(true) {
            tracing::debug!(%cause, "cannot set TCP_NODELAY");
        }
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.config.timeouts.write));
        let connection = Arc::clone(&place.connection);
        let peer = Peer { connection, address: address.ip(), is_proxy: self.config.trust_proxy };
        let serving = Arc::clone(self);
        tokio::spawn(async move {
            // The place is given up after the connection is closed.
            let place = place;
            tokio::select! {
                () = serving.speak(Box::pin(stream), peer, entrance, stop) => {}
                () = place.connection.told_to_leave() => tracing::debug!("a connection was closed for another one"),
            }
        });
    }

    /// Each way of speaking is on the heap, or every connection would take the room of the largest.
    async fn speak(&self, stream: Timed, peer: Peer, entrance: Entrance, mut stop: Stop) {
        let (app, plain, opened_at) = (self.app.clone(), self.plain.clone(), Instant::now());
        let certificates = match (entrance, &self.certificates) {
            (Entrance::Main, Some(certificates)) => certificates,
            (Entrance::Main, None) => return Box::pin(self.speak_http1(stream, peer, app, stop)).await,
            (Entrance::Http, _) => return Box::pin(self.speak_http1(stream, peer, plain, stop)).await,
        };
        let opened = tokio::select! {
            opened = Box::pin(tls::open(stream, certificates, self.config.timeouts.handshake)) => opened,
            () = given_up(&mut stop, opened_at) => return,
        };
        match opened {
            Ok(Opened::Http1(stream)) => Box::pin(self.speak_http1(stream, peer, app, stop)).await,
            Ok(Opened::Http2(stream)) => Box::pin(http2::speak(stream, peer, app, &self.config, stop)).await,
            Ok(Opened::Plain(stream)) => Box::pin(self.speak_http1(stream, peer, plain, stop)).await,
            Ok(Opened::Over) => {}
            Err(cause) => tracing::debug!(%cause, "a TLS handshake failed"),
        }
    }

    /// Speaks HTTP/1.1 until the connection ends.
    async fn speak_http1<B>(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        peer: Peer,
        service: impl Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone,
        mut stop: Stop,
    ) where
        B: HttpBody<Data = Bytes> + 'static,
        B::Error: Into<axum::BoxError>,
    {
        let (asked, leaving, opened_at) = (Notify::new(), &self.leaving, Instant::now());
        let service = service_fn(|mut request: Request<Incoming>| {
            asked.notify_one();
            let exchange = peer.receive(&mut request);
            let service = service.clone();
            async move {
                exchange.take_turn().await;
                let mut answer = service.oneshot(request).await;
                if let Ok(answer) = &mut answer
                    && leaving.load(Ordering::Relaxed)
                {
                    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                exchange.wait_for_client();
                answer
            }
        });
        let served = http1::Builder::new()
            .timer(HeadTimer::default())
            .header_read_timeout(self.config.timeouts.head)
            .max_buf_size(HEAD_BUFFER)
            .max_headers(HEADER_LINES_MAX)
            // Who has sent a whole request may close its half, and still gets the answer.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), service);
        let mut served = pin!(served);
        let ended = tokio::select! {
            ended = served.as_mut() => ended,
            () = stopped(&mut stop) => {
                let ended = tokio::select! {
                    ended = served.as_mut() => Some(ended),
                    () = asked.notified() => None,
                    () = first_request_is_late(opened_at) => None,
                };
                match ended {
                    Some(ended) => ended,
                    None => {
                        served.as_mut().graceful_shutdown();
                        served.await
                    }
                }
            }
        };
        if let Err(cause) = ended {
            tracing::debug!(%cause, "a connection ended early");
        }
    }
}

/// Returns once the server stops and nobody waits for a handshake any more.
async fn given_up(stop: &mut Stop, opened_at: Instant) {
    stopped(stop).await;
    first_request_is_late(opened_at).await;
}

/// Returns once a connection is no longer one that has just come. Who has is about to ask, and is answered by a server that
/// stops; a connection that a browser opened on suspicion a while ago keeps nobody waiting.
async fn first_request_is_late(opened_at: Instant) {
    sleep_until(opened_at + STOP_FIRST_REQUEST).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_who_has_just_come_is_waited_for() {
        let opened_at = Instant::now();
        first_request_is_late(opened_at).await;
        assert_eq!(opened_at.elapsed(), STOP_FIRST_REQUEST, "who has just come has its time");
        first_request_is_late(opened_at).await;
        assert_eq!(opened_at.elapsed(), STOP_FIRST_REQUEST, "nobody waits for who came before");
    }
}
