//! Who has entered an event: by ticket type, by minute and by station. All of it is kept as it happens
//! (`catalogue/ticket_counts.rs`).

use std::collections::HashMap;

use taquilla_domain::{clock::Stamp, status::Category};

use crate::{Conn, Result, Tenant, engine::sql::params};

/// The entries of a ticket type.
#[derive(Clone, Debug)]
pub struct OfType {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its category.
    pub category: Category,
    /// Tickets that have entered.
    pub entered: i64,
    /// Valid tickets that have not entered.
    pub to_come: i64,
}

/// The entries of an event's ticket types, in the organiser's order. Those without any ticket are left out.
pub async fn by_type(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<OfType>> {
    let mut types = conn
        .collect(BY_TYPE, params![tenant.number(), event_id], |row| {
            Ok(OfType {
                id: row.text(0)?.to_owned(),
                name: row.text(1)?.to_owned(),
                category: row.named(2, Category::parse)?,
                entered: row.int(3)?,
                to_come: row.int(4)?,
            })
        })
        .await?;
    types.retain(|counted| counted.entered + counted.to_come > 0);
    Ok(types)
}

/// The query of [`by_type`].
pub const BY_TYPE: &str = "SELECT id, name, category, scanned_tickets, valid_tickets FROM ticket_types \
     WHERE producer_id = ?1 AND event_id = ?2 ORDER BY sort_order, id";

/// The last minute in which anybody entered.
pub async fn last_minute(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Option<Stamp>> {
    conn.query_first(LAST_MINUTE, params![tenant.number(), event_id], |row| row.stamp(0)).await
}

/// The query of [`last_minute`].
pub const LAST_MINUTE: &str =
    "SELECT minute FROM entries WHERE producer_id = ?1 AND event_id = ?2 ORDER BY minute DESC LIMIT 1";

/// How many entered an event in each minute from this one on, of each category, the earliest first. Types that are not
/// among these have nobody who entered.
pub async fn by_minute(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    types: &[OfType],
    from: Stamp,
) -> Result<Vec<(Stamp, Category, i64)>> {
    let categories: HashMap<&str, Category> = types.iter().map(|of| (of.id.as_str(), of.category)).collect();
    let mut sums: Vec<(Stamp, Category, i64)> = Vec::new();
    conn.query(BY_MINUTE, params![tenant.number(), event_id, from], |row| {
        let (minute, category, entered) = (row.stamp(0)?, categories.get(row.text(1)?), row.int(2)?);
        let Some(category) = category.copied() else { return Ok(()) };
        // The rows of a minute come together. There are few categories.
        let mut same_minute = sums.iter_mut().rev().take_while(|(at, ..)| *at == minute);
        match same_minute.find(|(_, of, _)| *of == category) {
            Some((.., sum)) => *sum += entered,
            None => sums.push((minute, category, entered)),
        }
        Ok(())
    })
    .await?;
    Ok(sums)
}

/// The query of [`by_minute`]. Categories are found here and not by a join, which would look into the ticket types for
/// each row and sort.
pub const BY_MINUTE: &str = "SELECT minute, ticket_type_id, entered FROM entries \
     WHERE producer_id = ?1 AND event_id = ?2 AND minute >= ?3 ORDER BY minute, ticket_type_id";

/// How many entered an event at each station, the busiest first, and at most so many stations.
pub async fn by_station(conn: &mut Conn, tenant: Tenant, event_id: &str, limit: i64) -> Result<Vec<(String, i64)>> {
    conn.collect(BY_STATION, params![tenant.number(), event_id, limit], |row| {
        Ok((row.text(0)?.to_owned(), row.int(1)?))
    })
    .await
}

/// The query of [`by_station`].
pub const BY_STATION: &str = "SELECT s.station, CAST(sum(s.entered) AS BIGINT) FROM ticket_types y \
     JOIN station_entries s ON s.producer_id = ?1 AND s.ticket_type_id = y.id \
     WHERE y.producer_id = ?1 AND y.event_id = ?2 GROUP BY s.station HAVING sum(s.entered) > 0 \
     ORDER BY 2 DESC, 1 LIMIT ?3";
