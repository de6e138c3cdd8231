//! Forgetting what is old: messages and their deliveries, scans, and answers to orders, a few rows at a time.

use tokio::task::JoinHandle;

use crate::{
    config::{Config, PRUNE_EVERY, PRUNE_FIRST, PRUNE_PAUSE, PRUNE_POLL, PRUNED_TOGETHER},
    domain::clock::Stamp,
    store::{
        Result, Store, Tenant,
        door::{links, scans},
        producers,
        sales::idempotency,
        webhooks::prune::prune as prune_webhooks,
    },
    time_source::TimeSource,
    transaction,
};

/// A server's housekeeping. It ends, whatever is under way, when this is dropped.
pub struct Housekeeping(JoinHandle<()>);

impl Drop for Housekeeping {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Housekeeping {
    /// Begins to look, once an hour, for what is old.
    pub fn start(store: Store, config: &Config, time: TimeSource) -> Self {
        Self(tokio::spawn(keep_house(store, config.clone(), time)))
    }
}

async fn keep_house(store: Store, config: Config, time: TimeSource) {
    let mut next = time.now().plus(PRUNE_FIRST);
    loop {
        tokio::time::sleep(PRUNE_POLL).await;
        let now = time.now();
        if now < next {
            continue;
        }
        next = now.plus(PRUNE_EVERY);
        if let Err(cause) = prune(&store, &config, now).await {
            tracing::warn!(%cause, "some of what is old cannot be forgotten; the next attempt is in an hour");
        }
    }
}

/// Forgets what is old, of every producer. Where that fails for one, the others still have their turn.
async fn prune(store: &Store, config: &Config, now: Stamp) -> Result<()> {
    let tenants = producers::all(&mut store.read().await?).await?;
    let mut outcome = Ok(());
    for (tenant, _) in tenants {
        outcome = outcome.and(prune_producer(store, tenant, config, now).await);
    }
    outcome
}

async fn prune_producer(store: &Store, tenant: Tenant, config: &Config, now: Stamp) -> Result<()> {
    prune_webhooks(store, tenant, now).await?;
    let before = now.minus(config.order_answers_kept);
    while transaction!(store.begin_unstamped(), |tx| {
        idempotency::forget(tx, tenant, before, PRUNED_TOGETHER).await
    })? > 0
    {
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
    let before = now.minus(config.scans_kept);
    let known = links::list(&mut store.read().await?, tenant).await?;
    for link_id in known.iter().map(|link| Some(link.id.as_str())).chain([None]) {
        while transaction!(store.begin_unstamped(), |tx| {
            scans::forget(tx, tenant, link_id, before, PRUNED_TOGETHER).await
        })? > 0
        {
            tokio::time::sleep(PRUNE_PAUSE).await;
        }
    }
    Ok(())
}
