//! Taking one ticket back.

use super::{Result, begin, find_ticket, release, tell_tickets};
use crate::{
    domain::{clock::Stamp, moves::TicketMove},
    store::{
        Store,
        outbox::EventKind,
        producers::Tenant,
        tickets::{self, Mark},
    },
    transaction,
};

/// Cancels a ticket; its stock returns.
pub async fn cancel(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> Result<()> {
    transaction!(store, |tx| {
        let mut tick = begin(tx, tenant, now).await?;
        let (ticket, after) = find_ticket(tx, tenant, id, TicketMove::Cancel).await?;
        tickets::mark(tx, tenant, id, after, Mark::Cancelled, tick.stamp).await?;
        if ticket.counts() {
            release(tx, tenant, &ticket).await?;
        }
        tell_tickets(tx, tenant, &mut tick, EventKind::TicketCancelled, &[id]).await
    })
}
