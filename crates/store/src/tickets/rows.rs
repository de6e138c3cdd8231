//! Tickets as moves read and change them: all facts, and the document made from them.

use std::{collections::HashMap, sync::LazyLock};

use taquilla_domain::{
    clock::Stamp,
    door_note::DoorNote,
    id,
    person::Person,
    status::{Category, TicketStatus},
};
use taquilla_wire::{
    Time,
    api::{Attendee, Ticket},
};

use super::{documents, whereabouts::Whereabouts};
use crate::{
    Conn, Error, Move, Question, Result, Tenant, Write,
    catalogue::ticket_counts::{Counted, Counts},
    engine::sql::{Param, Row, params},
};

/// A ticket with all its facts.
#[derive(Clone, Debug)]
pub struct State {
    /// Its id.
    pub id: String,
    /// Its status.
    pub status: TicketStatus,
    /// Whether it is hidden: in no list and no count.
    pub hidden: bool,
    /// Its ticket type.
    pub ticket_type_id: String,
    /// Whether it came out of a bundle.
    pub from_bundle: bool,
    /// The bundle it came out of, if that is known.
    pub bundle_id: Option<String>,
    /// Which sold unit of the bundle it came out of.
    pub bundle_unit: Option<String>,
    /// The order it came from.
    pub order_id: Option<String>,
    /// The position, in that order, of the item it was issued for, if that is known.
    pub order_item: Option<i64>,
    /// The event it opens.
    pub event_id: String,
    /// The id of the attendee.
    pub attendee_id: String,
    /// The attendee.
    pub attendee: Person,
    /// When it was issued.
    pub issued_at: Stamp,
    /// When and at which station it entered.
    pub checked_in: Option<(Stamp, Option<String>)>,
    /// Where whoever entered with it is now.
    pub whereabouts: Whereabouts,
    /// When it was passed on, and the id of the ticket that replaced it.
    pub transferred: Option<(Stamp, String)>,
    /// When staff cancelled it.
    pub cancelled_at: Option<Stamp>,
    /// What the scanner shows with it, besides the note of its ticket type. The API does not have it.
    pub door_note: DoorNote,
    /// When anything about it last changed.
    pub updated_at: Stamp,
}

impl State {
    /// Whether it counts in `sold` of its ticket type or bundle.
    pub fn counts(&self) -> bool {
        !self.hidden && matches!(self.status, TicketStatus::Valid | TicketStatus::Scanned)
    }

    /// Adds it `times` times to the counts of its ticket type, its station, its minute and its zone, under its present status.
    fn count(&self, counts: &mut Counts, times: i64) {
        if !self.hidden {
            let counted = Counted {
                event_id: &self.event_id,
                ticket_type_id: &self.ticket_type_id,
                status: self.status,
                checked_in: self.checked_in.as_ref().map(|(at, station)| (*at, station.as_deref())),
                inside: (!self.whereabouts.is_outside).then_some(&self.whereabouts.zone),
            };
            counts.add(&counted, times);
        }
    }

    /// The document to be stored with it.
    pub fn document(&self) -> Result<String> {
        let checked_in = self.checked_in.as_ref();
        let transferred = self.transferred.as_ref();
        documents::render(Ticket {
            id: &self.id,
            event_id: &self.event_id,
            order_id: self.order_id.as_deref(),
            order_item: self.order_item,
            status: self.status.into(),
            ticket_type: documents::nameless(&self.ticket_type_id),
            from_bundle: self.from_bundle,
            bundle_id: self.bundle_id.as_deref(),
            attendee: Attendee {
                id: &self.attendee_id,
                name: &self.attendee.name,
                email: &self.attendee.email,
                phone: self.attendee.phone.as_deref(),
                identity_document: &self.attendee.identity_document,
            },
            issued_at: Time(self.issued_at),
            checked_in_at: checked_in.map(|(at, _)| Time(*at)),
            checked_in_by: checked_in.and_then(|(_, by)| by.as_deref()),
            transferred_at: transferred.map(|(at, _)| Time(*at)),
            transferred_to_ticket_id: transferred.map(|(_, to)| to.as_str()),
            updated_at: Time(self.updated_at),
        })
    }

    /// The ticket as the API shows it, with the present name and category of its ticket type.
    pub fn shown(&self, type_name: &str, category: Category) -> Result<String> {
        documents::completed(&self.document()?, type_name, category)
    }
}

/// The columns of a [`State`].
pub(crate) const STATE: &str = "t.id, t.status, t.hidden, t.ticket_type_id, t.from_bundle, t.bundle_id, t.bundle_unit, t.order_id, t.event_id, \
     t.attendee_id, t.attendee_name, t.attendee_email, t.attendee_phone, t.attendee_document, t.issued_at, \
     t.checked_in_at, t.checked_in_by, t.transferred_at, t.transferred_to, t.updated_at, t.order_item, \
     t.cancelled_at, t.outside, t.passed_at, t.zone, t.door_note";

