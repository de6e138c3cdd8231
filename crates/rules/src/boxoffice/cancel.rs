//! Cancelling one ticket.

use taquilla_domain::{
    audit::{Action, Mover},
    moves::TicketMove,
    webhook::MessageKind,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    catalogue::ticket_counts::{self, Counts},
    tickets::rows::{self, Mark},
    transaction,
};

use super::common::{find_ticket, note, release, tell_tickets};

/// Cancels a ticket and gives its stock back.
pub async fn cancel(store: &Store, tenant: Tenant, id: &str, mover: impl Into<Mover>) -> ChangeResult<()> {
    let Mover { by, now } = mover.into();
    transaction!(store.begin_move(tenant, now), |tx| {
        let (ticket, after) = find_ticket(tx, id, TicketMove::Cancel).await?;
        let mut counts = Counts::default();
        let counted = ticket.counts();
        let cancelled = [ticket.marked(after, Mark::Cancelled, tx.stamp(), &mut counts)?];
        let writes = rows::update(tx, &cancelled);
        tx.write_all(writes).await?;
        let ticket = &cancelled[0].state;
        if counted {
            release(tx, ticket, &mut counts).await?;
        }
        let writes = ticket_counts::write(tx, &counts);
        tx.write_all(writes.into()).await?;
        tell_tickets(tx, MessageKind::TicketCancelled, &[ticket]).await?;
        note(tx, by.as_ref(), Action::TicketCancelled, ticket, None).await
    })
}
