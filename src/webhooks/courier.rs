//! A courier works for one endpoint, alone among all servers, until nothing is left to send.
//!
//! It works in turns. Each turn is one transaction: it writes down what was answered since the last one, gives new messages
//! their places, takes what is due, and keeps or gives back the endpoint. Sending goes on meanwhile.

use std::{
    collections::{HashSet, VecDeque},
    panic::AssertUnwindSafe,
    sync::Arc,
};

use futures_util::FutureExt;
use tokio::{
    runtime::Handle,
    sync::{Semaphore, watch},
    task::JoinSet,
    time::{Instant, sleep_until},
};

use super::{
    client::{Client, Reply},
    payload,
};
use crate::{
    config::{
        WEBHOOK_AT_ONCE, WEBHOOK_FAILING_MAX, WEBHOOK_IN_HAND, WEBHOOK_IN_HAND_FIRST, WEBHOOK_LADDER, WEBHOOK_LEASE,
        WEBHOOK_SHIFT, WEBHOOK_TURN, WEBHOOK_TURN_AGAIN,
    },
    domain::{
        clock::Stamp,
        id,
        webhook::{EndpointState, MessageKind, is_success, judge},
    },
    store::{
        self, Store, Tenant,
        webhooks::{
            deliveries::{self, Attempt, Delivery, Message},
            endpoints::{self, Endpoint},
        },
    },
    time_source::TimeSource,
    transaction,
};

/// The status by which a receiver says that it wants nothing more.
const GONE: u16 = 410;

/// What the couriers of a server share.
pub struct Office {
    pub store: Store,
    pub client: Client,
    pub time: TimeSource,
    /// Where requests are made: a thread of its own, so that nobody at a door waits behind them.
    pub senders: Handle,
    /// Few of them write at a time: people wait for the same database.
    pub writers: Semaphore,
    /// Turns true when the server stops.
    pub stopping: watch::Receiver<bool>,
}

impl Office {
    /// Whether the server stops, or was dropped.
    fn is_stopping(&self) -> bool {
        *self.stopping.borrow() || self.stopping.has_changed().is_err()
    }

    /// Waits until it does.
    pub async fn stop_or_end(&self) {
        // An error is the end: nobody is there any more to say stop.
        let mut stopping = self.stopping.clone();
        let _stopped = stopping.wait_for(|stopping| *stopping).await;
    }
}

pub struct Courier {
    office: Arc<Office>,
    tenant: Tenant,
    endpoint_id: String,
    /// Names this courier among all of all servers, and for those who look its process.
    owner: String,
    /// The endpoint as the last turn found it; none before the first.
    endpoint: Option<Arc<Endpoint>>,
    waiting: VecDeque<Delivery>,
    sending: JoinSet<Sent>,
    /// The places in the sequence of all deliveries that wait or are being sent.
    in_hand: HashSet<i64>,
    /// What was answered and is not yet written down.
    answered: Vec<Sent>,
    /// How many requests the endpoint gets at the same time.
    at_once: usize,
    /// Whether the last turn left something that is due.
    more: bool,
    began: Instant,
    last_turn: Instant,
    first_answer: Option<Instant>,
}

/// An attempt, what it was made at, and until when the receiver wants to be left alone.
struct Sent {
    attempt: Attempt,
    endpoint: Arc<Endpoint>,
    rest: Option<Stamp>,
}

/// What a turn found.
struct Found {
    endpoint: Endpoint,
    /// What is to be sent next.
    deliveries: Vec<Delivery>,
    /// Whether there is still more.
    more: bool,
}

impl Courier {
    pub fn new(office: Arc<Office>, tenant: Tenant, endpoint_id: String) -> Self {
        let now = Instant::now();
        Self {
            owner: format!("{}-{}", std::process::id(), id::new_ticket_id()),
            office,
            tenant,
            endpoint_id,
            endpoint: None,
            waiting: VecDeque::new(),
            sending: JoinSet::new(),
            in_hand: HashSet::new(),
            answered: Vec::new(),
            at_once: 1,
            more: false,
            began: now,
            last_turn: now,
            first_answer: None,
        }
    }

    /// Works until nothing is left, the endpoint belongs to somebody else, or the server stops. Tells whether anything was
    /// sent.
    pub async fn run(mut self) -> bool {
        let mut has_sent = false;
        while self.turn().await {
            loop {
                self.start_sending();
                has_sent |= !self.sending.is_empty();
                if self.turn_is_due() {
                    break;
                }
                if !self.wait().await {
                    return has_sent;
                }
            }
        }
        has_sent
    }

    /// Whether this courier takes nothing new: the server stops, or others wait for its place.
    fn is_leaving(&self) -> bool {
        self.office.is_stopping() || self.began.elapsed() > WEBHOOK_SHIFT
    }