/// How many columns that are.
pub(crate) const STATE_WIDTH: usize = 26;

fn read_state(row: &Row<'_>) -> Result<State> {
    read_state_at(row, 0)
}

/// The ticket whose columns begin with this one.
pub(crate) fn read_state_at(row: &Row<'_>, first: usize) -> Result<State> {
    let text = |column| Ok::<_, Error>(row.text(first + column)?.to_owned());
    let owned = |column| Ok::<_, Error>(row.opt_text(first + column)?.map(str::to_owned));
    Ok(State {
        id: text(0)?,
        status: row.named(first + 1, TicketStatus::parse)?,
        hidden: row.flag(first + 2)?,
        ticket_type_id: text(3)?,
        from_bundle: row.flag(first + 4)?,
        bundle_id: owned(5)?,
        bundle_unit: owned(6)?,
        order_id: owned(7)?,
        order_item: row.opt_int(first + 20)?,
        event_id: text(8)?,
        attendee_id: text(9)?,
        attendee: Person { name: text(10)?, email: text(11)?, phone: owned(12)?, identity_document: text(13)? },
        issued_at: row.stamp(first + 14)?,
        checked_in: match row.opt_stamp(first + 15)? {
            Some(at) => Some((at, owned(16)?)),
            None => None,
        },
        whereabouts: Whereabouts::read(row, first + 22)?,
        transferred: row.opt_stamp(first + 17)?.zip(owned(18)?),
        cancelled_at: row.opt_stamp(first + 21)?,
        door_note: DoorNote::stored(row.text(first + 25)?),
        updated_at: row.stamp(first + 19)?,
    })
}

/// Finds one ticket by its key.
pub static FIND: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {STATE} FROM tickets t WHERE t.producer_id = ?1 AND t.id = ?2"));

/// Reads a ticket. Inside a move, nothing else can change it before the commit.
pub async fn state(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<State>> {
    conn.query_first(&FIND, params![tenant.number(), id], read_state).await
}

/// Reads some tickets as [`state`] does; ids without a ticket are left out.
pub async fn states(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<HashMap<String, State>> {
    let sets = tenant.keys(ids);
    let states = conn.collect_many(&FIND, &sets, read_state).await?;
    Ok(states.into_iter().map(|state| (state.id.clone(), state)).collect())
}

/// Asks for all tickets of these orders, hidden ones too.
pub fn states_of_orders<'a>(tenant: Tenant, order_ids: &[&'a str], into: &'a mut Vec<State>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        into.push(read_state(row)?);
        Ok(())
    };
    Question { sql: &OF_ORDER, sets: tenant.keys(order_ids), read: Box::new(read) }
}

/// The query of [`states_of_orders`] for one order.
pub static OF_ORDER: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {STATE} FROM tickets t INDEXED BY tickets_of_order WHERE t.producer_id = ?1 AND t.order_id = ?2")
});

/// A ticket about to exist.
pub struct NewTicket<'a> {
    /// Its id.
    pub id: String,
    /// The event it opens.
    pub event_id: &'a str,
    /// The order it comes from.
    pub order_id: Option<&'a str>,
    /// The position of its item in that order.
    pub order_item: Option<i64>,
    /// Its ticket type.
    pub ticket_type_id: &'a str,
    /// The bundle it comes out of, and which sold unit of it.
    pub bundle: Option<(&'a str, String)>,
    /// Whether it came out of a bundle, even if `bundle` is not known.
    pub from_bundle: bool,
    /// Whether it is hidden from the start.
    pub hidden: bool,
    /// The attendee.
    pub attendee: &'a Person,
}

impl NewTicket<'_> {
    /// The ticket, issued at this time and counted.
    pub fn issued(self, stamp: Stamp, counts: &mut Counts) -> Result<Issued> {
        let (bundle_id, bundle_unit) = self.bundle.map(|(id, unit)| (id.to_owned(), unit)).unzip();
        let state = State {
            id: self.id,
            status: TicketStatus::Valid,
            hidden: self.hidden,
            ticket_type_id: self.ticket_type_id.to_owned(),
            from_bundle: self.from_bundle,
            bundle_id,
            bundle_unit,
            order_id: self.order_id.map(str::to_owned),
            order_item: self.order_item,
            event_id: self.event_id.to_owned(),
            attendee_id: id::new_id("at", stamp),
            attendee: self.attendee.clone(),
            issued_at: stamp,
            checked_in: None,
            whereabouts: Whereabouts::default(),
            transferred: None,
            cancelled_at: None,
            door_note: DoorNote::default(),
            updated_at: stamp,
        };
        state.count(counts, 1);
        Ok(Issued { document: state.document()?, state })
    }
}

/// A ticket that was just issued.
pub struct Issued {
    /// The ticket.
    pub state: State,
    /// The document to be stored with it.
    pub document: String,
}

