//! Erasing people from orders, tickets and what belongs to them, in a move.

use std::collections::{BTreeSet, HashMap};

use taquilla_domain::{
    clock::Stamp,
    door_note::DoorNote,
    id,
    order::Order,
    person::{ERASED_NAME, Person},
    search_text::{is_made_of, names},
    whom::Whom,
};

use super::texts;
use crate::{
    Conn, Move, Result, Tenant, Write,
    door::scans,
    engine::sql::Param,
    sales::{
        documents,
        orders::{self, Attendees},
        pay_backs, payments,
    },
    search::entries::{self, Entry},
    tickets::{rows::State, staff},
};

/// A ticket whose attendee is erased, as it is after the move.
pub struct ErasedTicket {
    /// The ticket.
    pub state: State,
    document: String,
    words: Vec<Entry>,
}

/// An order whose buyer is erased, as it is after the move.
pub struct ErasedOrder {
    /// The order.
    pub order: Order,
    /// What the API shows of it.
    pub document: String,
    words: Vec<Entry>,
    /// Payments whose notes name the buyer, by id and reference.
    notes: Vec<(String, String)>,
    /// What refunds owed for it since these times, with notes that name the buyer.
    pay_backs: Vec<Stamp>,
}

/// The tickets among these whose attendee is meant, without the attendee. Those that were sold after `until` stay as they
/// are.
pub async fn tickets(tx: &mut Move, ids: &[&str], whom: &Whom, until: Stamp) -> Result<Vec<ErasedTicket>> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let held = staff::with_ids(tx, tenant, ids).await?.into_iter();
    let held = held.map(|held| (held.seq, held.state.into_uncovered()));
    let meant: Vec<(i64, State)> = held.filter(|(_, state)| whom.means(&state.event_id, &state.attendee)).collect();
    let mut orders = Vec::new();
    let order_ids: BTreeSet<&str> = meant.iter().filter_map(|(_, state)| state.order_id.as_deref()).collect();
    let order_ids: Vec<&str> = order_ids.into_iter().collect();
    tx.ask(vec![orders::find_all(tenant, &order_ids, &mut orders)]).await?;
    // An order from before that is paid meanwhile makes its tickets afterwards.
    let sold_at: HashMap<&str, Stamp> = orders.iter().map(|order| (order.id.as_str(), order.created_at)).collect();
    let mut erased = Vec::new();
    for (seq, mut state) in meant.iter().cloned() {
        let sold_at = state.order_id.as_deref().and_then(|id| sold_at.get(id)).copied();
        if state.issued_at > until && sold_at.is_none_or(|sold_at| sold_at > until) {
            continue;
        }
        let known = entries::of_ticket(&state, seq);
        // An import may have made ids of addresses.
        if is_made_of(&state.attendee_id, &state.attendee) {
            state.attendee_id = id::new_id("at", stamp);
        }
        (state.attendee, state.door_note, state.updated_at) = (Person::erased(), DoorNote::default(), stamp);
        let kept = entries::of_ticket(&state, seq);
        let words = known.into_iter().filter(|entry| !kept.contains(entry)).collect();
        erased.push(ErasedTicket { document: state.document()?, state, words });
    }
    Ok(erased)
}

/// The orders among these whose buyer is meant, without the buyer. Those that were placed after `until` stay as they are.
pub async fn orders(tx: &mut Move, ids: &[&str], whom: &Whom, until: Stamp) -> Result<Vec<ErasedOrder>> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sql = format!("SELECT t.seq, {} FROM orders t WHERE t.producer_id = ?1 AND t.id = ?2", orders::COLUMNS);
    let read = tx.collect_many(&sql, &tenant.keys(ids), |row| Ok((row.int(0)?, orders::read(tenant, row, 1)?))).await?;
    let before = read.into_iter().filter(|(_, order)| order.created_at <= until);
    let meant = before.filter(|(_, order)| whom.means(&order.event_id, &order.buyer));
    let (seqs, mut found): (Vec<i64>, Vec<Order>) = meant.unzip();
    orders::add_items(tx, tenant, &mut found).await?;
    let mut erased = Vec::new();
    for (seq, mut order) in seqs.into_iter().zip(found) {
        let known = entries::of_order(&order, seq);
        let notes = notes_about(tx, tenant, &order).await?;
        let owed = pay_backs::of_order(tx, tenant, &order.id).await?;
        let pay_backs = owed.into_iter().filter(|owed| {
            let note = owed.note.uncovered();
            note.as_deref().is_some_and(|note| names(note, &order.buyer))
        });
        let pay_backs = pay_backs.map(|owed| owed.owed_at).collect();
        (order.buyer, order.updated_at) = (Person::erased(), stamp);
        let kept = entries::of_order(&order, seq);
        let words = known.into_iter().filter(|entry| !kept.contains(entry)).collect();
        erased.push(ErasedOrder { document: documents::render(&order)?, order, words, notes, pay_backs });
    }
    Ok(erased)
}

/// What was told of the payments of an order, for whichever order, with notes that name its buyer.
async fn notes_about(conn: &mut Conn, tenant: Tenant, order: &Order) -> Result<Vec<(String, String)>> {
    let ids: BTreeSet<String> =
        payments::of_order(conn, tenant, &order.id).await?.into_iter().map(|kept| kept.id).collect();
    let names_buyer = |note: &Option<String>| note.as_deref().is_some_and(|note| names(note, &order.buyer));
    let mut notes = Vec::new();
    for id in ids {
        let told = payments::told_of(conn, tenant, &id).await?;
        notes.extend(
            told.into_iter()
                .filter(|kept| names_buyer(kept.note.uncovered()))
                .map(|kept| (kept.id, kept.reference.into_uncovered())),
        );
    }
    Ok(notes)
}

