//! What is put on every request before a handler sees it.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use hyper::{Request, body::Incoming};

use taquilla_http::connections::{Connection, Exchange};

use super::compression::keep_known_encodings;

/// Who is at the other end of a connection.
#[derive(Clone)]
pub struct Peer {
    /// The connection.
    pub connection: Arc<Connection>,
    /// Its address.
    pub address: IpAddr,
    /// Whether it is a proxy that tells whom it speaks for.
    pub is_proxy: bool,
}

impl Peer {
    /// Notes where a request came from, and whose turn it is.
    pub fn receive(&self, request: &mut Request<Incoming>) -> Arc<Exchange> {
        let forwarded = self.is_proxy.then(|| forwarded_for(request.headers())).flatten();
        let exchange = Arc::new(Exchange::new(Arc::clone(&self.connection), forwarded.unwrap_or(self.address)));
        request.extensions_mut().insert(Arc::clone(&exchange));
        keep_known_encodings(request.headers_mut());
        exchange
    }
}

/// The addresses that a request came through.
static FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address that the nearest proxy saw: the last one in the list. The earlier ones are only claims of the client.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all(&FORWARDED_FOR).iter().next_back()?.to_str().ok()?;
    let last = last.rsplit(',').next()?.trim();
    last.parse().ok().or_else(|| last.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// Gives a request of HTTP/2 the headers that it would have with HTTP/1.1: a host, and all cookies in one line (RFC 9113,
/// 8.2.3).
pub fn as_in_http1(request: &mut Request<Incoming>) {
    let host = request.uri().authority().and_then(|authority| HeaderValue::try_from(authority.as_str()).ok());
    let headers = request.headers_mut();
    if let Some(host) = host {
        headers.insert(header::HOST, host);
    }
    if headers.get_all(header::COOKIE).iter().nth(1).is_some() {
        let lines: Vec<&[u8]> = headers.get_all(header::COOKIE).iter().map(HeaderValue::as_bytes).collect();
        if let Ok(joined) = HeaderValue::from_bytes(&lines.join(&b"; "[..])) {
            headers.insert(header::COOKIE, joined);
        }
    }
}
