//! What the couriers of a server share.

use std::sync::Arc;

use tokio::{
    runtime::Handle,
    sync::{Semaphore, watch},
};

use taquilla_domain::time_source::TimeSource;
use taquilla_metrics::Metrics;
use taquilla_store::Store;

use super::client::Client;

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
    /// Becomes true when the server stops.
    pub stopping: watch::Receiver<bool>,
}

impl Office {
    /// Whether the server is stopping or was dropped.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow() || self.stopping.has_changed().is_err()
    }

    /// Waits until the server stops or is dropped.
    pub async fn stop_or_end(&self) {
        // An error means that the sender was dropped with the server.
        let mut stopping = self.stopping.clone();
        let _stopped = stopping.wait_for(|stopping| *stopping).await;
    }
}
