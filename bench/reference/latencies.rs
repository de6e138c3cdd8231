//! Latencies in microseconds, and what is told of them.

use std::time::Duration;

use serde_json::{Value, json};

/// The rate over a time, and the middle, the 99th percentile and the worst of the latencies.
pub fn summary(mut micros: Vec<u64>, count: usize, elapsed: Duration) -> Value {
    micros.sort_unstable();
    let at = |share: f64| micros.get((micros.len() as f64 * share) as usize).copied().unwrap_or(0);
    json!({
        "requests": count,
        "per_second": count as f64 / elapsed.as_secs_f64(),
        "p50_us": at(0.5),
        "p99_us": at(0.99),
        "worst_us": micros.last().copied().unwrap_or(0),
    })
}
