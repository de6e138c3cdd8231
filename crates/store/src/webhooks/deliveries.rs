//! Deliveries: messages on their way to endpoints.
//!
//! A transaction that changes an endpoint's deliveries first locks the endpoint (see `endpoints::lock`).
//!
//! Places in an endpoint's sequence are given without a gap, under that lock. `due_at` says when a delivery is sent
//! next and, once it is settled, when it is forgotten, so one index finds both.

use std::time::Duration;

use taquilla_domain::{
    clock::Stamp,
    config::{WEBHOOK_COMMAND_PAUSE, WEBHOOK_EXAMINED, WEBHOOK_KEPT},
    personal::Personal,
    webhook::{DeliveryStatus, MessageKind, Verdict},
};

use super::endpoints::{self, Endpoint};
use crate::{
    Conn, Error, Result, Store, Unstamped,
    engine::sql::{Param, Row, params},
    transaction,
};

/// A message that is to be sent to an endpoint.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Its place in the endpoint's sequence.
    pub sequence: i64,
    /// How many attempts of the present round failed.
    pub rung: usize,
    /// Whether it is sent before its time.
    pub early: bool,
    /// The message.
    pub message: Message,
}

/// A message as it was written down.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its id (`we_…`), the same for every attempt and every endpoint.
    pub id: String,
    /// What happened.
    pub kind: MessageKind,
    /// When that happened.
    pub occurred_at: Stamp,
    /// The resource as the API shows it, with all personal data.
    pub data: Personal<String>,
}

impl Message {
    /// Reads the columns `id, kind, occurred_at, data`.
    pub(super) fn read(row: &Row<'_>, first: usize) -> Result<Self> {
        Ok(Self {
            id: row.text(first)?.to_owned(),
            kind: row.named(first + 1, MessageKind::parse)?,
            occurred_at: row.stamp(first + 2)?,
            data: Personal::new(row.text(first + 3)?.to_owned()),
        })
    }
}

/// A finished attempt to deliver a message, with its result.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The delivery's place in the endpoint's sequence.
    pub sequence: i64,
    /// When it began.
    pub at: Stamp,
    /// How long it took.
    pub duration: Duration,
    /// The answer's HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// Why there was no answer, or why it broke off.
    pub problem: Option<String>,
    /// The beginning of the answer's body.
    pub response: String,
    /// How many attempts of the present round had failed before this one.
    pub rung: usize,
    /// What follows for the delivery.
    pub verdict: Verdict,
}

/// Turns new messages into deliveries, each with its place in the endpoint's sequence, so that every message is sent or
/// shown as failed. Tells whether there may be more messages.
pub async fn take_new(tx: &mut Unstamped, endpoint: &mut Endpoint, now: Stamp) -> Result<bool> {
    let (mut examined, mut wanted) = (0, Vec::new());
    let mut last_seq = endpoint.outbox_seq;
    tx.query(NEW, params![endpoint.tenant.number(), endpoint.outbox_seq, WEBHOOK_EXAMINED], |row| {
        examined += 1;
        last_seq = row.int(0)?;
        let is_wanted = match row.opt_text(2)? {
            Some(only) => only == endpoint.id,
            None => endpoint.kinds.contains(&row.named(1, MessageKind::parse)?),
        };
        if is_wanted {
            wanted.push(last_seq);
        }
        Ok(())
    })
    .await?;
    let first = endpoint.last_sequence + 1;
    let sets: Vec<Vec<Param<'_>>> = wanted
        .iter()
        .zip(first..)
        .map(|(seq, sequence)| {
            vec![
                endpoint.tenant.number().into(),
                (&endpoint.id).into(),
                sequence.into(),
                (*seq).into(),
                DeliveryStatus::Pending.as_str().into(),
                now.into(),
            ]
        })
        .collect();
    tx.execute_many(
        "INSERT INTO webhook_deliveries (producer_id, endpoint_id, sequence, message_seq, status, due_at, rung, attempts) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0)",
        &sets,
    )
    .await?;
    endpoint.last_sequence += wanted.len() as i64;
    endpoint.outbox_seq = last_seq;
    Ok(examined == WEBHOOK_EXAMINED)
}

/// The query of [`take_new`].
pub const NEW: &str =
    "SELECT seq, kind, endpoint_id FROM outbox WHERE producer_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";

/// Turns every message in the outbox into a delivery, as a server would have done by itself.
pub async fn catch_up(store: &Store, endpoint: &Endpoint, now: Stamp) -> Result<()> {
    let values = params![endpoint.tenant.number(), endpoint.outbox_seq, 1];
    // Usually there is no new message; this read then saves a writing transaction.
    let mut more = store.read().await?.query_first(NEW, values, |_| Ok(())).await?.is_some();
    while more {
        more = transaction!(store.begin_unstamped(), |tx| {
            let Some(mut locked) = endpoints::lock(tx, endpoint.tenant, &endpoint.id).await? else { return Ok(false) };
            let more = take_new(tx, &mut locked, now).await?;
            endpoints::save(tx, &locked).await?;
            Ok::<_, Error>(more)
        })?;
        tokio::time::sleep(WEBHOOK_COMMAND_PAUSE).await;
    }
    Ok(())
}

