//! What several moves share: finding tickets, writing messages about them, and giving stock back.

use taquilla_domain::{
    audit::{Action, By, ending},
    clock::Stamp,
    moves::TicketMove,
    refusal::Refusal,
    status::TicketStatus,
    webhook::MessageKind,
};
use taquilla_store as store;
use taquilla_store::{
    ChangeResult, Move,
    catalogue::ticket_counts::Counts,
    staff::audit,
    tickets::{
        bundles,
        rows::{self, State},
    },
    webhooks::outbox::{self, Message},
};
use taquilla_wire::webhook::HiddenTicket;

/// A ticket and the status that a move would give it.
pub(super) async fn find_ticket(tx: &mut Move, id: &str, step: TicketMove) -> ChangeResult<(State, TicketStatus)> {
    let tenant = tx.tenant();
    let state = rows::state(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket"))?;
    let after = step.from(state.status)?;
    Ok((state, after))
}

/// Writes a message for each ticket as it is now.
pub(super) async fn tell_tickets(tx: &mut Move, kind: MessageKind, states: &[&State]) -> store::Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let shown = rows::shown(tx, tenant, states).await?;
    let mut messages = Vec::with_capacity(states.len());
    for (state, shown) in states.iter().zip(shown) {
        messages.extend(ticket_messages(kind, state, shown, stamp)?);
    }
    outbox::add(tx, &messages).await
}

/// The message about a ticket. After one about a hidden ticket comes a second one that says so, because a client that
/// mirrors the lists must not keep that ticket.
pub(super) fn ticket_messages(
    kind: MessageKind,
    state: &State,
    shown: String,
    stamp: Stamp,
) -> store::Result<impl Iterator<Item = Message>> {
    let second = if state.hidden { Some(hidden(state, stamp)?) } else { None };
    Ok(std::iter::once(Message::new(kind, shown, stamp)).chain(second))
}

/// Writes the message that a ticket is hidden.
pub(super) async fn tell_hidden(tx: &mut Move, state: &State) -> ChangeResult<()> {
    let message = hidden(state, tx.stamp())?;
    Ok(outbox::add(tx, &[message]).await?)
}

fn hidden(state: &State, stamp: Stamp) -> store::Result<Message> {
    let data = HiddenTicket { id: &state.id, updated_at: state.updated_at.into() };
    let data = serde_json::to_string(&data).map_err(store::Error::internal)?;
    Ok(Message::new(MessageKind::TicketHidden, data, stamp))
}

/// Writes down what staff did to a ticket, and the ticket that replaced it. Of ids of tickets only the ending is written; with
/// the time of issue it tells which ticket it was.
pub(super) async fn note(
    tx: &mut Move,
    by: Option<&By>,
    action: Action,
    state: &State,
    replaced_by: Option<&str>,
) -> ChangeResult<()> {
    let Some(by) = by else { return Ok(()) };
    let (tenant, to, issued) = (tx.tenant(), replaced_by.map(ending), state.issued_at.to_string());
    let details = [("to", to.as_deref()), ("order", state.order_id.as_deref()), ("issued", Some(issued.as_str()))];
    let details: Vec<(&'static str, &str)> =
        details.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    Ok(audit::add(tx, Some(tenant), by, action, &ending(&state.id), &details).await?)
}

/// Gives back the stock of a ticket that counted in `sold` and has just stopped counting.
pub(super) async fn release(tx: &mut Move, state: &State, counts: &mut Counts) -> ChangeResult<()> {
    let tenant = tx.tenant();
    match (&state.bundle_id, state.from_bundle) {
        // A bundle counts as sold while one of its tickets is live.
        (Some(bundle_id), _) => {
            if !bundles::bundle_is_live(tx, tenant, state).await? {
                counts.sell(bundle_id, -1);
            }
        }
        (None, true) => {}
        (None, false) => counts.sell(&state.ticket_type_id, -1),
    }
    Ok(())
}
