//! Tickets that came out of a sold bundle.

use super::rows::State;
use crate::{Conn, Result, Tenant, engine::sql::params};

/// Whether the sold bundle of this ticket still has a ticket that counts.
pub async fn bundle_is_live(conn: &mut Conn, tenant: Tenant, state: &State) -> Result<bool> {
    let order_id = state.order_id.as_deref().unwrap_or("");
    let values = params![tenant.number(), &state.bundle_id, &state.bundle_unit, order_id];
    let live = conn.query_first(LIVE_OF_BUNDLE, values, |row| row.int(0)).await?;
    Ok(live.unwrap_or(0) > 0)
}

/// The query of [`bundle_is_live`].
pub const LIVE_OF_BUNDLE: &str = "SELECT count(*) FROM tickets WHERE producer_id = ?1 AND bundle_id = ?2 \
     AND bundle_unit = ?3 AND coalesce(order_id, '') = ?4 AND hidden = 0 AND status IN ('valid', 'scanned')";
