//! What was learnt of each producer, some of it anew each time somebody asks.

use std::{collections::BTreeMap, time::Instant};

use taquilla_domain::{
    clock::Stamp,
    config::{FRONT_EVENTS, QUESTION_MAX},
};
use taquilla_store::{
    Result, Store, Tenant,
    catalogue::on_sale::{self, OnSale, Place},
    vitals::{self, Vitals},
};

use super::{in_time::in_time, pauses::Pauses, sweep::Sweep};

/// Something that one producer can be asked for.
pub trait Asked: Send + Sized {
    /// Asks for it.
    fn of(store: &Store, tenant: Tenant, now: Stamp) -> impl Future<Output = Result<Self>> + Send;
}

impl Asked for Vitals {
    async fn of(store: &Store, tenant: Tenant, now: Stamp) -> Result<Self> {
        vitals::read(&mut store.read().await?, tenant, now).await
    }
}

impl Asked for Vec<OnSale> {
    async fn of(store: &Store, tenant: Tenant, now: Stamp) -> Result<Self> {
        on_sale::soonest(&mut store.read().await?, tenant, &Place::first(now), now, now, FRONT_EVENTS).await
    }
}

/// What was learnt of each producer.
pub struct Remembered<T> {
    known: BTreeMap<Tenant, T>,
    sweep: Sweep,
    pauses: Pauses<Tenant>,
}

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self { known: BTreeMap::new(), sweep: Sweep::default(), pauses: Pauses::default() }
    }
}

impl<T: Asked> Remembered<T> {
    /// Asks some producers anew, those whose turn it is, for a little longer than one question may take. Of one that does
    /// not answer the last answer stays.
    pub async fn ask_some(&mut self, store: &Store, some: usize, now: Stamp) -> Result<()> {
        let began = Instant::now();
        for _ in 0..some {
            let Some(tenant) = self.sweep.next(store, 1).await?.pop() else { break };
            if !self.pauses.has(&tenant, Instant::now()) {
                self.ask(store, tenant, now).await;
            }
            if self.sweep.is_at_end() || began.elapsed() > QUESTION_MAX {
                break;
            }
        }
        Ok(())
    }

    async fn ask(&mut self, store: &Store, tenant: Tenant, now: Stamp) {
        match in_time(store, QUESTION_MAX, T::of(store, tenant, now)).await {
            Ok(answer) => {
                self.pauses.end(&tenant);
                self.known.insert(tenant, answer);
            }
            Err(cause) => {
                tracing::debug!(%cause, producer = tenant.number(), "a producer cannot be asked");
                self.pauses.begin(tenant, Instant::now());
            }
        }
    }

    /// Whether every producer had a turn.
    pub fn is_whole(&self) -> bool {
        self.sweep.is_past_first()
    }

    /// What is known of all.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.known.values()
    }
}
