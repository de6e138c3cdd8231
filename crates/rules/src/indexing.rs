//! Makes orders and tickets findable, after they were sold: a sale writes nothing for it and waits for nothing.
//!
//! Each server follows the lists by update of every producer and writes what it reads into the index, with the mark of how
//! far it has come. A mark is moved only from where it was read, so of two servers that work on the same rows one wins, and
//! the other's work is undone. A server that is killed leaves the mark where it was, and the next goes on from there.
//!
//! An entry holds the place of a row (stamp and seq), not its id, and of a ticket's code the first 12 characters. A
//! search reads a bounded number of entries and compares the rows themselves. People who may not see personal data
//! search by ids of orders, references and whole codes only, so that what is found tells nothing.

use futures_util::{FutureExt, StreamExt, stream};
use tokio::time::Instant;

use taquilla_domain::{
    config::{
        QUESTION_MAX, SEARCH_ASKED_TOGETHER, SEARCH_CLOCK_POLL, SEARCH_POLL, SEARCH_PRODUCERS, SEARCH_REST,
        SEARCH_SWEPT,
    },
    time_source::TimeSource,
};
use taquilla_store::{
    Result, Store, Tenant,
    lists::Position,
    producers,
    search::{
        entries::{self, Entry},
        marks::{self, Mark},
    },
    transaction,
};

use crate::{
    rounds::{in_time::in_time, rota::Rota},
    task::{Due, Rounds, Task},
};

/// Starts to follow what is sold.
pub fn start(store: Store, time: TimeSource) -> Task {
    let rota = Rota::new(store.clone(), time.clone());
    let due = Due::first_after(time.clone(), SEARCH_POLL, SEARCH_POLL);
    Task::every(SEARCH_CLOCK_POLL, Indexing { store, time, rota, due })
}

struct Indexing {
    store: Store,
    time: TimeSource,
    rota: Rota,
    due: Due,
}

impl Rounds for Indexing {
    type Error = taquilla_store::Error;

    const TROUBLE: &'static str = "what was sold last cannot be searched yet";

    async fn round(&mut self) -> Result<()> {
        if self.due.has_come() { self.keep_up().await } else { Ok(()) }
    }
}

impl Indexing {
    /// Some steps for each producer that may be behind. None keeps the others waiting for long.
    async fn keep_up(&mut self) -> Result<()> {
        self.rota.none_is_asked();
        self.rota.note_commits();
        let mut tenants = self.rota.due(SEARCH_PRODUCERS);
        let mut outcome = Ok(());
        match self.rota.in_turn(SEARCH_SWEPT).await {
            Ok(next) => tenants.extend(next),
            Err(cause) => outcome = Err(cause),
        }
        let (store, until) = (&self.store, Instant::now() + SEARCH_POLL);
        let together = if store.is_remote() { SEARCH_ASKED_TOGETHER } else { 1 };
        let mut followed = stream::iter(tenants)
            .map(|tenant| follow(store, tenant, until).map(move |followed| (tenant, followed)))
            .buffer_unordered(together);
        while let Some((tenant, followed)) = followed.next().await {
            match followed {
                Ok(is_behind) => self.rota.done(tenant, is_behind.then(|| self.time.now())),
                Err(cause) => {
                    self.rota.failed(tenant);
                    outcome = Err(cause);
                }
            }
        }
        outcome
    }
}

/// Some steps for a producer, until a time. Tells whether it is still behind.
async fn follow(store: &Store, tenant: Tenant, until: Instant) -> Result<bool> {
    let asked = async { marks::is_behind(&mut store.read().await?, tenant).await };
    if !in_time(store, QUESTION_MAX, asked).await? {
        return Ok(false);
    }
    loop {
        let began = Instant::now();
        let is_behind = step(store, tenant).await?;
        tokio::time::sleep(began.elapsed() * SEARCH_REST).await;
        if !is_behind || Instant::now() >= until {
            return Ok(is_behind);
        }
    }
}

/// Makes everything findable that was sold until now, without a rest, for tests and commands.
pub async fn catch_up(store: &Store) -> Result<()> {
    let producers = producers::all(&mut store.read().await?).await?;
    for (tenant, _) in producers {
        while marks::is_behind(&mut store.read().await?, tenant).await? {
            step(store, tenant).await?;
        }
    }
    Ok(())
}

/// Writes the entries of the next orders and tickets of a producer. Whether there are more.
async fn step(store: &Store, tenant: Tenant) -> Result<bool> {
    let mut conn = store.read().await?;
    let from = marks::of(&mut conn, tenant).await?;
    let Some(clock) = marks::clock(&mut conn, tenant).await? else { return Ok(false) };
    let orders = marks::orders_after(&mut conn, tenant, from.orders, clock).await?;
    let tickets = marks::tickets_after(&mut conn, tenant, from.tickets, clock).await?;
    drop(conn);
    let mut found: Vec<Entry> = orders.rows.iter().flat_map(|(seq, order)| entries::of_order(order, *seq)).collect();
    found.extend(tickets.rows.iter().flat_map(|(seq, ticket)| entries::of_ticket(ticket, *seq)));
    // Neighbours in the index are written together.
    found.sort_unstable();
    let to = Mark { orders: orders.up_to, tickets: tickets.up_to, ..from };
    transaction!(store.begin_unstamped(), |tx| {
        // If a crash loses it, mark and entries are lost together, and made again.
        tx.need_not_reach_disk().await?;
        if marks::advance(tx, tenant, from, to).await? {
            entries::add(tx, tenant, &found).await?;
        }
        Ok::<_, taquilla_store::Error>(())
    })?;
    let all = Position::above(clock);
    Ok(to.orders < all || to.tickets < all)
}
