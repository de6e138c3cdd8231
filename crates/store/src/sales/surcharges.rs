//! Surcharges of events.

use std::collections::HashMap;

use taquilla_domain::{
    pricing::{Per, Rate},
    surcharge::Surcharge,
};

use crate::{
    Conn, Error, Move, Question, Result, Tenant,
    engine::sql::{Row, params},
};

fn read(row: &Row<'_>) -> Result<Surcharge> {
    Ok(Surcharge {
        id: row.text(0)?.to_owned(),
        event_id: row.text(1)?.to_owned(),
        name: row.text(2)?.to_owned(),
        per: if row.flag(3)? { Per::Ticket } else { Per::Order },
        rate: Rate::new(row.opt_int(4)?, row.opt_int(5)?).map_err(Error::internal)?,
        created_at: row.stamp(6)?,
        ended_at: row.opt_stamp(7)?,
    })
}

/// Surcharges by event, oldest first.
pub type OfEvents = HashMap<String, Vec<Surcharge>>;

/// Asks for the surcharges that are charged for these events.
pub fn charged<'a>(tenant: Tenant, events: &[&'a str], into: &'a mut OfEvents) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let surcharge = read(row)?;
        into.entry(surcharge.event_id.clone()).or_default().push(surcharge);
        Ok(())
    };
    Question { sql: CHARGED, sets: tenant.keys(events), read: Box::new(read) }
}

/// The query of [`charged`] for one event.
pub const CHARGED: &str = "SELECT id, event_id, name, per_ticket, percent, amount, created_at, ended_at FROM surcharges \
     WHERE producer_id = ?1 AND event_id = ?2 AND ended_at IS NULL ORDER BY created_at, id";

/// The surcharges that are charged for an event, oldest first.
pub async fn of_event(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<Surcharge>> {
    conn.collect(CHARGED, params![tenant.number(), event_id], read).await
}

/// The surcharges that were ever charged for an event, oldest first.
pub async fn ever_of_event(conn: &mut Conn, tenant: Tenant, event_id: &str, limit: i64) -> Result<Vec<Surcharge>> {
    let sql = "SELECT id, event_id, name, per_ticket, percent, amount, created_at, ended_at FROM surcharges \
               WHERE producer_id = ?1 AND event_id = ?2 ORDER BY created_at DESC, id DESC LIMIT ?3";
    let mut found = conn.collect(sql, params![tenant.number(), event_id, limit], read).await?;
    found.reverse();
    Ok(found)
}

/// A surcharge.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Surcharge>> {
    let sql = "SELECT id, event_id, name, per_ticket, percent, amount, created_at, ended_at FROM surcharges \
               WHERE producer_id = ?1 AND id = ?2";
    conn.query_first(sql, params![tenant.number(), id], read).await
}

/// Writes down a new surcharge.
pub async fn insert(tx: &mut Move, surcharge: &Surcharge) -> Result<()> {
    let (percent, amount) = surcharge.rate.parts();
    let per_ticket = surcharge.per == Per::Ticket;
    let values = params![
        tx.tenant().number(),
        &surcharge.id,
        &surcharge.event_id,
        &surcharge.name,
        per_ticket,
        percent,
        amount,
        surcharge.created_at
    ];
    tx.execute(
        "INSERT INTO surcharges (producer_id, id, event_id, name, per_ticket, percent, amount, created_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        values,
    )
    .await
    .map(drop)
}

/// Ends a surcharge. One that has ended stays as it is.
pub async fn end(tx: &mut Move, id: &str) -> Result<()> {
    let sql = "UPDATE surcharges SET ended_at = ?3 WHERE producer_id = ?1 AND id = ?2 AND ended_at IS NULL";
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    tx.execute(sql, params![tenant, id, stamp]).await.map(drop)
}
