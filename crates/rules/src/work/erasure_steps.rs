//! The steps of erasing people. Each is small, and doing one again is harmless: who was erased is not found any more. So
//! work that was interrupted begins anew.

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::Instant;

use taquilla_domain::{
    clock::Stamp,
    config::{ERASED_AT_ONCE, ERASED_REST, ERASED_TOGETHER},
    time_source::TimeSource,
    whom::Whom,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    people::{copies, find::Look},
    work::pieces::Piece,
};

use super::alive::PieceProgress;
use crate::boxoffice;

/// How much was erased.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Erased {
    pub(super) orders: i64,
    pub(super) tickets: i64,
    /// People whom buyers had named for orders that are not decided yet.
    pub(super) waiting: i64,
    pub(super) answers: i64,
    pub(super) messages: i64,
    /// Files that waited to be imported and named the person.
    pub(super) files: i64,
    /// The producer's clock at the first look, while the work is under way. What was sold later stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<i64>,
}

impl Erased {
    /// What was erased before the work was interrupted, as far as that was written down.
    pub(super) fn before(piece: &Piece) -> Self {
        serde_json::from_str(&piece.outcome).unwrap_or_default()
    }

    fn rows(&self) -> i64 {
        self.orders + self.tickets + self.waiting
    }
}

/// What the steps need.
pub(super) struct Eraser<'a> {
    pub(super) store: &'a Store,
    pub(super) time: &'a TimeSource,
    pub(super) tenant: Tenant,
    pub(super) how_far: &'a PieceProgress,
    pub(super) erased: Erased,
}

#[derive(Clone, Copy)]
enum Rows {
    Waiting,
    Orders,
    Tickets,
}

impl Eraser<'_> {
    /// The producer's clock at the first look, also of work that was interrupted.
    pub(super) async fn first_look(&mut self) -> ChangeResult<Stamp> {
        if let Some(until) = self.erased.until {
            return Ok(Stamp::from_micros(until));
        }
        let until = Look::begin(self.store, self.tenant).await?.clock().await?;
        self.erased.until = Some(until.micros());
        self.how_far.say(json!(self.erased).to_string());
        Ok(until)
    }

    /// Erases whoever is meant from orders and tickets that were sold by `until`, so many at a time that nothing grows with the
    /// size of an event. Says how many rows that were.
    pub(super) async fn rows(&mut self, whom: &Whom, until: Stamp) -> ChangeResult<i64> {
        let before = self.erased.rows();
        loop {
            let so_far = self.erased.rows();
            let has_more = self.some_rows(whom, until).boxed().await?;
            if !has_more || self.erased.rows() == so_far {
                return Ok(self.erased.rows() - before);
            }
        }
    }

    /// Erases some, and says whether there may be more.
    ///
    /// Orders come first: one that is approved afterwards makes tickets for nobody, and the tickets of those that were
    /// approved before are there to be found.
    async fn some_rows(&mut self, whom: &Whom, until: Stamp) -> ChangeResult<bool> {
        let mut look = Look::begin(self.store, self.tenant).await?;
        let (waiting, orders) = (look.waiting(whom).boxed().await?, look.orders(whom, ERASED_AT_ONCE).boxed().await?);
        drop(look);
        self.how_far.set_total(self.how_far.done() + (waiting.len() + orders.len()) as i64);
        self.erase(Rows::Waiting, &waiting, whom, until).boxed().await?;
        self.erase(Rows::Orders, &orders, whom, until).boxed().await?;
        let tickets = Look::begin(self.store, self.tenant).await?.tickets(whom, ERASED_AT_ONCE).boxed().await?;
        self.how_far.set_total(self.how_far.done() + tickets.len() as i64);
        self.erase(Rows::Tickets, &tickets, whom, until).boxed().await?;
        Ok(orders.len() >= ERASED_AT_ONCE || tickets.len() >= ERASED_AT_ONCE)
    }

    async fn erase(&mut self, rows: Rows, ids: &[String], whom: &Whom, until: Stamp) -> ChangeResult<()> {
        for ids in ids.chunks(ERASED_TOGETHER) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let (store, tenant, now, began) = (self.store, self.tenant, self.time.now(), Instant::now());
            let (count, some) = match rows {
                Rows::Waiting => (
                    &mut self.erased.waiting,
                    boxoffice::erase_waiting(store, tenant, &ids, whom, until, now).boxed().await?,
                ),
                Rows::Orders => (
                    &mut self.erased.orders,
                    boxoffice::erase_buyers(store, tenant, &ids, whom, until, now).boxed().await?,
                ),
                Rows::Tickets => (
                    &mut self.erased.tickets,
                    boxoffice::erase_attendees(store, tenant, &ids, whom, until, now).boxed().await?,
                ),
            };
            *count += some;
            self.how_far.set_done(self.erased.rows());
            self.rest(began).await;
        }
        Ok(())
    }

    /// Says how far it is, and lets others work after a step.
    async fn rest(&self, began: Instant) {
        self.how_far.say(json!(self.erased).to_string());
        tokio::time::sleep(began.elapsed() * ERASED_REST).await;
    }

    /// Erases whoever is meant from copies of what was erased: answers to orders, and messages.
    pub(super) async fn copies(&mut self, whom: &Whom) -> ChangeResult<()> {
        // Whatever is copied from now on is copied from rows that name nobody who is meant, or from what was sold meanwhile.
        // So this ends, also while others buy.
        let (last_answer, last_message) = copies::last(self.store, self.tenant).await?;
        let mut next = Some(copies::first_answer());
        while let Some(place) = next.filter(|(created_at, _)| *created_at <= last_answer) {
            let began = Instant::now();
            let some;
            (next, some) = copies::erase_answers(self.store, self.tenant, &place, whom).await?;
            self.erased.answers += some;
            self.rest(began).await;
        }
        let mut next = Some(0);
        while let Some(seq) = next.filter(|seq| *seq < last_message) {
            let began = Instant::now();
            let some;
            (next, some) = copies::erase_messages(self.store, self.tenant, seq, whom).await?;
            self.erased.messages += some;
            self.rest(began).await;
        }
        Ok(())
    }
}
