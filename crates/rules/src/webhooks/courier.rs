//! A courier works for one endpoint until nothing is left to send. Among all servers, an endpoint has one courier at a
//! time.
//!
//! A courier works in turns. Each turn is one transaction: it writes down the answers since the last turn, gives new
//! messages their places, takes what is due, and renews or ends the lease on the endpoint. Sending continues between
//! turns.
//!
//! A killed server leaves pending rows, and the next courier sends them again with the same id, place and bytes. On
//! PostgreSQL a turn does not wait for the disk; if a crash loses it, the same messages get the same places.
//!
//! An endpoint catches up after an outage: a success after a minute of failures lets the courier send what waits for
//! another attempt before its time, along an index of its own. Nothing is rescheduled for that, so a receiver that
//! fails again finds every message where it was on the ladder.

use std::{
    collections::{HashSet, VecDeque},
    panic::AssertUnwindSafe,
    sync::Arc,
};

use futures_util::FutureExt;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep_until},
};

use taquilla_domain::{
    clock::Stamp,
    config::{
        WEBHOOK_AT_ONCE, WEBHOOK_CATCH_UP_FAILURES, WEBHOOK_IN_HAND, WEBHOOK_IN_HAND_FIRST, WEBHOOK_LADDER,
        WEBHOOK_LEASE, WEBHOOK_SHIFT, WEBHOOK_TURN, WEBHOOK_TURN_AGAIN, WEBHOOK_TURN_MAX,
    },
    id,
    webhook::{MessageKind, Verdict, is_success, judge, judge_early},
};
use taquilla_metrics::Attempted;
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant, transaction,
    webhooks::{
        deliveries::{self, Attempt, Delivery, Message},
        endpoints::{self, Endpoint},
    },
};

use super::{
    attempt::{self, Reply},
    health::{FinishedAttempt, GONE, News, learn},
    office::Office,
    payload,
};
use crate::rounds::in_time::in_time;

pub struct Courier {
    office: Arc<Office>,
    tenant: Tenant,
    endpoint_id: String,
    /// Identifies this courier among those of all servers. It begins with the process id, for operators.
    owner: String,
    /// The endpoint as the last turn found it; `None` before the first turn.
    endpoint: Option<Arc<Endpoint>>,
    waiting: VecDeque<Delivery>,
    sending: JoinSet<FinishedAttempt>,
    /// The places of all deliveries that wait or are being sent.
    in_hand: HashSet<i64>,
    /// Answers that are not yet written down.
    answered: Vec<FinishedAttempt>,
    /// How many requests may be under way at the same time.
    at_once: usize,
    /// Whether the receiver accepted a message from this courier.
    has_succeeded: bool,
    /// How many more failures in a row it takes before it sends nothing that is not due.
    patience: usize,
    /// Whether the last turn left deliveries that are due or messages without a place.
    more: bool,
    began: Instant,
    last_turn: Instant,
    first_answer: Option<Instant>,
}

/// What a turn did.
struct Turned {
    /// What the answers changed for the endpoint, for the log.
    news: Option<News>,
    /// `None` if another courier has the endpoint, or it is deleted.
    work: Option<TurnWork>,
}

