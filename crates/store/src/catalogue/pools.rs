//! Pools: places that several items of an event share. What is taken and held of one follows from the counts and the holds of
//! its items (`domain/pool.rs`), which are few, so a pool costs as many rows as it has items, however much is sold.

use std::collections::HashMap;

use taquilla_domain::{
    clock::Stamp,
    pool::{Places, Pool},
};

use crate::{
    Conn, Move, Question, Result, Tenant,
    engine::sql::{Param, Row, params},
};

/// How many places one unit of an item takes, from which pools, by item.
pub type Takes = HashMap<String, Vec<(String, i64)>>;

/// Asks what one unit of each of these items takes from pools: a place for itself, or one for each item that a bundle includes.
pub fn takes<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut Takes) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let (of_item, pool, places) = (into.entry(row.text(0)?.to_owned()).or_default(), row.text(1)?, row.int(2)?);
        match of_item.iter_mut().find(|(known, _)| known == pool) {
            Some((_, sum)) => *sum += places,
            None => of_item.push((pool.to_owned(), places)),
        }
        Ok(())
    };
    Question { sql: TAKES, sets: tenant.keys(ids), read: Box::new(read) }
}

/// The query of [`takes`] for one item. A bundle may include several items of one pool.
pub const TAKES: &str = "SELECT i.ticket_type_id, i.pool_id, CAST(1 AS BIGINT) FROM pool_items i \
     WHERE i.producer_id = ?1 AND i.ticket_type_id = ?2 \
     UNION ALL SELECT b.bundle_id, i.pool_id, b.quantity FROM bundle_items b CROSS JOIN pool_items i \
     WHERE b.producer_id = ?1 AND b.bundle_id = ?2 AND i.producer_id = ?1 AND i.ticket_type_id = b.ticket_type_id";

/// Asks how many places these pools have and how many are taken, by pool. What is held of them is not known yet.
pub fn places<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut HashMap<String, Places>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let places = Places { limit: row.int(1)?, taken: row.int(2)?, held: 0, held_until: None };
        into.insert(row.text(0)?.to_owned(), places);
        Ok(())
    };
    Question { sql: PLACES, sets: tenant.keys(ids), read: Box::new(read) }
}

/// The query of [`places`] for one pool.
pub const PLACES: &str = "SELECT p.id, p.pool_limit, CAST(coalesce((SELECT sum((SELECT t.valid_tickets + t.scanned_tickets \
     FROM ticket_types t WHERE t.producer_id = ?1 AND t.id = m.ticket_type_id)) FROM pool_items m \
     WHERE m.producer_id = ?1 AND m.pool_id = ?2), 0) AS BIGINT) FROM pools p WHERE p.producer_id = ?1 AND p.id = ?2";

/// What is held of pools: how many places, and when the next of these holds ends.
pub type HeldPlaces = HashMap<String, (i64, Stamp)>;

