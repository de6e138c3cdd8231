//! How many people entered when, from the counts of each minute.

use taquilla_domain::clock::Stamp;

use crate::{Conn, Result, Tenant, engine::sql::params};

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
    let mut steps: Vec<(Stamp, i64)> = Vec::new();
    conn.query(ENTERED, params![tenant.number(), event_id, from, to], |row| {
        let (minute, entered) = (row.int(0)?, row.int(1)?);
        let begins = Stamp::from_micros(minute - minute.rem_euclid(step));
        match steps.last_mut() {
            Some((at, sum)) if *at == begins => *sum += entered,
            _ => steps.push((begins, entered)),
        }
        Ok(())
    })
    .await?;
    Ok(steps)
}

/// The query of [`entered`]. Minutes come as the table has them. Steps would have to be sorted.
pub const ENTERED: &str = "SELECT minute, CAST(sum(entered) AS BIGINT) FROM entries \
     WHERE producer_id = ?1 AND event_id = ?2 AND minute >= ?3 AND minute < ?4 GROUP BY minute ORDER BY minute";

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
