//! The log of an endpoint: what was sent, every attempt, and sending messages again.

use std::sync::LazyLock;

use taquilla_domain::{
    audit::By,
    clock::Stamp,
    config::{WEBHOOK_COMMAND_PAUSE, WEBHOOK_KEPT, WEBHOOK_REPLAYED_TOGETHER},
    id,
    personal::Personal,
    webhook::DeliveryStatus,
};

use super::{
    deliveries::Message,
    endpoints::{self, Endpoint},
    outbox::ID_PREFIX,
};
use crate::{
    Conn, Error, Result, Store,
    engine::sql::{Row, params},
    staff::authority,
    transaction,
};

/// A message for an endpoint and the state of its delivery.
#[derive(Debug)]
pub struct Logged {
    /// Its place in the endpoint's sequence.
    pub sequence: i64,
    /// The message.
    pub message: Message,
    /// Whether it is pending, delivered or failed.
    pub status: DeliveryStatus,
    /// When it is sent next, if it is pending and the endpoint is active.
    pub next_attempt_at: Option<Stamp>,
    /// How many attempts there were.
    pub attempts: i64,
}

impl Logged {
    fn read(row: &Row<'_>, endpoint: &Endpoint) -> Result<Self> {
        let status = row.named(1, DeliveryStatus::parse)?;
        let is_sent = status == DeliveryStatus::Pending && endpoint.state.is_sent_to();
        let due_at = row.stamp(2)?.max(endpoint.rests_until);
        Ok(Self {
            sequence: row.int(0)?,
            status,
            next_attempt_at: is_sent.then_some(due_at),
            attempts: row.int(3)?,
            message: Message::read(row, 4)?,
        })
    }
}

const LOGGED: &str = "SELECT d.sequence, d.status, d.due_at, d.attempts, o.id, o.kind, o.occurred_at, o.data \
     FROM webhook_deliveries d JOIN outbox o ON o.producer_id = d.producer_id AND o.seq = d.message_seq \
     WHERE d.producer_id = ?1 AND d.endpoint_id = ?2";

/// Messages after a place in the sequence, in their order.
pub async fn after(conn: &mut Conn, endpoint: &Endpoint, sequence: i64, limit: i64) -> Result<Vec<Logged>> {
    let values = params![endpoint.tenant.number(), &endpoint.id, sequence, limit];
    conn.collect(&AFTER, values, |row| Logged::read(row, endpoint)).await
}

/// The query of [`after`].
pub static AFTER: LazyLock<String> =
    LazyLock::new(|| format!("{LOGGED} AND d.sequence > ?3 ORDER BY d.sequence LIMIT ?4"));

/// Messages before a place in the sequence, newest first.
pub async fn before(conn: &mut Conn, endpoint: &Endpoint, sequence: i64, limit: i64) -> Result<Vec<Logged>> {
    let values = params![endpoint.tenant.number(), &endpoint.id, sequence, limit];
    conn.collect(&BEFORE, values, |row| Logged::read(row, endpoint)).await
}

/// The query of [`before`].
pub static BEFORE: LazyLock<String> =
    LazyLock::new(|| format!("{LOGGED} AND d.sequence < ?3 ORDER BY d.sequence DESC LIMIT ?4"));

/// The last messages that failed, newest failure first.
pub async fn last_failed(conn: &mut Conn, endpoint: &Endpoint, limit: i64) -> Result<Vec<Logged>> {
    let values = params![endpoint.tenant.number(), &endpoint.id, limit];
    conn.collect(&LAST_FAILED, values, |row| Logged::read(row, endpoint)).await
}

/// The query of [`last_failed`].
pub static LAST_FAILED: LazyLock<String> = LazyLock::new(|| {
    format!("{LOGGED} AND d.status = 'failed' AND d.due_at > 0 ORDER BY d.due_at DESC, d.sequence DESC LIMIT ?3")
});

/// How many deliveries of an endpoint have this status.
pub async fn count(conn: &mut Conn, endpoint: &Endpoint, status: DeliveryStatus) -> Result<i64> {
    let sql = "SELECT count(*) FROM webhook_deliveries WHERE producer_id = ?1 AND endpoint_id = ?2 AND status = ?3 \
               AND due_at > 0";
    let values = params![endpoint.tenant.number(), &endpoint.id, status.as_str()];
    Ok(conn.query_first(sql, values, |row| row.int(0)).await?.unwrap_or(0))
}

