//! What happens to every request and every answer, on all routes.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;

use super::errors::Error;
use crate::config::{Config, HEADERS_MAX, TARGET_MAX};

/// Shows an error to a client in the way of one face: it writes the body and its content type. The text is the request's id.
pub type Render = fn(&Error, &Asked, &str, &mut Response);

/// What showing an error may depend on.
pub struct Asked {
    /// The request's target.
    pub uri: Uri,
    /// Which forms the client accepts.
    pub accept: Option<HeaderValue>,
    /// Which languages it prefers.
    pub languages: Option<HeaderValue>,
}

impl Asked {
    fn by(request: &Request) -> Self {
        let header = |name| request.headers().get(name).cloned();
        Self { uri: request.uri().clone(), accept: header(header::ACCEPT), languages: header(header::ACCEPT_LANGUAGE) }
    }
}

/// The settings of one face's edge.
#[derive(Clone)]
pub struct Edge {
    /// The server's settings.
    pub config: Arc<Config>,
    /// How this face shows errors.
    pub render: Render,
}

/// Gives the request an id, refuses one that is too large, limits its time, catches panics, lets the face show errors,
/// and logs one line.
///
/// The log has the route's pattern and never the path, because a ticket id in a path opens a door.
pub async fn edge(State(Edge { config, render }): State<Edge>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let request_id = request_id(request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let asked = Asked::by(&request);

    let mut response = match refuse(&request) {
        Some(refusal) => refusal.into_response(),
        None => {
            let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
            match tokio::time::timeout(config.request_timeout, answer).await {
                Ok(Ok(response)) => response,
                Ok(Err(_)) => Error::Internal("a handler panicked".into()).into_response(),
                Err(_) => Error::Unavailable("the request took too long".into()).into_response(),
            }
        }
    };

    let error = response.extensions_mut().remove::<Arc<Error>>();
    if let Some(error) = &error {
        response.headers_mut().remove(header::CONTENT_LENGTH);
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        render(error, &asked, &request_id, &mut response);
    }
    response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(value) = HeaderValue::try_from(&request_id) {
        response.headers_mut().insert("x-request-id", value);
    }

    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let status = response.status().as_u16();
    let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    match error.as_ref().and_then(|error| error.cause()) {
        Some(cause) => tracing::error!(request_id, %method, route, status, micros, cause, "failed"),
        None => tracing::info!(request_id, %method, route, status, micros, "answered"),
    }
    response
}

/// The caller's request id if it is hexadecimal, as proxies write them, else a new one. Anything freer could carry a
/// ticket id or a key into the log.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get("x-request-id").and_then(|value| value.to_str().ok());
    match given {
        Some(id)
            if (16..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') =>
        {
            id.to_owned()
        }
        _ => format!("{:032x}", rand::random::<u128>()),
    }
}

/// Refuses a request whose path and query or headers are larger than any honest one.
fn refuse(request: &Request) -> Option<Error> {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    if target > TARGET_MAX {
        return Some(Error::TargetTooLong);
    }
    let headers: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    (headers > HEADERS_MAX).then_some(Error::HeadersTooLarge)
}
