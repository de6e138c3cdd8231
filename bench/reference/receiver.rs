//! Takes webhooks and answers 204. `GET /` tells how many came and how many microseconds lie between the first and the
//! last. `GET /delays` tells how long after the change that it reports each came.

use std::{sync::Arc, time::Instant};

use axum::{Router, body::Bytes, http::StatusCode, routing::get};
use jiff::Timestamp;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::json;

use crate::{Failure, latencies};

#[derive(Default)]
struct Taken {
    count: usize,
    /// When the first and the last came.
    span: Option<(Instant, Instant)>,
    delays: Vec<u64>,
}

#[derive(Deserialize)]
struct Message<'a> {
    timestamp: &'a str,
}

pub async fn serve(address: &str) -> Result<(), Failure> {
    let taken = Arc::new(Mutex::new(Taken::default()));
    let count = {
        let taken = Arc::clone(&taken);
        async move || {
            let taken = taken.lock();
            let micros = taken.span.map_or(0, |(first, last)| (last - first).as_micros() as u64);
            json!({"received": taken.count, "micros": micros}).to_string()
        }
    };
    let delays = {
        let taken = Arc::clone(&taken);
        async move || {
            let taken = taken.lock();
            let span = taken.span.map_or_else(Default::default, |(first, last)| last - first);
            latencies::summary(taken.delays.clone(), taken.count, span).to_string()
        }
    };
    let take = async move |message: Bytes| {
        let (now, delay) = (Instant::now(), delay(&message));
        let mut taken = taken.lock();
        taken.count += 1;
        taken.span = Some((taken.span.map_or(now, |(first, _)| first), now));
        taken.delays.extend(delay);
        StatusCode::NO_CONTENT
    };
    let listener = tokio::net::TcpListener::bind(address).await?;
    let routes = Router::new().route("/", get(count).post(take)).route("/delays", get(delays));
    axum::serve(listener, routes).await?;
    Ok(())
}

/// How long after its timestamp a message came, in microseconds. What is no message of Taquilla has no delay.
fn delay(message: &[u8]) -> Option<u64> {
    let message: Message<'_> = serde_json::from_slice(message).ok()?;
    let sent: Timestamp = message.timestamp.parse().ok()?;
    Some(u64::try_from(Timestamp::now().duration_since(sent).as_micros()).unwrap_or(0))
}
