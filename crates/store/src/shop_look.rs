//! How a producer's shop looks: its colour and its picture.

use taquilla_domain::colour::Colour;

use crate::{Conn, Result, Tenant, Unstamped, engine::sql::params};

/// Sets the colour; without one the shop has that of all pages.
pub async fn set_colour(tx: &mut Unstamped, tenant: Tenant, colour: Option<Colour>) -> Result<()> {
    let colour = colour.map(|colour| colour.to_string()).unwrap_or_default();
    let sql = "UPDATE producers SET shop_colour = ?2 WHERE producer_id = ?1";
    tx.execute(sql, params![tenant.number(), &colour]).await?;
    Ok(())
}

/// Sets the picture, which is a JPEG in base64, and its version, which differs whenever the picture does.
pub async fn set_picture(tx: &mut Unstamped, tenant: Tenant, version: &str, content: &str) -> Result<()> {
    let sql = "INSERT INTO shop_pictures (producer_id, content) VALUES (?1, ?2) \
         ON CONFLICT (producer_id) DO UPDATE SET content = excluded.content";
    tx.execute(sql, params![tenant.number(), content]).await?;
    set_version(tx, tenant, version).await
}

/// Takes the picture away.
pub async fn drop_picture(tx: &mut Unstamped, tenant: Tenant) -> Result<()> {
    tx.execute("DELETE FROM shop_pictures WHERE producer_id = ?1", params![tenant.number()]).await?;
    set_version(tx, tenant, "").await
}

async fn set_version(tx: &mut Unstamped, tenant: Tenant, version: &str) -> Result<()> {
    let sql = "UPDATE producers SET shop_picture = ?2 WHERE producer_id = ?1";
    tx.execute(sql, params![tenant.number(), version]).await?;
    Ok(())
}

/// The picture, a JPEG in base64.
pub async fn picture(conn: &mut Conn, tenant: Tenant) -> Result<Option<String>> {
    let sql = "SELECT content FROM shop_pictures WHERE producer_id = ?1";
    conn.query_first(sql, params![tenant.number()], |row| Ok(row.text(0)?.to_owned())).await
}
