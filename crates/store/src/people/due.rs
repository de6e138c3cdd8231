//! Erasing people by age: for how long a producer keeps them, and the events that are over for longer.

use std::sync::LazyLock;

use taquilla_domain::clock::Stamp;

use crate::{Conn, Result, Tenant, Unstamped, engine::sql::params};

/// Days after an event's end for which a producer keeps its people; `None` is for ever.
pub async fn retention_days(conn: &mut Conn, tenant: Tenant) -> Result<Option<i64>> {
    let sql = "SELECT retention_days FROM producers WHERE producer_id = ?1";
    Ok(conn.query_first(sql, params![tenant.number()], |row| row.opt_int(0)).await?.flatten())
}

/// Sets for how many days after an event's end a producer keeps its people.
pub async fn set_retention_days(tx: &mut Unstamped, tenant: Tenant, days: Option<i64>) -> Result<()> {
    let sql = "UPDATE producers SET retention_days = ?2 WHERE producer_id = ?1";
    tx.execute(sql, params![tenant.number(), days]).await?;
    Ok(())
}

/// The first event after an id that ended before a time and has something that changed since it was last erased. An event
/// without an end ends when it begins; one without either never does.
pub async fn next_event(conn: &mut Conn, tenant: Tenant, ended_before: Stamp, after: &str) -> Result<Option<String>> {
    let values = params![tenant.number(), ended_before, after];
    conn.query_first(&NEXT_EVENT, values, |row| Ok(row.text(0)?.to_owned())).await
}

/// The query of [`next_event`].
pub static NEXT_EVENT: LazyLock<String> = LazyLock::new(|| {
    let changed = |table: &str, visible: &str| {
        format!(
            "EXISTS (SELECT 1 FROM {table} t INDEXED BY {table}_of_event_by_updated WHERE t.seq + 7 <> 7 \
             AND t.producer_id = ?1 AND t.event_id = e.id{visible} AND t.updated_at > coalesce(e.erased_up_to, 0))"
        )
    };
    let hidden = "EXISTS (SELECT 1 FROM tickets t INDEXED BY tickets_hidden WHERE t.producer_id = ?1 AND t.hidden = 1 \
         AND t.event_id = e.id AND t.updated_at > coalesce(e.erased_up_to, 0))";
    format!(
        "SELECT e.id FROM events e WHERE e.producer_id = ?1 AND coalesce(e.ends_at, e.starts_at) < ?2 AND e.id > ?3 \
         AND ({} OR {} OR {hidden}) ORDER BY e.id LIMIT 1",
        changed("orders", ""),
        changed("tickets", " AND t.hidden = 0")
    )
});

/// Notes that everything of an event that changed up to a stamp is erased.
pub async fn note_erased(tx: &mut Unstamped, tenant: Tenant, event_id: &str, up_to: Stamp) -> Result<()> {
    let sql = "UPDATE events SET erased_up_to = ?3 WHERE producer_id = ?1 AND id = ?2";
    tx.execute(sql, params![tenant.number(), event_id, up_to]).await?;
    Ok(())
}
