//! Finds endpoints with work and starts a courier for each.
//!
//! Producers are asked one by one: those that this server's commits concern, those of whom something is due, and the next in
//! a round through all of them. One that does not answer is left alone for a while, and nobody waits for it.

use std::{
    collections::{HashSet, VecDeque},
    panic::AssertUnwindSafe,
    sync::Arc,
};

use futures_util::FutureExt;
use tokio::{
    runtime::{self, Runtime},
    sync::Semaphore,
    task::{JoinError, JoinSet},
    time::MissedTickBehavior,
};

use taquilla_domain::{
    clock::Stamp,
    config::{
        Config, QUESTION_MAX, WEBHOOK_ASKED_TOGETHER, WEBHOOK_COURIERS_MAX, WEBHOOK_POLL, WEBHOOK_SWEPT,
        WEBHOOK_TURN_AGAIN, WEBHOOK_WRITERS,
    },
    time_source::TimeSource,
};
use taquilla_metrics::Metrics;
use taquilla_outside::Lookup;
use taquilla_store as store;
use taquilla_store::{
    Store, Tenant,
    webhooks::endpoints::{self, WithWork},
};

use super::{attempt, courier::Courier, office::Office};
use crate::{
    rounds::{in_time::in_time, rota::Rota},
    task::Task,
};

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
    let mut dispatch = Dispatch::new(Arc::clone(&office));
    let mut look = tokio::time::interval(WEBHOOK_POLL);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = office.stop.cancelled() => break,
            _ = look.tick() => dispatch.look().await,
            Some(answer) = dispatch.asking.join_next() => dispatch.take(answer),
            Some(ended) = dispatch.couriers.join_next() => dispatch.end(ended),
        }
        dispatch.ask_those_due();
        dispatch.start_couriers();
    }
    while dispatch.couriers.join_next().await.is_some() {}
}

type Answer = (Tenant, Result<WithWork, store::Error>);

/// Which producers are asked, which endpoints wait for a courier, and which have one.
struct Dispatch {
    office: Arc<Office>,
    rota: Rota,
    asking: JoinSet<Answer>,
    /// Endpoints with work, those that were found first at the front.
    waiting: VecDeque<(Tenant, String)>,
    /// Those that wait, and those that a courier of this server works for.
    known: HashSet<(Tenant, String)>,
    couriers: JoinSet<(Tenant, String)>,
}

impl Dispatch {
    fn new(office: Arc<Office>) -> Self {
        let rota = Rota::new(office.store.clone(), office.time.clone());
        let (asking, couriers) = (JoinSet::new(), JoinSet::new());
        Self { office, rota, asking, waiting: VecDeque::new(), known: HashSet::new(), couriers }
    }

    /// Takes note of what was committed here, and asks the next producer in the round.
    async fn look(&mut self) {
        self.rota.note_commits();
        if self.asking.len() >= WEBHOOK_ASKED_TOGETHER {
            return;
        }
        match self.rota.in_turn(WEBHOOK_SWEPT).await {
            Ok(next) => next.into_iter().for_each(|tenant| self.ask(tenant)),
            Err(cause) => tracing::warn!(%cause, "endpoints with something to send cannot be found"),
        }
    }

    fn ask_those_due(&mut self) {
        let room = WEBHOOK_ASKED_TOGETHER.saturating_sub(self.asking.len());
        self.rota.due(room).into_iter().for_each(|tenant| self.ask(tenant));
    }

    fn ask(&mut self, tenant: Tenant) {
        self.asking.spawn(ask(self.office.store.clone(), tenant, self.office.time.now()));
    }

    fn take(&mut self, answer: Result<Answer, JoinError>) {
        match answer {
            Ok((tenant, Ok(work))) => {
                self.rota.done(tenant, work.next);
                for endpoint_id in work.now {
                    let place = (tenant, endpoint_id);
                    if self.known.insert(place.clone()) {
                        self.waiting.push_back(place);
                    }
                }
            }
            Ok((tenant, Err(cause))) => {
                let producer = tenant.number();
                tracing::warn!(%cause, producer, "a producer's endpoints with something to send cannot be found");
                self.rota.failed(tenant);
            }
            Err(cause) => tracing::error!(%cause, "a question for endpoints was not answered"),
        }
    }

    fn start_couriers(&mut self) {
        while self.couriers.len() < WEBHOOK_COURIERS_MAX
            && let Some((tenant, endpoint_id)) = self.waiting.pop_front()
        {
            let courier = Courier::new(Arc::clone(&self.office), tenant, endpoint_id.clone());
            self.couriers.spawn(work(Arc::clone(&self.office), courier, (tenant, endpoint_id)));
        }
    }

    /// What came after the courier's last turn, and what is due later, is asked for.
    fn end(&mut self, ended: Result<(Tenant, String), JoinError>) {
        match ended {
            Ok(place) => {
                self.rota.ask_again(place.0);
                self.known.remove(&place);
            }
            Err(cause) => tracing::error!(%cause, "a courier ended early"),
        }
    }
}

/// Asks a producer for endpoints with work.
async fn ask(store: Store, tenant: Tenant, now: Stamp) -> Answer {
    let asked = async { endpoints::with_work(&mut store.read().await?, tenant, now).await };
    let asked = AssertUnwindSafe(in_time(&store, QUESTION_MAX, asked)).catch_unwind().await;
    (tenant, asked.unwrap_or_else(|_| Err(store::Error::internal("a panic"))))
}

/// Runs a courier. If it sent nothing (the messages are of other kinds, or its first turn failed), its endpoint stays
/// known as served for a while, so that it is not tried again at once.
async fn work(office: Arc<Office>, courier: Courier, place: (Tenant, String)) -> (Tenant, String) {
    let has_sent = AssertUnwindSafe(courier.run()).catch_unwind().await;
    if has_sent.is_err() {
        tracing::error!(endpoint = place.1, "a courier panicked; its endpoint gets another one");
    }
    if !has_sent.unwrap_or(false) {
        let _stopped = office.stop.run_until_cancelled(tokio::time::sleep(WEBHOOK_TURN_AGAIN)).await;
    }
    place
}
