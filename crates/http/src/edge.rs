//! What happens to every request and every answer, on all routes.

use std::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use tokio::time::{Instant, timeout_at};
use tower::{Layer, Service};

use taquilla_domain::{
    config::{Config, HEADERS_MAX, TARGET_MAX},
    key::hexadecimal,
};
use taquilla_metrics::Route;

use super::{
    access_lines::AccessLines,
    caller::{self, Caller},
    connections::{Exchange, Turn},
    errors::Error,
    https::{STRICT, is_strict},
};

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Shows an error to a client in the way of one face: it writes the body and its content type. The text is the request's id.
pub type Render = fn(&Error, &ErrorContext, &str, &mut Response);

/// What showing an error may depend on.
pub struct ErrorContext {
    /// The request's method.
    pub method: Method,
    /// The request's target.
    pub uri: Uri,
    /// The page that it came from.
    pub referrer: Option<HeaderValue>,
    /// Which forms the client accepts.
    pub accept: Option<HeaderValue>,
    /// Which languages it prefers.
    pub languages: Option<HeaderValue>,
    /// Its cookies, one of which may name the language that the reader chose.
    pub cookies: Option<HeaderValue>,
}

impl ErrorContext {
    fn by(request: &Request) -> Self {
        let header = |name| request.headers().get(name).cloned();
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            referrer: header(header::REFERER),
            accept: header(header::ACCEPT),
            languages: header(header::ACCEPT_LANGUAGE),
            cookies: header(header::COOKIE),
        }
    }
}

/// The edge around one route.
pub struct Edge {
    /// The server's settings.
    pub config: Arc<Config>,
    /// How its face shows errors.
    pub render: Render,
    /// The route's pattern.
    pub route: &'static str,
    /// Its numbers, if there are metrics.
    pub counted: Option<Arc<Route>>,
    /// Which requests get a line in the log.
    pub lines: Arc<AccessLines>,
}

/// Puts an [`Edge`] around a route.
#[derive(Clone)]
pub struct EdgeLayer(pub Arc<Edge>);

impl<S> Layer<S> for EdgeLayer {
    type Service = Edged<S>;

    fn layer(&self, route: S) -> Edged<S> {
        Edged { edge: Arc::clone(&self.0), route }
    }
}

/// A route with its edge.
#[derive(Clone)]
pub struct Edged<S> {
    edge: Arc<Edge>,
    route: S,
}

impl<S> Service<Request> for Edged<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.route.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (edge, arrived) = (Arc::clone(&self.edge), Arrived::new(&request, &self.edge.config));
        let answer = match refuse(&request) {
            Some(refusal) => Err(refusal),
            None => Ok(self.route.call(request)),
        };
        Box::pin(async move { Ok(edge.answer(arrived, answer).await) })
    }
}

/// What is kept of a request while its route answers it.
struct Arrived {
    at: Instant,
    request_id: HeaderValue,
    method: &'static str,
    context: ErrorContext,
    strict: bool,
    exchange: Arc<Exchange>,
}

impl Arrived {
    fn new(request: &Request, config: &Config) -> Self {
        Self {
            at: Instant::now(),
            request_id: request_id(request.headers()),
            method: known_method(request.method()),
            context: ErrorContext::by(request),
            strict: is_strict(request.headers(), config),
            exchange: request.extensions().get::<Arc<Exchange>>().cloned().unwrap_or_default(),
        }
    }
}

impl Edge {
    /// Gives the request an id, refuses one that is too large, limits its time, catches panics, lets the face show errors,
    /// counts it, and logs one line.
    ///
    /// The log has the route's pattern and never the path, because a ticket id in a path opens a door.
    async fn answer(
        &self,
        arrived: Arrived,
        answer: Result<impl Future<Output = Result<Response, Infallible>>, Error>,
    ) -> Response {
        let Self { config, render, route, counted, lines } = self;
        let Arrived { at, request_id, method, context, strict, exchange } = arrived;
        let mut caller = None;
        let mut response = match answer {
            Err(refusal) => refusal.into_response(),
            Ok(answer) => {
                let mut answer = pin!(caller::answering(AssertUnwindSafe(answer).catch_unwind()));
                let answered = in_time(answer.as_mut(), &exchange, config.timeouts.request).await;
                caller = caller::of(answer);
                match answered {
                    Ok(Ok(Ok(response))) => response,
                    Ok(Err(_)) => Error::Internal("a handler panicked".into()).into_response(),
                    Err(error) => error.into_response(),
                }
            }
        };

        let error = response.extensions_mut().remove::<Arc<Error>>();
        let id_text = request_id.to_str().unwrap_or_default();
        let headers = response.headers_mut();
        if let Some(error) = &error {
            headers.remove(header::CONTENT_LENGTH);
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            render(error, &context, id_text, &mut response);
        }
        let headers = response.headers_mut();
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if strict {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, STRICT);
        }

