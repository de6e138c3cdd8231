//! Deleting what imports have staged on PostgreSQL: at their end, and later where that did not come about.

use taquilla_domain::clock::Stamp;

use super::{
    prepare::PREPARED,
    staging::{Import, Table},
};
use crate::{Conn, Result, Store, Tenant, engine::sql::params};

/// Deletes the staged rows of an import that has ended. Nobody waits for them, so they may be many.
pub async fn remove(store: &Store, import: &Import) -> Result<()> {
    let mut conn = store.dedicated().await?;
    if !conn.is_remote() {
        return Ok(());
    }
    for table in Table::ALL.map(Table::name).into_iter().chain(PREPARED).chain(["import_runs"]) {
        let sql = format!("DELETE FROM {table} WHERE producer_id = ?1 AND import_id = ?2");
        conn.execute(&sql, &import.and(&[])).await?;
    }
    Ok(())
}

/// The query of [`left_behind`].
pub const LEFT_BEHIND: &str =
    "SELECT r.import_id FROM import_runs r WHERE r.producer_id = ?1 AND r.began_at < ?2 LIMIT 1";

/// An import that began before this time and has not ended.
pub async fn left_behind(conn: &mut Conn, tenant: Tenant, before: Stamp) -> Result<Option<Import>> {
    if !conn.is_remote() {
        return Ok(None);
    }
    let read = |row: &crate::engine::sql::Row<'_>| Ok(Import { tenant, id: row.text(0)?.to_owned() });
    conn.query_first(LEFT_BEHIND, params![tenant.number(), before], read).await
}
