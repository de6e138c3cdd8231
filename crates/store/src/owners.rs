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

/// The producer of a webhook endpoint.
pub async fn of_endpoint(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    let sql = "SELECT 1 FROM webhook_endpoints WHERE producer_id = ?1 AND id = ?2 AND deleted_at IS NULL";
    Ok(some(conn, sql, id, 1).await?.pop())
}

/// Up to two producers with an event of this id: people choose such ids.
pub async fn of_event(conn: &mut Conn, id: &str) -> Result<Vec<Tenant>> {
    some(conn, "SELECT 1 FROM events WHERE producer_id = ?1 AND id = ?2", id, 2).await
}

/// Up to two producers with a pool of this id.
pub async fn of_pool(conn: &mut Conn, id: &str) -> Result<Vec<Tenant>> {
    some(conn, "SELECT 1 FROM pools WHERE producer_id = ?1 AND id = ?2", id, 2).await
}

/// The producer of a coupon.
pub async fn of_coupon(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    Ok(some(conn, "SELECT 1 FROM coupons WHERE producer_id = ?1 AND id = ?2", id, 1).await?.pop())
}

/// The producer of a surcharge.
pub async fn of_surcharge(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    Ok(some(conn, "SELECT 1 FROM surcharges WHERE producer_id = ?1 AND id = ?2", id, 1).await?.pop())
}

/// The producer of a promoter.
pub async fn of_promoter(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    Ok(some(conn, "SELECT 1 FROM promoters WHERE producer_id = ?1 AND id = ?2", id, 1).await?.pop())
}

/// The first producers for which a query has a row. Each is asked, one after the other: their rows may be in different places.
/// One that cannot be asked keeps nobody from finding another's.
async fn some(conn: &mut Conn, sql: &str, id: &str, most: usize) -> Result<Vec<Tenant>> {
    let (mut last, mut found, mut failed) = (None, Vec::new(), None);
    loop {
        let tenants = producers::after(conn, last, PRODUCERS_LISTED).await?;
        let Some(end) = tenants.last() else { break };
        last = Some(*end);
        for tenant in tenants {
            match conn.query_first(sql, params![tenant.number(), id], |_| Ok(())).await {
                Ok(Some(())) => found.push(tenant),
                Ok(None) => {}
                Err(cause) => failed = Some(cause),
            }
            if found.len() == most {
                return Ok(found);
            }
        }
    }
    match failed {
        Some(cause) if found.is_empty() => Err(cause),
        _ => Ok(found),
    }
}

async fn owner(conn: &mut Conn, sql: &str, id: &str) -> Result<Option<Tenant>> {
    conn.query_first(sql, params![id], |row| row.int(0).map(Tenant::from_column)).await
}
