//! A line to a server that answers with errors, breaks off, dawdles and shortens pages, at random.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::net::TcpListener;

use super::client::http_client;

/// A port of this machine that leads to a server.
pub struct FaultyLine {
    pub url: String,
    line: Arc<Line>,
}

struct Line {
    http: reqwest::Client,
    /// Where it leads.
    target: Mutex<String>,
    chance: Mutex<StdRng>,
    has_faults: AtomicBool,
    requests: AtomicUsize,
    began: Instant,
}

/// What the server's clock shows, as far as its clients know: an hour after the stamps of a test's world, so that marks need no
/// caution.
const DATE: &str = "2026-11-01T13:00:00Z";

impl FaultyLine {
    pub async fn to(base: &str, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let line = Arc::new(Line {
            http: http_client(),
            target: Mutex::new(base.to_owned()),
            chance: Mutex::new(StdRng::seed_from_u64(seed)),
            has_faults: AtomicBool::new(true),
            requests: AtomicUsize::new(0),
            began: Instant::now(),
        });
        let app = Router::new().fallback(pass).with_state(Arc::clone(&line));
        tokio::spawn(async { axum::serve(listener, app).await });
        Self { url, line }
    }

    /// From here on it leads to another server.
    pub fn lead_to(&self, base: &str) {
        base.clone_into(&mut self.line.target.lock());
    }

    /// Whether it does harm.
    pub fn set_faults(&self, faults: bool) {
        self.line.has_faults.store(faults, Ordering::SeqCst);
    }

    /// How many requests have come.
    pub fn requests(&self) -> usize {
        self.line.requests.load(Ordering::SeqCst)
    }
}

async fn pass(State(line): State<Arc<Line>>, request: Request) -> Response {
    line.requests.fetch_add(1, Ordering::SeqCst);
    let has_faults = line.has_faults.load(Ordering::SeqCst);
    let (kind, limit, pause) = {
        let mut chance = line.chance.lock();
        (chance.random_range(0..60), chance.random_range(1..=9), chance.random_range(0..8))
    };
    let again = [(header::RETRY_AFTER, "0")];
    match kind {
        0 if has_faults => return (StatusCode::TOO_MANY_REQUESTS, again, "Too many!").into_response(),
        1 if has_faults => return (StatusCode::INTERNAL_SERVER_ERROR, again, "<html>Oh no</html>").into_response(),
        2 if has_faults => return (StatusCode::BAD_GATEWAY, again, "").into_response(),
        3..=8 if has_faults => tokio::time::sleep(Duration::from_millis(pause)).await,
        _ => {}
    }
    // Pages get shorter, as a server may make them.
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    let path = if has_faults { path.replace("limit=200", &format!("limit={limit}")) } else { path };
    let target = line.target.lock().clone();
    let mut asked = line.http.get(format!("{target}{path}"));
    for name in [header::AUTHORIZATION, header::IF_NONE_MATCH] {
        if let Some(value) = request.headers().get(&name) {
            asked = asked.header(name, value);
        }
    }
    let Ok(answer) = asked.send().await else { return broken(Bytes::new()) };
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    let Ok(body) = answer.bytes().await else { return broken(Bytes::new()) };
    if kind == 9 && has_faults && body.len() > 10 {
        return broken(body.slice(..body.len() / 2));
    }
    let date: Timestamp = DATE.parse().unwrap();
    let date = (date + line.began.elapsed()).strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    headers.insert(header::DATE, HeaderValue::from_str(&date).unwrap());
    let mut response = Response::new(Body::from(body));
    (*response.status_mut(), *response.headers_mut()) = (status, headers);
    response
}

/// An answer that breaks off after this.
fn broken(body: Bytes) -> Response {
    let pieces = [Ok(body), Err(std::io::Error::other("the connection is cut"))];
    Response::new(Body::from_stream(futures_util::stream::iter(pieces)))
}
