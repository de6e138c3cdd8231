//! How many people are inside an event and in each of its zones, and how many may be before somebody is warned.

use std::collections::BTreeMap;

use crate::{
    Conn, Move, Result, Tenant,
    engine::sql::{Param, Row, params},
};

/// A part of the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Its name; empty is the place as a whole.
    pub name: String,
    /// The people inside.
    pub people: i64,
    /// How many may be before somebody is warned.
    pub limit: Option<i64>,
}

/// The whole event first, with everybody who is inside; then its zones, those where people are or that have a limit.
pub async fn by_zone(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<Zone>> {
    let people = people(conn, tenant, event_id).await?;
    let limits = limits(conn, tenant, event_id).await?;
    Ok(joined(people, limits))
}

/// What [`by_zone`] tells of the whole event and of one zone, where there is a limit.
pub async fn near(conn: &mut Conn, tenant: Tenant, event_id: &str, zone: &str) -> Result<Vec<Zone>> {
    let mut limits = limits(conn, tenant, event_id).await?;
    limits.retain(|name, _| name.is_empty() || name == zone);
    if limits.is_empty() {
        return Ok(Vec::new());
    }
    let mut zones = joined(people(conn, tenant, event_id).await?, limits);
    zones.retain(|zone| zone.limit.is_some());
    Ok(zones)
}

fn joined(people: BTreeMap<String, i64>, mut limits: BTreeMap<String, i64>) -> Vec<Zone> {
    let all = Zone { name: String::new(), people: people.values().sum(), limit: limits.remove("") };
    let mut zones: BTreeMap<String, Zone> = BTreeMap::new();
    for (name, people) in people.into_iter().filter(|(name, people)| !name.is_empty() && *people != 0) {
        zones.insert(name.clone(), Zone { name, people, limit: None });
    }
    for (name, limit) in limits {
        let zone = zones.entry(name.clone()).or_insert(Zone { name, people: 0, limit: None });
        zone.limit = Some(limit);
    }
    std::iter::once(all).chain(zones.into_values()).collect()
}

/// The people inside, by zone. What is no ticket of a person, such as a drink, does not count.
async fn people(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<BTreeMap<String, i64>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), row.int(1)?));
    Ok(conn.collect(PEOPLE, params![tenant.number(), event_id], read).await?.into_iter().collect())
}

/// The query of the people inside.
pub const PEOPLE: &str = "SELECT i.zone, CAST(sum(i.inside) AS BIGINT) FROM inside i JOIN ticket_types y \
     ON y.producer_id = i.producer_id AND y.id = i.ticket_type_id WHERE i.producer_id = ?1 AND i.event_id = ?2 \
     AND y.category = 'ticket' GROUP BY i.zone";

/// The limits of an event, by zone.
async fn limits(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<BTreeMap<String, i64>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), row.int(1)?));
    Ok(conn.collect(LIMITS, params![tenant.number(), event_id], read).await?.into_iter().collect())
}

/// The query of the limits.
pub const LIMITS: &str = "SELECT zone, people FROM inside_limits WHERE producer_id = ?1 AND event_id = ?2";

/// Gives an event these limits and no others.
pub async fn set_limits(tx: &mut Move, event_id: &str, limits: &[(String, i64)]) -> Result<()> {
    let tenant = tx.tenant().number();
    let sql = "DELETE FROM inside_limits WHERE producer_id = ?1 AND event_id = ?2";
    tx.execute(sql, params![tenant, event_id]).await?;
    let sets: Vec<Vec<Param<'_>>> = limits
        .iter()
        .map(|(zone, people)| vec![tenant.into(), event_id.into(), zone.into(), (*people).into()])
        .collect();
    let sql = "INSERT INTO inside_limits (producer_id, event_id, zone, people) VALUES (?1, ?2, ?3, ?4)";
    tx.execute_many(sql, &sets).await?;
    Ok(())
}
