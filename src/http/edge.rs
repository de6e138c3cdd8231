//! What happens to every request and every answer, whatever the route.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;

use super::errors::Error;
use crate::config::{Config, HEADERS_MAX, TARGET_MAX};

/// How a face shows an error: it writes the body and its content type. It gets what the client accepts, and the request's id.
pub type Render = fn(&Error, &HeaderMap, &str, &mut Response);

/// What the edge of one face needs to know.
#[derive(Clone)]
pub struct Edge {
    /// The server's settings.
    pub config: Arc<Config>,
    /// How this face shows errors.
    pub render: Render,
}

/// Names the request, bounds it, catches what goes wrong, lets the face show it, and logs one line.
///
/// The log names the route's pattern and never the path itself: a ticket id opens a door.
pub async fn edge(State(Edge { config, render }): State<Edge>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let request_id = request_id(request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let accepted = accepted(request.headers());

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
        render(error, &accepted, &request_id, &mut response);
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

/// What a client says of the form and language that it wants, which is all that showing an error may depend on.
fn accepted(headers: &HeaderMap) -> HeaderMap {
    [header::ACCEPT, header::ACCEPT_LANGUAGE]
        .into_iter()
        .filter_map(|name| headers.get(&name).cloned().map(|value| (name, value)))
        .collect()
}

/// The caller's own request id where it is plainly one (hexadecimal, as proxies write them), else a new one.
/// Anything freer could smuggle a ticket id or a key into the log.
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

/// Refuses what is too large to be honest.
fn refuse(request: &Request) -> Option<Error> {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    if target > TARGET_MAX {
        return Some(Error::TargetTooLong);
    }
    let headers: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    (headers > HEADERS_MAX).then_some(Error::HeadersTooLarge)
}
