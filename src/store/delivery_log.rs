//! Looking back: what was sent to an endpoint, every attempt, and sending it again.

use crate::{
    config::{WEBHOOK_COMMAND_PAUSE, WEBHOOK_KEPT, WEBHOOK_REPLAYED_TOGETHER},
    domain::{clock::Stamp, id, webhook::DeliveryStatus},
    transaction,
    wire::AttemptInfo,
};

use super::{
    Conn, Result, Store,
    deliveries::Event,
    endpoints::{self, Endpoint},
    sql::{Param, Row, params},
};

/// An event for an endpoint, and how far it came.
#[derive(Debug)]
pub struct Logged {
    /// Its place among the endpoint's events.
    pub number: i64,
    /// The event.
    pub event: Event,
    /// What became of it.
    pub status: DeliveryStatus,
    /// When it is sent next, if it is.
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
            number: row.int(0)?,
            status,
            next_attempt_at: is_sent.then_some(due_at),
            attempts: row.int(3)?,
            event: Event::read(row, 4)?,
        })
    }
}

const LOGGED: &str = "SELECT d.number, d.status, d.due_at, d.attempts, o.id, o.kind, o.occurred_at, o.data \
     FROM webhook_deliveries d JOIN outbox o ON o.producer_id = d.producer_id AND o.seq = d.event_seq \
     WHERE d.producer_id = ?1 AND d.endpoint_id = ?2";

/// Events after a number, in their order.
pub async fn after(conn: &mut Conn, endpoint: &Endpoint, number: i64, limit: i64) -> Result<Vec<Logged>> {
    let sql = format!("{LOGGED} AND d.number > ?3 ORDER BY d.number LIMIT ?4");
    collect(conn, &sql, params![endpoint.tenant.number(), &endpoint.id, number, limit], |row| {
        Logged::read(row, endpoint)
    })
    .await
}

/// The last events, newest first.
pub async fn last(conn: &mut Conn, endpoint: &Endpoint, limit: i64) -> Result<Vec<Logged>> {
    let sql = format!("{LOGGED} ORDER BY d.number DESC LIMIT ?3");
    collect(conn, &sql, params![endpoint.tenant.number(), &endpoint.id, limit], |row| Logged::read(row, endpoint)).await
}

/// The last events that failed, newest failure first.
pub async fn last_failed(conn: &mut Conn, endpoint: &Endpoint, limit: i64) -> Result<Vec<Logged>> {
    let sql =
        format!("{LOGGED} AND d.status = 'failed' AND d.due_at > 0 ORDER BY d.due_at DESC, d.number DESC LIMIT ?3");
    collect(conn, &sql, params![endpoint.tenant.number(), &endpoint.id, limit], |row| Logged::read(row, endpoint)).await
}

/// How many deliveries of an endpoint are in a status.
pub async fn count(conn: &mut Conn, endpoint: &Endpoint, status: DeliveryStatus) -> Result<i64> {
    let sql = "SELECT count(*) FROM webhook_deliveries WHERE producer_id = ?1 AND endpoint_id = ?2 AND status = ?3 \
               AND due_at > 0";
    let values = params![endpoint.tenant.number(), &endpoint.id, status.as_str()];
    Ok(conn.query_first(sql, values, |row| row.int(0)).await?.unwrap_or(0))
}

/// The attempts of one event, or of the last events, newest first.
pub async fn attempts(
    conn: &mut Conn,
    endpoint: &Endpoint,
    number: Option<i64>,
    limit: i64,
) -> Result<Vec<AttemptInfo>> {
    let (lowest, highest) = number.map_or((0, endpoint.last_number), |number| (number, number));
    collect(
        conn,
        "SELECT number, attempt, attempted_at, duration_ms, status, problem, response FROM webhook_attempts \
         WHERE producer_id = ?1 AND endpoint_id = ?2 AND number >= ?3 AND number <= ?4 \
         ORDER BY number DESC, attempt DESC LIMIT ?5",
        params![endpoint.tenant.number(), &endpoint.id, lowest, highest, limit],
        |row| {
            Ok(AttemptInfo {
                sequence: row.int(0)?,
                attempt: row.int(1)?,
                attempted_at: row.time(2)?,
                duration_ms: row.int(3)?,
                status: row.opt_int(4)?,
                problem: row.opt_text(5)?.map(str::to_owned),
                response: row.text(6)?.to_owned(),
            })
        },
    )
    .await
}

