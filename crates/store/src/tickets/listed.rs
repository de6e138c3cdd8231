//! Lists of tickets and single tickets, for the API, the door and buyers.

use std::sync::Arc;

use taquilla_domain::{
    clock::Stamp,
    config::LIST_READS_MAX,
    personal::Personal,
    status::{Category, TicketStatus},
};
use taquilla_wire::covered::{Lines, Resource};

use super::{
    documents::Document,
    type_names::{Names, TypeNames},
};
use crate::{
    Conn, Error, Result, Tenant,
    engine::sql::{Row, params},
    lists::{self, End, FIRST, Filter, First, Position, Shown, Source, Test},
};

/// The list of tickets. Each row carries the version of the producer's catalogue, so that rows and version are of one
/// moment.
pub const TICKETS: Source = Source {
    table: "tickets",
    columns: "t.document, (SELECT p.catalog_version FROM clocks p WHERE p.producer_id = ?1)",
    visible: " AND t.hidden = 0",
};

/// Writes one ticket as the API shows it, hidden or not. `false` if the producer has no ticket with this id.
pub async fn write_one(
    conn: &mut Conn,
    tenant: Tenant,
    names: &TypeNames,
    id: &str,
    into: &mut Vec<u8>,
) -> Result<bool> {
    const FIND: &str = "SELECT t.document, (SELECT p.catalog_version FROM clocks p WHERE p.producer_id = ?1) \
         FROM tickets t WHERE t.producer_id = ?1 AND t.id = ?2";
    let mut rows = Writer::new(tenant, names, into);
    for _ in 0..LIST_READS_MAX {
        conn.query(FIND, params![tenant.number(), id], |row| rows.push(row, 0)).await?;
        if rows.complete(conn).await? {
            return Ok(rows.count > 0);
        }
    }
    Err(Writer::overtaken())
}

/// Writes one page of tickets as the API shows them, with this byte between them.
#[expect(clippy::too_many_arguments, reason = "which page of which list, and where and how it is written")]
pub async fn write_page(
    conn: &mut Conn,
    tenant: Tenant,
    names: &TypeNames,
    filter: &Filter<'_>,
    from: Position,
    limit: usize,
    between: u8,
    into: &mut Vec<u8>,
    shown: &mut Shown,
) -> Result<End> {
    let mut rows = Writer { between, ..Writer::new(tenant, names, into) };
    for _ in 0..LIST_READS_MAX {
        let end = lists::page(conn, tenant, &TICKETS, filter, from, limit, |row| {
            shown.note(row)?;
            rows.push(row, FIRST)
        })
        .await?;
        if rows.complete(conn).await? {
            return Ok(end);
        }
    }
    Err(Writer::overtaken())
}

/// The list of tickets for files: as the API shows them, and with what the scanner shows.
const WITH_NOTES: Source = Source {
    table: "tickets",
    columns: "t.document, (SELECT p.catalog_version FROM clocks p WHERE p.producer_id = ?1), t.door_note",
    visible: " AND t.hidden = 0",
};

/// One page of tickets as the API shows them, one on each line. A note for the door comes last.
pub async fn lines(
    conn: &mut Conn,
    tenant: Tenant,
    names: &TypeNames,
    filter: &Filter<'_>,
    from: Position,
    limit: usize,
) -> Result<(Personal<Lines>, End)> {
    let mut text = Vec::new();
    let mut rows = Writer { between: b'\n', ..Writer::new(tenant, names, &mut text) };
    for _ in 0..LIST_READS_MAX {
        let end = lists::page(conn, tenant, &WITH_NOTES, filter, from, limit, |row| {
            let written = rows.count;
            rows.push(row, FIRST)?;
            let note = row.text(FIRST + 2)?;
            if rows.count > written && !note.is_empty() {
                rows.add("door_note", note)?;
            }
            Ok(())
        })
        .await?;
        if rows.complete(conn).await? {
            return Ok((Personal::new(Lines::new(Resource::Ticket, text)), end));
        }
    }
    Err(Writer::overtaken())
}

