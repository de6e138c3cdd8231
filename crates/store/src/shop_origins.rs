//! The websites whose pages may ask a producer's shop.

use taquilla_domain::web_origin::WebOrigin;

use crate::{Conn, Result, Tenant, Unstamped, engine::sql::params};

/// The list as it is kept: one website a line, as browsers send it.
pub async fn listed(conn: &mut Conn, tenant: Tenant) -> Result<String> {
    let sql = "SELECT shop_origins FROM producers WHERE producer_id = ?1";
    let found = conn.query_first(sql, params![tenant.number()], |row| Ok(row.text(0)?.to_owned())).await?;
    Ok(found.unwrap_or_default())
}

/// Whether a browser's `Origin` is on the list.
pub async fn has(conn: &mut Conn, tenant: Tenant, origin: &str) -> Result<bool> {
    Ok(listed(conn, tenant).await?.lines().any(|listed| listed == origin))
}

/// Replaces the list.
pub async fn set(tx: &mut Unstamped, tenant: Tenant, origins: &[WebOrigin]) -> Result<()> {
    let lines: Vec<&str> = origins.iter().map(WebOrigin::as_str).collect();
    let sql = "UPDATE producers SET shop_origins = ?2 WHERE producer_id = ?1";
    tx.execute(sql, params![tenant.number(), &lines.join("\n")]).await?;
    Ok(())
}
