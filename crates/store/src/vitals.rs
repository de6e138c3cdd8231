//! What metrics tell of the whole database: a few statements over all producers, each with a bound.

use taquilla_domain::{
    clock::Stamp,
    config::{METRICS_ENDPOINTS_MAX, METRICS_SUMS_MAX},
    webhook::EndpointState,
};

use super::{Conn, Result, engine::sql::params};

/// What metrics tell of a database.
#[derive(Clone, Debug, Default)]
pub struct Vitals {
    /// Units that unpaid orders hold now. `None` if there are more sums than are added up for this.
    pub held_units: Option<i64>,
    /// Endpoints of webhooks. `None` if there are more than are looked at for this.
    pub endpoints: Option<Endpoints>,
    /// When servers last made a backup by themselves, if they ever did.
    pub last_backup: Option<Stamp>,
}

/// Endpoints of webhooks.
#[derive(Clone, Debug, Default)]
pub struct Endpoints {
    /// How many there are in each state.
    pub by_state: Vec<(EndpointState, usize)>,
    /// How many are sent to and fail.
    pub failing: usize,
    /// Since when the one has failed that fails longest, of those that are sent to.
    pub failing_since: Option<Stamp>,
    /// Since when the message waits that should have been sent first, of all that should have been by now.
    pub overdue_since: Option<Stamp>,
}

/// Reads all of it.
pub async fn read(conn: &mut Conn, now: Stamp) -> Result<Vitals> {
    let made_at = conn.query_first("SELECT made_at FROM backup_turn", &[], |row| row.stamp(0)).await?;
    let last_backup = made_at.filter(|made_at| made_at.micros() > 0);
    Ok(Vitals { held_units: held_units(conn).await?, endpoints: endpoints(conn, now).await?, last_backup })
}

/// The sums of holds, of which the last day's are kept, added up. An item has a few hundred at the most.
async fn held_units(conn: &mut Conn) -> Result<Option<i64>> {
    let sql = format!(
        "SELECT count(*), CAST(coalesce(sum(CASE WHEN h.until > {} THEN h.quantity ELSE 0 END), 0) AS BIGINT) \
         FROM (SELECT until, quantity FROM held_stock LIMIT ?1) h",
        conn.clock()
    );
    let found = conn.query_first(&sql, params![METRICS_SUMS_MAX + 1], |row| Ok((row.int(0)?, row.int(1)?))).await?;
    Ok(found.filter(|(sums, _)| *sums <= METRICS_SUMS_MAX).map(|(_, units)| units))
}

/// Looks once into each index for each endpoint, as [`with_work`](super::webhooks::endpoints::with_work) does.
pub const ENDPOINTS: &str = "SELECT e.state, e.failing_since, e.rests_until, \
     (SELECT d.due_at FROM webhook_deliveries d WHERE d.producer_id = e.producer_id AND d.endpoint_id = e.id \
      AND d.status = 'pending' AND d.due_at > 0 ORDER BY d.due_at LIMIT 1), \
     (SELECT o.occurred_at FROM outbox o WHERE o.producer_id = e.producer_id AND o.seq > e.outbox_seq \
      ORDER BY o.seq LIMIT 1) \
     FROM webhook_endpoints e WHERE e.deleted_at IS NULL LIMIT ?1";

async fn endpoints(conn: &mut Conn, now: Stamp) -> Result<Option<Endpoints>> {
    let found = conn
        .collect(ENDPOINTS, params![METRICS_ENDPOINTS_MAX + 1], |row| {
            let state = row.named(0, EndpointState::parse)?;
            Ok((state, row.opt_stamp(1)?, row.stamp(2)?, [row.opt_stamp(3)?, row.opt_stamp(4)?]))
        })
        .await?;
    if found.len() as i64 > METRICS_ENDPOINTS_MAX {
        return Ok(None);
    }
    let count = |state| found.iter().filter(|(found, ..)| *found == state).count();
    let by_state = EndpointState::ALL.iter().map(|state| (*state, count(*state))).collect();
    let sent_to = || found.iter().filter(|(state, ..)| state.is_sent_to());
    // A receiver that asked for a rest gets it, and nothing is late meanwhile.
    let overdue = sent_to().filter(|(_, _, rests_until, _)| *rests_until <= now);
    let overdue = overdue.flat_map(|(.., waiting)| waiting.iter().flatten()).filter(|due| **due <= now);
    Ok(Some(Endpoints {
        by_state,
        failing: sent_to().filter(|(_, failing_since, ..)| failing_since.is_some()).count(),
        failing_since: sent_to().filter_map(|(_, failing_since, ..)| *failing_since).min(),
        overdue_since: overdue.min().copied(),
    }))
}
