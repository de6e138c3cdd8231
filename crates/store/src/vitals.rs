//! What metrics tell of one producer: a few statements, each with a bound. Whoever asks adds up what all producers told.

use std::collections::BTreeMap;

use taquilla_domain::{
    clock::Stamp,
    config::{METRICS_BACKLOG_MAX, METRICS_SUMS_MAX, WEBHOOK_ENDPOINTS_MAX},
    webhook::EndpointState,
};

use super::{Conn, Result, Tenant, engine::sql::params, search::marks};

/// What metrics tell of a producer, or of some together.
#[derive(Clone, Debug, Default)]
pub struct Vitals {
    /// Units that unpaid orders hold now. `None` if there are more sums than are added up for this.
    pub held_units: Option<i64>,
    /// Payments that have paid for nothing and were not paid back, up to a bound.
    pub open_payments: i64,
    /// Messages that wait to be delivered, of each endpoint up to a bound.
    pub undelivered: i64,
    /// How far the search is behind what was sold, of the producer that is furthest behind.
    pub search_behind_micros: i64,
    /// How many endpoints there are in each state, by its name.
    pub endpoints: BTreeMap<&'static str, usize>,
    /// How many are sent to and fail.
    pub failing: usize,
    /// Since when the one has failed that fails longest, of those that are sent to.
    pub failing_since: Option<Stamp>,
    /// Since when the message waits that should have been sent first, of all that should have been by now.
    pub overdue_since: Option<Stamp>,
}

impl Vitals {
    /// Of no producer.
    pub fn none() -> Self {
        let endpoints = EndpointState::ALL.iter().map(|state| (state.as_str(), 0)).collect();
        Self { held_units: Some(0), endpoints, ..Self::default() }
    }

    /// These and another producer's together.
    pub fn and(mut self, other: &Self) -> Self {
        self.held_units = self.held_units.zip(other.held_units).map(|(own, others)| own + others);
        self.open_payments = (self.open_payments + other.open_payments).min(METRICS_BACKLOG_MAX);
        self.undelivered += other.undelivered;
        self.search_behind_micros = self.search_behind_micros.max(other.search_behind_micros);
        for (state, count) in &other.endpoints {
            *self.endpoints.entry(state).or_default() += count;
        }
        self.failing += other.failing;
        self.failing_since = self.failing_since.into_iter().chain(other.failing_since).min();
        self.overdue_since = self.overdue_since.into_iter().chain(other.overdue_since).min();
        self
    }
}

/// Reads all of it.
pub async fn read(conn: &mut Conn, tenant: Tenant, now: Stamp) -> Result<Vitals> {
    let held_units = held_units(conn, tenant).await?;
    let bound = params![tenant.number(), METRICS_BACKLOG_MAX];
    let open_payments = conn.query_first(OPEN_PAYMENTS, bound, |row| row.int(0)).await?.unwrap_or(0);
    let search_behind_micros = marks::lag(conn, tenant).await?;
    let mut vitals = Vitals { held_units, open_payments, search_behind_micros, ..Vitals::none() };
    let bound = params![tenant.number(), METRICS_BACKLOG_MAX, WEBHOOK_ENDPOINTS_MAX];
    conn.query(ENDPOINTS, bound, |row| {
        let state = row.named(0, EndpointState::parse)?;
        *vitals.endpoints.entry(state.as_str()).or_default() += 1;
        vitals.undelivered += row.int(5)?;
        if !state.is_sent_to() {
            return Ok(());
        }
        let failing_since = row.opt_stamp(1)?;
        vitals.failing += usize::from(failing_since.is_some());
        vitals.failing_since = vitals.failing_since.into_iter().chain(failing_since).min();
        // A receiver that asked for a rest gets it, and nothing is late meanwhile.
        if row.stamp(2)? <= now {
            let waiting = [row.opt_stamp(3)?, row.opt_stamp(4)?].into_iter().flatten().filter(|due| *due <= now);
            vitals.overdue_since = vitals.overdue_since.into_iter().chain(waiting).min();
        }
        Ok(())
    })
    .await?;
    Ok(vitals)
}

/// The sums of holds of items, of which the last day's are kept, added up. An item has a few hundred at the most.
async fn held_units(conn: &mut Conn, tenant: Tenant) -> Result<Option<i64>> {
    let sql = format!(
        "SELECT count(*), CAST(coalesce(sum(CASE WHEN h.until > {} THEN h.quantity ELSE 0 END), 0) AS BIGINT) \
         FROM (SELECT until, quantity FROM held_stock s WHERE s.producer_id = ?1 AND NOT EXISTS (\
         SELECT 1 FROM coupons c WHERE c.producer_id = ?1 AND c.id = s.ticket_type_id) LIMIT ?2) h",
        conn.clock()
    );
    let bound = params![tenant.number(), METRICS_SUMS_MAX + 1];
    let found = conn.query_first(&sql, bound, |row| Ok((row.int(0)?, row.int(1)?))).await?;
    Ok(found.filter(|(sums, _)| *sums <= METRICS_SUMS_MAX).map(|(_, units)| units))
}

/// The query for open payments.
pub const OPEN_PAYMENTS: &str = "SELECT count(*) FROM (SELECT 1 FROM payments INDEXED BY payments_unsettled \
     WHERE producer_id = ?1 AND outcome = 'paid' AND result NOT IN ('settled', 'settled_elsewhere') \
     AND paid_back_at IS NULL LIMIT ?2) p";

/// Looks once into each index for each endpoint, as [`with_work`](super::webhooks::endpoints::with_work) does, and counts
/// up to a bound what waits for it.
pub const ENDPOINTS: &str = "SELECT e.state, e.failing_since, e.rests_until, \
     (SELECT d.due_at FROM webhook_deliveries d WHERE d.producer_id = ?1 AND d.endpoint_id = e.id \
      AND d.status = 'pending' AND d.due_at > 0 ORDER BY d.due_at LIMIT 1), \
     (SELECT o.occurred_at FROM outbox o WHERE o.producer_id = ?1 AND o.seq > e.outbox_seq ORDER BY o.seq LIMIT 1), \
     (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries d WHERE d.producer_id = ?1 AND d.endpoint_id = e.id \
      AND d.status = 'pending' AND d.due_at IS NOT NULL LIMIT ?2) p) \
     FROM webhook_endpoints e WHERE e.producer_id = ?1 AND e.deleted_at IS NULL LIMIT ?3";
