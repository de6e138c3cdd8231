//! Makes orders and tickets findable, after they were sold: a sale writes nothing for it and waits for nothing.
//!
//! Each server follows the lists by update of every producer and writes what it reads into the index, with the mark of how
//! far it has come. A mark is moved only from where it was read, so of two servers that work on the same rows one wins, and
//! the other's work is undone. A server that is killed leaves the mark where it was, and the next goes on from there.
//!
//! An entry holds the place of a row (stamp and seq), not its id, and of a ticket's code the first 12 characters. A
//! search reads a bounded number of entries and compares the rows themselves. People who may not see personal data
//! search by ids of orders, references and whole codes only, so that what is found tells nothing.

use tokio::time::Instant;

use taquilla_domain::{
    config::{SEARCH_CLOCK_POLL, SEARCH_POLL, SEARCH_PRODUCERS, SEARCH_REST},
    time_source::TimeSource,
};
use taquilla_store::{
    Result, Store, Tenant,
    lists::Position,
    search::{
        entries::{self, Entry},
        marks::{self, Mark},
    },
    transaction,
};

use crate::task::{Due, Rounds, Task};

/// Starts to follow what is sold.
pub fn start(store: Store, time: TimeSource) -> Task {
    Task::every(SEARCH_CLOCK_POLL, Indexing { store, due: Due::first_after(time, SEARCH_POLL, SEARCH_POLL) })
}

struct Indexing {
    store: Store,
    due: Due,
}

impl Rounds for Indexing {
    type Error = taquilla_store::Error;

    const TROUBLE: &'static str = "what was sold last cannot be searched yet";

    async fn round(&mut self) -> Result<()> {
        if self.due.has_come() { keep_up(&self.store).await } else { Ok(()) }
    }
}

/// Some steps for each producer that is behind. None keeps the others waiting for long.
async fn keep_up(store: &Store) -> Result<()> {
    let behind = marks::behind(&mut store.read().await?, SEARCH_PRODUCERS).await?;
    let until = Instant::now() + SEARCH_POLL;
    let mut outcome = Ok(());
    for tenant in behind {
        loop {
            let began = Instant::now();
            let stepped = step(store, tenant).await;
            tokio::time::sleep(began.elapsed() * SEARCH_REST).await;
            match stepped {
                Ok(true) if Instant::now() < until => {}
                Ok(_) => break,
                Err(cause) => {
                    outcome = Err(cause);
                    break;
                }
            }
        }
    }
    outcome
}

/// Makes everything findable that was sold until now, without a rest, for tests and commands.
pub async fn catch_up(store: &Store) -> Result<()> {
    loop {
        let behind = marks::behind(&mut store.read().await?, SEARCH_PRODUCERS).await?;
        if behind.is_empty() {
            return Ok(());
        }
        for tenant in behind {
            while step(store, tenant).await? {}
        }
    }
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
