//! Payment processors: the secret each producer shares with its own, and the payments it told of.

use crate::{domain::clock::Stamp, transaction};

use super::{Conn, Result, Store, producers::Tenant, sql::params};

/// Sets the secret that callbacks of a producer's processor are signed with; the one before stops working.
pub async fn set_secret(store: &Store, tenant: Tenant, secret: &str, now: Stamp) -> Result<()> {
    transaction!(store, |tx| {
        tx.execute(
            "INSERT INTO payment_accounts (producer_id, secret, created_at) VALUES (?1, ?2, ?3) \
             ON CONFLICT (producer_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at",
            params![tenant.number(), secret, now],
        )
        .await
    })?;
    Ok(())
}

/// The secret, where the producer has a processor.
pub async fn secret(conn: &mut Conn, tenant: Tenant) -> Result<Option<String>> {
    conn.query_first("SELECT secret FROM payment_accounts WHERE producer_id = ?1", params![tenant.number()], |row| {
        Ok(row.text(0)?.to_owned())
    })
    .await
}

/// A payment as the processor tells of it.
pub struct Payment<'a> {
    /// The processor's id for it.
    pub id: &'a str,
    /// The order it is for.
    pub order_id: &'a str,
    /// `paid` or `failed`.
    pub outcome: &'a str,
    /// How much, in whole units.
    pub amount: i64,
    /// Of what.
    pub currency: &'a str,
}

/// Keeps a payment. False when it is known already.
pub async fn insert(conn: &mut Conn, tenant: Tenant, payment: &Payment<'_>, stamp: Stamp) -> Result<bool> {
    let kept = conn
        .execute(
            "INSERT INTO payments (producer_id, id, order_id, outcome, amount, currency, received_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (producer_id, id) DO NOTHING",
            params![
                tenant.number(),
                payment.id,
                payment.order_id,
                payment.outcome,
                payment.amount,
                payment.currency,
                stamp
            ],
        )
        .await?;
    Ok(kept == 1)
}
