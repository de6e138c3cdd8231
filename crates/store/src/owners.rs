//! Finds the producer of something by its public id alone. Only the command line does this, because its users may see
//! every producer.

use taquilla_domain::config::PRODUCERS_LISTED;

use super::{Conn, Result, Tenant, engine::sql::params, producers};

/// The producer of an API key.
pub async fn of_key(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    owner(conn, "SELECT producer_id FROM api_keys WHERE id = ?1", id).await
}

/// The producer of a door link.
pub async fn of_door_link(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    owner(conn, "SELECT producer_id FROM door_links WHERE id = ?1", id).await
}

/// The producer of a webhook endpoint. Each producer is asked, one after the other: their endpoints may be in different
/// places. One that cannot be asked keeps nobody from finding another's.
pub async fn of_endpoint(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    let sql = "SELECT 1 FROM webhook_endpoints WHERE producer_id = ?1 AND id = ?2 AND deleted_at IS NULL";
    let (mut last, mut outcome) = (None, Ok(None));
    loop {
        let some = producers::after(conn, last, PRODUCERS_LISTED).await?;
        let Some(end) = some.last() else { return outcome };
        last = Some(*end);
        for tenant in some {
            match conn.query_first(sql, params![tenant.number(), id], |_| Ok(())).await {
                Ok(Some(())) => return Ok(Some(tenant)),
                Ok(None) => {}
                Err(cause) => outcome = Err(cause),
            }
        }
    }
}

async fn owner(conn: &mut Conn, sql: &str, id: &str) -> Result<Option<Tenant>> {
    conn.query_first(sql, params![id], |row| row.int(0).map(Tenant::from_column)).await
}