/// The deliveries that are due, the longest waiting first.
pub async fn due(conn: &mut Conn, endpoint: &Endpoint, now: Stamp, limit: usize) -> Result<Vec<Delivery>> {
    conn.collect(DUE, params![endpoint.tenant.number(), &endpoint.id, now, limit as i64], |row| {
        Ok(Delivery {
            sequence: row.int(0)?,
            rung: usize::try_from(row.int(1)?).unwrap_or(0),
            early: false,
            message: Message::read(row, 2)?,
        })
    })
    .await
}

/// The deliveries after a place in the sequence that wait for another attempt, in the order of the sequence; `early`
/// tells those whose time has not come.
pub async fn waiting_again(
    conn: &mut Conn,
    endpoint: &Endpoint,
    after: i64,
    now: Stamp,
    limit: usize,
) -> Result<Vec<Delivery>> {
    conn.collect(WAITING_AGAIN, params![endpoint.tenant.number(), &endpoint.id, after, limit as i64], |row| {
        Ok(Delivery {
            sequence: row.int(0)?,
            rung: usize::try_from(row.int(1)?).unwrap_or(0),
            early: row.stamp(2)? > now,
            message: Message::read(row, 3)?,
        })
    })
    .await
}

/// The query of [`waiting_again`].
pub const WAITING_AGAIN: &str = "SELECT d.sequence, d.rung, d.due_at, o.id, o.kind, o.occurred_at, o.data \
     FROM webhook_deliveries d INDEXED BY webhook_deliveries_again \
     JOIN outbox o ON o.producer_id = d.producer_id AND o.seq = d.message_seq \
     WHERE d.producer_id = ?1 AND d.endpoint_id = ?2 AND d.status = 'pending' AND d.rung > 0 AND d.sequence > ?3 \
     ORDER BY d.sequence LIMIT ?4";

/// The query of [`due`].
pub const DUE: &str = "SELECT d.sequence, d.rung, o.id, o.kind, o.occurred_at, o.data FROM webhook_deliveries d \
     JOIN outbox o ON o.producer_id = d.producer_id AND o.seq = d.message_seq \
     WHERE d.producer_id = ?1 AND d.endpoint_id = ?2 AND d.status = 'pending' AND d.due_at <= ?3 \
     ORDER BY d.due_at, d.sequence LIMIT ?4";

/// Writes down attempts and their results. If two servers attempted the same delivery, a success always counts. A
/// failure counts only if the delivery is still on the rung that the attempt began on; a replay in between has put it
/// back on the first. The failure of an attempt before its time counts only as an attempt.
pub async fn record(tx: &mut Unstamped, endpoint: &Endpoint, attempts: &[Attempt]) -> Result<()> {
    let (tenant, endpoint_id) = (endpoint.tenant.number(), endpoint.id.as_str());
    let log: Vec<Vec<Param<'_>>> = attempts
        .iter()
        .map(|attempt| {
            vec![
                tenant.into(),
                endpoint_id.into(),
                attempt.sequence.into(),
                attempt.at.into(),
                (attempt.duration.as_millis() as i64).into(),
                attempt.status.map(i64::from).into(),
                (&attempt.problem).into(),
                (&attempt.response).into(),
            ]
        })
        .collect();
    tx.execute_many(
        "INSERT INTO webhook_attempts (producer_id, endpoint_id, sequence, attempt, attempted_at, duration_ms, status, \
         problem, response) SELECT d.producer_id, d.endpoint_id, d.sequence, d.attempts + 1, CAST(?4 AS BIGINT), \
         CAST(?5 AS BIGINT), CAST(?6 AS BIGINT), CAST(?7 AS TEXT), CAST(?8 AS TEXT) FROM webhook_deliveries d \
         WHERE d.producer_id = ?1 AND d.endpoint_id = ?2 AND d.sequence = ?3",
        &log,
    )
    .await?;
    let outcomes: Vec<Vec<Param<'_>>> = attempts
        .iter()
        .map(|attempt| {
            let rung = attempt.rung as i64 + 1;
            let (status, due_at, rung) = match attempt.verdict {
                Verdict::Delivered => (DeliveryStatus::Delivered, attempt.at.plus(WEBHOOK_KEPT), rung),
                Verdict::Again(at) => (DeliveryStatus::Pending, at, rung),
                // No delivery is on the rung before the first, so none leaves its rung by this.
                Verdict::AsPlanned(not_before) => (DeliveryStatus::Pending, not_before, 0),
                Verdict::Failed => (DeliveryStatus::Failed, attempt.at.plus(WEBHOOK_KEPT), rung),
            };
            vec![
                tenant.into(),
                endpoint_id.into(),
                attempt.sequence.into(),
                status.as_str().into(),
                due_at.into(),
                rung.into(),
            ]
        })
        .collect();
    tx.execute_many(
        "UPDATE webhook_deliveries SET attempts = attempts + 1, \
         status = CASE WHEN (status = 'pending' AND rung + 1 = ?6) OR ?4 = 'delivered' THEN ?4 ELSE status END, \
         due_at = CASE WHEN (status = 'pending' AND rung + 1 = ?6) OR ?4 = 'delivered' THEN ?5 \
         WHEN ?6 = 0 AND status = 'pending' AND due_at < ?5 THEN ?5 ELSE due_at END, \
         rung = CASE WHEN (status = 'pending' AND rung + 1 = ?6) OR ?4 = 'delivered' THEN ?6 ELSE rung END \
         WHERE producer_id = ?1 AND endpoint_id = ?2 AND sequence = ?3",
        &outcomes,
    )
    .await?;
    Ok(())
}