/// An attempt as it was written down.
#[derive(Debug)]
pub struct LoggedAttempt {
    /// The message's place in the endpoint's sequence.
    pub sequence: i64,
    /// The first attempt at a message is 1.
    pub attempt: i64,
    /// When it began.
    pub attempted_at: Stamp,
    /// How long it took.
    pub duration_ms: i64,
    /// The answer's HTTP status, if there was an answer.
    pub status: Option<i64>,
    /// Why there was no answer, or why it broke off.
    pub problem: Option<String>,
    /// The beginning of the answer's body. A receiver may repeat what it was sent.
    pub response: Personal<String>,
}

/// The attempts to deliver one message, or any message if `sequence` is `None`, newest message first.
pub async fn attempts(
    conn: &mut Conn,
    endpoint: &Endpoint,
    sequence: Option<i64>,
    limit: i64,
) -> Result<Vec<LoggedAttempt>> {
    let (lowest, highest) = sequence.map_or((0, endpoint.last_sequence), |sequence| (sequence, sequence));
    let values = params![endpoint.tenant.number(), &endpoint.id, lowest, highest, limit];
    conn.collect(ATTEMPTS, values, |row| {
        Ok(LoggedAttempt {
            sequence: row.int(0)?,
            attempt: row.int(1)?,
            attempted_at: row.stamp(2)?,
            duration_ms: row.int(3)?,
            status: row.opt_int(4)?,
            problem: row.opt_text(5)?.map(str::to_owned),
            response: Personal::new(row.text(6)?.to_owned()),
        })
    })
    .await
}

/// The query of [`attempts`].
pub const ATTEMPTS: &str = "SELECT sequence, attempt, attempted_at, duration_ms, status, problem, response \
     FROM webhook_attempts WHERE producer_id = ?1 AND endpoint_id = ?2 AND sequence >= ?3 AND sequence <= ?4 \
     ORDER BY sequence DESC, attempt DESC LIMIT ?5";

/// The place of the message with this id in the endpoint's sequence. The id contains the message's time, and messages
/// are in the order of time.
pub async fn sequence_of(conn: &mut Conn, endpoint: &Endpoint, message_id: &str) -> Result<Option<i64>> {
    let Some(at) = id::time_of(ID_PREFIX, message_id) else { return Ok(None) };
    let mut sequence = first_since(conn, endpoint, at).await? - 1;
    while let Some((found, happened, id)) = next_message(conn, endpoint, sequence).await? {
        if id == message_id {
            return Ok(Some(found));
        }
        if happened.millis() > at.millis() {
            break;
        }
        sequence = found;
    }
    Ok(None)
}

