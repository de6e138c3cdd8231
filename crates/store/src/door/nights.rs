//! The events of a producer as a door manager looks at them: those of tonight, those to come, and those that are over.

use taquilla_domain::{clock::Stamp, status::EventStatus};

use crate::{
    Conn, Result, Tenant,
    engine::sql::{Row, params},
};

/// An event, and how many people have come.
#[derive(Clone, Debug)]
pub struct Night {
    /// The event's id.
    pub event_id: String,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub venue: String,
    /// The time zone of the place.
    pub time_zone: String,
    /// When it begins.
    pub starts_at: Option<Stamp>,
    /// Its status.
    pub status: EventStatus,
    /// People who have entered. What is no admission, such as a drink, is not counted.
    pub entered: i64,
    /// People who may still come.
    pub to_come: i64,
}

fn read(row: &Row<'_>) -> Result<Night> {
    Ok(Night {
        event_id: row.text(0)?.to_owned(),
        name: row.text(1)?.to_owned(),
        venue: row.opt_text(2)?.unwrap_or_default().to_owned(),
        time_zone: row.text(3)?.to_owned(),
        starts_at: row.opt_stamp(4)?,
        status: row.named(5, EventStatus::parse)?,
        entered: row.int(6)?,
        to_come: row.int(7)?,
    })
}

macro_rules! nights {
    ($rest:literal) => {
        concat!(
            "SELECT e.id, e.name, e.venue, e.timezone, e.starts_at, e.status, ",
            "(SELECT CAST(coalesce(sum(y.scanned_tickets), 0) AS BIGINT) FROM ticket_types y ",
            "WHERE y.producer_id = ?1 AND y.event_id = e.id AND y.category = 'ticket'), ",
            "(SELECT CAST(coalesce(sum(y.valid_tickets), 0) AS BIGINT) FROM ticket_types y ",
            "WHERE y.producer_id = ?1 AND y.event_id = e.id AND y.category = 'ticket') ",
            "FROM events e WHERE e.producer_id = ?1 AND ",
            $rest
        )
    };
}

/// The event with this id.
pub async fn find(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Option<Night>> {
    conn.query_first(FIND, params![tenant.number(), event_id], read).await
}

/// The query of [`find`].
pub const FIND: &str = nights!("e.id = ?2");

/// The events that begin at this time or later, the earliest first.
pub async fn from(conn: &mut Conn, tenant: Tenant, at: Stamp, limit: i64) -> Result<Vec<Night>> {
    conn.collect(FROM, params![tenant.number(), at, limit], read).await
}

/// The query of [`from`].
pub const FROM: &str = nights!("e.starts_at >= ?2 ORDER BY e.starts_at, e.id LIMIT ?3");

/// The events that began before this time, the latest first.
pub async fn before(conn: &mut Conn, tenant: Tenant, at: Stamp, limit: i64) -> Result<Vec<Night>> {
    conn.collect(BEFORE, params![tenant.number(), at, limit], read).await
}

/// The query of [`before`].
pub const BEFORE: &str = nights!("e.starts_at < ?2 ORDER BY e.starts_at DESC, e.id DESC LIMIT ?3");

/// Events whose start is not known.
pub async fn undated(conn: &mut Conn, tenant: Tenant, limit: i64) -> Result<Vec<Night>> {
    conn.collect(UNDATED, params![tenant.number(), limit], read).await
}

/// The query of [`undated`].
pub const UNDATED: &str = nights!("e.starts_at IS NULL ORDER BY e.id LIMIT ?2");
