//! What the overview shows: the events of tonight and the next ones with their kept counts, and how much waits for a
//! person. Nothing here is counted further than [`ATTENTION_MAX`].

use std::collections::HashMap;

use taquilla_domain::{
    clock::Stamp,
    config::ATTENTION_MAX,
    pool,
    status::{Category, EventStatus},
};

use super::{
    Conn, Result, Tenant,
    catalogue::pools::{self, takes_of},
    engine::sql::{Row, params},
};

/// An event that is on, or comes.
#[derive(Clone, Debug)]
pub struct Coming {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its time zone.
    pub timezone: String,
    /// Its currency.
    pub currency: String,
    /// When it begins.
    pub starts_at: Stamp,
    /// When it ends, if that is known.
    pub ends_at: Option<Stamp>,
    /// Its status.
    pub status: EventStatus,
}

/// The query of [`coming`].
pub const COMING: &str = "SELECT e.id, e.name, e.timezone, e.starts_at, e.ends_at, e.status, e.currency FROM events e \
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
            currency: row.text(6)?.to_owned(),
        })
    })
    .await
}

/// How much is left of what buyers are offered. What only the team sells, such as a guest list, seldom has a limit, and says
/// nothing of the room that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing is offered.
    NotOffered,
    /// Some of it has no limit, so any number is.
    NoLimit,
    /// So many units.
    Units(i64),
}

/// Entrances, things from the bar, or bundles of an event. They are never added: a bundle has entrances in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfCategory {
    /// Which of them.
    pub category: Category,
    /// Units that approved orders hold and that are live: those that were refunded or cancelled are not among them.
    pub sold: i64,
    /// Units that can still be sold: neither sold nor held by an order that waits.
    pub left: Left,
    /// Tickets that have entered.
    pub entered: i64,
    /// Tickets that have entered or may still come.
    pub expected: i64,
}

impl OfCategory {
    /// Both together, but for what is left.
    fn and(self, other: Self) -> Self {
        Self {
            sold: self.sold + other.sold,
            entered: self.entered + other.entered,
            expected: self.expected + other.expected,
            ..self
        }
    }
}

/// The query of [`figures`], with the present as ?3. An event has few items.
pub const FIGURES: &str = "SELECT t.id, t.category, t.sold, t.scanned_tickets, t.valid_tickets + t.scanned_tickets, \
     CAST(CASE WHEN t.deleted = 0 AND t.status IN ('active', 'hidden') THEN 1 ELSE 0 END AS BIGINT), \
     t.stock_limit - t.sold - coalesce((SELECT CAST(sum(h.quantity) AS BIGINT) FROM held_stock h WHERE h.producer_id = ?1 \
     AND h.ticket_type_id = t.id AND h.until > ?3), 0) FROM ticket_types t WHERE t.producer_id = ?1 AND t.event_id = ?2";

/// An item's part of the figures.
struct ItemFigures {
    id: String,
    of: OfCategory,
    is_offered: bool,
    /// What its own stock leaves. `None` if it has no limit.
    free: Option<i64>,
}

/// The figures of an event, from the counts of what it sells: of each category that it has, entrances first. What is left has
/// room in the pools, too.
pub async fn figures(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<OfCategory>> {
    let read = |row: &Row<'_>| {
        let of = OfCategory {
            category: row.named(1, Category::parse)?,
            sold: row.int(2)?,
            left: Left::NotOffered,
            entered: row.int(3)?,
            expected: row.int(4)?,
        };
        Ok(ItemFigures { id: row.text(0)?.to_owned(), of, is_offered: row.int(5)? == 1, free: row.opt_int(6)? })
    };
    let sql = FIGURES.replace("?3", &conn.clock());
    let mut items = conn.collect(&sql, params![tenant.number(), event_id], read).await?;
    items.sort_by(|one, other| one.id.cmp(&other.id));
    let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let (takes, free) = pools::free_of_event(conn, tenant, event_id, &ids).await?;
    let mut found: Vec<OfCategory> = Vec::new();
    for category in Category::ALL.iter().copied() {
        let of_category = || items.iter().filter(|item| item.of.category == category);
        let Some(sum) = of_category().map(|item| item.of).reduce(OfCategory::and) else { continue };
        let offered = of_category().filter(|item| item.is_offered);
        let units = pool::units_left(offered.clone().map(|item| (item.free, takes_of(&takes, &item.id))), free.clone());
        let left = match units {
            _ if offered.count() == 0 => Left::NotOffered,
            Some(units) => Left::Units(units),
            None => Left::NoLimit,
        };
        found.push(OfCategory { left, ..sum });
    }
    Ok(found)
}

/// What some events sold, by their ids: of each category that they have, entrances first.
pub async fn sold(
    conn: &mut Conn,
    tenant: Tenant,
    event_ids: &[&str],
) -> Result<HashMap<String, Vec<(Category, i64)>>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), row.named(1, Category::parse)?, row.int(2)?));
    let mut by_event: HashMap<String, Vec<(Category, i64)>> = HashMap::new();
    for (event_id, category, units) in conn.collect_many(SOLD, &tenant.keys(event_ids), read).await? {
        by_event.entry(event_id).or_default().push((category, units));
    }
    for of_event in by_event.values_mut() {
        of_event.sort_by_key(|(category, _)| place_of(*category));
    }
    Ok(by_event)
}

/// The query of [`sold`] for one event.
pub const SOLD: &str = "SELECT event_id, category, CAST(sum(sold) AS BIGINT) FROM ticket_types \
     WHERE producer_id = ?1 AND event_id = ?2 GROUP BY event_id, category";

fn place_of(category: Category) -> Option<usize> {
    Category::ALL.iter().position(|each| *each == category)
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