/// The first place whose message happened at this time or later, or the place after the last. Messages are in the order
/// in which they happened, so a binary search finds it.
async fn first_since(conn: &mut Conn, endpoint: &Endpoint, at: Stamp) -> Result<i64> {
    let (mut low, mut high) = (1, endpoint.last_sequence + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        match next_message(conn, endpoint, middle - 1).await? {
            Some((found, happened, _)) if happened < at => low = found + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// The first message after a place: its place, its time and its id.
async fn next_message(conn: &mut Conn, endpoint: &Endpoint, sequence: i64) -> Result<Option<(i64, Stamp, String)>> {
    conn.query_first(NEXT, params![endpoint.tenant.number(), &endpoint.id, sequence], |row| {
        Ok((row.int(0)?, row.stamp(1)?, row.text(2)?.to_owned()))
    })
    .await
}

/// The query of `next_message`.
pub const NEXT: &str = "SELECT d.sequence, o.occurred_at, o.id FROM webhook_deliveries d \
     JOIN outbox o ON o.producer_id = d.producer_id AND o.seq = d.message_seq \
     WHERE d.producer_id = ?1 AND d.endpoint_id = ?2 AND d.sequence > ?3 ORDER BY d.sequence LIMIT 1";

/// Which messages to send again.
#[derive(Debug)]
pub enum Again<'a> {
    /// The message with this id.
    One(&'a str),
    /// All failed messages.
    Failed,
    /// All failed messages, and all that wait for another attempt.
    FailedAndWaiting,
    /// All messages that happened from the first time on and before the second.
    Between(Stamp, Stamp),
}

/// Makes messages due again, from the first rung of the retry ladder. Tells how many.
pub async fn replay(store: &Store, endpoint: &Endpoint, which: Again<'_>, by: &By) -> Result<i64> {
    let now = by.now;
    let mut conn = store.read().await?;
    let (mut low, high) = match which {
        Again::Failed => return replay_failed(store, endpoint, by).await,
        Again::FailedAndWaiting => {
            let waiting = replay_waiting(store, endpoint, by).await?;
            return Ok(waiting + replay_failed(store, endpoint, by).await?);
        }
        Again::One(id) => match sequence_of(&mut conn, endpoint, id).await? {
            Some(sequence) => (sequence, sequence + 1),
            None => return Ok(0),
        },
        Again::Between(from, to) => {
            (first_since(&mut conn, endpoint, from).await?, first_since(&mut conn, endpoint, to).await?)
        }
    };
    drop(conn);
    let mut replayed = 0;
    while low < high {
        let end = high.min(low + WEBHOOK_REPLAYED_TOGETHER);
        replayed += transaction!(store.begin_unstamped(), |tx| {
            authority::look(tx, by).await?;
            tx.concerns(endpoint.tenant);
            if endpoints::lock(tx, endpoint.tenant, &endpoint.id).await?.is_none() {
                return Ok(0);
            }
            tx.execute(
                "UPDATE webhook_deliveries SET status = 'pending', due_at = ?5, rung = 0 \
                 WHERE producer_id = ?1 AND endpoint_id = ?2 AND sequence >= ?3 AND sequence < ?4",
                params![endpoint.tenant.number(), &endpoint.id, low, end, now],
            )
            .await
        })? as i64;
        low = end;
        tokio::time::sleep(WEBHOOK_COMMAND_PAUSE).await;
    }
    Ok(replayed)
}

/// Replays what waits for another attempt. It goes through the sequence once, so it ends although some of it may fail
/// again meanwhile.
async fn replay_waiting(store: &Store, endpoint: &Endpoint, by: &By) -> Result<i64> {
    let now = by.now;
    let (mut replayed, mut after) = (0, Some(0));
    while let Some(place) = after {
        let (last, some) = transaction!(store.begin_unstamped(), |tx| {
            authority::look(tx, by).await?;
            tx.concerns(endpoint.tenant);
            if endpoints::lock(tx, endpoint.tenant, &endpoint.id).await?.is_none() {
                return Ok((None, 0));
            }
            let values = params![endpoint.tenant.number(), &endpoint.id, place, WEBHOOK_REPLAYED_TOGETHER];
            let last = tx.collect(WAITING, values, |row| row.int(0)).await?.last().copied();
            let Some(last) = last else { return Ok((None, 0)) };
            let some = tx
                .execute(
                    "UPDATE webhook_deliveries SET due_at = ?5, rung = 0 WHERE producer_id = ?1 AND endpoint_id = ?2 \
                     AND sequence > ?3 AND sequence <= ?4 AND status = 'pending' AND rung > 0",
                    params![endpoint.tenant.number(), &endpoint.id, place, last, now],
                )
                .await?;
            Ok::<_, Error>((Some(last), some as i64))
        })?;
        (after, replayed) = (last, replayed + some);
        tokio::time::sleep(WEBHOOK_COMMAND_PAUSE).await;
    }
    Ok(replayed)
}

/// The query of `replay_waiting`.
pub const WAITING: &str = "SELECT sequence FROM webhook_deliveries INDEXED BY webhook_deliveries_again \
     WHERE producer_id = ?1 AND endpoint_id = ?2 AND status = 'pending' AND rung > 0 AND sequence > ?3 \
     ORDER BY sequence LIMIT ?4";

async fn replay_failed(store: &Store, endpoint: &Endpoint, by: &By) -> Result<i64> {
    let now = by.now;
    let mut replayed = 0;
    // `due_at` of a failed delivery is its failure plus WEBHOOK_KEPT, so this leaves out deliveries that fail from now
    // on.
    let known = now.plus(WEBHOOK_KEPT);
    loop {
        let some = transaction!(store.begin_unstamped(), |tx| {
            authority::look(tx, by).await?;
            tx.concerns(endpoint.tenant);
            if endpoints::lock(tx, endpoint.tenant, &endpoint.id).await?.is_none() {
                return Ok(0);
            }
            tx.execute(
                "UPDATE webhook_deliveries SET status = 'pending', due_at = ?3, rung = 0 WHERE producer_id = ?1 \
                 AND endpoint_id = ?2 AND sequence IN (SELECT sequence FROM webhook_deliveries WHERE producer_id = ?1 \
                 AND endpoint_id = ?2 AND status = 'failed' AND due_at <= ?5 ORDER BY due_at, sequence LIMIT ?4)",
                params![endpoint.tenant.number(), &endpoint.id, now, WEBHOOK_REPLAYED_TOGETHER, known],
            )
            .await
        })? as i64;
        if some == 0 {
            return Ok(replayed);
        }
        replayed += some;
        tokio::time::sleep(WEBHOOK_COMMAND_PAUSE).await;
    }
}
