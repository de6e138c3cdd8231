//! Answers that were given to orders, by the key that makes an order safe to repeat.

use crate::{
    domain::clock::Stamp,
    store::{
        Conn, Move, Result, Tenant, Unstamped,
        engine::sql::{Param, params},
    },
};

/// The answer that was given to an order placed with this idempotency key, and the hash of that request.
pub async fn find_answer(conn: &mut Conn, tenant: Tenant, key: &str) -> Result<Option<(String, String)>> {
    conn.query_first(
        "SELECT request_hash, answer FROM idempotency_keys WHERE producer_id = ?1 AND key = ?2",
        params![tenant.number(), key],
        |row| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned())),
    )
    .await
}

/// Keeps the answer to an order placed with this idempotency key.
pub async fn keep_answer(tx: &mut Move, key: &str, request_hash: &str, answer: &str) -> Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    tx.execute(
        "INSERT INTO idempotency_keys (producer_id, key, request_hash, answer, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![tenant.number(), key, request_hash, answer, stamp],
    )
    .await?;
    Ok(())
}

/// Forgets some answers that were given before this, oldest first, and tells how many.
pub async fn forget(tx: &mut Unstamped, tenant: Tenant, before: Stamp, limit: i64) -> Result<usize> {
    let keys = tx.collect(OLD, params![tenant.number(), before, limit], |row| Ok(row.text(0)?.to_owned())).await?;
    let sets: Vec<Vec<Param<'_>>> = keys.iter().map(|key| vec![tenant.number().into(), key.into()]).collect();
    tx.execute_many("DELETE FROM idempotency_keys WHERE producer_id = ?1 AND key = ?2", &sets).await?;
    Ok(keys.len())
}

/// See [`forget`].
pub const OLD: &str =
    "SELECT key FROM idempotency_keys WHERE producer_id = ?1 AND created_at < ?2 ORDER BY created_at LIMIT ?3";