async fn collect<T: Send>(
    conn: &mut Conn,
    sql: &str,
    values: &[Param<'_>],
    read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    conn.query(sql, values, |row| {
        rows.push(read(row)?);
        Ok(())
    })
    .await?;
    Ok(rows)
}

/// The number of an endpoint's event with this id. The id says when the event happened, and that says where it is.
pub async fn number_of(conn: &mut Conn, endpoint: &Endpoint, event_id: &str) -> Result<Option<i64>> {
    let Some(at) = id::time_of("we", event_id) else { return Ok(None) };
    let mut number = first_since(conn, endpoint, at).await? - 1;
    while let Some((found, happened, id)) = next_event(conn, endpoint, number).await? {
        if id == event_id {
            return Ok(Some(found));
        }
        if happened.millis() > at.millis() {
            break;
        }
        number = found;
    }
    Ok(None)
}

/// The first number whose event happened at this time or later; the one after the last when none did.
/// Events are numbered in the order in which they happened, so that halving finds it.
async fn first_since(conn: &mut Conn, endpoint: &Endpoint, at: Stamp) -> Result<i64> {
    let (mut low, mut high) = (1, endpoint.last_number + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        match next_event(conn, endpoint, middle - 1).await? {
            Some((found, happened, _)) if happened < at => low = found + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// The first event after a number: its own number, when it happened, and its id.
async fn next_event(conn: &mut Conn, endpoint: &Endpoint, number: i64) -> Result<Option<(i64, Stamp, String)>> {
    conn.query_first(NEXT, params![endpoint.tenant.number(), &endpoint.id, number], |row| {
        Ok((row.int(0)?, row.stamp(1)?, row.text(2)?.to_owned()))
    })
    .await
}

/// The first event after a number.
pub const NEXT: &str = "SELECT d.number, o.occurred_at, o.id FROM webhook_deliveries d \
     JOIN outbox o ON o.producer_id = d.producer_id AND o.seq = d.event_seq \
     WHERE d.producer_id = ?1 AND d.endpoint_id = ?2 AND d.number > ?3 ORDER BY d.number LIMIT 1";

/// Which events are sent again.
#[derive(Debug)]
pub enum Again<'a> {
    /// The one with this id.
    One(&'a str),
    /// All that failed.
    Failed,
    /// All that happened from the first time on, and before the second.
    Between(Stamp, Stamp),
}

/// Sends events again, from the first rung of the ladder. Tells how many.
pub async fn replay(store: &Store, endpoint: &Endpoint, which: Again<'_>, now: Stamp) -> Result<i64> {
    let mut conn = store.read().await?;
    let (mut low, high) = match which {
        Again::Failed => return replay_failed(store, endpoint, now).await,
        Again::One(id) => match number_of(&mut conn, endpoint, id).await? {
            Some(number) => (number, number + 1),
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
        replayed += transaction!(store, |tx| {
            if endpoints::lock(tx, endpoint.tenant, &endpoint.id).await?.is_none() {
                return Ok(0);
            }
            tx.execute(
                "UPDATE webhook_deliveries SET status = 'pending', due_at = ?5, rung = 0 \
                 WHERE producer_id = ?1 AND endpoint_id = ?2 AND number >= ?3 AND number < ?4",
                params![endpoint.tenant.number(), &endpoint.id, low, end, now],
            )
            .await
        })? as i64;
        low = end;
        tokio::time::sleep(WEBHOOK_COMMAND_PAUSE).await;
    }
    Ok(replayed)
}

async fn replay_failed(store: &Store, endpoint: &Endpoint, now: Stamp) -> Result<i64> {
    let mut replayed = 0;
    // Not what fails again meanwhile.
    let known = now.plus(WEBHOOK_KEPT);
    loop {
        let some = transaction!(store, |tx| {
            if endpoints::lock(tx, endpoint.tenant, &endpoint.id).await?.is_none() {
                return Ok(0);
            }
            tx.execute(
                "UPDATE webhook_deliveries SET status = 'pending', due_at = ?3, rung = 0 WHERE producer_id = ?1 \
                 AND endpoint_id = ?2 AND number IN (SELECT number FROM webhook_deliveries WHERE producer_id = ?1 \
                 AND endpoint_id = ?2 AND status = 'failed' AND due_at <= ?5 ORDER BY due_at, number LIMIT ?4)",
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
