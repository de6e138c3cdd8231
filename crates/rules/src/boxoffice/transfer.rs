//! Passing a ticket on to another attendee.

use taquilla_domain::{
    audit::{Action, Mover},
    id,
    moves::TicketMove,
    person::Person,
    stock::Channel,
    webhook::MessageKind,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    catalogue::ticket_counts::{self, Counts},
    tickets::rows::{self, Mark, NewTicket},
    transaction,
};

use super::common::{find_ticket, note, tell_tickets};

/// Passes a ticket on to another attendee and returns the id of the new ticket that replaces it.
///
/// The new ticket keeps order, ticket type and bundle, so stock does not change and a refund of the order includes it.
/// Every transfer makes a new ticket, so a chain of transfers can never lead back.
pub async fn transfer(
    store: &Store,
    tenant: Tenant,
    id: &str,
    to: &Person,
    mover: impl Into<Mover>,
) -> ChangeResult<String> {
    let Mover { by, now } = mover.into();
    to.check("attendee", Channel::Staff)?;
    transaction!(store.begin_move(tenant, now), |tx| {
        let (ticket, after) = find_ticket(tx, id, TicketMove::Transfer).await?;
        let new_id = id::new_ticket_id();
        let (stamp, mut counts) = (tx.stamp(), Counts::default());
        let passed_on = [ticket.marked(after, Mark::Transferred(&new_id), stamp, &mut counts)?];
        let ticket = &passed_on[0].state;
        let new = NewTicket {
            id: new_id.clone(),
            event_id: &ticket.event_id,
            order_id: ticket.order_id.as_deref(),
            order_item: ticket.order_item,
            ticket_type_id: &ticket.ticket_type_id,
            bundle: ticket.bundle_id.as_deref().zip(ticket.bundle_unit.clone()),
            from_bundle: ticket.from_bundle,
            hidden: ticket.hidden,
            attendee: to,
        };
        let issued = [new.issued(stamp, &mut counts)?];
        let mut writes = rows::update(tx, &passed_on);
        writes.push(rows::insert(tx, &issued)?);
        writes.extend(ticket_counts::write(tx, &counts));
        tx.write_all(writes).await?;
        tell_tickets(tx, MessageKind::TicketTransferred, &[ticket]).await?;
        tell_tickets(tx, MessageKind::TicketIssued, &[&issued[0].state]).await?;
        note(tx, by.as_ref(), Action::TicketTransferred, ticket, Some(&new_id)).await?;
        Ok(new_id)
    })
}
