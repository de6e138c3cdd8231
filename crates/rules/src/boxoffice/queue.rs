//! Requests that arrive together are decided together.
//!
//! A producer's moves run one after another, and each ends with a wait for the disk. So requests that arrive during a move
//! wait here, and the next move decides all of them: orders, payments, what staff decide about orders and
//! tickets, and scans.
//!
//! Each kind has a line of its own and a place in every group (`*_TOGETHER` in `config.rs`), so a flash sale holds up a
//! refund or a scan by the group that runs and their own, never by everybody who came before. What touches the same
//! order, payment or idempotency key twice is decided in two groups, so that the second reads what the first wrote.
//!
//! Whoever was told to come back later was not sold to. Those who have gone are looked for when a group is taken, and
//! again once it has the producer's lock. A request may wait half of the server's limit until then, the group has a
//! quarter to be written, and the rest is for the commit. Only a commit that takes longer may become true after a 503;
//! the same key, payment id or `scan_id` tells.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::Duration,
};

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::{sync::Semaphore, time::Instant};

use taquilla_domain::{config::WAITING_MAX, time_source::TimeSource};
use taquilla_metrics::Metrics;
use taquilla_store as store;
use taquilla_store::{ChangeResult, Move, Store, Tenant, transaction};

use super::{
    counting::{count, count_failure},
    group::{self, Decision},
    kind::Kind,
    large,
    request::{QueuedRequest, Request},
};

/// The waiting requests of one server. Cheap to clone.
#[derive(Clone)]
pub struct Queue(Arc<Shared>);

struct Shared {
    store: Store,
    time: TimeSource,
    /// How long a request may wait until a group takes it.
    wait: Duration,
    /// How long a group may take from then until everything is written.
    ///
    /// Both together are shorter than the server's limit for an answer. The rest is for what a request needs before it comes
    /// here and for the commit, so that nobody is told to come back later while an order is on its way.
    work: Duration,
    metrics: Arc<Metrics>,
    /// Who is too large for a group waits for this: such a request takes a connection of its own and much memory.
    large: Semaphore,
    /// A producer has an entry while a task works on its requests.
    waiting: Mutex<HashMap<Tenant, WaitingLines>>,
}

/// The waiting requests of one producer, a line for each [`Kind`].
type WaitingLines = [WaitingLine; Kind::ALL.len()];

/// Waiting requests of one kind, in the order in which they came.
#[derive(Default)]
struct WaitingLine {
    parties: VecDeque<Party>,
    /// The sum of their sizes.
    size: usize,
}

/// A waiting request.
struct Party {
    asked: QueuedRequest,
    came: Instant,
    /// Whether its wait was noted.
    waited: bool,
}

impl WaitingLine {
    fn join(&mut self, party: Party) {
        self.size += party.asked.size();
        self.parties.push_back(party);
    }

    fn rejoin(&mut self, party: Party) {
        self.size += party.asked.size();
        self.parties.push_front(party);
    }

    fn leave(&mut self) -> Option<Party> {
        let party = self.parties.pop_front()?;
        self.size -= party.asked.size();
        Some(party)
    }

    /// Takes as many as one group may have, from the front. Those who have gone are dropped; those whose claim somebody
    /// has already stay.
    fn take(&mut self, most: usize, claimed: &mut HashSet<(&'static str, String)>, group: &mut Vec<Party>) {
        let (mut size, mut stay) = (0, Vec::new());
        while let Some(next) = self.parties.front() {
            if size > 0 && size + next.asked.size() > most {
                break;
            }
            let Some(party) = self.leave().filter(|party| party.asked.is_waited_for()) else { continue };
            let claims: Vec<_> = party.asked.claims().into_iter().map(|(kind, name)| (kind, name.to_owned())).collect();
            if claims.iter().any(|claim| claimed.contains(claim)) {
                stay.push(party);
                continue;
            }
            claimed.extend(claims);
            size += party.asked.size();
            group.push(party);
        }
        stay.into_iter().rev().for_each(|party| self.rejoin(party));
    }
}

impl Queue {
    /// An empty queue of a server that answers within this time.
    pub fn new(store: Store, time: TimeSource, limit: Duration, metrics: Arc<Metrics>) -> Self {
        let (wait, work) = (limit / 2, limit / 4);
        Self(Arc::new(Shared { store, time, wait, work, metrics, large: Semaphore::new(1), waiting: Mutex::default() }))
    }

