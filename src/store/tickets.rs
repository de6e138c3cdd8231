//! Tickets.

use std::sync::LazyLock;

use crate::{
    domain::{
        clock::Stamp,
        id,
        person::Person,
        status::{Category, TicketStatus},
    },
    wire::{Attendee, BoughtTicket, Ticket, TicketTypeSummary},
};

use super::{
    Conn, Error, Result,
    keyset::{self, FIRST, Position, Source, Test},
    producers::{Tenant, Tick},
    sql::{Param, Row, params},
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

static FIND: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {COLUMNS} FROM tickets t WHERE t.producer_id = ?1 AND t.id = ?2"));

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
    conn.query_first(&FIND, params![tenant.number(), id], |row| read(row, 0).map(&shape)).await
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

/// What a move needs to know of a ticket.
#[derive(Clone, Debug)]
pub struct State {
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub status: TicketStatus,
    /// Off the books: in no list and no count.
    pub hidden: bool,
    /// The item it was issued for.
    pub ticket_type_id: String,
    /// Whether it came out of a bundle.
    pub from_bundle: bool,
    /// The bundle it came out of, where that is known.
    pub bundle_id: Option<String>,
    /// Which sold bundle that was.
    pub bundle_unit: Option<String>,
    /// The order it came from.
    pub order_id: Option<String>,
    /// The event it opens.
    pub event_id: String,
}

impl State {
    /// Whether it counts in `sold` of its item or bundle.
    pub fn counts(&self) -> bool {
        !self.hidden && matches!(self.status, TicketStatus::Valid | TicketStatus::Scanned)
    }
}

const STATE: &str =
    "t.id, t.status, t.hidden, t.ticket_type_id, t.from_bundle, t.bundle_id, t.bundle_unit, t.order_id, t.event_id";

fn read_state(row: &Row<'_>) -> Result<State> {
    Ok(State {
        id: row.text(0)?.to_owned(),
        status: row.named(1, TicketStatus::parse)?,
        hidden: row.flag(2)?,
        ticket_type_id: row.text(3)?.to_owned(),
        from_bundle: row.flag(4)?,
        bundle_id: row.opt_text(5)?.map(str::to_owned),
        bundle_unit: row.opt_text(6)?.map(str::to_owned),
        order_id: row.opt_text(7)?.map(str::to_owned),
        event_id: row.text(8)?.to_owned(),
    })
}

/// Where a ticket stands. Ask with the producer's clock held, so that it stands still.
pub async fn state(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<State>> {
    let sql = format!("SELECT {STATE} FROM tickets t WHERE t.producer_id = ?1 AND t.id = ?2");
    conn.query_first(&sql, params![tenant.number(), id], read_state).await
}

/// Where all tickets of an order stand, hidden ones too.
pub async fn states_of_order(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<Vec<State>> {
    let sql = format!(
        "SELECT {STATE} FROM tickets t INDEXED BY tickets_of_order WHERE t.producer_id = ?1 AND t.order_id = ?2"
    );
    let mut states = Vec::new();
    conn.query(&sql, params![tenant.number(), order_id], |row| {
        states.push(read_state(row)?);
        Ok(())
    })
    .await?;
    Ok(states)
}

/// An order's tickets as they were issued, for the buyer: those that took another's place are not the buyer's.
pub async fn bought(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<Vec<BoughtTicket>> {
    let mut bought = Vec::new();
    conn.query(
        "SELECT t.id, t.status, (SELECT y.name FROM ticket_types y WHERE y.producer_id = ?1 AND y.id = t.ticket_type_id), \
         t.attendee_name, t.seq FROM tickets t INDEXED BY tickets_of_order WHERE t.producer_id = ?1 AND t.order_id = ?2 \
         AND t.hidden = 0 AND NOT EXISTS (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 AND x.transferred_to = t.id)",
        params![tenant.number(), order_id],
        |row| {
            let ticket = BoughtTicket {
                id: row.text(0)?.to_owned(),
                status: row.named(1, TicketStatus::parse)?,
                name: row.text(2)?.to_owned(),
                attendee_name: row.text(3)?.to_owned(),
            };
            bought.push((row.int(4)?, ticket));
            Ok(())
        },
    )
    .await?;
    bought.sort_by_key(|(seq, _)| *seq);
    Ok(bought.into_iter().map(|(_, ticket)| ticket).collect())
}

/// Renders tickets as the API shows them, in the order of their ids here.
pub async fn render(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<Vec<String>> {
    let sets: Vec<[Param<'_>; 2]> = ids.iter().map(|id| [tenant.number().into(), (*id).into()]).collect();
    let mut rendered = Vec::with_capacity(ids.len());
    conn.query_many(&FIND, &sets, |_, row| {
        rendered.push(serde_json::to_string(&read(row, 0)?).map_err(Error::internal)?);
        Ok(())
    })
    .await?;
    Ok(rendered)
}

/// A ticket about to exist.
pub struct NewTicket<'a> {
    /// Its id.
    pub id: String,
    /// The event it opens.
    pub event_id: &'a str,
    /// The order it comes from.
    pub order_id: Option<&'a str>,
    /// Its item.
    pub ticket_type_id: &'a str,
    /// The bundle and which unit of it.
    pub bundle: Option<(&'a str, String)>,
    /// Whether it came out of a bundle, known or not.
    pub from_bundle: bool,
    /// Whether it is off the books from the start.
    pub hidden: bool,
    /// Who holds it.
    pub attendee: &'a Person,
}

/// Issues tickets at the moment of the tick.
pub async fn insert(conn: &mut Conn, tenant: Tenant, tick: &mut Tick, tickets: &[NewTicket<'_>]) -> Result<()> {
    let mut generated = Vec::with_capacity(tickets.len());
    for _ in tickets {
        generated.push((tick.seq()?, id::new_id("at", tick.stamp)));
    }
    let sets: Vec<Vec<Param<'_>>> = tickets
        .iter()
        .zip(&generated)
        .map(|(ticket, (seq, attendee_id))| {
            let bundle = ticket.bundle.as_ref();
            vec![
                tenant.number().into(),
                (*seq).into(),
                (&ticket.id).into(),
                ticket.event_id.into(),
                ticket.order_id.into(),
                ticket.ticket_type_id.into(),
                bundle.map(|(bundle_id, _)| *bundle_id).into(),
                bundle.map(|(_, unit)| unit.as_str()).into(),
                ticket.from_bundle.into(),
                ticket.hidden.into(),
                attendee_id.into(),
                (&ticket.attendee.name).into(),
                (&ticket.attendee.email).into(),
                (&ticket.attendee.phone).into(),
                (&ticket.attendee.identity_document).into(),
                tick.stamp.into(),
            ]
        })
        .collect();
    conn.execute_many(
        "INSERT INTO tickets (producer_id, seq, id, event_id, order_id, ticket_type_id, bundle_id, bundle_unit, \
         from_bundle, status, hidden, attendee_id, attendee_name, attendee_email, attendee_phone, attendee_document, \
         issued_at, updated_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'valid', ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?16)",
        &sets,
    )
    .await?;
    Ok(())
}

/// What a move writes on a ticket, besides its new status.
pub enum Mark<'a> {
    /// It entered at this station.
    Scanned(&'a str),
    /// This ticket took its place.
    Transferred(&'a str),
    /// It was taken back.
    Cancelled,
    /// Its order was refunded, which the order itself says.
    Refunded,
}

/// Gives a ticket its new status and the fact behind it.
pub async fn mark(
    conn: &mut Conn,
    tenant: Tenant,
    id: &str,
    status: TicketStatus,
    mark: Mark<'_>,
    stamp: Stamp,
) -> Result<()> {
    let (fact, detail) = match mark {
        Mark::Scanned(station) => (", checked_in_at = ?4, checked_in_by = ?5", Some(station)),
        Mark::Transferred(to) => (", transferred_at = ?4, transferred_to = ?5", Some(to)),
        Mark::Cancelled => (", cancelled_at = ?4", None),
        Mark::Refunded => ("", None),
    };
    let sql = format!("UPDATE tickets SET status = ?3, updated_at = ?4{fact} WHERE producer_id = ?1 AND id = ?2");
    let values = params![tenant.number(), id, status.as_str(), stamp, detail];
    conn.execute(&sql, if detail.is_some() { values } else { &values[..4] }).await?;
    Ok(())
}

/// Takes a ticket off the books.
pub async fn hide(conn: &mut Conn, tenant: Tenant, id: &str, stamp: Stamp) -> Result<()> {
    conn.execute(
        "UPDATE tickets SET hidden = 1, updated_at = ?3 WHERE producer_id = ?1 AND id = ?2",
        params![tenant.number(), id, stamp],
    )
    .await?;
    Ok(())
}

/// Whether a sold bundle has a ticket left that counts.
pub async fn bundle_is_live(conn: &mut Conn, tenant: Tenant, state: &State) -> Result<bool> {
    let order_id = state.order_id.as_deref().unwrap_or("");
    let live = conn
        .query_first(
            "SELECT count(*) FROM tickets WHERE producer_id = ?1 AND bundle_id = ?2 AND bundle_unit = ?3 \
             AND coalesce(order_id, '') = ?4 AND hidden = 0 AND status IN ('valid', 'scanned')",
            params![tenant.number(), &state.bundle_id, &state.bundle_unit, order_id],
            |row| row.int(0),
        )
        .await?;
    Ok(live.unwrap_or(0) > 0)
}