    fn start_sending(&mut self) {
        if self.is_leaving() {
            self.drop_waiting();
        }
        let Some(endpoint) = &self.endpoint else { return };
        while self.sending.len() < self.at_once
            && let Some(delivery) = self.waiting.pop_front()
        {
            let attempt = send(Arc::clone(&self.office), Arc::clone(endpoint), delivery);
            self.sending.spawn_on(attempt, &self.office.senders);
        }
    }

    /// Leaves to a later courier what was not begun.
    fn drop_waiting(&mut self) {
        for delivery in self.waiting.drain(..) {
            self.in_hand.remove(&delivery.sequence);
        }
    }

    fn turn_is_due(&self) -> bool {
        // With nothing in hand a turn finds more, or the end. It waits a little even so where it would find little: in a
        // busy hour there is always one more message, and a receiver that refuses is quick. A transaction for each would be
        // in the way of those who wait.
        let finds_much = self.more && self.at_once > 1;
        let is_idle = self.in_hand.is_empty() && (finds_much || self.answered.is_empty());
        is_idle || self.answered.len() >= WEBHOOK_IN_HAND / 2 || Instant::now() >= self.next_turn()
    }

    /// When the next turn comes even if nothing more happens.
    fn next_turn(&self) -> Instant {
        let keep = self.last_turn + WEBHOOK_LEASE / 3;
        self.first_answer.map_or(keep, |answer| keep.min(answer + WEBHOOK_TURN))
    }

    /// Waits for an answer or for the next turn. `false` if an answer was lost: then nobody knows what is in hand, and it
    /// is left to whoever comes when the lease is over.
    async fn wait(&mut self) -> bool {
        let next_turn = self.next_turn();
        let is_leaving = self.is_leaving();
        let mut sent = tokio::select! {
            sent = self.sending.join_next(), if !self.sending.is_empty() => sent,
            () = sleep_until(next_turn) => None,
            () = self.office.stop_or_end(), if !is_leaving => None,
        };
        while let Some(answer) = sent {
            match answer {
                Ok(answer) => self.take_answer(answer),
                Err(cause) => {
                    tracing::error!(%cause, endpoint = self.endpoint_id, "an answer to a webhook was lost");
                    return false;
                }
            }
            sent = self.sending.try_join_next();
        }
        true
    }

    fn take_answer(&mut self, sent: Sent) {
        // A receiver that fails is asked less: one that hangs must not occupy much.
        self.at_once = if is_success(sent.attempt.status) { WEBHOOK_AT_ONCE } else { 1 };
        // The turn that follows says the same to every courier.
        if sent.rest.is_some() || sent.attempt.status == Some(GONE) {
            self.drop_waiting();
        }
        self.in_hand.remove(&sent.attempt.sequence);
        self.answered.push(sent);
        self.first_answer.get_or_insert_with(Instant::now);
    }

    /// Writes down what was answered and takes what is next. Tells whether the endpoint is still ours.
    async fn turn(&mut self) -> bool {
        let found = loop {
            match self.try_turn().await {
                Ok(found) => break found,
                Err(cause) => {
                    tracing::warn!(%cause, endpoint = self.endpoint_id, "webhooks cannot be written down");
                    // What is not written down in the end is sent once more, by whoever comes next.
                    if self.office.is_stopping() || self.endpoint.is_none() {
                        return false;
                    }
                    tokio::time::sleep(WEBHOOK_TURN_AGAIN).await;
                }
            }
        };
        self.answered.clear();
        self.first_answer = None;
        self.last_turn = Instant::now();
        let Some(Found { endpoint, deliveries, more }) = found else {
            // Not ours any more. What is under way is still waited for and written down.
            self.drop_waiting();
            return !self.in_hand.is_empty();
        };
        if !endpoint.state.is_sent_to() {
            self.drop_waiting();
        }
        self.in_hand.extend(deliveries.iter().map(|delivery| delivery.sequence));
        self.waiting.extend(deliveries);
        self.more = more;
        let ours = endpoint.lease_owner == self.owner;
        self.endpoint = Some(Arc::new(endpoint));
        ours
    }

