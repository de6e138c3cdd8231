//! Taking a test or staff code off the books.

use super::{Result, begin, release};
use crate::{
    domain::{clock::Stamp, refusal::Refusal},
    store::{Store, producers::Tenant, tickets},
    transaction,
};

/// Hides a ticket: it is in no list and no count any more, and still works. Hiding it again changes nothing.
pub async fn hide(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> Result<()> {
    transaction!(store, |tx| {
        let tick = begin(tx, tenant, now).await?;
        let ticket = tickets::state(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket"))?;
        if ticket.hidden {
            return Ok(());
        }
        tickets::hide(tx, tenant, id, tick.stamp).await?;
        if ticket.counts() {
            release(tx, tenant, &ticket).await?;
        }
        Ok(())
    })
}
