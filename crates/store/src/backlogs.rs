//! What waits in the whole database and should not wait for long, for metrics: a few statements, each with a bound.

use taquilla_domain::{
    clock::Stamp,
    config::{METRICS_BACKLOG_MAX, METRICS_ENDPOINTS_MAX},
};

use super::{Conn, Result, engine::sql::params, migrate};

/// What waits. A count ends at a bound.
#[derive(Clone, Debug)]
pub struct Backlogs {
    /// The version of the schema, which another server may have changed.
    pub schema: i64,
    /// Payments that have paid for nothing and were not paid back.
    pub open_payments: i64,
    /// Messages that wait to be delivered.
    pub undelivered: i64,
    /// How far the search is behind what was sold, of the producer that is furthest behind.
    pub search_behind_micros: i64,
    /// Erasures under way.
    pub erasures: i64,
    /// Since when the oldest of them is.
    pub erasure_since: Option<Stamp>,
}

/// The query for open payments.
pub const OPEN_PAYMENTS: &str = "SELECT count(*) FROM (SELECT 1 FROM payments WHERE outcome = 'paid' \
     AND result NOT IN ('settled', 'settled_elsewhere') AND paid_back_at IS NULL LIMIT ?1) p";

/// The query for undelivered messages: of each endpoint up to a bound.
pub const UNDELIVERED: &str = "SELECT CAST(coalesce(sum(e.waiting), 0) AS BIGINT) FROM (SELECT (SELECT count(*) FROM \
     (SELECT 1 FROM webhook_deliveries d WHERE d.producer_id = w.producer_id AND d.endpoint_id = w.id \
      AND d.status = 'pending' AND d.due_at IS NOT NULL LIMIT ?2) p) AS waiting \
     FROM webhook_endpoints w WHERE w.deleted_at IS NULL LIMIT ?1) e";

/// The query for erasures.
pub const ERASURES: &str = "SELECT count(*), min(w.created_at) FROM (SELECT created_at FROM work \
     WHERE kind IN ('erasure', 'retention') AND finished_at IS NULL LIMIT ?1) w";

/// A mark that was never made is as old as its producer.
const SEARCH: &str = "SELECT CAST(coalesce(max(k.clock - CASE WHEN m.producer_id IS NULL THEN p.created_at \
     WHEN m.orders_at < m.tickets_at THEN m.orders_at ELSE m.tickets_at END), 0) AS BIGINT) \
     FROM producers p JOIN clocks k ON k.producer_id = p.producer_id LEFT JOIN search_marks m ON m.producer_id = p.producer_id";

/// Reads all of it.
pub async fn read(conn: &mut Conn) -> Result<Backlogs> {
    let schema = migrate::version(conn).await?;
    let bound = params![METRICS_BACKLOG_MAX];
    let open_payments = conn.query_first(OPEN_PAYMENTS, bound, |row| row.int(0)).await?;
    let each = params![METRICS_ENDPOINTS_MAX, METRICS_BACKLOG_MAX];
    let undelivered = conn.query_first(UNDELIVERED, each, |row| row.int(0)).await?;
    let search = conn.query_first(SEARCH, &[], |row| row.int(0)).await?;
    let erasures = conn.query_first(ERASURES, bound, |row| Ok((row.int(0)?, row.opt_stamp(1)?))).await?;
    let (erasures, erasure_since) = erasures.unwrap_or((0, None));
    Ok(Backlogs {
        schema,
        open_payments: open_payments.unwrap_or(0),
        undelivered: undelivered.unwrap_or(0),
        search_behind_micros: search.unwrap_or(0).max(0),
        erasures,
        erasure_since,
    })
}
