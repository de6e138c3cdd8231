//! How many people entered when, from the counts of each minute.

use crate::{
    domain::clock::Stamp,
    store::{
        Conn, Result, Tenant,
        engine::sql::{Param, params},
    },
};

/// Microseconds of a minute.
pub const MINUTE: i64 = 60_000_000;

/// How many entered in each step of a stretch of time, oldest first. Steps in which nobody entered are left out. A step
/// is a number of microseconds, of whole minutes.
pub async fn entered(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    (from, to): (Stamp, Stamp),
    step: i64,
) -> Result<Vec<(Stamp, i64)>> {
    let values: &[Param<'_>] = params![tenant.number(), event_id, from, to, step];
    conn.collect(ENTERED, values, |row| Ok((row.stamp(0)?, row.int(1)?))).await
}

/// The query of [`entered`].
pub const ENTERED: &str = "SELECT minute - minute % CAST(?5 AS BIGINT), CAST(sum(entered) AS BIGINT) FROM entries \
     WHERE producer_id = ?1 AND event_id = ?2 AND minute >= ?3 AND minute < ?4 GROUP BY 1 ORDER BY 1";

/// The first and the last minute in which somebody entered an event. `None` if nobody did.
pub async fn span(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Option<(Stamp, Stamp)>> {
    let mut ends = [None; 2];
    for (sql, end) in [FIRST, LAST].into_iter().zip(&mut ends) {
        *end = conn.query_first(sql, params![tenant.number(), event_id], |row| row.stamp(0)).await?;
    }
    Ok(ends[0].zip(ends[1]))
}

/// The first minute in which somebody entered an event.
pub const FIRST: &str = "SELECT minute FROM entries WHERE producer_id = ?1 AND event_id = ?2 ORDER BY minute LIMIT 1";
/// The last one.
pub const LAST: &str =
    "SELECT minute FROM entries WHERE producer_id = ?1 AND event_id = ?2 ORDER BY minute DESC LIMIT 1";
