//! The entries of the index.

use std::collections::BTreeSet;

use taquilla_domain::{
    order::Order,
    search_text::{code_entry, id_entry, person_entries},
};

use crate::{Move, Result, Tenant, Unstamped, Write, engine::sql::Param, lists::Position, tickets::rows::State};

/// Of what something is an entry. The numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The buyer of an order.
    Buyer = 1,
    /// The attendee of a ticket.
    Attendee = 2,
    /// An order's id.
    OrderId = 3,
    /// A ticket's code.
    Code = 4,
}

/// An entry: what leads to which row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Of what it is an entry.
    pub kind: Kind,
    /// What it is found by.
    pub word: String,
    /// The row's place in the list of orders by creation or of tickets by issue.
    pub place: Position,
}

fn entries(place: Position, people: Kind, words: BTreeSet<String>, ids: Kind, id: String) -> Vec<Entry> {
    let people = words.into_iter().map(|word| Entry { kind: people, word, place });
    people.chain([Entry { kind: ids, word: id, place }]).collect()
}

/// The entries of an order with this seq.
pub fn of_order(order: &Order, seq: i64) -> Vec<Entry> {
    let place = Position { stamp: order.created_at, seq };
    entries(place, Kind::Buyer, person_entries(&order.buyer), Kind::OrderId, id_entry(&order.id))
}

/// The entries of a ticket with this seq.
pub fn of_ticket(state: &State, seq: i64) -> Vec<Entry> {
    let place = Position { stamp: state.issued_at, seq };
    entries(place, Kind::Attendee, person_entries(&state.attendee), Kind::Code, code_entry(&state.id))
}

/// The parameters of statements about entries.
pub(super) fn sets(tenant: Tenant, entries: &[Entry]) -> Vec<Vec<Param<'_>>> {
    let mut sets = Vec::with_capacity(entries.len());
    for Entry { kind, word, place } in entries {
        let kind = *kind as i64;
        sets.push(vec![tenant.number().into(), kind.into(), word.into(), place.stamp.into(), place.seq.into()]);
    }
    sets
}

/// Adds entries. Those that are there stay.
pub async fn add(tx: &mut Unstamped, tenant: Tenant, entries: &[Entry]) -> Result<()> {
    let sql = "INSERT INTO search_words (producer_id, kind, word, at, seq) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (producer_id, kind, word, at, seq) DO NOTHING";
    tx.execute_many(sql, &sets(tenant, entries)).await
}

/// Forgets entries of people who are erased. [`marks::note_erasure`](super::marks::note_erasure) keeps others from adding
/// them again.
pub fn forget<'a>(tx: &Move, entries: &'a [Entry]) -> Write<'a> {
    Write::new(FORGET, sets(tx.tenant(), entries))
}

/// The statement of [`forget`] for one entry. The column is named with its table, because the sets of parameters of
/// PostgreSQL have one of that name, too (`engine/postgres/sets.rs`).
pub const FORGET: &str =
    "DELETE FROM search_words WHERE producer_id = ?1 AND kind = ?2 AND word = ?3 AND search_words.at = ?4 AND seq = ?5";
