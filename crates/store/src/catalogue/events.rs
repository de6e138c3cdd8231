//! Events.

use std::collections::HashMap;

use jiff::tz::TimeZone;

use taquilla_domain::{
    asked::AttendeesAsked,
    clock::Stamp,
    days,
    event::{Event, KeptEvent},
    status::EventStatus,
};

use crate::{
    Conn, Question, Result, Tenant,
    engine::sql::{Row, params},
    lists::{FIRST, Filter, First, Source},
};

/// The list of events.
pub const EVENTS: Source = Source { table: "events", columns: COLUMNS, visible: "" };

pub(super) const COLUMNS: &str = "t.id, t.name, t.description, t.venue, t.timezone, t.starts_at, t.ends_at, t.currency, t.status, \
     t.image_url, t.created_at, t.updated_at, t.attendees_asked";

/// The event in a row of [`EVENTS`].
pub fn listed<'r>(row: &'r Row<'_>) -> Result<Event<'r>> {
    read(row, FIRST)
}

pub(super) fn read<'r>(row: &'r Row<'_>, first: usize) -> Result<Event<'r>> {
    Ok(Event {
        id: row.text(first)?,
        name: row.text(first + 1)?,
        description: row.opt_text(first + 2)?,
        venue: row.opt_text(first + 3)?,
        timezone: row.text(first + 4)?,
        starts_at: row.opt_stamp(first + 5)?,
        ends_at: row.opt_stamp(first + 6)?,
        currency: row.text(first + 7)?,
        status: row.named(first + 8, EventStatus::parse)?,
        image_url: row.opt_text(first + 9)?,
        created_at: row.stamp(first + 10)?,
        updated_at: row.stamp(first + 11)?,
        attendees_asked: row.named(first + 12, AttendeesAsked::parse)?,
    })
}

/// Reads one event and shapes it, or `None` if the producer has none with this id.
pub async fn find<T: Send>(
    conn: &mut Conn,
    tenant: Tenant,
    id: &str,
    shape: impl Fn(Event<'_>) -> T + Send + Sync,
) -> Result<Option<T>> {
    let sql = format!("SELECT {COLUMNS} FROM events t WHERE t.producer_id = ?1 AND t.id = ?2");
    conn.query_first(&sql, params![tenant.number(), id], |row| read(row, 0).map(&shape)).await
}

/// One event, kept apart from its row.
pub async fn find_kept(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<KeptEvent>> {
    find(conn, tenant, id, |event| event.kept()).await
}

/// Whether the producer has an event with this id.
pub async fn exists(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<bool> {
    find(conn, tenant, id, |_| ()).await.map(|found| found.is_some())
}

/// Whether anybody has ordered anything of an event, whatever became of it.
pub async fn has_orders(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<bool> {
    Ok(conn.query_first(ANY_ORDER, params![tenant.number(), id], |_| Ok(())).await?.is_some())
}

/// The query of [`has_orders`].
pub const ANY_ORDER: &str = "SELECT t.seq FROM orders t INDEXED BY orders_of_event_by_created \
     WHERE t.seq + 5 <> 5 AND t.producer_id = ?1 AND t.event_id = ?2 ORDER BY t.created_at, t.seq LIMIT 1";

/// The names of some events, by their ids.
pub async fn names(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<HashMap<String, String>> {
    let named = named(conn, tenant, ids).await?;
    Ok(named.into_iter().map(|(id, event)| (id, event.name)).collect())
}

/// What a line about an event says of it.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its currency.
    pub currency: String,
    /// The name of its time zone.
    pub time_zone: String,
}

/// What lines say of some events, by their ids.
pub async fn named(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<HashMap<String, Named>> {
    let read = |row: &Row<'_>| {
        let text = |column| row.text(column).map(str::to_owned);
        Ok((text(0)?, Named { name: text(1)?, currency: text(2)?, time_zone: text(3)? }))
    };
    Ok(conn.collect_many(NAME, &tenant.keys(ids), read).await?.into_iter().collect())
}

/// The query of [`names`] and [`named`].
pub const NAME: &str = "SELECT id, name, currency, timezone FROM events WHERE producer_id = ?1 AND id = ?2";

/// The filter of the list of events.
pub fn filter(updated_after: Option<Stamp>) -> Filter<'static> {
    Filter {
        stamp: if updated_after.is_some() { "updated_at" } else { "created_at" },
        after: updated_after,
        equal: vec![],
        also: vec![],
        statuses: vec![],
        tested: vec![],
        first: First::Newest,
    }
}

/// What a sale has to know of its event.
#[derive(Debug)]
pub struct ForSale {
    /// Its status.
    pub status: EventStatus,
    /// Its time zone, which tells the day of a sale.
    pub zone: TimeZone,
    /// What its buyers say of those who come.
    pub attendees_asked: AttendeesAsked,
    /// The id of the terms that its buyers accept.
    pub terms: Option<String>,
}

/// Asks for what sales have to know of some events, by their ids.
pub fn for_sale<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut HashMap<String, ForSale>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let event = ForSale {
            status: row.named(1, EventStatus::parse)?,
            zone: days::zone(row.text(2)?),
            attendees_asked: row.named(3, AttendeesAsked::parse)?,
            terms: row.opt_text(4)?.map(str::to_owned),
        };
        into.insert(row.text(0)?.to_owned(), event);
        Ok(())
    };
    Question { sql: FOR_SALE, sets: tenant.keys(ids), read: Box::new(read) }
}

/// The query of [`for_sale`] for one event.
pub const FOR_SALE: &str = "SELECT id, status, timezone, attendees_asked, \
     (SELECT t.id FROM terms t WHERE t.producer_id = ?1 AND t.event_id IN (?2, '') AND t.ended_at IS NULL \
     ORDER BY t.event_id DESC LIMIT 1) FROM events WHERE producer_id = ?1 AND id = ?2";
