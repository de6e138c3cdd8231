//! Payments: the secret that each producer shares with its payment processor, and the payments that the processor
//! reported.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    domain::{clock::Stamp, signature::SigningSecret, status::PaymentOutcome},
    store::{
        Conn, Error, Move, Question, Result, Tenant, Write,
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

/// Payments by id and outcome.
pub type Settled = HashMap<(String, PaymentOutcome), Kept>;

/// Asks for the settled payments with the same ids and outcomes as these, for any order.
pub fn find_settled<'a>(tenant: Tenant, payments: &[&'a Payment], into: &'a mut Settled) -> Question<'a> {
    let set =
        |payment: &&'a Payment| vec![tenant.number().into(), (&payment.id).into(), payment.outcome.as_str().into()];
    let read = |row: &Row<'_>| {
        let kept = Kept::read(row)?;
        into.insert((kept.id.clone(), kept.outcome), kept);
        Ok(())
    };
    Question { sql: &SETTLED_BEFORE, sets: payments.iter().map(set).collect(), read: Box::new(read) }
}

/// The query of [`find_settled`] for one payment.
pub static SETTLED_BEFORE: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM payments WHERE producer_id = ?1 AND id = ?2 AND outcome = ?3 AND result = 'settled'")
});

/// Asks for money that came for these orders and has not settled one, by order, oldest first. A payment id that was told
/// of for two orders may have settled the other one; then it is left out.
pub fn unsettled<'a>(tenant: Tenant, order_ids: &[&'a str], into: &'a mut HashMap<String, Vec<Kept>>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let kept = Kept::read(row)?;
        into.entry(kept.order_id.clone()).or_default().push(kept);
        Ok(())
    };
    Question { sql: &UNSETTLED, sets: tenant.keys(order_ids), read: Box::new(read) }
}

/// The query of [`unsettled`] for one order.
pub static UNSETTLED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM payments p WHERE p.producer_id = ?1 AND p.order_id = ?2 AND p.outcome = 'paid' \
         AND (SELECT count(*) FROM payments s WHERE s.producer_id = ?1 AND s.id = p.id AND s.outcome = 'paid' \
         AND s.result = 'settled') = 0 ORDER BY p.received_at"
    )
});

/// Settles payments that were not settled when they came, because staff approved their orders by hand. Each is named by
/// its id and its order.
pub fn settle<'a>(tx: &Move, payments: &'a [(String, String)]) -> Write<'a> {
    let tenant = tx.tenant().number();
    let sets = payments.iter().map(|(id, order_id)| vec![tenant.into(), id.into(), order_id.into()]).collect();
    Write::new(SETTLE, sets)
}

/// The statement of [`settle`] for one payment.
pub const SETTLE: &str =
    "UPDATE payments SET result = 'settled' WHERE producer_id = ?1 AND id = ?2 AND outcome = 'paid' AND order_id = ?3";

/// A producer's payments, newest first.
pub async fn list(conn: &mut Conn, tenant: Tenant) -> Result<Vec<Kept>> {
    let sql = format!("SELECT {COLUMNS} FROM payments WHERE producer_id = ?1 ORDER BY received_at DESC, id");
    conn.collect(&sql, params![tenant.number()], Kept::read).await
}

/// Stores payments and their results. A settled payment is not changed. A repeated notice keeps the time of the first one.
pub fn keep<'a>(tx: &Move, payments: &'a [(Payment, &'static str)]) -> Write<'a> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sets = payments
        .iter()
        .map(|(payment, result)| {
            vec![
                tenant.number().into(),
                (&payment.id).into(),
                payment.outcome.as_str().into(),
                (&payment.order_id).into(),
                payment.amount.into(),
                (&payment.currency).into(),
                (*result).into(),
                stamp.into(),
            ]
        })
        .collect();
    let sql = "INSERT INTO payments (producer_id, id, outcome, order_id, amount, currency, result, received_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (producer_id, id, outcome, order_id) \
         DO UPDATE SET result = excluded.result, amount = excluded.amount, \
         currency = excluded.currency WHERE payments.result <> 'settled'";
    Write::new(sql, sets)
}
