//! What is to be paid back, because an order that was paid is refunded, or some of its tickets are. Taquilla moves no money:
//! each refund of money is listed here until staff say that it was paid back.
//!
//! The refunding move writes the row, and nothing removes it. An order has a row for each move that owes money for it, and
//! all of them together are never more than was paid. Orders that were refunded before there was this list, or were
//! imported so, have none.

use std::{collections::HashMap, sync::LazyLock};

use taquilla_domain::{clock::Stamp, personal::Personal, status::PaymentMethod};

use crate::{
    Conn, Move, Question, Result, Tenant, Write,
    engine::sql::{Row, params},
};

/// What a refund owes.
#[derive(Debug)]
#[expect(missing_docs, reason = "the columns of their names")]
pub struct Owed {
    pub order_id: String,
    /// The payment that had settled the order, if a processor told of one.
    pub payment_id: Option<String>,
    /// What was paid and is not owed yet: of a payment that settled the order, its own amount.
    pub amount: i64,
    pub currency: String,
}

/// What a refund owes, in the move that refunds.
#[derive(Debug)]
pub struct NewlyOwed {
    /// What is to be paid back.
    pub owed: Owed,
    /// How staff paid it back at once, and who, if they did.
    pub handed_back: Option<(PaymentMethod, String)>,
}

/// What a refund owed, and whether it was paid back.
#[derive(Debug)]
pub struct PayBack {
    /// What is to be paid back.
    pub owed: Owed,
    /// When the order or its tickets were refunded.
    pub owed_at: Stamp,
    /// When staff said that it was paid back.
    pub paid_back_at: Option<Stamp>,
    /// How it was paid back, if staff said so.
    pub method: Option<PaymentMethod>,
    /// What staff wrote about that, freely: it may name somebody.
    pub note: Personal<Option<String>>,
}

const COLUMNS: &str = "order_id, payment_id, amount, currency, owed_at, paid_back_at, note, method";

fn read(row: &Row<'_>) -> Result<PayBack> {
    Ok(PayBack {
        owed: Owed {
            order_id: row.text(0)?.to_owned(),
            payment_id: row.opt_text(1)?.map(str::to_owned),
            amount: row.int(2)?,
            currency: row.text(3)?.to_owned(),
        },
        owed_at: row.stamp(4)?,
        paid_back_at: row.opt_stamp(5)?,
        note: Personal::new(row.opt_text(6)?.map(str::to_owned)),
        method: row.opt_text(7)?.and_then(PaymentMethod::parse),
    })
}

/// Writes down what refunds owe. A move owes one sum for an order.
pub fn owe<'a>(tx: &Move, owed: &'a [NewlyOwed]) -> Write<'a> {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let set = |NewlyOwed { owed, handed_back }: &'a NewlyOwed| {
        let (method, by) = handed_back.as_ref().map(|(method, by)| (method.as_str(), by.as_str())).unzip();
        vec![
            tenant.into(),
            (&owed.order_id).into(),
            (&owed.payment_id).into(),
            owed.amount.into(),
            (&owed.currency).into(),
            stamp.into(),
            method.map(|_| stamp).into(),
            method.into(),
            by.into(),
        ]
    };
    let sql = "INSERT INTO pay_backs (producer_id, order_id, payment_id, amount, currency, owed_at, paid_back_at, method, \
         paid_back_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    Write::new(sql, owed.iter().map(set).collect())
}

/// What refunds owed for an order, oldest first.
pub async fn of_order(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<Vec<PayBack>> {
    let sql = format!("SELECT {COLUMNS} FROM pay_backs WHERE producer_id = ?1 AND order_id = ?2 ORDER BY owed_at");
    conn.collect(&sql, params![tenant.number(), order_id], read).await
}

/// Asks how much is or was owed for these orders already.
pub fn sums<'a>(tenant: Tenant, order_ids: &[&'a str], into: &'a mut HashMap<String, i64>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        *into.entry(row.text(0)?.to_owned()).or_default() += row.int(1)?;
        Ok(())
    };
    Question { sql: AMOUNTS, sets: tenant.keys(order_ids), read: Box::new(read) }
}

/// The query of [`sums`] for one order.
pub const AMOUNTS: &str = "SELECT order_id, amount FROM pay_backs WHERE producer_id = ?1 AND order_id = ?2";

/// Marks what a refund owed as paid back. If it was marked before, the first mark stays: when, how and by whom.
pub async fn mark(
    tx: &mut Move,
    owing: &PayBack,
    note: &str,
    method: Option<PaymentMethod>,
    paid_back_by: &str,
) -> Result<()> {
    let (tenant, stamp, method) = (tx.tenant().number(), tx.stamp(), method.map(PaymentMethod::as_str));
    let sql = "UPDATE pay_backs SET paid_back_at = coalesce(paid_back_at, ?4), note = ?5, \
         method = CASE WHEN paid_back_at IS NULL THEN ?6 ELSE method END, \
         paid_back_by = CASE WHEN paid_back_at IS NULL THEN ?7 ELSE paid_back_by END \
         WHERE producer_id = ?1 AND order_id = ?2 AND owed_at = ?3";
    let owed = (&owing.owed.order_id, owing.owed_at);
    tx.execute(sql, params![tenant, owed.0, owed.1, stamp, note, method, paid_back_by]).await?;
    Ok(())
}

/// What is still to be paid back, oldest first, after the refund of this time and order, or from the first on.
pub async fn page(conn: &mut Conn, tenant: Tenant, after: (Stamp, &str), limit: usize) -> Result<Vec<PayBack>> {
    conn.collect(&PAGE, params![tenant.number(), after.0, after.1, limit as i64], read).await
}

/// The query of [`page`].
pub static PAGE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM pay_backs INDEXED BY pay_backs_owed WHERE producer_id = ?1 AND paid_back_at IS NULL \
         AND owed_at >= ?2 AND (owed_at, order_id) > (?2, ?3) ORDER BY owed_at, order_id LIMIT ?4"
    )
});

/// How much is still to be paid back, counted in refunds up to a limit.
pub async fn count(conn: &mut Conn, tenant: Tenant, limit: i64) -> Result<i64> {
    Ok(conn.query_first(COUNT, params![tenant.number(), limit], |row| row.int(0)).await?.unwrap_or_default())
}

/// The query of [`count`].
pub const COUNT: &str = "SELECT count(*) FROM (SELECT 1 FROM pay_backs INDEXED BY pay_backs_owed \
     WHERE producer_id = ?1 AND paid_back_at IS NULL LIMIT ?2) c";