    /// How many decisions of each kind are waited for.
    pub fn waiting(&self) -> Vec<(Kind, usize)> {
        let waiting = self.0.waiting.lock();
        let of_kind = |kind: Kind| waiting.values().map(|lines| lines[kind as usize].size).sum();
        Kind::ALL.into_iter().map(|kind| (kind, of_kind(kind))).collect()
    }

    /// Whether more orders of a producer wait than the next group takes.
    pub fn is_behind(&self, tenant: Tenant) -> bool {
        let waiting = self.0.waiting.lock();
        waiting.get(&tenant).is_some_and(|lines| lines[Kind::Order as usize].size > Kind::Order.together())
    }

    /// Decides a request together with others, in one transaction, and answers it.
    pub async fn ask<A>(&self, tenant: Tenant, request: Request<A>) -> ChangeResult<A> {
        let (asked, answered) = request.split();
        if large::is_large(&self.0.store, tenant, &asked).await? {
            // In a task of its own it ends although nobody waits any more: staff look again, and find it refunded.
            tokio::spawn(self.clone().decide_alone(tenant, asked));
            return answered.wait().await;
        }
        let is_first = {
            let mut waiting = self.0.waiting.lock();
            let kind = asked.kind() as usize;
            let is_first = !waiting.contains_key(&tenant);
            let size = waiting.get(&tenant).map_or(0, |lines| lines[kind].size);
            if size + asked.size() > WAITING_MAX {
                count_failure(&self.0.metrics, &asked);
                return Err(store::Error::Unavailable("too many requests of this kind are waiting".into()).into());
            }
            let party = Party { asked, came: Instant::now(), waited: false };
            waiting.entry(tenant).or_default()[kind].join(party);
            is_first
        };
        if is_first {
            // The work runs in its own task, so that it continues if the first request is dropped.
            tokio::spawn(self.clone().work(tenant));
        }
        answered.wait().await
    }

    /// Decides a request that is too large for a group, after those before it.
    async fn decide_alone(self, tenant: Tenant, asked: QueuedRequest) {
        // The semaphore is never closed.
        let Ok(_place) = self.0.large.acquire().await else { return };
        let deciding = AssertUnwindSafe(large::decide(&self.0.store, tenant, &asked, self.0.time.now())).catch_unwind();
        let decided = deciding.await.unwrap_or_else(|_| Err(store::Error::internal("deciding a request panicked")));
        match decided {
            Ok(decisions) => decisions.into_iter().for_each(|decision| match decision {
                Decision::Made(verdict) => {
                    count(&self.0.metrics, &asked, &verdict);
                    verdict.tell();
                }
                Decision::Withdrawn => asked.fail(store::Error::AuthorityWithdrawn),
                // It is alone in its group.
                Decision::Later => {}
            }),
            Err(cause) => {
                count_failure(&self.0.metrics, &asked);
                asked.fail(cause);
            }
        }
    }

    /// Decides group after group until nobody of the producer waits.
    async fn work(self, tenant: Tenant) {
        loop {
            // Requests that have arrived but were not read yet join the group.
            tokio::task::yield_now().await;
            let Some(group) = self.next_group(tenant) else { break };
            // A group that the database does not take is halved until the one that it objects to is alone.
            let mut parts = vec![group];
            while let Some(mut part) = parts.pop() {
                let began = Instant::now();
                match self.decide(tenant, &part).await {
                    Ok(decisions) => {
                        self.0.metrics.count_group(part.len(), began.elapsed());
                        self.answer(tenant, part, decisions);
                    }
                    Err(store::Error::Internal(cause)) if part.len() > 1 => {
                        tracing::warn!(%cause, requests = part.len(), "a group is halved, because it could not be decided");
                        parts.push(part.split_off(part.len() / 2));
                        parts.push(part);
                    }
                    Err(cause) => part.into_iter().for_each(|party| {
                        count_failure(&self.0.metrics, &party.asked);
                        party.asked.fail(cause.clone());
                    }),
                }
            }
        }
    }

