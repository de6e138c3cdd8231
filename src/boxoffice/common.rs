//! What several moves share: finding orders and tickets, writing messages about them, and giving stock back.

use crate::{
    domain::{moves::TicketMove, order::Order, refusal::Refusal, status::TicketStatus, webhook::MessageKind},
    store::{
        self, ChangeResult, Move,
        catalogue::ticket_counts,
        sales::orders,
        tickets::rows::{self, State},
        webhooks::outbox,
    },
    wire::{api, webhook::HiddenTicket},
};

pub(super) async fn find_order(tx: &mut Move, id: &str) -> ChangeResult<Order> {
    let tenant = tx.tenant();
    Ok(orders::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("order"))?)
}

/// A ticket and the status that a move would give it.
pub(super) async fn find_ticket(tx: &mut Move, id: &str, step: TicketMove) -> ChangeResult<(State, TicketStatus)> {
    let tenant = tx.tenant();
    let state = rows::state(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket"))?;
    let after = step.from(state.status)?;
    Ok((state, after))
}

/// Writes a message with the order as it is now, and returns the order.
pub(super) async fn tell_order(tx: &mut Move, kind: MessageKind, id: &str) -> ChangeResult<Order> {
    let order = find_order(tx, id).await?;
    let data = serde_json::to_string(&api::Order::from(&order)).map_err(store::Error::internal)?;
    outbox::add(tx, &[(kind, data)]).await?;
    Ok(order)
}

/// Writes a message for each ticket as it is now. After one about a hidden ticket comes a second one that says so,
/// because a client that mirrors the lists must not keep that ticket.
pub(super) async fn tell_tickets(tx: &mut Move, kind: MessageKind, states: &[&State]) -> ChangeResult<()> {
    if states.is_empty() {
        return Ok(());
    }
    let tenant = tx.tenant();
    let shown = rows::shown(tx, tenant, states).await?;
    let mut messages = Vec::with_capacity(states.len());
    for (state, data) in states.iter().zip(shown) {
        messages.push((kind, data));
        if state.hidden {
            messages.push(hidden(state)?);
        }
    }
    Ok(outbox::add(tx, &messages).await?)
}

/// Writes the message that a ticket is hidden.
pub(super) async fn tell_hidden(tx: &mut Move, state: &State) -> ChangeResult<()> {
    Ok(outbox::add(tx, &[hidden(state)?]).await?)
}

fn hidden(state: &State) -> Result<(MessageKind, String), store::Error> {
    let data = HiddenTicket { id: &state.id, updated_at: state.updated_at.into() };
    Ok((MessageKind::TicketHidden, serde_json::to_string(&data).map_err(store::Error::internal)?))
}

/// Gives back the stock of a ticket that counted in `sold` and has just stopped counting.
pub(super) async fn release(tx: &mut Move, state: &State) -> ChangeResult<()> {
    let tenant = tx.tenant();
    match (&state.bundle_id, state.from_bundle) {
        // A bundle counts as sold while one of its tickets is live.
        (Some(bundle_id), _) => {
            if !rows::bundle_is_live(tx, tenant, state).await? {
                ticket_counts::add_sold(tx, bundle_id, -1).await?;
            }
        }
        (None, true) => {}
        (None, false) => ticket_counts::add_sold(tx, &state.ticket_type_id, -1).await?,
    }
    Ok(())
}
