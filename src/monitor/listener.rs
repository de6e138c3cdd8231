//! The listener that tells metrics and nothing else.

use std::{convert::Infallible, sync::Arc};

use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use bytes::Bytes;
use http_body_util::Full;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tokio_io_timeout::TimeoutStream;

use taquilla_domain::config::{
    ACCEPT_PAUSE, METRICS_CONNECTIONS_MAX, METRICS_HEAD_BUFFER, METRICS_IDLE, METRICS_WRITE_TIMEOUT,
};
use taquilla_http::seldom::Seldom;
use taquilla_rules::task::Task;

use super::{classic_text::classic, scrape::Monitor};

const PATH: &str = "/metrics";
const OPEN_METRICS: &str = "application/openmetrics-text";

/// Tells metrics to whoever connects.
pub fn start(listener: TcpListener, monitor: Monitor) -> Task {
    Task::start(|_| serve(listener, Arc::new(monitor)))
}

async fn serve(listener: TcpListener, monitor: Arc<Monitor>) {
    let room = Arc::new(Semaphore::new(METRICS_CONNECTIONS_MAX));
    let failing = Seldom::default();
    // The semaphore is never closed, so there is always a next permit.
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(tell(stream, place, Arc::clone(&monitor)));
            }
            Err(cause) => {
                if failing.is_due() {
                    tracing::warn!(%cause, "cannot accept connections for metrics");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn tell(stream: TcpStream, _place: OwnedSemaphorePermit, monitor: Arc<Monitor>) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(METRICS_WRITE_TIMEOUT));
    let service = service_fn(|request| {
        let monitor = Arc::clone(&monitor);
        async move { Ok::<_, Infallible>(answer(&monitor, &request).await) }
    });
    let told = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(METRICS_IDLE)
        .max_buf_size(METRICS_HEAD_BUFFER)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    if let Err(cause) = told.await {
        tracing::debug!(%cause, "a connection for metrics ended early");
    }
}

async fn answer<B>(monitor: &Monitor, request: &Request<B>) -> Response<Full<Bytes>> {
    if request.uri().path() != PATH {
        return plain(StatusCode::NOT_FOUND, "there is only /metrics here\n");
    }
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "metrics can only be read, with GET\n");
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let Ok(text) = monitor.open_metrics().await else {
        return plain(StatusCode::INTERNAL_SERVER_ERROR, "the metrics could not be written\n");
    };
    let (kind, text) = match wants_open_metrics(request.headers()) {
        true => ("application/openmetrics-text; version=1.0.0; charset=utf-8", text),
        false => ("text/plain; version=0.0.4; charset=utf-8", classic(&text)),
    };
    let mut response = Response::new(Full::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Prometheus names the formats that it reads. Whoever names none gets the older one, which all of them read.
fn wants_open_metrics(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|format| format.trim().starts_with(OPEN_METRICS))
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