    /// Decides a group in one move.
    async fn decide(&self, tenant: Tenant, group: &[Party]) -> store::Result<Vec<Option<Decision>>> {
        let deciding = async {
            transaction!(self.begin(tenant), |tx| {
                // The wait for the producer may have been long. Who has gone meanwhile was told to come back later, and
                // who has waited too long may be told so before the group is written.
                let takes: Vec<bool> = group
                    .iter()
                    .map(|party| party.asked.is_waited_for() && party.came.elapsed() < self.0.wait)
                    .collect();
                let requests: Vec<&QueuedRequest> =
                    group.iter().zip(&takes).filter(|(_, takes)| **takes).map(|(party, _)| &party.asked).collect();
                if requests.is_empty() {
                    return Err(busy());
                }
                let decided = tokio::time::timeout(self.0.work, group::decide(tx, &requests)).await;
                let decided = decided.map_err(|_| store::Error::Unavailable("a group took too long".into()))??;
                let mut decided = decided.into_iter();
                Ok(takes.into_iter().map(|takes| if takes { decided.next() } else { None }).collect())
            })
        };
        // A panic must not end this task: the producer's later requests wait for it.
        let decided = AssertUnwindSafe(deciding).catch_unwind().await;
        decided.unwrap_or_else(|_| Err(store::Error::internal("deciding a group panicked")))
    }

    /// Waits for the producer, but not longer than anybody waits for the answer.
    async fn begin(&self, tenant: Tenant) -> store::Result<Move> {
        let beginning = self.0.store.begin_move(tenant, self.0.time.now());
        let begun = tokio::time::timeout(self.0.wait, beginning).await;
        begun.unwrap_or_else(|_| Err(busy()))
    }

    /// Tells everybody of a group what was decided. Who has to wait longer is the first of the next group.
    fn answer(&self, tenant: Tenant, group: Vec<Party>, decisions: Vec<Option<Decision>>) {
        let mut later = Vec::new();
        for (party, decision) in group.into_iter().zip(decisions) {
            match decision {
                Some(Decision::Made(verdict)) => {
                    count(&self.0.metrics, &party.asked, &verdict);
                    verdict.tell();
                }
                Some(Decision::Later) => later.push(party),
                Some(Decision::Withdrawn) => {
                    count_failure(&self.0.metrics, &party.asked);
                    party.asked.fail(store::Error::AuthorityWithdrawn);
                }
                None => {
                    count_failure(&self.0.metrics, &party.asked);
                    party.asked.fail(busy());
                }
            }
        }
        let mut waiting = self.0.waiting.lock();
        let lines = waiting.entry(tenant).or_default();
        later.into_iter().rev().for_each(|party| lines[party.asked.kind() as usize].rejoin(party));
    }

    /// The requests to decide next. `None` if none wait; the producer's entry is then removed.
    fn next_group(&self, tenant: Tenant) -> Option<Vec<Party>> {
        let mut waiting = self.0.waiting.lock();
        let lines = waiting.get_mut(&tenant)?;
        let (mut group, mut claimed) = (Vec::new(), HashSet::new());
        for kind in Kind::ALL {
            lines[kind as usize].take(kind.together(), &mut claimed, &mut group);
        }
        if group.is_empty() {
            waiting.remove(&tenant);
            return None;
        }
        drop(waiting);
        // One that was put off waits a second time, and is noted once.
        for party in group.iter_mut().filter(|party| !party.waited) {
            party.waited = true;
            self.0.metrics.note_wait(party.asked.kind().as_str(), party.came.elapsed());
        }
        Some(group)
    }
}

fn busy() -> store::Error {
    store::Error::Unavailable("the producer was busy for too long".into())
}
