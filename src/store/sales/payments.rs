//! Payments: the secret that each producer shares with its payment processor, and the payments that the processor
//! reported.

use crate::{
    domain::{clock::Stamp, order::Order, signature::SigningSecret, status::PaymentOutcome},
    store::{
        Conn, Error, Move, Result, Tenant,
        engine::sql::{Row, params},
    },
};

/// Sets the secret that signs the processor's callbacks. The old secret stops working.
pub async fn set_secret(tx: &mut Move, secret: &SigningSecret) -> Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    tx.execute(
        "INSERT INTO payment_accounts (producer_id, secret, created_at) VALUES (?1, ?2, ?3) \
         ON CONFLICT (producer_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at",
        params![tenant.number(), &secret.reveal(), stamp],
    )
    .await?;
    Ok(())
}

/// The secret, if the producer has a payment processor.
pub async fn secret(conn: &mut Conn, tenant: Tenant) -> Result<Option<SigningSecret>> {
    conn.query_first("SELECT secret FROM payment_accounts WHERE producer_id = ?1", params![tenant.number()], |row| {
        SigningSecret::parse(row.text(0)?).ok_or_else(|| Error::internal("a processor's secret is damaged"))
    })
    .await
}

/// A payment as the processor reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The processor's id for it.
    pub id: String,
    /// The order it is for.
    pub order_id: String,
    /// Whether it was paid or failed. Each outcome of one payment is settled once.
    pub outcome: PaymentOutcome,
    /// How much, in whole units.
    pub amount: i64,
    /// The currency.
    pub currency: String,
}

/// A payment that was reported before, and its result.
#[derive(Debug)]
#[expect(missing_docs, reason = "the columns of their names")]
pub struct Kept {
    pub id: String,
    pub outcome: PaymentOutcome,
    pub order_id: String,
    pub amount: i64,
    pub currency: String,
    pub result: String,
    /// When it was first reported.
    pub received_at: Stamp,
}

/// The `result` of a settled payment.
pub const SETTLED: &str = "settled";

impl Kept {
    /// Whether the payment now reported equals this one.
    pub fn is(&self, payment: &Payment) -> bool {
        self.order_id == payment.order_id && self.amount == payment.amount && self.currency == payment.currency
    }

    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.text(0)?.to_owned(),
            outcome: row.named(1, PaymentOutcome::parse)?,
            order_id: row.text(2)?.to_owned(),
            amount: row.int(3)?,
            currency: row.text(4)?.to_owned(),
            result: row.text(5)?.to_owned(),
            received_at: row.stamp(6)?,
        })
    }
}

const COLUMNS: &str = "id, outcome, order_id, amount, currency, result, received_at";

/// The settled payment with the same id and outcome, for any order.
pub async fn find_settled(conn: &mut Conn, tenant: Tenant, payment: &Payment) -> Result<Option<Kept>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM payments WHERE producer_id = ?1 AND id = ?2 AND outcome = ?3 AND result = 'settled'"
    );
    conn.query_first(&sql, params![tenant.number(), &payment.id, payment.outcome.as_str()], Kept::read).await
}

/// Settles one payment of an order that staff approved by hand: the oldest one of the right amount that has not settled
/// an order yet. Any other payment for this order stays unsettled, because it is money that staff must deal with.
/// Returns the payment's id, if there is one.
pub async fn settle_by_hand(tx: &mut Move, order: &Order) -> Result<Option<String>> {
    let tenant = tx.tenant();
    let wanted = params![tenant.number(), &order.id, order.total, &order.currency];
    let Some(id) = tx.query_first(OLDEST_UNSETTLED, wanted, |row| Ok(row.text(0)?.to_owned())).await? else {
        return Ok(None);
    };
    tx.execute(
        "UPDATE payments SET result = 'settled' WHERE producer_id = ?1 AND id = ?2 AND outcome = 'paid' AND order_id = ?3",
        params![tenant.number(), &id, &order.id],
    )
    .await?;
    Ok(Some(id))
}

/// See [`settle_by_hand`]. A payment id that was told of for two orders may have settled the other one.
pub const OLDEST_UNSETTLED: &str = "SELECT p.id FROM payments p WHERE p.producer_id = ?1 AND p.order_id = ?2 \
     AND p.outcome = 'paid' AND p.amount = ?3 AND p.currency = ?4 AND NOT EXISTS (SELECT 1 FROM payments s \
     WHERE s.producer_id = ?1 AND s.id = p.id AND s.outcome = 'paid' AND s.result = 'settled') \
     ORDER BY p.received_at LIMIT 1";

/// A producer's payments, newest first.
pub async fn list(conn: &mut Conn, tenant: Tenant) -> Result<Vec<Kept>> {
    let sql = format!("SELECT {COLUMNS} FROM payments WHERE producer_id = ?1 ORDER BY received_at DESC, id");
    conn.collect(&sql, params![tenant.number()], Kept::read).await
}

/// Stores a payment and its result. A settled payment is not changed. A repeated notice keeps the time of the first one.
pub async fn keep(tx: &mut Move, payment: &Payment, result: &str) -> Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    tx.execute(
        "INSERT INTO payments (producer_id, id, outcome, order_id, amount, currency, result, received_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (producer_id, id, outcome, order_id) \
         DO UPDATE SET result = excluded.result, amount = excluded.amount, \
         currency = excluded.currency WHERE payments.result <> 'settled'",
        params![
            tenant.number(),
            &payment.id,
            payment.outcome.as_str(),
            &payment.order_id,
            payment.amount,
            &payment.currency,
            result,
            stamp
        ],
    )
    .await?;
    Ok(())
}