/// Stores tickets that were just issued.
pub fn insert<'a>(tx: &mut Move, issued: &'a [Issued]) -> Result<Write<'a>> {
    let tenant = tx.tenant();
    let first = tx.next_seqs(issued.len() as i64)?;
    let sets = issued
        .iter()
        .zip(first..)
        .map(|(Issued { state, document }, seq)| {
            vec![
                tenant.number().into(),
                seq.into(),
                (&state.id).into(),
                (&state.event_id).into(),
                (&state.order_id).into(),
                (&state.ticket_type_id).into(),
                (&state.bundle_id).into(),
                (&state.bundle_unit).into(),
                state.from_bundle.into(),
                state.hidden.into(),
                (&state.attendee_id).into(),
                (&state.attendee.name).into(),
                (&state.attendee.email).into(),
                (&state.attendee.phone).into(),
                (&state.attendee.identity_document).into(),
                state.issued_at.into(),
                document.into(),
                state.order_item.into(),
            ]
        })
        .collect();
    Ok(Write::new(
        "INSERT INTO tickets (producer_id, seq, id, event_id, order_id, ticket_type_id, bundle_id, bundle_unit, \
         from_bundle, status, hidden, attendee_id, attendee_name, attendee_email, attendee_phone, attendee_document, \
         issued_at, updated_at, document, order_item) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'valid', ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?16, ?17, ?18)",
        sets,
    ))
}

/// What a move writes on a ticket, besides its new status.
pub enum Mark<'a> {
    /// It entered at this station.
    Scanned(&'a str),
    /// Its entry was taken back.
    EntryUndone,
    /// This ticket replaced it.
    Transferred(&'a str),
    /// It was cancelled.
    Cancelled,
    /// Its order was refunded; the order holds that fact.
    Refunded,
    /// It was hidden.
    Hidden,
    /// The scanner shows this with it from now on.
    Noted(&'a DoorNote),
}

/// A ticket that a move has changed, and how the change is written.
pub struct Marked {
    /// The ticket as it is now.
    pub state: State,
    /// The document to be stored with it.
    pub document: String,
    /// The columns of the fact, of which `?6` is the detail.
    fact: &'static str,
    detail: Option<String>,
}

impl State {
    /// Gives the ticket its new status and the fact behind it, and counts it anew. Every change of an issued ticket goes
    /// through here.
    pub fn marked(mut self, status: TicketStatus, mark: Mark<'_>, stamp: Stamp, counts: &mut Counts) -> Result<Marked> {
        self.count(counts, -1);
        self.status = status;
        self.updated_at = stamp;
        let (fact, detail) = match mark {
            Mark::Scanned(station) => {
                self.checked_in = Some((stamp, Some(station.to_owned())));
                (", checked_in_at = ?4, checked_in_by = ?6", Some(station))
            }
            Mark::EntryUndone => {
                self.checked_in = None;
                self.whereabouts = Whereabouts { passed_at: Some(stamp), ..Whereabouts::default() };
                (", checked_in_at = NULL, checked_in_by = NULL, outside = 0, passed_at = ?4, zone = ''", None)
            }
            Mark::Transferred(to) => {
                self.transferred = Some((stamp, to.to_owned()));
                (", transferred_at = ?4, transferred_to = ?6", Some(to))
            }
            Mark::Cancelled => {
                self.cancelled_at = Some(stamp);
                (", cancelled_at = ?4", None)
            }
            Mark::Refunded => ("", None),
            Mark::Hidden => {
                self.hidden = true;
                (", hidden = 1", None)
            }
            Mark::Noted(note) => {
                self.door_note = note.clone();
                (", door_note = ?6", Some(note.as_str()))
            }
        };
        self.count(counts, 1);
        Ok(Marked { fact, detail: detail.map(str::to_owned), document: self.document()?, state: self })
    }

    /// Counts it anew, when whoever entered with it is somewhere else now (`whereabouts.rs` writes that).
    pub fn move_to(mut self, whereabouts: Whereabouts, counts: &mut Counts) {
        self.count(counts, -1);
        self.whereabouts = whereabouts;
        self.count(counts, 1);
    }
}

/// Writes what moves have changed on tickets.
pub fn update<'a>(tx: &Move, marked: &'a [Marked]) -> Vec<Write<'a>> {
    let tenant = tx.tenant();
    let set = |Marked { state, document, detail, .. }: &'a Marked| {
        let mut values = vec![
            tenant.number().into(),
            (&state.id).into(),
            state.status.as_str().into(),
            state.updated_at.into(),
            document.into(),
        ];
        values.extend(detail.as_deref().map(Param::from));
        values
    };
    // Changes made together are mostly of one kind. Neighbours of one kind share a statement.
    let kinds = marked.chunk_by(|one, next| one.fact == next.fact);
    kinds.map(|group| Write::new(update_statement(group[0].fact), group.iter().map(set).collect())).collect()
}

/// The statement of [`update`] for one ticket and a fact that is written with it.
pub fn update_statement(fact: &str) -> String {
    format!("UPDATE tickets SET status = ?3, updated_at = ?4, document = ?5{fact} WHERE producer_id = ?1 AND id = ?2")
}