/// Writes documents while their rows are read. If a row's ticket type is not known yet, it is looked up and all rows
/// are read again.
pub(super) struct Writer<'a> {
    tenant: Tenant,
    names: &'a TypeNames,
    /// The ticket types known for the catalogue version that came with the first row ever read. A later reading may
    /// bring a newer version; the names from before are kept, because they were true after this request began.
    known: Option<Arc<Names>>,
    /// The index in `known` of the last row's ticket type.
    last: usize,
    unknown: Vec<Box<[u8]>>,
    between: u8,
    into: &'a mut Vec<u8>,
    start: usize,
    count: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(tenant: Tenant, names: &'a TypeNames, into: &'a mut Vec<u8>) -> Self {
        let start = into.len();
        Self { tenant, names, known: None, last: 0, unknown: Vec::new(), between: b',', into, start, count: 0 }
    }

    /// Takes the document from this column and the catalogue's version from the next.
    pub(super) fn push(&mut self, row: &Row<'_>, column: usize) -> Result<()> {
        let known = match &self.known {
            Some(known) => known,
            None => self.known.insert(self.names.of(self.tenant, row.int(column + 1)?)),
        };
        let document = Document::parse(row.bytes(column)?)?;
        match known.ending(document.type_id, &mut self.last) {
            Some(ending) => {
                if self.count > 0 {
                    self.into.push(self.between);
                }
                self.count += 1;
                document.write(ending, self.into);
            }
            None if self.unknown.iter().any(|unknown| **unknown == *document.type_id) => {}
            None => self.unknown.push(document.type_id.into()),
        }
        Ok(())
    }

    /// Adds a field to the document that was written last.
    fn add(&mut self, name: &str, value: &str) -> Result<()> {
        let value = serde_json::to_string(value).map_err(Error::internal)?;
        // A document is an object, so its last byte closes it.
        self.into.pop();
        self.into.extend_from_slice(format!(",\"{name}\":{value}}}").as_bytes());
        Ok(())
    }

    /// Whether every row was written. If not, it looks up the missing ticket types, and the caller reads the rows
    /// again.
    pub(super) async fn complete(&mut self, conn: &mut Conn) -> Result<bool> {
        let Some(known) = self.known.as_ref().filter(|_| !self.unknown.is_empty()) else { return Ok(true) };
        self.known = Some(self.names.learn(conn, self.tenant, known, &self.unknown).await?);
        self.unknown.clear();
        self.into.truncate(self.start);
        self.count = 0;
        Ok(false)
    }

    /// The error of a list that brought new ticket types at every reading.
    pub(super) fn overtaken() -> Error {
        Error::Unavailable("new ticket types appeared each time the list was read".into())
    }
}

/// The filters of the list of tickets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Only tickets of this event.
    pub event_id: Option<String>,
    /// Only tickets of this order.
    pub order_id: Option<String>,
    /// Only tickets of these statuses, in declaration order, each once. Empty means all.
    pub statuses: Vec<TicketStatus>,
    /// Only tickets issued strictly after this.
    pub issued_after: Option<Stamp>,
    /// Only tickets that entered strictly after this.
    pub scanned_after: Option<Stamp>,
    /// Only tickets that entered at or before this.
    pub scanned_before: Option<Stamp>,
    /// Only tickets changed strictly after this.
    pub updated_after: Option<Stamp>,
    /// Which end comes first.
    pub first: First,
}

impl Query {
    /// The filter along one index, and where its first page begins.
    ///
    /// The list is sorted by the stamp that the client will remember as its mark: by `updated_at` when that is
    /// filtered, else by `checked_in_at`, else by `issued_at`. Any change moves `updated_at`, so that order is safe
    /// with other filters too. In a list sorted by `issued_at`, a ticket that is scanned after its page was read would
    /// be missed by the next `scanned_after`.
    pub fn filter(&self) -> (Filter<'_>, Position) {
        let mut tested = Vec::new();
        let mut start = self.first.start();
        let scanned = self.scanned_after.is_some() || self.scanned_before.is_some();
        let (stamp, after) = if self.updated_after.is_some() {
            tested.extend(self.scanned_after.map(|stamp| Test::After("checked_in_at", stamp)));
            tested.extend(self.scanned_before.map(|stamp| Test::UpTo("checked_in_at", stamp)));
            tested.extend(self.issued_after.map(|stamp| Test::After("issued_at", stamp)));
            ("updated_at", self.updated_after)
        } else if scanned {
            match self.first {
                First::Newest => start = Position::above(self.scanned_before.unwrap_or(Stamp::END)),
                First::Oldest => tested.extend(self.scanned_before.map(|stamp| Test::UpTo("checked_in_at", stamp))),
            }
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
        (Filter { stamp, after, equal, also: vec![], statuses, tested, first: self.first }, start)
    }
}

/// A ticket in the list of changed tickets.
pub struct Listed<'r> {
    /// Its id.
    pub id: &'r str,
    /// Its ticket type.
    pub ticket_type_id: &'r str,
    /// Its ticket type's category.
    pub category: Category,
    /// Its ticket type's name.
    pub ticket_type: &'r str,
    /// The event it opens.
    pub event_id: &'r str,
    /// Its status.
    pub status: TicketStatus,
    /// What the scanner shows with it; empty is nothing.
    pub door_note: &'r str,
    /// When anything about it last changed.
    pub updated_at: Stamp,
}

