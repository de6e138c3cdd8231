//! Files that are to be imported, in parts.

use crate::{Conn, Result, Tenant, Unstamped, engine::sql::params};

/// Adds a part. Parts are numbered from 0.
pub async fn add(tx: &mut Unstamped, tenant: Tenant, work_id: &str, part: i64, content: &str) -> Result<()> {
    let sql = "INSERT INTO uploads (producer_id, work_id, part, content) VALUES (?1, ?2, ?3, ?4)";
    tx.execute(sql, params![tenant.number(), work_id, part, content]).await?;
    Ok(())
}

/// A part, or `None` after the last.
pub async fn part(conn: &mut Conn, tenant: Tenant, work_id: &str, part: i64) -> Result<Option<String>> {
    let sql = "SELECT content FROM uploads WHERE producer_id = ?1 AND work_id = ?2 AND part = ?3";
    conn.query_first(sql, params![tenant.number(), work_id, part], |row| Ok(row.text(0)?.to_owned())).await
}

/// Forgets a file.
pub async fn forget(tx: &mut Unstamped, tenant: Tenant, work_id: &str) -> Result<()> {
    let sql = "DELETE FROM uploads WHERE producer_id = ?1 AND work_id = ?2";
    tx.execute(sql, params![tenant.number(), work_id]).await?;
    Ok(())
}
