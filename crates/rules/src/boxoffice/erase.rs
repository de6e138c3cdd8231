//! Erasing people: what is held of a buyer or an attendee is replaced, and everything else of the order or the ticket stays.
//! It is a move as any other, so mirrors learn of it.
//!
//! Who buys again while they are erased is a customer again: only what was there at the first look is erased, in rows and in
//! copies alike.
//!
//! One transaction serves 50 rows: it replaces the person by `Person::erased`, renders the document anew, deletes the
//! words of the search and rewrites the answers to scans. Orders come before tickets (`work/erasure_steps.rs`): an
//! order that is approved afterwards makes tickets for nobody, and the tickets of those approved before are there to be
//! found. Messages and kept answers are gone through once, and the person is cut out of their texts
//! (`store/people/texts.rs`). Every step can be done again, so interrupted work begins anew.

use taquilla_domain::{clock::Stamp, webhook::MessageKind, whom::Whom};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    door::scans,
    people::erased,
    search::marks,
    transaction,
    webhooks::outbox::{self, Message},
};

use super::common::tell_tickets;

/// Erases the attendees of those among these tickets whose attendee is meant, and their names in the scan log, if they were
/// sold by `until`. Says how many tickets that are.
pub async fn erase_attendees(
    store: &Store,
    tenant: Tenant,
    ids: &[&str],
    whom: &Whom,
    until: Stamp,
    now: Stamp,
) -> ChangeResult<i64> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let erased = erased::tickets(tx, ids, whom, until).await?;
        let answers = erased::scan_answers(tx, &erased).await?;
        marks::note_erasure(tx).await?;
        let mut writes = erased::write_tickets(tx, &erased);
        writes.push(scans::answer_anew(tx, &answers));
        tx.write_all(writes).await?;
        let states: Vec<_> = erased.iter().map(|ticket| &ticket.state).collect();
        tell_tickets(tx, MessageKind::TicketPersonErased, &states).await?;
        Ok(erased.len() as i64)
    })
}

/// Erases the buyers of those among these orders whose buyer is meant, if they were placed by `until`. Says how many orders
/// that are.
pub async fn erase_buyers(
    store: &Store,
    tenant: Tenant,
    ids: &[&str],
    whom: &Whom,
    until: Stamp,
    now: Stamp,
) -> ChangeResult<i64> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let (erased, stamp) = (erased::orders(tx, ids, whom, until).await?, tx.stamp());
        marks::note_erasure(tx).await?;
        let writes = erased::write_orders(tx, &erased);
        tx.write_all(writes).await?;
        let message = |document: &String| Message::new(MessageKind::OrderPersonErased, document.clone(), stamp);
        let messages: Vec<Message> = erased.iter().map(|order| message(&order.document)).collect();
        outbox::add(tx, &messages).await?;
        Ok(erased.len() as i64)
    })
}

/// Erases whoever is meant among those whom buyers named for orders that are not decided yet. No feed shows them; but an
/// order that is approved in the same moment must not put them on its tickets.
pub async fn erase_waiting(
    store: &Store,
    tenant: Tenant,
    ids: &[&str],
    whom: &Whom,
    until: Stamp,
    now: Stamp,
) -> ChangeResult<i64> {
    transaction!(store.begin_move(tenant, now), |tx| Ok(erased::waiting(tx, ids, whom, until).await? as i64))
}
