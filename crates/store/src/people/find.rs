//! The orders and tickets in which something is held of somebody.
//!
//! Who is named is found along the index of words, and among the rows that it has not come to yet. Who is known by a digest
//! only is compared with everybody. All of it is read in one state of the database, so that a row which changes meanwhile
//! is not missed.

use std::{collections::BTreeSet, sync::LazyLock};

use taquilla_domain::{clock::Stamp, config::PEOPLE_EXAMINED, person::Person, whom::Whom};

use crate::{
    Conn, Result, Store, Tenant,
    engine::sql::{Param, Row, params},
    lists::Position,
    producers,
    search::{entries::Kind, find as found_by_words, marks},
    tickets::staff,
};

/// One state of the database, in which people are looked for.
pub struct Look {
    conn: Conn,
    tenant: Tenant,
}

/// Ids that were found, and how many are enough.
struct IdSet {
    ids: BTreeSet<String>,
    enough: usize,
}

impl IdSet {
    fn new(enough: usize) -> Self {
        Self { ids: BTreeSet::new(), enough }
    }

    fn ids(self) -> Vec<String> {
        self.ids.into_iter().collect()
    }
}

/// The place of a row in the list that is gone through, its id, its event and its person.
struct Examined {
    place: Position,
    id: String,
    event_id: String,
    person: Person,
}

fn read(row: &Row<'_>) -> Result<Examined> {
    Ok(Examined {
        place: Position { stamp: row.stamp(0)?, seq: row.int(1)? },
        id: row.text(2)?.to_owned(),
        event_id: row.text(3)?.to_owned(),
        person: read_person(row, 4)?,
    })
}

pub(super) fn read_person(row: &Row<'_>, first: usize) -> Result<Person> {
    Ok(Person {
        name: row.text(first)?.to_owned(),
        email: row.text(first + 1)?.to_owned(),
        phone: row.opt_text(first + 2)?.map(str::to_owned),
        identity_document: row.text(first + 3)?.to_owned(),
    })
}

const BUYER: &str = "t.id, t.event_id, t.buyer_name, t.buyer_email, t.buyer_phone, t.buyer_document FROM orders t";
const ATTENDEE: &str =
    "t.id, t.event_id, t.attendee_name, t.attendee_email, t.attendee_phone, t.attendee_document FROM tickets t";

/// A list by update, of the producer or of an event, in the order of the stamps.
fn by_update(columns: &str, table: &str, visible: &str, of_event: bool) -> String {
    let (index, number, event) = match of_event {
        true => ("of_event_by_updated", 7, " AND t.event_id = ?5"),
        false => ("by_updated", 3, ""),
    };
    format!(
        "SELECT t.updated_at, t.seq, {columns} INDEXED BY {table}_{index} WHERE t.seq + {number} <> {number} \
         AND t.producer_id = ?1{event}{visible} AND (t.updated_at, t.seq) > (?2, ?3) ORDER BY t.updated_at, t.seq LIMIT ?4"
    )
}

/// A producer's orders by update.
pub static ORDERS: LazyLock<String> = LazyLock::new(|| by_update(BUYER, "orders", "", false));
/// An event's orders by update.
pub static ORDERS_OF_EVENT: LazyLock<String> = LazyLock::new(|| by_update(BUYER, "orders", "", true));
/// A producer's tickets by update, without hidden ones.
pub static TICKETS: LazyLock<String> = LazyLock::new(|| by_update(ATTENDEE, "tickets", " AND t.hidden = 0", false));
/// An event's tickets by update, without hidden ones.
pub static TICKETS_OF_EVENT: LazyLock<String> =
    LazyLock::new(|| by_update(ATTENDEE, "tickets", " AND t.hidden = 0", true));
/// A producer's hidden tickets, which are few and in no index of words.
pub static HIDDEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT t.issued_at, t.seq, {ATTENDEE} INDEXED BY tickets_hidden WHERE t.producer_id = ?1 AND t.hidden = 1 \
         AND (t.issued_at, t.seq) > (?2, ?3) ORDER BY t.issued_at, t.seq LIMIT ?4"
    )
});
/// The places of the rows with a word.
pub const WITH_WORD: &str = "SELECT at, seq FROM search_words WHERE producer_id = ?1 AND kind = ?2 AND word = ?3 \
     AND (at, seq) > (?4, ?5) ORDER BY at, seq LIMIT ?6";
/// The people whom buyers named for orders that are not decided yet. There are no others.
pub const WAITING: &str = "SELECT a.order_id, a.position, a.unit, o.event_id, a.name, a.email, a.phone, a.document \
     FROM order_attendees a JOIN orders o ON o.producer_id = a.producer_id AND o.id = a.order_id \
     WHERE a.producer_id = ?1 AND (a.order_id, a.position, a.unit) > (?2, ?3, ?4) \
     ORDER BY a.order_id, a.position, a.unit LIMIT ?5";

impl Look {
    /// Looks at the present state.
    pub async fn begin(store: &Store, tenant: Tenant) -> Result<Self> {
        let mut conn = store.dedicated().await?.into_reading();
        conn.begin_snapshot().await?;
        Ok(Self { conn, tenant })
    }

    /// The stamp of the producer's last move in this state.
    pub async fn clock(&mut self) -> Result<Stamp> {
        producers::clock(&mut self.conn, self.tenant).await
    }

