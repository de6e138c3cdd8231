//! Metrics.

use std::time::Duration;

/// How long what the database told for metrics is told again without asking. Prometheus asks every 15 seconds or more, and
/// two of them ask at about the same time.
pub const METRICS_KEPT: Duration = Duration::from_secs(5);
/// How long the database may take to tell it. Prometheus gives up after 10 seconds, and must learn that the database is
/// down.
pub const METRICS_DATABASE_TIME: Duration = Duration::from_secs(2);
/// Sums of holds of a producer that are added up. A hundred thousand take about 20 ms; with more, what is held is not told.
pub const METRICS_SUMS_MAX: i64 = 100_000;
/// Payments, erasures, and messages of an endpoint that are counted. Who reads the number wants to know whether there are many.
pub const METRICS_BACKLOG_MAX: i64 = 1_000;
/// Connections that ask for metrics at the same time. More wait in the kernel's queue.
pub const METRICS_CONNECTIONS_MAX: usize = 16;
/// A connection that has sent no whole request for this long is closed. Prometheus keeps its connection, and comes once a
/// minute if it is not told otherwise.
pub const METRICS_IDLE: Duration = Duration::from_mins(2);
/// Bytes of the head of a request for metrics.
pub const METRICS_HEAD_BUFFER: usize = 16 * 1024;
/// Whoever takes no byte of the metrics for this long is disconnected.
pub const METRICS_WRITE_TIMEOUT: Duration = Duration::from_secs(10);