/// The list of tickets that a door keeps for when it is offline. Category and name of the ticket type come with the
/// row, from one look-up, so that both are of one moment.
pub const CHANGED: Source = Source {
    table: "tickets",
    columns: "t.id, t.ticket_type_id, t.status, (SELECT y.category || ' ' || y.name FROM ticket_types y \
              WHERE y.producer_id = ?1 AND y.id = t.ticket_type_id), t.door_note, t.event_id",
    visible: " AND t.hidden = 0",
};

/// The filter for the tickets of one event or more, sorted by their last change.
pub fn changed_filter<'a>(events: &[&'a str], after: Option<Stamp>) -> Filter<'a> {
    let equal = events.first().map(|event_id| ("event_id", *event_id)).into_iter().collect();
    let also = events.iter().skip(1).copied().collect();
    Filter { stamp: "updated_at", after, equal, also, statuses: vec![], tested: vec![], first: First::Newest }
}

/// Hands over one page of the tickets of one event or more, last changed first.
pub async fn changed(
    conn: &mut Conn,
    tenant: Tenant,
    events: &[&str],
    after: Option<Stamp>,
    from: Position,
    limit: usize,
    mut each: impl FnMut(Listed<'_>) -> Result<()> + Send,
) -> Result<End> {
    let filter = changed_filter(events, after);
    lists::page(conn, tenant, &CHANGED, &filter, from, limit, |row| {
        let (category, ticket_type) =
            row.text(FIRST + 3)?.split_once(' ').ok_or_else(|| Error::internal("a type without a name"))?;
        each(Listed {
            id: row.text(FIRST)?,
            ticket_type_id: row.text(FIRST + 1)?,
            category: Category::parse(category).ok_or_else(|| Error::internal("a type of an unknown category"))?,
            ticket_type,
            status: row.named(FIRST + 2, TicketStatus::parse)?,
            door_note: row.text(FIRST + 4)?,
            event_id: row.text(FIRST + 5)?,
            updated_at: row.stamp(0)?,
        })
    })
    .await
}

/// Whether a listed ticket has exactly this stamp, one of those that lists are sorted by.
pub async fn is_stamp(conn: &mut Conn, tenant: Tenant, column: &'static str, stamp: Stamp) -> Result<bool> {
    let before = Stamp::from_micros(stamp.micros() - 1);
    let (after, first) = (Some(before), First::Newest);
    let filter = Filter { stamp: column, after, equal: vec![], also: vec![], statuses: vec![], tested: vec![], first };
    let mut found = false;
    lists::page(conn, tenant, &TICKETS, &filter, Position::above(stamp), 1, |_| {
        found = true;
        Ok(())
    })
    .await?;
    Ok(found)
}

/// A ticket as its buyer sees it.
#[derive(Debug)]
pub struct Bought {
    /// The value of the QR code.
    pub id: String,
    /// Its status.
    pub status: TicketStatus,
    /// The ticket type's name.
    pub name: String,
    /// The attendee's name.
    pub attendee_name: String,
}

/// An order's tickets for its buyer, in the order of their issue. Tickets that came from a transfer belong to somebody
/// else and are left out.
pub async fn bought(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<Vec<Bought>> {
    let sql = "SELECT t.id, t.status, \
         (SELECT y.name FROM ticket_types y WHERE y.producer_id = ?1 AND y.id = t.ticket_type_id), t.attendee_name, t.seq \
         FROM tickets t INDEXED BY tickets_of_order WHERE t.producer_id = ?1 AND t.order_id = ?2 AND t.hidden = 0 \
         AND NOT EXISTS (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 AND x.transferred_to = t.id)";
    let mut bought = conn
        .collect(sql, params![tenant.number(), order_id], |row| {
            let ticket = Bought {
                id: row.text(0)?.to_owned(),
                status: row.named(1, TicketStatus::parse)?,
                name: row.text(2)?.to_owned(),
                attendee_name: row.text(3)?.to_owned(),
            };
            Ok((row.int(4)?, ticket))
        })
        .await?;
    bought.sort_by_key(|(seq, _)| *seq);
    Ok(bought.into_iter().map(|(_, ticket)| ticket).collect())
}
