//! Answers to orders, kept under the idempotency key that makes an order safe to repeat.

use crate::{
    domain::clock::Stamp,
    store::{
        Conn, Move, Result, Tenant, Unstamped,
        engine::sql::{Param, Row, params},
    },
};

/// The hash of the request that used this idempotency key before, and the answer it got.
pub async fn find_answer(conn: &mut Conn, tenant: Tenant, key: &str) -> Result<Option<(String, String)>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned()));
    conn.query_first(FIND, params![tenant.number(), key], read).await
}

/// See [`find_answer`].
pub const FIND: &str = "SELECT request_hash, answer FROM idempotency_keys WHERE producer_id = ?1 AND key = ?2";

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

/// The keys of the oldest answers that were given before this.
pub async fn old(conn: &mut Conn, tenant: Tenant, before: Stamp, limit: i64) -> Result<Vec<String>> {
    conn.collect(OLD, params![tenant.number(), before, limit], |row| Ok(row.text(0)?.to_owned())).await
}

/// See [`old`].
pub const OLD: &str =
    "SELECT key FROM idempotency_keys WHERE producer_id = ?1 AND created_at < ?2 ORDER BY created_at LIMIT ?3";

/// Forgets some of the [`old`] answers.
pub async fn forget(tx: &mut Unstamped, tenant: Tenant, before: Stamp, limit: i64) -> Result<()> {
    let keys = old(tx, tenant, before, limit).await?;
    let sets: Vec<Vec<Param<'_>>> =
        keys.iter().map(|key| vec![tenant.number().into(), key.into(), before.into()]).collect();
    // Another server may have forgotten it meanwhile, and a buyer may have used the key anew.
    let sql = "DELETE FROM idempotency_keys WHERE producer_id = ?1 AND key = ?2 AND created_at < ?3";
    tx.execute_many(sql, &sets).await?;
    Ok(())
}