    /// None where somebody else works for the endpoint, or it is gone.
    async fn try_turn(&self) -> Result<Option<Found>, store::Error> {
        let _turn = self.office.writers.acquire().await.map_err(store::Error::internal)?;
        let is_leaving = self.is_leaving();
        // Of a receiver that has not shown that it takes anything little is held in memory.
        let limit = if self.at_once == 1 { WEBHOOK_IN_HAND_FIRST } else { WEBHOOK_IN_HAND };
        transaction!(self.office.store.begin_unstamped(), |tx| {
            // If it is lost, its messages get the same places again and are sent once more.
            tx.need_not_reach_disk().await?;
            // Getting here may have taken long: the lease begins now.
            let now = self.office.time.now();
            let found = match &self.endpoint {
                Some(_) => endpoints::lock(tx, self.tenant, &self.endpoint_id).await?,
                None => endpoints::lock_free(tx, self.tenant, &self.endpoint_id, now).await?,
            };
            let Some(mut endpoint) = found else { return Ok(None) };
            let attempts: Vec<Attempt> = self.answered.iter().map(|sent| sent.attempt.clone()).collect();
            deliveries::record(tx, &endpoint, &attempts).await?;
            self.answered.iter().for_each(|sent| learn(&mut endpoint, sent));
            if self.endpoint.is_some() && endpoint.lease_owner != self.owner {
                // We were too slow to keep it; what we have sent is still worth knowing.
                endpoints::save(tx, &endpoint).await?;
                return Ok(None);
            }

            let mut more = false;
            let mut deliveries = Vec::new();
            if !is_leaving {
                more = deliveries::take_new(tx, &mut endpoint, now).await?;
                if endpoint.state.is_sent_to() && endpoint.rests_until <= now {
                    let due = deliveries::due(tx, &endpoint, now, limit).await?;
                    more |= due.len() == limit;
                    deliveries = due;
                    deliveries.retain(|delivery| !self.in_hand.contains(&delivery.sequence));
                    deliveries.truncate(limit.saturating_sub(self.in_hand.len()));
                }
            }
            if self.in_hand.is_empty() && deliveries.is_empty() && !more {
                endpoint.release(now);
            } else {
                endpoint.lease(&self.owner, now);
            }
            endpoints::save(tx, &endpoint).await?;
            Ok(Some(Found { endpoint, deliveries, more }))
        })
    }
}

/// What an answer says of the endpoint itself. Nothing, where it was moved or resumed since the attempt began.
fn learn(endpoint: &mut Endpoint, sent: &Sent) {
    let at = sent.attempt.at;
    if endpoint.url != sent.endpoint.url || at < endpoint.state_since {
        return;
    }
    if is_success(sent.attempt.status) {
        endpoint.failing_since = None;
        endpoint.last_success_at = Some(at);
        return;
    }
    let since = *endpoint.failing_since.get_or_insert(at);
    if let Some(rest) = sent.rest {
        endpoint.rests_until = endpoint.rests_until.max(rest);
    }
    if endpoint.state != EndpointState::Active {
        return;
    }
    if sent.attempt.status == Some(GONE) {
        endpoint.set_state(EndpointState::Gone, at);
    } else if since.plus(WEBHOOK_FAILING_MAX) <= at {
        endpoint.set_state(EndpointState::Failing, at);
    } else {
        return;
    }
    tracing::warn!(
        endpoint = endpoint.id,
        state = endpoint.state.as_str(),
        "webhooks are no longer sent to an endpoint"
    );
}

/// One attempt.
async fn send(office: Arc<Office>, endpoint: Arc<Endpoint>, delivery: Delivery) -> Sent {
    let at = office.time.now();
    let Delivery { sequence, rung, message } = delivery;
    // Whatever happens, the attempt is one that failed: the courier waits for each of them.
    let reply = AssertUnwindSafe(post(&office, &endpoint, sequence, &message, at)).catch_unwind().await;
    let Reply { status, problem, response, retry_after, duration } = reply.unwrap_or_else(|_| not_made());
    let ended = office.time.now();
    // A test is for somebody who waits for it: it is sent once.
    let failed_before = if message.kind == MessageKind::WebhookTest { WEBHOOK_LADDER.len() } else { rung };
    let verdict = judge(status, retry_after, failed_before, rand::random(), ended);
    let rest = retry_after.filter(|_| matches!(status, Some(429 | 503))).map(|span| ended.plus(span));
    Sent { attempt: Attempt { sequence, at, duration, status, problem, response, rung, verdict }, endpoint, rest }
}

async fn post(office: &Office, endpoint: &Endpoint, sequence: i64, message: &Message, now: Stamp) -> Reply {
    match payload::body(endpoint, sequence, message) {
        Ok(body) => {
            let headers = payload::headers(endpoint, &message.id, &body, now);
            office.client.post(&endpoint.url, &headers, body, now).await
        }
        Err(cause) => {
            tracing::error!(%cause, endpoint = endpoint.id, "a webhook cannot be made");
            not_made()
        }
    }
}

fn not_made() -> Reply {
    Reply { problem: Some("it could not be made; the server's log says why".to_owned()), ..Reply::default() }
}
