//! The messages about tickets.

use taquilla_domain::{clock::Stamp, webhook::MessageKind};
use taquilla_store as store;
use taquilla_store::{
    Move,
    tickets::{rows::State, shown},
    webhooks::outbox::{self, Message},
};
use taquilla_wire::webhook::HiddenTicket;

/// Writes a message for each ticket as it is now.
pub(super) async fn tell_tickets(tx: &mut Move, kind: MessageKind, states: &[&State]) -> store::Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let shown = shown::shown(tx, tenant, states).await?;
    let mut messages = Vec::with_capacity(states.len());
    for (state, shown) in states.iter().zip(shown) {
        messages.extend(ticket_messages(kind, state, shown, stamp)?);
    }
    outbox::add(tx, &messages).await
}

/// The message about a ticket. After one about a hidden ticket comes a second one that says so, because a client that
/// mirrors the lists must not keep that ticket. That a ticket was hidden is told by the second one alone.
pub(super) fn ticket_messages(
    kind: MessageKind,
    state: &State,
    shown: String,
    stamp: Stamp,
) -> store::Result<impl Iterator<Item = Message>> {
    let first = (kind != MessageKind::TicketHidden).then(|| Message::new(kind, shown, stamp));
    let second = if state.hidden { Some(hidden(state, stamp)?) } else { None };
    Ok(first.into_iter().chain(second))
}

fn hidden(state: &State, stamp: Stamp) -> store::Result<Message> {
    let data = HiddenTicket { id: &state.id, updated_at: state.updated_at.into() };
    let data = serde_json::to_string(&data).map_err(store::Error::internal)?;
    Ok(Message::new(MessageKind::TicketHidden, data, stamp))
}