    /// The connection, to read more of the same state.
    pub(super) fn conn(&mut self) -> &mut Conn {
        &mut self.conn
    }

    pub(super) fn tenant(&self) -> Tenant {
        self.tenant
    }

    /// The ids of orders that are not decided yet and for which somebody is named who is meant.
    pub async fn waiting(&mut self, whom: &Whom) -> Result<Vec<String>> {
        let mut found = BTreeSet::new();
        let mut last = (String::new(), -1, -1);
        loop {
            let values = params![self.tenant.number(), &last.0, last.1, last.2, PEOPLE_EXAMINED];
            let page = self
                .conn
                .collect(WAITING, values, |row| {
                    let place = (row.text(0)?.to_owned(), row.int(1)?, row.int(2)?);
                    Ok((place, row.text(3)?.to_owned(), read_person(row, 4)?))
                })
                .await?;
            let Some((place, ..)) = page.last() else { return Ok(found.into_iter().collect()) };
            last = place.clone();
            let meant = page.into_iter().filter(|(_, event_id, person)| whom.means(event_id, person));
            found.extend(meant.map(|((order_id, ..), ..)| order_id));
        }
    }

    /// The ids of orders whose buyer is meant: all of them, or so many at least.
    pub async fn orders(&mut self, whom: &Whom, enough: usize) -> Result<Vec<String>> {
        let mut found = IdSet::new(enough);
        if let Whom::Events(events) = whom {
            for event_id in events {
                self.go_through(&ORDERS_OF_EVENT, Position::BEGINNING, Some(event_id), whom, &mut found).await?;
            }
            return Ok(found.ids());
        }
        let mark = marks::of(&mut self.conn, self.tenant).await?.orders;
        let after = match self.with_word(whom, Kind::Buyer, enough).await? {
            None => Position::BEGINNING,
            Some(places) => {
                for places in places.chunks(PEOPLE_EXAMINED as usize) {
                    let orders = found_by_words::orders_at(&mut self.conn, self.tenant, places).await?;
                    let meant = orders.into_iter().filter(|order| whom.means(&order.event_id, &order.buyer));
                    found.ids.extend(meant.map(|order| order.id));
                }
                mark
            }
        };
        self.go_through(&ORDERS, after, None, whom, &mut found).await?;
        Ok(found.ids())
    }

    /// The ids of tickets whose attendee is meant, hidden ones too: all of them, or so many at least.
    pub async fn tickets(&mut self, whom: &Whom, enough: usize) -> Result<Vec<String>> {
        let mut found = IdSet::new(enough);
        self.go_through(&HIDDEN, Position::BEGINNING, None, whom, &mut found).await?;
        if let Whom::Events(events) = whom {
            for event_id in events {
                self.go_through(&TICKETS_OF_EVENT, Position::BEGINNING, Some(event_id), whom, &mut found).await?;
            }
            return Ok(found.ids());
        }
        let mark = marks::of(&mut self.conn, self.tenant).await?.tickets;
        let after = match self.with_word(whom, Kind::Attendee, enough).await? {
            None => Position::BEGINNING,
            Some(places) => {
                for places in places.chunks(PEOPLE_EXAMINED as usize) {
                    let tickets = staff::some_at(&mut self.conn, self.tenant, places).await?;
                    let states = tickets.into_iter().map(|held| held.state.into_uncovered());
                    let meant = states.filter(|state| whom.means(&state.event_id, &state.attendee));
                    found.ids.extend(meant.map(|state| state.id));
                }
                mark
            }
        };
        self.go_through(&TICKETS, after, None, whom, &mut found).await?;
        Ok(found.ids())
    }

    /// The places of rows that have the word of a named person: all of them, or so many at least. `None` if the index cannot
    /// help.
    async fn with_word(&mut self, whom: &Whom, kind: Kind, enough: usize) -> Result<Option<Vec<Position>>> {
        let Whom::Named(named) = whom else { return Ok(None) };
        let Some(word) = named.entry() else { return Ok(None) };
        let mut places: Vec<Position> = Vec::new();
        loop {
            let last = places.last().copied().unwrap_or(Position::BEGINNING);
            let values = params![self.tenant.number(), kind as i64, &word, last.stamp, last.seq, PEOPLE_EXAMINED];
            let page = self
                .conn
                .collect(WITH_WORD, values, |row| Ok(Position { stamp: row.stamp(0)?, seq: row.int(1)? }))
                .await?;
            let is_over = page.is_empty();
            places.extend(page);
            if is_over || places.len() >= enough {
                return Ok(Some(places));
            }
        }
    }

    /// Goes through a list and notes the ids of the rows whose person is meant.
    async fn go_through(
        &mut self,
        sql: &str,
        after: Position,
        event_id: Option<&str>,
        whom: &Whom,
        found: &mut IdSet,
    ) -> Result<()> {
        let mut last = after;
        while found.ids.len() < found.enough {
            let mut values: Vec<Param<'_>> =
                vec![self.tenant.number().into(), last.stamp.into(), last.seq.into(), PEOPLE_EXAMINED.into()];
            values.extend(event_id.map(Param::from));
            let page = self.conn.collect(sql, &values, read).await?;
            let Some(end) = page.last() else { return Ok(()) };
            last = end.place;
            found.ids.extend(page.into_iter().filter(|row| whom.means(&row.event_id, &row.person)).map(|row| row.id));
        }
        Ok(())
    }
}