/// Asks what is held of these pools at a time.
pub fn held<'a>(tenant: Tenant, ids: &[&'a str], now: Stamp, into: &'a mut HeldPlaces) -> Question<'a> {
    let sets = ids.iter().map(|id| vec![tenant.number().into(), (*id).into(), now.into()]).collect();
    Question { sql: HELD, sets, read: Box::new(|row: &Row<'_>| read_held(row, into)) }
}

/// The query of [`held`] for one pool: holds of its items, then of the bundles that include them.
pub const HELD: &str = "SELECT ?2, CAST(sum(h.quantity) AS BIGINT), min(h.until) FROM pool_items m CROSS JOIN held_stock h \
     WHERE m.producer_id = ?1 AND m.pool_id = ?2 AND h.producer_id = ?1 AND h.ticket_type_id = m.ticket_type_id \
     AND h.until > ?3 AND h.quantity > 0 HAVING count(*) > 0 \
     UNION ALL SELECT ?2, CAST(sum(h.quantity * b.quantity) AS BIGINT), min(h.until) FROM pool_items m \
     CROSS JOIN bundle_items b CROSS JOIN held_stock h WHERE m.producer_id = ?1 AND m.pool_id = ?2 AND b.producer_id = ?1 \
     AND b.ticket_type_id = m.ticket_type_id AND h.producer_id = ?1 AND h.ticket_type_id = b.bundle_id \
     AND h.until > ?3 AND h.quantity > 0 HAVING count(*) > 0";

fn read_held(row: &Row<'_>, into: &mut HeldPlaces) -> Result<()> {
    let (places, until) = (row.int(1)?, row.stamp(2)?);
    let held = into.entry(row.text(0)?.to_owned()).or_insert((0, until));
    *held = (held.0 + places, held.1.min(until));
    Ok(())
}

/// Adds what is held to what is known of pools.
pub fn put_held(places: &mut HashMap<String, Places>, held: HeldPlaces) {
    for (id, (quantity, until)) in held {
        if let Some(places) = places.get_mut(&id) {
            (places.held, places.held_until) = (quantity, Some(until));
        }
    }
}

/// The pools of an event in the order of their names, with how full they are now.
pub async fn of_event(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<Pool>> {
    let mut pools: Vec<Pool> = Vec::new();
    conn.query(OF_EVENT, params![tenant.number(), event_id], |row| {
        if pools.last().is_none_or(|last| Some(last.id.as_str()) != row.text(0).ok()) {
            pools.push(Pool {
                id: row.text(0)?.to_owned(),
                event_id: event_id.to_owned(),
                name: row.text(1)?.to_owned(),
                places: Places { limit: row.int(2)?, taken: 0, held: 0, held_until: None },
                items: Vec::new(),
                updated_at: row.stamp(3)?,
            });
        }
        if let (Some(pool), Some(item)) = (pools.last_mut(), row.opt_text(4)?) {
            pool.items.push(item.to_owned());
            pool.places.taken += row.opt_int(5)?.unwrap_or(0);
        }
        Ok(())
    })
    .await?;
    let ids: Vec<&str> = pools.iter().map(|pool| pool.id.as_str()).collect();
    let held = held_now(conn, tenant, &ids).await?;
    for pool in &mut pools {
        if let Some((quantity, until)) = held.get(&pool.id) {
            (pool.places.held, pool.places.held_until) = (*quantity, Some(*until));
        }
    }
    Ok(pools)
}

/// The query of [`of_event`], but for the holds.
pub const OF_EVENT: &str = "SELECT p.id, p.name, p.pool_limit, p.updated_at, m.ticket_type_id, \
     t.valid_tickets + t.scanned_tickets FROM pools p \
     LEFT JOIN pool_items m ON m.producer_id = ?1 AND m.pool_id = p.id \
     LEFT JOIN ticket_types t ON t.producer_id = ?1 AND t.id = m.ticket_type_id \
     WHERE p.producer_id = ?1 AND p.event_id = ?2 ORDER BY p.name, p.id, t.sort_order, m.ticket_type_id";

async fn held_now(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<HeldPlaces> {
    let sql = HELD.replace("?3", &conn.clock());
    let mut places = HeldPlaces::new();
    let read = |row: &Row<'_>| read_held(row, &mut places);
    conn.ask(vec![Question { sql: &sql, sets: tenant.keys(ids), read: Box::new(read) }]).await?;
    Ok(places)
}

/// How many places of each pool of an event nobody has taken or holds, and what one unit of these items takes of them. Most
/// events have no pool, and then nothing else is asked.
pub async fn free_of_event(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    ids: &[&str],
) -> Result<(Takes, HashMap<String, i64>)> {
    let (mut by_item, pools) = (Takes::new(), of_event(conn, tenant, event_id).await?);
    if !pools.is_empty() {
        conn.ask(vec![takes(tenant, ids, &mut by_item)]).await?;
    }
    Ok((by_item, pools.into_iter().map(|pool| (pool.id, pool.places.free())).collect()))
}

/// What one unit of an item takes.
pub fn takes_of<'a>(takes: &'a Takes, id: &str) -> &'a [(String, i64)] {
    takes.get(id).map_or(&[], Vec::as_slice)
}

/// The pool with this id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Pool>> {
    let sql = "SELECT event_id FROM pools WHERE producer_id = ?1 AND id = ?2";
    let event = conn.query_first(sql, params![tenant.number(), id], |row| Ok(row.text(0)?.to_owned())).await?;
    let Some(event) = event else { return Ok(None) };
    Ok(of_event(conn, tenant, &event).await?.into_iter().find(|pool| pool.id == id))
}

/// Makes a pool.
pub async fn insert(tx: &mut Move, id: &str, event_id: &str, name: &str, limit: i64, items: &[String]) -> Result<()> {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let sql =
        "INSERT INTO pools (producer_id, id, event_id, name, pool_limit, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    tx.execute(sql, params![tenant, id, event_id, name, limit, stamp]).await?;
    put_items(tx, id, items).await
}

async fn put_items(tx: &mut Move, id: &str, items: &[String]) -> Result<()> {
    let tenant = tx.tenant().number();
    let sets: Vec<Vec<Param<'_>>> =
        items.iter().map(|item| vec![tenant.into(), id.into(), item.as_str().into()]).collect();
    let sql = "INSERT INTO pool_items (producer_id, pool_id, ticket_type_id) VALUES (?1, ?2, ?3)";
    tx.execute_many(sql, &sets).await
}

async fn drop_items(tx: &mut Move, id: &str) -> Result<()> {
    let tenant = tx.tenant().number();
    let sql = "DELETE FROM pool_items WHERE producer_id = ?1 AND pool_id = ?2";
    tx.execute(sql, params![tenant, id]).await.map(drop)
}

/// Changes a pool, and the items that share it.
pub async fn change(tx: &mut Move, id: &str, name: &str, limit: i64, items: &[String]) -> Result<()> {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let sql = "UPDATE pools SET name = ?3, pool_limit = ?4, updated_at = ?5 WHERE producer_id = ?1 AND id = ?2";
    tx.execute(sql, params![tenant, id, name, limit, stamp]).await?;
    drop_items(tx, id).await?;
    put_items(tx, id, items).await
}

/// Ends a pool. Its items sell by their own limits alone.
pub async fn remove(tx: &mut Move, id: &str) -> Result<()> {
    drop_items(tx, id).await?;
    let tenant = tx.tenant().number();
    let sql = "DELETE FROM pools WHERE producer_id = ?1 AND id = ?2";
    tx.execute(sql, params![tenant, id]).await.map(drop)
}
