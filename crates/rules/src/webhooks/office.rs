//! What the couriers of a server share.

use std::sync::Arc;

use tokio::{runtime::Handle, sync::Semaphore};
use tokio_util::sync::CancellationToken;

use taquilla_domain::time_source::TimeSource;
use taquilla_metrics::Metrics;
use taquilla_outside::Client;
use taquilla_store::Store;

/// What the couriers of a server share.
pub struct Office {
    pub store: Store,
    pub client: Client,
    pub time: TimeSource,
    pub metrics: Arc<Metrics>,
    /// The runtime that makes requests: a thread of its own, so that scans at a door do not wait behind them.
    pub senders: Handle,
    /// Limits how many couriers write at a time, because sales and scans use the same database.
    pub writers: Semaphore,
    /// Says that the server stops.
    pub stop: CancellationToken,
}
