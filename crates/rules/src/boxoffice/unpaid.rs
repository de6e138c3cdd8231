//! Giving up orders that nobody has paid.

use taquilla_domain::{clock::Stamp, config::UNPAID_TOGETHER};
use taquilla_store::{ChangeResult, Store, Tenant, lists::Position, sales::overdue, transaction};

use super::ledger::{Ledger, Needs};

/// Looks at the next few pending orders of the shop that were placed before this, from the oldest on, and rejects those that nobody
/// has paid, in one move. Returns the last order's position, after which to go on; `None` if there was none.
///
/// An order that somebody has paid although it could not be approved stays pending: staff decide what becomes of it. So
/// do orders that staff placed or imported.
pub async fn reject_unpaid(
    store: &Store,
    tenant: Tenant,
    before: Stamp,
    after: Position,
    now: Stamp,
) -> ChangeResult<Option<Position>> {
    let found = overdue::find(&mut store.read().await?, tenant, before, after, UNPAID_TOGETHER).await?;
    if found.iter().all(|order| order.is_paid) {
        return Ok(found.last().map(|order| order.position));
    }
    transaction!(store.begin_move(tenant, now), |tx| {
        // A payment or another server may have come in between, so the move looks again under the producer's lock.
        let found = overdue::find(tx, tenant, before, after, UNPAID_TOGETHER).await?;
        let unpaid = || found.iter().filter(|order| !order.is_paid).map(|order| order.id.as_str());
        let mut ledger = Ledger::load(tx, Needs { orders: unpaid().collect(), ..Needs::default() }).await?;
        for id in unpaid() {
            ledger.reject(id)?;
        }
        ledger.write(tx).await?;
        Ok(found.last().map(|order| order.position))
    })
}