/// Writes tickets without their attendees.
pub fn write_tickets<'a>(tx: &Move, erased: &'a [ErasedTicket]) -> Vec<Write<'a>> {
    let tenant = tx.tenant().number();
    let set = |ErasedTicket { state, document, .. }: &'a ErasedTicket| -> Vec<Param<'a>> {
        let (id, attendee_id) = (&state.id, &state.attendee_id);
        vec![tenant.into(), id.into(), attendee_id.into(), ERASED_NAME.into(), state.updated_at.into(), document.into()]
    };
    let mut writes = vec![Write::new(ERASE_TICKET, erased.iter().map(set).collect())];
    writes.extend(erased.iter().map(|ticket| entries::forget(tx, &ticket.words)));
    writes
}

/// The statement of [`write_tickets`] for one ticket.
pub const ERASE_TICKET: &str = "UPDATE tickets SET attendee_id = ?3, attendee_name = ?4, attendee_email = '', \
     attendee_phone = NULL, attendee_document = '', door_note = '', updated_at = ?5, document = ?6 WHERE producer_id = ?1 AND id = ?2";

/// Writes orders without their buyers, and without the address that an order came from.
pub fn write_orders<'a>(tx: &Move, erased: &'a [ErasedOrder]) -> Vec<Write<'a>> {
    let tenant = tx.tenant().number();
    let set = |ErasedOrder { order, document, .. }: &'a ErasedOrder| -> Vec<Param<'a>> {
        vec![tenant.into(), (&order.id).into(), ERASED_NAME.into(), order.updated_at.into(), document.into()]
    };
    let mut writes = vec![Write::new(ERASE_ORDER, erased.iter().map(set).collect())];
    writes.extend(erased.iter().map(|order| entries::forget(tx, &order.words)));
    let notes = || erased.iter().flat_map(|order| &order.notes);
    if notes().next().is_some() {
        let note = |(id, reference): &'a (String, String)| -> Vec<Param<'a>> {
            vec![tenant.into(), id.into(), reference.into(), ERASED_NAME.into()]
        };
        writes.push(Write::new(ERASE_NOTE, notes().map(note).collect()));
    }
    let of_order = |ErasedOrder { order, pay_backs, .. }: &'a ErasedOrder| {
        let set = |at: &Stamp| vec![tenant.into(), (&order.id).into(), ERASED_NAME.into(), (*at).into()];
        pay_backs.iter().map(set).collect::<Vec<Vec<Param<'a>>>>()
    };
    let pay_backs: Vec<Vec<Param<'a>>> = erased.iter().flat_map(of_order).collect();
    if !pay_backs.is_empty() {
        writes.push(Write::new(ERASE_PAY_BACK_NOTE, pay_backs));
    }
    // Staff may have written of anybody there.
    let of_order = |ErasedOrder { order, .. }: &'a ErasedOrder| vec![tenant.into(), (&order.id).into()];
    writes.push(Write::new(FORGET_NOTES, erased.iter().map(of_order).collect()));
    writes
}

/// Forgets the notes about one order.
pub const FORGET_NOTES: &str = "DELETE FROM order_notes WHERE producer_id = ?1 AND order_id = ?2";

/// The statement of [`write_orders`] for one order.
pub const ERASE_ORDER: &str = "UPDATE orders SET buyer_name = ?3, buyer_email = '', buyer_phone = NULL, \
     buyer_document = '', placed_from = NULL, updated_at = ?4, document = ?5 WHERE producer_id = ?1 AND id = ?2";

const ERASE_NOTE: &str =
    "UPDATE payments SET note = ?4 WHERE producer_id = ?1 AND id = ?2 AND outcome = 'paid' AND reference = ?3";

const ERASE_PAY_BACK_NOTE: &str =
    "UPDATE pay_backs SET note = ?3 WHERE producer_id = ?1 AND order_id = ?2 AND owed_at = ?4";

/// The answers to scans of tickets, without the names and notes that they told.
pub async fn scan_answers(tx: &mut Move, erased: &[ErasedTicket]) -> Result<Vec<(String, String)>> {
    let tenant = tx.tenant();
    let ids: Vec<&str> = erased.iter().map(|ticket| ticket.state.id.as_str()).collect();
    let answers = scans::answers_of(tx, tenant, &ids).await?;
    Ok(answers
        .into_iter()
        .filter_map(|(scan_id, answer)| Some((scan_id, texts::erase_at_the_door(&answer)?)))
        .collect())
}

/// Erases whoever is meant among those whom buyers named for these orders, if they were placed by then. Says how many.
pub async fn waiting(tx: &mut Move, order_ids: &[&str], whom: &Whom, until: Stamp) -> Result<usize> {
    let tenant = tx.tenant();
    let (mut named, mut found) = (HashMap::<String, Attendees>::new(), Vec::new());
    tx.ask(vec![orders::attendees(tenant, order_ids, &mut named), orders::find_all(tenant, order_ids, &mut found)])
        .await?;
    let mut sets: Vec<Vec<Param<'_>>> = Vec::new();
    for order in found.iter().filter(|order| order.created_at <= until) {
        let people = named.get(&order.id).into_iter().flatten();
        for ((position, unit), _) in people.filter(|(_, person)| whom.means(&order.event_id, person)) {
            let (position, unit) = ((*position).into(), (*unit).into());
            sets.push(vec![tenant.number().into(), (&order.id).into(), position, unit, ERASED_NAME.into()]);
        }
    }
    let sql = "UPDATE order_attendees SET name = ?5, email = '', phone = NULL, document = '' \
         WHERE producer_id = ?1 AND order_id = ?2 AND position = ?3 AND unit = ?4";
    tx.execute_many(sql, &sets).await?;
    Ok(sets.len())
}
