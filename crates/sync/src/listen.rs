//! Webhooks: a signed message says that there is something to read.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use serde::Deserialize;
use tokio::{
    net::TcpListener,
    sync::{Notify, mpsc, oneshot},
    task::JoinHandle,
};

use taquilla_client::Time;
use taquilla_domain::signature::SigningSecret;

/// The largest message: an order of 500 items is smaller.
const BYTES: usize = 2 * 1024 * 1024;
/// How far a message's time may be from ours, as the specification of the signatures advises.
const TOLERANCE_S: i64 = 300;
/// How long a message waits to be stored that no feed repeats. The sender waits for twenty seconds, and comes again.
const WAIT: Duration = Duration::from_secs(15);
/// The most of such messages that wait. The others come again.
const WAITING: usize = 64;

/// What has arrived.
pub(crate) enum Arrived {
    /// Nothing: the time has come all the same.
    Nothing,
    /// Something has changed, and feeds tell what.
    Changed,
    /// A ticket has left the books, which no feed tells. Whoever sent it is told once that is stored.
    Hidden { id: String, stored: oneshot::Sender<()> },
}

/// Takes messages. It ends when this is dropped.
pub struct Receiver {
    changed: Arc<Notify>,
    hidden: mpsc::Receiver<Arrived>,
    serving: JoinHandle<()>,
}

struct Desk {
    secret: SigningSecret,
    changed: Arc<Notify>,
    hidden: mpsc::Sender<Arrived>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
struct Data {
    #[serde(default)]
    id: Option<String>,
}

impl Receiver {
    /// Takes messages that are signed with this secret, by POST to any path.
    pub fn start(listener: TcpListener, secret: SigningSecret) -> Self {
        let changed = Arc::new(Notify::new());
        let (tell, hidden) = mpsc::channel(WAITING);
        let desk = Arc::new(Desk { secret, changed: Arc::clone(&changed), hidden: tell });
        let app = Router::new()
            .route("/", post(take))
            .route("/{*path}", post(take))
            .layer(DefaultBodyLimit::max(BYTES))
            .with_state(desk);
        let serving = tokio::spawn(async move {
            // It serves until it is aborted.
            let _ = axum::serve(listener, app).await;
        });
        Self { changed, hidden, serving }
    }

    pub(crate) async fn next(&mut self) -> Arrived {
        tokio::select! {
            biased;
            Some(hidden) = self.hidden.recv() => hidden,
            () = self.changed.notified() => Arrived::Changed,
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn take(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if !is_signed(&desk.secret, &headers, &body, Time::now()) {
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(Message { kind, data }) = serde_json::from_slice(&body) else { return StatusCode::BAD_REQUEST };
    if kind == "ticket.hidden"
        && let Some(id) = data.id
    {
        let (stored, is_stored) = oneshot::channel();
        if desk.hidden.try_send(Arrived::Hidden { id, stored }).is_err() {
            return StatusCode::SERVICE_UNAVAILABLE;
        }
        return match tokio::time::timeout(WAIT, is_stored).await {
            Ok(Ok(())) => StatusCode::NO_CONTENT,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
    }
    desk.changed.notify_one();
    StatusCode::NO_CONTENT
}

/// Whether a message is from whoever has the secret, and new.
fn is_signed(secret: &SigningSecret, headers: &HeaderMap, body: &[u8], now: Time) -> bool {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(id), Some(timestamp), Some(signatures)) =
        (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"))
    else {
        return false;
    };
    let is_new = timestamp.parse().is_ok_and(|sent: i64| (now.timestamp().as_second() - sent).abs() <= TOLERANCE_S);
    is_new && secret.verify(id, timestamp, body, signatures)
}
