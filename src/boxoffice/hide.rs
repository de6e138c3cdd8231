//! Taking a test or staff code off the books.

use super::{Result, begin, release};
use crate::{
    domain::{clock::Stamp, refusal::Refusal},
    store::{
        Store,
        producers::Tenant,
        ticket_rows::{self, Mark},
    },
    transaction,
};

/// Hides a ticket: it is in no list and no count any more, and still works. Hiding it again changes nothing.
pub async fn hide(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> Result<()> {
    transaction!(store, |tx| {
        let tick = begin(tx, tenant, now).await?;
        let mut ticket = ticket_rows::state(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket"))?;
        if ticket.hidden {
            return Ok(());
        }
        let (status, counted) = (ticket.status, ticket.counts());
        ticket_rows::mark(tx, tenant, &mut ticket, status, Mark::Hidden, tick.stamp).await?;
        if counted {
            release(tx, tenant, &ticket).await?;
        }
        Ok(())
    })
}
