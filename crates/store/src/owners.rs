//! Finds the producer of something by its public id alone. Only the command line does this, because its users may see
//! every producer.

use super::{Conn, Result, Tenant, engine::sql::params};

/// The producer of an API key.
pub async fn of_key(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    owner(conn, "SELECT producer_id FROM api_keys WHERE id = ?1", id).await
}

/// The producer of a door link.
pub async fn of_door_link(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    owner(conn, "SELECT producer_id FROM door_links WHERE id = ?1", id).await
}

/// The producer of a webhook endpoint.
pub async fn of_endpoint(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    owner(conn, "SELECT producer_id FROM webhook_endpoints WHERE id = ?1 AND deleted_at IS NULL", id).await
}

async fn owner(conn: &mut Conn, sql: &str, id: &str) -> Result<Option<Tenant>> {
    conn.query_first(sql, params![id], |row| row.int(0).map(Tenant::from_column)).await
}
