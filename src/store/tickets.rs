//! Tickets.

use crate::{
    domain::{
        clock::Stamp,
        status::{Category, TicketStatus},
    },
    wire::{Attendee, Ticket, TicketTypeSummary},
};

use super::{
    Conn, Error, Result,
    keyset::{self, FIRST, Position, Source, Test},
    producers::Tenant,
    sql::{Row, params},
};

/// The list of tickets.
pub const TICKETS: Source = Source { table: "tickets", columns: COLUMNS, visible: " AND t.hidden = 0" };

// The type's category and name come as one text, from one look-up by key per row. A join would leave it to
// PostgreSQL's planner, which may go through all of a producer's types for each ticket.
const COLUMNS: &str = "t.id, t.event_id, t.order_id, t.status, t.ticket_type_id, \
     (SELECT y.category || ' ' || y.name FROM ticket_types y \
      WHERE y.producer_id = t.producer_id AND y.id = t.ticket_type_id), \
     t.from_bundle, t.attendee_id, t.attendee_name, t.attendee_email, t.attendee_phone, t.attendee_document, \
     t.issued_at, t.checked_in_at, t.checked_in_by, t.transferred_at, t.transferred_to, t.updated_at";

/// The ticket in a row of [`TICKETS`].
pub fn listed<'r>(row: &'r Row<'_>) -> Result<Ticket<'r>> {
    read(row, FIRST)
}

fn read<'r>(row: &'r Row<'_>, first: usize) -> Result<Ticket<'r>> {
    let (category, type_name) =
        row.text(first + 5)?.split_once(' ').ok_or_else(|| Error::internal("a ticket type without a category"))?;
    Ok(Ticket {
        id: row.text(first)?,
        event_id: row.text(first + 1)?,
        order_id: row.opt_text(first + 2)?,
        status: row.named(first + 3, TicketStatus::parse)?,
        ticket_type: TicketTypeSummary {
            id: row.text(first + 4)?,
            name: type_name,
            category: Category::parse(category).ok_or_else(|| Error::internal("an unknown category"))?,
        },
        from_bundle: row.flag(first + 6)?,
        attendee: Attendee {
            id: row.text(first + 7)?,
            name: row.text(first + 8)?,
            email: row.text(first + 9)?,
            phone: row.opt_text(first + 10)?,
            identity_document: row.text(first + 11)?,
        },
        issued_at: row.time(first + 12)?,
        checked_in_at: row.opt_time(first + 13)?,
        checked_in_by: row.opt_text(first + 14)?,
        transferred_at: row.opt_time(first + 15)?,
        transferred_to_ticket_id: row.opt_text(first + 16)?,
        updated_at: row.time(first + 17)?,
    })
}

/// Shapes one ticket, hidden or not, or nothing when the producer has none with this id.
pub async fn find<T: Send>(
    conn: &mut Conn,
    tenant: Tenant,
    id: &str,
    shape: impl Fn(Ticket<'_>) -> T + Send + Sync,
) -> Result<Option<T>> {
    let sql = format!("SELECT {COLUMNS} FROM tickets t WHERE t.producer_id = ?1 AND t.id = ?2");
    conn.query_first(&sql, params![tenant.number(), id], |row| read(row, 0).map(&shape)).await
}

/// What a client may ask of the list of tickets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Only this event's.
    pub event_id: Option<String>,
    /// Only this order's.
    pub order_id: Option<String>,
    /// Only these, in declaration order, each once; empty is all.
    pub statuses: Vec<TicketStatus>,
    /// Issued strictly after.
    pub issued_after: Option<Stamp>,
    /// Entered strictly after.
    pub scanned_after: Option<Stamp>,
    /// Entered at or before.
    pub scanned_before: Option<Stamp>,
    /// Changed strictly after.
    pub updated_after: Option<Stamp>,
}

impl Query {
    /// The filter along one index, and where its first page begins.
    ///
    /// The list is sorted by the stamp that the client will remember as its mark: by `updated_at` when that is
    /// filtered, else by `checked_in_at`, else by `issued_at`. Any change moves `updated_at`, so it is safe beside
    /// the others; sorted by `issued_at`, a ticket scanned behind the reader's back would be lost to `scanned_after`.
    pub fn filter(&self) -> (keyset::Filter<'_>, Position) {
        let mut tested = Vec::new();
        let mut start = Position::above(Stamp::END);
        let scanned = self.scanned_after.is_some() || self.scanned_before.is_some();
        let (stamp, after) = if self.updated_after.is_some() {
            tested.extend(self.scanned_after.map(|stamp| Test::After("checked_in_at", stamp)));
            tested.extend(self.scanned_before.map(|stamp| Test::UpTo("checked_in_at", stamp)));
            tested.extend(self.issued_after.map(|stamp| Test::After("issued_at", stamp)));
            ("updated_at", self.updated_after)
        } else if scanned {
            start = Position::above(self.scanned_before.unwrap_or(Stamp::END));
            tested.extend(self.issued_after.map(|stamp| Test::After("issued_at", stamp)));
            ("checked_in_at", self.scanned_after)
        } else {
            ("issued_at", self.issued_after)
        };

        let mut equal = Vec::new();
        match (&self.order_id, &self.event_id) {
            (Some(order), event) => {
                equal.push(("order_id", order.as_str()));
                tested.extend(event.as_deref().map(|event| Test::OneOf("event_id", vec![event])));
            }
            (None, Some(event)) => equal.push(("event_id", event.as_str())),
            (None, None) => {}
        }

        let mut statuses: Vec<&str> = self.statuses.iter().map(|status| status.as_str()).collect();
        if statuses.len() == TicketStatus::ALL.len() {
            statuses.clear();
        }
        // Only the lists by issued_at have an index per status; an order has few tickets.
        if !statuses.is_empty() && (stamp != "issued_at" || self.order_id.is_some()) {
            tested.push(Test::OneOf("status", std::mem::take(&mut statuses)));
        }
        (keyset::Filter { stamp, after, equal, statuses, tested }, start)
    }
}
