//! Terms that buyers accept, and which terms the buyers of orders accepted.

use std::collections::HashMap;

use taquilla_domain::terms::{NewTerms, Terms};

use crate::{
    Conn, Move, Result, Tenant,
    engine::sql::{Row, params},
};

const COLUMNS: &str = "t.id, t.event_id, t.text, t.url, t.created_at, t.ended_at";

fn read(row: &Row<'_>, first: usize) -> Result<Terms> {
    let text = |at: usize| -> Result<Option<String>> { Ok(row.opt_text(first + at)?.map(str::to_owned)) };
    Ok(Terms {
        id: row.text(first)?.to_owned(),
        event_id: Some(row.text(first + 1)?.to_owned()).filter(|event_id| !event_id.is_empty()),
        text: text(2)?,
        url: text(3)?,
        created_at: row.stamp(first + 4)?,
        ended_at: row.opt_stamp(first + 5)?,
    })
}

/// The terms that buyers of an event accept: its own, or else its producer's.
pub async fn of_event(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Option<Terms>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM terms t WHERE t.producer_id = ?1 AND t.event_id IN (?2, '') AND t.ended_at IS NULL \
         ORDER BY t.event_id DESC LIMIT 1"
    );
    conn.query_first(&sql, params![tenant.number(), event_id], |row| read(row, 0)).await
}

/// The terms that were made for an event, or without one for the producer, and are in force.
pub async fn made_for(conn: &mut Conn, tenant: Tenant, event_id: Option<&str>) -> Result<Option<Terms>> {
    let sql =
        format!("SELECT {COLUMNS} FROM terms t WHERE t.producer_id = ?1 AND t.event_id = ?2 AND t.ended_at IS NULL");
    let values = params![tenant.number(), event_id.unwrap_or_default()];
    conn.query_first(&sql, values, |row| read(row, 0)).await
}

/// The terms that the buyers of these orders accepted, by the order.
pub async fn accepted(conn: &mut Conn, tenant: Tenant, order_ids: &[&str]) -> Result<HashMap<String, Terms>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), read(row, 1)?));
    Ok(conn.collect_many(ACCEPTED, &tenant.keys(order_ids), read).await?.into_iter().collect())
}

/// The query of [`accepted`] for one order.
pub const ACCEPTED: &str = "SELECT o.id, t.id, t.event_id, t.text, t.url, t.created_at, t.ended_at \
     FROM orders o JOIN terms t ON t.producer_id = o.producer_id AND t.id = o.terms_id \
     WHERE o.producer_id = ?1 AND t.producer_id = ?1 AND o.id = ?2";

/// Ends the terms that were made for an event, or without one for the producer.
pub async fn end(tx: &mut Move, event_id: Option<&str>) -> Result<()> {
    let sql = "UPDATE terms SET ended_at = ?3 WHERE producer_id = ?1 AND event_id = ?2 AND ended_at IS NULL";
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    tx.execute(sql, params![tenant, event_id.unwrap_or_default(), stamp]).await.map(drop)
}

/// Writes down new terms. The ones before have ended.
pub async fn insert(tx: &mut Move, id: &str, event_id: Option<&str>, terms: &NewTerms) -> Result<()> {
    let sql = "INSERT INTO terms (producer_id, id, event_id, text, url, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let values = params![tenant, id, event_id.unwrap_or_default(), terms.text(), terms.url(), stamp];
    tx.execute(sql, values).await.map(drop)
}
