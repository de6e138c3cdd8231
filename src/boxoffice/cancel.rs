//! Taking one ticket back.

use super::{Result, begin, find_ticket, release, tell_tickets};
use crate::{
    domain::{clock::Stamp, moves::TicketMove, webhook::EventKind},
    store::{
        Store,
        producers::Tenant,
        ticket_rows::{self, Mark},
    },
    transaction,
};

/// Cancels a ticket; its stock returns.
pub async fn cancel(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> Result<()> {
    transaction!(store, |tx| {
        let mut tick = begin(tx, tenant, now).await?;
        let (mut ticket, after) = find_ticket(tx, tenant, id, TicketMove::Cancel).await?;
        let counted = ticket.counts();
        ticket_rows::mark(tx, tenant, &mut ticket, after, Mark::Cancelled, tick.stamp).await?;
        if counted {
            release(tx, tenant, &ticket).await?;
        }
        tell_tickets(tx, tenant, &mut tick, EventKind::TicketCancelled, &[&ticket]).await
    })
}