        let (status, took) = (response.status(), at.elapsed());
        if let Some(counted) = counted {
            counted.count(method, status.as_u16(), took);
        }
        if lines.have(status) {
            log(&AccessLine { request_id: id_text, method, route, status, took, caller }, error.as_deref());
        }
        response.headers_mut().insert(&REQUEST_ID, request_id);
        response
    }
}

/// What the log says of a request.
struct AccessLine<'a> {
    request_id: &'a str,
    method: &'static str,
    route: &'static str,
    status: StatusCode,
    took: Duration,
    caller: Option<Caller>,
}

fn log(line: &AccessLine<'_>, error: Option<&Error>) {
    let AccessLine { request_id, method, route, caller, .. } = line;
    let (status, micros) = (line.status.as_u16(), u64::try_from(line.took.as_micros()).unwrap_or(u64::MAX));
    let caller = caller.as_ref();
    let producer = caller.map(Caller::producer);
    let (key, door_link) = (caller.and_then(Caller::key), caller.and_then(Caller::door_link));
    let code = error.map(|error| error.code().name);
    match error {
        Some(Error::Unavailable(cause) | Error::Internal(cause)) => {
            tracing::error!(request_id, method, route, status, micros, producer, key, door_link, cause, "failed");
        }
        Some(Error::BodyTooSlow | Error::BodyIncomplete) => {
            tracing::warn!(
                request_id,
                method,
                route,
                status,
                micros,
                producer,
                key,
                door_link,
                code,
                "body not received"
            );
        }
        _ => {
            tracing::info!(request_id, method, route, status, micros, producer, key, door_link, code, "answered");
        }
    }
}

/// Waits for the answer. The client has `time` to send the body, and the server has as long to answer once it is here. A
/// handler that reads a body piece by piece, and passes the turn each time, gives the client that time for each piece.
async fn in_time<T>(answer: impl Future<Output = T>, exchange: &Exchange, time: Duration) -> Result<T, Error> {
    let mut answer = pin!(answer);
    let mut until = Instant::now() + time;
    loop {
        if let Ok(answer) = timeout_at(until, &mut answer).await {
            return Ok(answer);
        }
        match exchange.turn() {
            Turn::Client(since) | Turn::Server(since) if since + time > until => until = since + time,
            Turn::Client(_) => return Err(Error::BodyTooSlow),
            Turn::Server(_) => return Err(Error::Unavailable("the request took too long".into())),
        }
    }
}

/// The method for the log. One that no standard knows is a stranger's text of any length.
fn known_method(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

/// The caller's request id if it is hexadecimal, as proxies write them, else a new one. Anything freer could carry a
/// ticket id or a key into the log.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_id =
        |id: &[u8]| (16..=64).contains(&id.len()) && id.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    match headers.get(&REQUEST_ID).filter(|given| is_id(given.as_bytes())) {
        Some(given) => given.clone(),
        None => {
            let made = HeaderValue::try_from(hexadecimal(&rand::random::<[u8; 16]>()));
            // Hexadecimal digits are a value for a header.
            made.unwrap_or(HeaderValue::from_static("0"))
        }
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

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    const TIME: Duration = Duration::from_secs(15);

    /// A request whose body takes this many seconds, and whose answer takes as many as the second number says.
    async fn outcome(body_s: u64, answer_s: u64) -> Result<(), Error> {
        let exchange = Exchange::default();
        exchange.take_turn().await;
        let answer = async {
            exchange.wait_for_client();
            sleep(Duration::from_secs(body_s)).await;
            exchange.take_turn().await;
            sleep(Duration::from_secs(answer_s)).await;
        };
        in_time(answer, &exchange, TIME).await
    }

    #[tokio::test(start_paused = true)]
    async fn the_body_and_the_answer_have_their_own_time() {
        assert!(outcome(14, 14).await.is_ok());
        assert!(matches!(outcome(16, 0).await, Err(Error::BodyTooSlow)));
        assert!(matches!(outcome(14, 16).await, Err(Error::Unavailable(_))));
        assert!(matches!(outcome(0, 16).await, Err(Error::Unavailable(_))));
    }
}
