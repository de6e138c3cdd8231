//! What the overview shows: the events of tonight and the next ones with their kept counts, and how much waits for a
//! person. Nothing here is counted further than [`ATTENTION_MAX`].

use taquilla_domain::{clock::Stamp, config::ATTENTION_MAX, status::EventStatus};

use super::{Conn, Result, Tenant, engine::sql::params};

/// An event that is on, or comes.
#[derive(Clone, Debug)]
pub struct Coming {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its time zone.
    pub timezone: String,
    /// When it begins.
    pub starts_at: Stamp,
    /// When it ends, if that is known.
    pub ends_at: Option<Stamp>,
    /// Its status.
    pub status: EventStatus,
}

/// The query of [`coming`].
pub const COMING: &str = "SELECT e.id, e.name, e.timezone, e.starts_at, e.ends_at, e.status FROM events e \
     WHERE e.producer_id = ?1 AND e.starts_at > ?2 ORDER BY e.starts_at, e.id LIMIT ?3";

/// The events that begin after a moment, soonest first.
pub async fn coming(conn: &mut Conn, tenant: Tenant, after: Stamp, limit: usize) -> Result<Vec<Coming>> {
    conn.collect(COMING, params![tenant.number(), after, limit as i64], |row| {
        Ok(Coming {
            id: row.text(0)?.to_owned(),
            name: row.text(1)?.to_owned(),
            timezone: row.text(2)?.to_owned(),
            starts_at: row.stamp(3)?,
            ends_at: row.opt_stamp(4)?,
            status: row.named(5, EventStatus::parse)?,
        })
    })
    .await
}

/// The figures of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// People who have entered: tickets of the category `ticket`.
    pub entered: i64,
    /// People who have entered or may still come.
    pub expected: i64,
    /// Units sold, of everything.
    pub sold: i64,
    /// Units left of what has a limit and is offered; `None` if nothing has a limit.
    pub left: Option<i64>,
}

/// The query of [`figures`].
pub const FIGURES: &str = "SELECT CAST(coalesce(sum(CASE category WHEN 'ticket' THEN scanned_tickets ELSE 0 END), 0) AS BIGINT), \
     CAST(coalesce(sum(CASE category WHEN 'ticket' THEN valid_tickets + scanned_tickets ELSE 0 END), 0) AS BIGINT), \
     CAST(coalesce(sum(sold), 0) AS BIGINT), \
     CAST(sum(CASE WHEN deleted = 0 AND status IN ('active', 'hidden', 'exclusive') THEN stock_limit - sold END) AS BIGINT) \
     FROM ticket_types WHERE producer_id = ?1 AND event_id = ?2";

/// The figures of an event, from the counts of what it sells.
pub async fn figures(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Figures> {
    let figures = conn
        .query_first(FIGURES, params![tenant.number(), event_id], |row| {
            Ok(Figures { entered: row.int(0)?, expected: row.int(1)?, sold: row.int(2)?, left: row.opt_int(3)? })
        })
        .await?;
    Ok(figures.unwrap_or_default())
}

/// Units of an event's items whose holds end within some microseconds from now, by the database's clock.
pub async fn held_that_end(conn: &mut Conn, tenant: Tenant, event_id: &str, within: i64) -> Result<i64> {
    let sql = HELD_THAT_END.replace("?4", &conn.clock());
    let held = conn.query_first(&sql, params![tenant.number(), event_id, within], |row| row.int(0)).await?;
    Ok(held.unwrap_or_default())
}

/// The query of [`held_that_end`], with the present as ?4.
pub const HELD_THAT_END: &str = "SELECT CAST(coalesce(sum((SELECT sum(h.quantity) FROM held_stock h \
     WHERE h.producer_id = ?1 AND h.ticket_type_id = t.id AND h.until > ?4 AND h.until <= ?4 + CAST(?3 AS BIGINT))), 0) \
     AS BIGINT) FROM ticket_types t WHERE t.producer_id = ?1 AND t.event_id = ?2";

/// Orders that wait since before a moment.
pub async fn pending_since(conn: &mut Conn, tenant: Tenant, before: Stamp) -> Result<i64> {
    count(conn, PENDING_SINCE, tenant, before, before).await
}

/// The query of [`pending_since`]: the condition with a number belongs to the list of orders by status
/// (`store/lists.rs`).
pub const PENDING_SINCE: &str = "SELECT count(*) FROM (SELECT 1 FROM orders t INDEXED BY orders_by_status \
     WHERE t.producer_id = ?1 AND t.status = 'pending' AND t.created_at < ?2 AND t.created_at < ?3 AND t.seq + 4 <> 4 \
     LIMIT ?4) c";

/// Keys that end by themselves between two moments.
pub async fn keys_that_end(conn: &mut Conn, tenant: Tenant, from: Stamp, to: Stamp) -> Result<i64> {
    count(conn, KEYS_THAT_END, tenant, from, to).await
}

/// The query of [`keys_that_end`].
pub const KEYS_THAT_END: &str = "SELECT count(*) FROM (SELECT 1 FROM api_keys INDEXED BY api_keys_ending \
     WHERE producer_id = ?1 AND expires_at > ?2 AND expires_at <= ?3 AND revoked_at IS NULL LIMIT ?4) c";

/// Invitations that end between two moments.
pub async fn invitations_that_end(conn: &mut Conn, tenant: Tenant, from: Stamp, to: Stamp) -> Result<i64> {
    count(conn, INVITATIONS_THAT_END, tenant, from, to).await
}

/// The query of [`invitations_that_end`].
pub const INVITATIONS_THAT_END: &str = "SELECT count(*) FROM (SELECT 1 FROM staff_links INDEXED BY invitations_ending \
     WHERE producer_id = ?1 AND purpose = 'invitation' AND expires_at > ?2 AND expires_at <= ?3 LIMIT ?4) c";

async fn count(conn: &mut Conn, sql: &str, tenant: Tenant, from: Stamp, to: Stamp) -> Result<i64> {
    let values = params![tenant.number(), from, to, ATTENTION_MAX + 1];
    Ok(conn.query_first(sql, values, |row| row.int(0)).await?.unwrap_or_default())
}

/// The door links that end by themselves between two moments: the events they are for, with how many, soonest first.
pub async fn door_links_that_end(
    conn: &mut Conn,
    tenant: Tenant,
    from: Stamp,
    to: Stamp,
) -> Result<Vec<(String, usize)>> {
    let values = params![tenant.number(), from, to, ATTENTION_MAX + 1];
    let ending = conn.collect(DOOR_LINKS_THAT_END, values, |row| Ok(row.text(0)?.to_owned())).await?;
    let mut events: Vec<(String, usize)> = Vec::new();
    for event_id in ending {
        match events.iter_mut().find(|(known, _)| *known == event_id) {
            Some((_, links)) => *links += 1,
            None => events.push((event_id, 1)),
        }
    }
    Ok(events)
}

/// The query of [`door_links_that_end`].
pub const DOOR_LINKS_THAT_END: &str = "SELECT event_id FROM door_links INDEXED BY door_links_ending \
     WHERE producer_id = ?1 AND expires_at > ?2 AND expires_at <= ?3 AND revoked_at IS NULL ORDER BY expires_at LIMIT ?4";
