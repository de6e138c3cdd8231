//! Answers to requests by route, method and status, and how long they took.
//!
//! Each route has its own numbers, which the router finds once, when it is made. So a request costs an addition and an
//! observation, and no look-up by name.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder},
    metrics::{MetricType, counter::ConstCounter, histogram::Histogram},
};

/// Methods that routes have. A stranger can make up others, so those are counted together.
const METHODS: [&str; 3] = ["GET", "HEAD", "POST"];
/// Statuses that answers have, in order. Others, if there ever are any, are counted together.
const STATUSES: [u16; 29] = [
    200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414,
    415, 422, 429, 431, 500, 503,
];
const OTHER: &str = "other";

/// Upper bounds in seconds. A read takes less than a millisecond, a sale waits for the disk, and after fifteen seconds a
/// request is given up.
const TOOK: [f64; 14] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0];

/// The requests of a server.
#[derive(Debug, Default)]
pub struct Requests(Mutex<Vec<Arc<Route>>>);

/// The requests to one route.
#[derive(Debug)]
pub struct Route {
    name: &'static str,
    answers: [[AtomicU64; STATUSES.len() + 1]; METHODS.len() + 1],
    took: Histogram,
}

impl Requests {
    /// The numbers of a route, which is named by its pattern.
    pub fn route(&self, name: &'static str) -> Arc<Route> {
        let route = Arc::new(Route { name, answers: Default::default(), took: Histogram::new(TOOK) });
        self.0.lock().push(Arc::clone(&route));
        route
    }
}

impl Route {
    /// Counts an answer.
    pub fn count(&self, method: &str, status: u16, took: Duration) {
        let method = METHODS.iter().position(|known| *known == method).unwrap_or(METHODS.len());
        let status = STATUSES.binary_search(&status).unwrap_or(STATUSES.len());
        self.answers[method][status].fetch_add(1, Ordering::Relaxed);
        self.took.observe(took.as_secs_f64());
    }

    fn is_used(&self) -> bool {
        self.answers.iter().flatten().any(|answers| answers.load(Ordering::Relaxed) > 0)
    }

    fn encode_answers(&self, encoder: &mut MetricEncoder<'_>) -> fmt::Result {
        for (at, by_status) in self.answers.iter().enumerate() {
            let method = METHODS.get(at).copied().unwrap_or(OTHER);
            for (at, answers) in by_status.iter().enumerate() {
                let answers = answers.load(Ordering::Relaxed);
                if answers > 0 {
                    let status = STATUSES.get(at).map_or_else(|| OTHER.to_owned(), u16::to_string);
                    let labels = [("route", self.name), ("method", method), ("status", status.as_str())];
                    ConstCounter::new(answers).encode(encoder.encode_family(&labels)?)?;
                }
            }
        }
        Ok(())
    }
}

impl Collector for Requests {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let routes = self.0.lock().clone();
        let help = "Answers to requests, by the pattern of their route.";
        let mut answers = encoder.encode_descriptor("http_requests", help, None, MetricType::Counter)?;
        routes.iter().try_for_each(|route| route.encode_answers(&mut answers))?;
        let (name, help) =
            ("http_request_duration_seconds", "Time from the head of a request to the head of its answer.");
        let mut took = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for route in routes.iter().filter(|route| route.is_used()) {
            route.took.encode(took.encode_family(&[("route", route.name)])?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::{encoding::text::encode, registry::Registry};

    use super::*;

    #[test]
    fn strangers_cannot_add_labels() {
        let requests = Arc::new(Requests::default());
        let route = requests.route("/a/{id}");
        for (method, status) in [("GET", 200), ("GET", 200), ("BREW", 405), ("PROPFIND", 405), ("GET", 299)] {
            route.count(method, status, Duration::from_millis(2));
        }
        let mut registry = Registry::default();
        registry.register_collector(Box::new(requests));
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        let mut found: Vec<&str> = text.lines().filter(|line| line.starts_with("http_requests_total")).collect();
        found.sort_unstable();
        let expected = [
            r#"http_requests_total{route="/a/{id}",method="GET",status="200"} 2"#,
            r#"http_requests_total{route="/a/{id}",method="GET",status="other"} 1"#,
            r#"http_requests_total{route="/a/{id}",method="other",status="405"} 2"#,
        ];
        assert_eq!(found, expected);
        assert!(text.contains(r#"http_request_duration_seconds_count{route="/a/{id}"} 5"#), "{text}");
        assert!(STATUSES.is_sorted());
    }
}
