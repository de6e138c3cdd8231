//! Cancelling one ticket.

use super::common::{find_ticket, release, tell_tickets};
use crate::{
    domain::{clock::Stamp, moves::TicketMove, webhook::MessageKind},
    store::{
        ChangeResult, Store, Tenant,
        tickets::rows::{self, Mark},
    },
    transaction,
};

/// Cancels a ticket and gives its stock back.
pub async fn cancel(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let (mut ticket, after) = find_ticket(tx, id, TicketMove::Cancel).await?;
        let counted = ticket.counts();
        rows::mark(tx, &mut ticket, after, Mark::Cancelled).await?;
        if counted {
            release(tx, &ticket).await?;
        }
        tell_tickets(tx, MessageKind::TicketCancelled, &[&ticket]).await
    })
}