/// What a turn found to do.
struct TurnWork {
    endpoint: Endpoint,
    /// The deliveries to send next.
    deliveries: Vec<Delivery>,
    /// Whether there may be more work.
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
            has_succeeded: false,
            patience: WEBHOOK_CATCH_UP_FAILURES,
            more: false,
            began: now,
            last_turn: now,
            first_answer: None,
        }
    }

    /// Works until nothing is left, another courier has the endpoint, or the server stops. Returns whether anything was
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

    /// Whether this courier takes nothing new, because the server stops or other endpoints wait for a courier.
    fn is_leaving(&self) -> bool {
        self.office.stop.is_cancelled() || self.began.elapsed() > WEBHOOK_SHIFT
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

    /// Leaves the deliveries that were not begun to a later courier.
    fn drop_waiting(&mut self) {
        for delivery in self.waiting.drain(..) {
            self.in_hand.remove(&delivery.sequence);
        }
    }

    /// Leaves the deliveries that are not due to their time.
    fn drop_early(&mut self) {
        let (early, due): (VecDeque<_>, _) = self.waiting.drain(..).partition(|delivery| delivery.early);
        self.waiting = due;
        for delivery in early {
            self.in_hand.remove(&delivery.sequence);
        }
    }

    fn turn_is_due(&self) -> bool {
        // With nothing in hand, a turn either finds more work or ends the shift. But a turn that would find little
        // still waits a moment: in a busy hour there is always one more message, and a receiver that refuses answers
        // quickly, so a turn for each would slow down sales and scans.
        let finds_much = self.more && self.at_once > 1;
        let is_idle = self.in_hand.is_empty() && (finds_much || self.answered.is_empty());
        is_idle || self.answered.len() >= WEBHOOK_IN_HAND / 2 || Instant::now() >= self.next_turn()
    }

    /// The latest time of the next turn.
    fn next_turn(&self) -> Instant {
        let keep = self.last_turn + WEBHOOK_LEASE / 3;
        self.first_answer.map_or(keep, |answer| keep.min(answer + WEBHOOK_TURN))
    }

    /// Waits for an answer or for the next turn. `false` if an answer was lost: the courier then no longer knows what
    /// is in hand, and another one starts again when the lease ends.
    async fn wait(&mut self) -> bool {
        let next_turn = self.next_turn();
        let is_leaving = self.is_leaving();
        let mut sent = tokio::select! {
            sent = self.sending.join_next(), if !self.sending.is_empty() => sent,
            () = sleep_until(next_turn) => None,
            () = self.office.stop.cancelled(), if !is_leaving => None,
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

    fn take_answer(&mut self, sent: FinishedAttempt) {
        // A failing receiver gets one request at a time, so that one that hangs occupies little. One that is back gets
        // one more with each success, so that it is not flooded.
        if is_success(sent.attempt.status) {
            self.at_once = WEBHOOK_AT_ONCE.min(self.at_once + 1);
            self.has_succeeded = true;
            self.patience = WEBHOOK_CATCH_UP_FAILURES;
        } else {
            self.at_once = 1;
            self.patience = self.patience.saturating_sub(1);
            if self.patience == 0 {
                self.drop_early();
            }
        }
        // The next turn writes this to the endpoint's row, where every courier sees it.
        if sent.rest.is_some() || sent.attempt.status == Some(GONE) {
            self.drop_waiting();
        }
        self.in_hand.remove(&sent.attempt.sequence);
        self.answered.push(sent);
        self.first_answer.get_or_insert_with(Instant::now);
    }

    /// Writes down the answers and takes the next deliveries. Returns whether the courier keeps working.
    async fn turn(&mut self) -> bool {
        let mut pause = WEBHOOK_TURN_AGAIN;
        let Turned { news, work } = loop {
            match self.try_turn().await {
                Ok(turned) => break turned,
                Err(cause) => {
                    tracing::warn!(%cause, endpoint = self.endpoint_id, "webhooks cannot be written down");
                    // The next courier sends the messages again whose answers were not written down.
                    if self.office.stop.is_cancelled() || self.endpoint.is_none() {
                        return false;
                    }
                    self.office.stop.run_until_cancelled(tokio::time::sleep(pause)).await;
                    pause = WEBHOOK_LEASE.min(pause * 2);
                }
            }
        };
        if let Some(news) = news {
            news.log(&self.endpoint_id);
        }
        self.answered.clear();
        self.first_answer = None;
        self.last_turn = Instant::now();
        let Some(TurnWork { endpoint, deliveries, more }) = work else {
            // Another courier has the endpoint now. This one still waits for its requests and writes their answers
            // down.
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

    async fn try_turn(&self) -> Result<Turned, store::Error> {
        let _turn = self.office.writers.acquire().await.map_err(store::Error::internal)?;
        // Others wait for the permit, so nobody keeps it for long.
        in_time(&self.office.store, WEBHOOK_TURN_MAX, self.write_turn()).await
    }

    async fn write_turn(&self) -> Result<Turned, store::Error> {
        let is_leaving = self.is_leaving();
        // Until a receiver has accepted a message, few deliveries are held in memory for it.
        let limit = if self.at_once == 1 { WEBHOOK_IN_HAND_FIRST } else { WEBHOOK_IN_HAND };
        transaction!(self.office.store.begin_unstamped(), |tx| {
            tx.need_not_reach_disk().await?;
            // Waiting for a writer's permit may have taken long, so the lease counts from now.
            let now = self.office.time.now();
            let found = match &self.endpoint {
                Some(_) => endpoints::lock(tx, self.tenant, &self.endpoint_id).await?,
                None => endpoints::lock_free(tx, self.tenant, &self.endpoint_id, now).await?,
            };
            let Some(mut endpoint) = found else { return Ok(Turned { news: None, work: None }) };
            let attempts: Vec<Attempt> = self.answered.iter().map(|sent| sent.attempt.clone()).collect();
            deliveries::record(tx, &endpoint, &attempts).await?;
            let before = (endpoint.state, endpoint.failing_since);
            self.answered.iter().for_each(|sent| learn(&mut endpoint, sent));
            let news = News::of(before, &endpoint);
            if self.endpoint.is_some() && endpoint.lease_owner != self.owner {
                // The lease ran out and another courier took it. The answers are still written down.
                endpoints::save(tx, &endpoint).await?;
                return Ok(Turned { news, work: None });
            }

            let mut more = false;
            let mut deliveries = Vec::new();
            if !is_leaving {
                more = deliveries::take_new(tx, &mut endpoint, now).await?;
                if endpoint.state.is_sent_to() && endpoint.rests_until <= now {
                    let due = deliveries::due(tx, &endpoint, now, limit).await?;
                    more |= due.len() == limit;
                    deliveries = due;
                    if deliveries.len() < limit {
                        let early = self.early(tx, &mut endpoint, now, limit).await?;
                        more |= early.len() == limit;
                        deliveries.extend(early.into_iter().filter(|delivery| delivery.early));
                    }
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
            Ok(Turned { news, work: Some(TurnWork { endpoint, deliveries, more }) })
        })
    }

    /// What waits for another attempt and is sent before its time, because the endpoint catches up. Once nothing is left,
    /// it has caught up.
    async fn early(
        &self,
        conn: &mut Conn,
        endpoint: &mut Endpoint,
        now: Stamp,
        limit: usize,
    ) -> Result<Vec<Delivery>, store::Error> {
        let Some(after) = endpoint.caught_up_to else { return Ok(Vec::new()) };
        // One failure after a success may be due to the message.
        let is_well = endpoint.failing_since.is_none() || self.has_succeeded;
        if !is_well || self.patience == 0 {
            return Ok(Vec::new());
        }
        let waiting = deliveries::waiting_again(conn, endpoint, after, now, limit).await?;
        if waiting.is_empty() {
            endpoint.caught_up_to = None;
        }
        Ok(waiting)
    }
}

/// Makes one attempt.
async fn send(office: Arc<Office>, endpoint: Arc<Endpoint>, delivery: Delivery) -> FinishedAttempt {
    let at = office.time.now();
    let Delivery { sequence, rung, early, message } = delivery;
    // A panic counts as a failed attempt, because the courier waits for the result of each.
    let reply = AssertUnwindSafe(post(&office, &endpoint, sequence, &message, at)).catch_unwind().await;
    let Reply { status, problem, response, retry_after, duration } = reply.unwrap_or_else(|_| not_made());
    let ended = office.time.now();
    // A test message is sent once, because somebody waits for its result.
    let failed_before = if message.kind == MessageKind::WebhookTest { WEBHOOK_LADDER.len() } else { rung };
    let verdict = match early {
        true => judge_early(status, retry_after, ended),
        false => judge(status, retry_after, failed_before, rand::random(), ended),
    };
    let outcome = match verdict {
        Verdict::Delivered => Attempted::Delivered,
        Verdict::Again(_) | Verdict::AsPlanned(_) => Attempted::Again,
        Verdict::Failed => Attempted::GivenUp,
    };
    office.metrics.count_attempt(outcome, status, duration);
    let rest = retry_after.filter(|_| matches!(status, Some(429 | 503))).map(|span| ended.plus(span));
    FinishedAttempt {
        attempt: Attempt { sequence, at, duration, status, problem, response, rung, verdict },
        early,
        endpoint,
        rest,
    }
}

async fn post(office: &Office, endpoint: &Endpoint, sequence: i64, message: &Message, now: Stamp) -> Reply {
    match payload::body(endpoint, sequence, message) {
        Ok(body) => {
            let body = body.into_uncovered().into_text();
            let headers = payload::headers(endpoint, &message.id, &body, now);
            attempt::post(&office.client, &endpoint.url, &headers, body, now).await
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
