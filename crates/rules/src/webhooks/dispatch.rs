//! Finds endpoints with work and starts a courier for each.

use std::{collections::HashSet, sync::Arc};

use parking_lot::Mutex;
use tokio::{
    runtime::{self, Runtime},
    sync::Semaphore,
    task::JoinSet,
};

use taquilla_domain::{
    clock::Stamp,
    config::{Config, WEBHOOK_COURIERS_MAX, WEBHOOK_POLL, WEBHOOK_TURN_AGAIN, WEBHOOK_WRITERS},
    time_source::TimeSource,
};
use taquilla_metrics::Metrics;
use taquilla_outside::Lookup;
use taquilla_store as store;
use taquilla_store::{Store, Tenant, webhooks::endpoints};

use super::{attempt, courier::Courier, office::Office};
use crate::task::Task;

/// The running task of a server that sends webhooks. Dropping this ends it, even with requests under way.
pub struct Webhooks {
    task: Task,
    senders: Senders,
}

/// The thread that makes requests. Dropping this ends it, even with requests under way.
struct Senders(Option<Runtime>);

impl Drop for Senders {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Webhooks {
    /// Begins to send.
    pub fn start(
        store: Store,
        config: &Config,
        time: TimeSource,
        metrics: Arc<Metrics>,
        lookup: Lookup,
    ) -> Result<Self, store::Error> {
        let client = attempt::client(config, lookup).map_err(store::Error::internal)?;
        let senders = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("webhooks")
            .enable_all()
            .build()
            .map_err(store::Error::internal)?;
        let writers = Semaphore::new(WEBHOOK_WRITERS);
        let handle = senders.handle().clone();
        let office = |stop| Office { store, client, time, metrics, senders: handle, writers, stop };
        Ok(Self { task: Task::start(|stop| dispatch(Arc::new(office(stop)))), senders: Senders(Some(senders)) })
    }

    /// Takes nothing new, waits for requests under way, and ends all leases.
    pub async fn stop(self) {
        self.task.stop().await;
        drop(self.senders);
    }
}

async fn dispatch(office: Arc<Office>) {
    let served: Arc<Mutex<HashSet<(Tenant, String)>>> = Arc::default();
    let mut couriers = JoinSet::new();
    loop {
        if office.stop.run_until_cancelled(tokio::time::sleep(WEBHOOK_POLL)).await.is_none() {
            break;
        }
        while couriers.try_join_next().is_some() {}
        let now = office.time.now();
        match with_work(&office.store, now).await {
            Ok(found) => {
                for place in found {
                    if couriers.len() < WEBHOOK_COURIERS_MAX && served.lock().insert(place.clone()) {
                        let courier = Courier::new(Arc::clone(&office), place.0, place.1.clone());
                        let place = Place { place, served: Arc::clone(&served) };
                        couriers.spawn(work(Arc::clone(&office), courier, place));
                    }
                }
            }
            Err(cause) => {
                tracing::warn!(%cause, "endpoints with something to send cannot be found");
                tokio::time::sleep(WEBHOOK_TURN_AGAIN).await;
            }
        }
    }
    while couriers.join_next().await.is_some() {}
}

/// Runs a courier. If it sent nothing (the messages are of other kinds, or its first turn failed), its endpoint stays
/// marked as served for a while, so that it is not tried again at once.
async fn work(office: Arc<Office>, courier: Courier, _place: Place) {
    if !courier.run().await {
        let _stopped = office.stop.run_until_cancelled(tokio::time::sleep(WEBHOOK_TURN_AGAIN)).await;
    }
}

async fn with_work(store: &Store, now: Stamp) -> Result<Vec<(Tenant, String)>, store::Error> {
    endpoints::with_work(&mut store.read().await?, now, WEBHOOK_COURIERS_MAX).await
}

/// Marks an endpoint as served by a courier of this server, until this is dropped.
struct Place {
    place: (Tenant, String),
    served: Arc<Mutex<HashSet<(Tenant, String)>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.served.lock().remove(&self.place);
    }
}
