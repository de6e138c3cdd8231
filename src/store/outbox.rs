//! The outbox: events that others are told of, committed with the change they tell of (G10).

use crate::domain::{id, webhook::EventKind};

use super::{
    Conn, Result,
    producers::{Tenant, Tick},
    sql::{Param, params},
};

/// Adds events, each with its resource as the API shows it at this moment.
pub async fn add(conn: &mut Conn, tenant: Tenant, tick: &mut Tick, events: &[(EventKind, String)]) -> Result<()> {
    let mut ids = Vec::with_capacity(events.len());
    for _ in events {
        ids.push((tick.seq()?, id::new_id("we", tick.stamp)));
    }
    let sets: Vec<Vec<Param<'_>>> = events
        .iter()
        .zip(&ids)
        .map(|((kind, data), (seq, id))| {
            vec![tenant.number().into(), (*seq).into(), id.into(), kind.as_str().into(), tick.stamp.into(), data.into()]
        })
        .collect();
    conn.execute_many(
        "INSERT INTO outbox (producer_id, seq, id, kind, occurred_at, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        &sets,
    )
    .await?;
    Ok(())
}

/// Adds a test for one endpoint.
pub async fn add_test(
    conn: &mut Conn,
    tenant: Tenant,
    tick: &mut Tick,
    endpoint_id: &str,
    data: &str,
) -> Result<String> {
    let id = id::new_id("we", tick.stamp);
    conn.execute(
        "INSERT INTO outbox (producer_id, seq, id, kind, occurred_at, data, endpoint_id) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![tenant.number(), tick.seq()?, &id, EventKind::WebhookTest.as_str(), tick.stamp, data, endpoint_id],
    )
    .await?;
    Ok(id)
}
