//! Hiding a test or staff ticket.

use taquilla_domain::{
    audit::{Action, Mover},
    refusal::Refusal,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    catalogue::ticket_counts::{self, Counts},
    tickets::rows::{self, Mark},
    transaction,
};

use super::common::{note, release, tell_hidden};

/// Hides a ticket: it leaves all lists and counts, and still works at the door. Hiding it again changes nothing.
pub async fn hide(store: &Store, tenant: Tenant, id: &str, mover: impl Into<Mover>) -> ChangeResult<()> {
    let Mover { by, now } = mover.into();
    transaction!(store.begin_move(tenant, now), |tx| {
        let ticket = rows::state(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket"))?;
        if ticket.hidden {
            return Ok(());
        }
        let mut counts = Counts::default();
        let (status, counted) = (ticket.status, ticket.counts());
        let hidden = [ticket.marked(status, Mark::Hidden, tx.stamp(), &mut counts)?];
        let writes = rows::update(tx, &hidden);
        tx.write_all(writes).await?;
        let ticket = &hidden[0].state;
        if counted {
            release(tx, ticket, &mut counts).await?;
        }
        let writes = ticket_counts::write(tx, &counts);
        tx.write_all(writes.into()).await?;
        tell_hidden(tx, ticket).await?;
        note(tx, by.as_ref(), Action::TicketHidden, ticket, None).await
    })
}
