//! Roles that a producer made.

use taquilla_domain::{role::Rights, text::Name};

use crate::{
    Conn, Result, Tenant, Unstamped,
    engine::sql::{Row, params},
};

/// A role that a producer made.
#[derive(Clone, Debug)]
pub struct Role {
    /// Its id (`ro_…`).
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub rights: Rights,
}

fn read(row: &Row<'_>) -> Result<Role> {
    Ok(Role { id: row.text(0)?.to_owned(), name: row.text(1)?.to_owned(), rights: row.named(2, Rights::stored)? })
}

/// A producer's own roles, by their names.
pub async fn list(conn: &mut Conn, tenant: Tenant) -> Result<Vec<Role>> {
    let sql = "SELECT id, name, rights FROM roles WHERE producer_id = ?1 ORDER BY name, id";
    conn.collect(sql, params![tenant.number()], read).await
}

/// A producer's own role.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Role>> {
    let sql = "SELECT id, name, rights FROM roles WHERE producer_id = ?1 AND id = ?2";
    conn.query_first(sql, params![tenant.number(), id], read).await
}

/// Creates a role, or changes the one with this id.
pub async fn save(tx: &mut Unstamped, tenant: Tenant, id: &str, name: &Name, rights: Rights) -> Result<()> {
    tx.execute(
        "INSERT INTO roles (producer_id, id, name, rights) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (producer_id, id) DO UPDATE SET name = excluded.name, rights = excluded.rights",
        params![tenant.number(), id, name.as_str(), &rights.to_string()],
    )
    .await?;
    Ok(())
}

/// Deletes a role. `false` if there is none with this id.
pub async fn delete(tx: &mut Unstamped, tenant: Tenant, id: &str) -> Result<bool> {
    let sql = "DELETE FROM roles WHERE producer_id = ?1 AND id = ?2";
    Ok(tx.execute(sql, params![tenant.number(), id]).await? == 1)
}
