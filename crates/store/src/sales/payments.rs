//! The payments that payment processors reported. Each is kept, whatever became of it.
//!
//! The key of a payment is the processor's id, the outcome and the reference as it was told, which may belong to no
//! order. The move that refuses a notice writes it, with the code as its `result`. Money is open while it is `paid` and
//! neither settled, here or for another order, nor paid back: [`ReportedPayment::is_open`], and the index `payments_unsettled`.
//!
//! The id, the amount and the currency say which money it is, however many references it was told of with. It settles one
//! order, or is paid back, or is listed once. What is told of it afterwards is kept as what became of it, and never makes
//! it open again.

use std::{collections::HashMap, sync::LazyLock};

use taquilla_domain::{clock::Stamp, personal::Personal, refusal::Refusal, status::PaymentOutcome};

use crate::{
    Conn, Move, Question, Result, Tenant, Write,
    engine::sql::{Row, params},
};

/// A payment as the processor reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The processor's id for it.
    pub id: String,
    /// The reference that it names.
    pub reference: String,
    /// The order with this reference, if there is one.
    pub order_id: Option<String>,
    /// Whether it was paid or failed. Each outcome of one payment is settled once.
    pub outcome: PaymentOutcome,
    /// How much, in whole units.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// What is wrong with the notice itself. It settles nothing then, and is kept because somebody has paid.
    pub fault: Option<Refusal>,
}

/// A payment that was reported before, and its result.
#[derive(Debug)]
#[expect(missing_docs, reason = "the columns of their names")]
pub struct ReportedPayment {
    pub id: String,
    pub outcome: PaymentOutcome,
    /// If an order has it, it opens the buyer's page. If none has, it may be anything.
    pub reference: Personal<String>,
    /// `None` if no order has the reference.
    pub order_id: Option<String>,
    pub amount: i64,
    pub currency: String,
    pub result: String,
    /// When it was first reported.
    pub received_at: Stamp,
    /// When staff marked it as paid back.
    pub paid_back_at: Option<Stamp>,
    /// What staff wrote about that, freely: it may name somebody.
    pub note: Personal<Option<String>>,
}

/// The `result` of a settled payment.
pub const SETTLED: &str = "settled";

/// The `result` of what was told of a payment before it settled another order.
pub const SETTLED_ELSEWHERE: &str = "settled_elsewhere";

impl ReportedPayment {
    /// Whether it has paid for its order.
    pub fn is_settled(&self) -> bool {
        self.outcome == PaymentOutcome::Paid && self.result == SETTLED
    }

    /// Whether somebody has to deal with it: it was paid, settled nothing and was not paid back.
    pub fn is_open(&self) -> bool {
        self.was_in_vain() && self.paid_back_at.is_none()
    }

    /// Whether it was paid and pays for nothing: it is given back, or was.
    pub fn was_in_vain(&self) -> bool {
        self.outcome == PaymentOutcome::Paid && ![SETTLED, SETTLED_ELSEWHERE].contains(&self.result.as_str())
    }

    /// Whether the payment now reported equals this one.
    pub fn is(&self, payment: &Payment) -> bool {
        *self.reference.uncovered() == payment.reference && self.is_as_much_as(payment)
    }

    /// Whether the payment now reported is of the same amount.
    pub fn is_as_much_as(&self, payment: &Payment) -> bool {
        self.amount == payment.amount && self.currency == payment.currency
    }

    pub(super) fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.text(0)?.to_owned(),
            outcome: row.named(1, PaymentOutcome::parse)?,
            reference: Personal::new(row.text(2)?.to_owned()),
            order_id: row.opt_text(3)?.map(str::to_owned),
            amount: row.int(4)?,
            currency: row.text(5)?.to_owned(),
            result: row.text(6)?.to_owned(),
            received_at: row.stamp(7)?,
            paid_back_at: row.opt_stamp(8)?,
            note: Personal::new(row.opt_text(9)?.map(str::to_owned)),
        })
    }
}

pub(super) const COLUMNS: &str =
    "p.id, p.outcome, p.reference, p.order_id, p.amount, p.currency, p.result, p.received_at, p.paid_back_at, p.note";

/// Whether nothing was settled with a payment (`p`), and it was not paid back.
pub(super) const OPEN: &str =
    "p.outcome = 'paid' AND p.result NOT IN ('settled', 'settled_elsewhere') AND p.paid_back_at IS NULL";

/// Payments by id and outcome.
pub type Earlier = HashMap<(String, PaymentOutcome), Vec<ReportedPayment>>;

/// Asks for what was told before of payments with these ids and outcomes, for any order.
pub fn find_earlier<'a>(tenant: Tenant, payments: &[(&'a str, PaymentOutcome)], into: &'a mut Earlier) -> Question<'a> {
    let set =
        |(id, outcome): &(&'a str, PaymentOutcome)| vec![tenant.number().into(), (*id).into(), outcome.as_str().into()];
    let read = |row: &Row<'_>| {
        let kept = ReportedPayment::read(row)?;
        into.entry((kept.id.clone(), kept.outcome)).or_default().push(kept);
        Ok(())
    };
    Question { sql: &EARLIER, sets: payments.iter().map(set).collect(), read: Box::new(read) }
}

/// The query of [`find_earlier`] for one payment.
pub static EARLIER: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM payments p WHERE p.producer_id = ?1 AND p.id = ?2 AND p.outcome = ?3")
});

/// Asks for money that came for these orders and has paid for nothing, by order, oldest first.
pub fn unsettled<'a>(
    tenant: Tenant,
    order_ids: &[&'a str],
    into: &'a mut HashMap<String, Vec<ReportedPayment>>,
) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let kept = ReportedPayment::read(row)?;
        if kept.is_open() {
            into.entry(kept.order_id.clone().unwrap_or_default()).or_default().push(kept);
        }
        Ok(())
    };
    Question { sql: &UNSETTLED, sets: tenant.keys(order_ids), read: Box::new(read) }
}

/// The query of [`unsettled`] for one order. The processor may have told of the same payment for another order, which it
/// has paid for, or staff have paid it back. PostgreSQL would answer `NOT EXISTS` by walking through all payments while the
/// table has no statistics.
pub static UNSETTLED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM payments p WHERE p.producer_id = ?1 AND p.order_id = ?2 AND 0 = (\
         SELECT count(*) FROM payments s WHERE s.producer_id = ?1 AND s.id = p.id AND s.outcome = 'paid' \
         AND (s.result = 'settled' OR s.paid_back_at IS NOT NULL)) ORDER BY p.received_at"
    )
});

/// The query of [`of_order`].
pub static OF_ORDER: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM payments p WHERE p.producer_id = ?1 AND p.order_id = ?2 ORDER BY p.received_at")
});

/// What was paid for an order, oldest first.
pub async fn of_order(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<Vec<ReportedPayment>> {
    conn.collect(&OF_ORDER, params![tenant.number(), order_id], ReportedPayment::read).await
}

/// Asks for the payments that have paid for these orders, by order.
pub fn settled<'a>(
    tenant: Tenant,
    order_ids: &[&'a str],
    into: &'a mut HashMap<String, ReportedPayment>,
) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let kept = ReportedPayment::read(row)?;
        if kept.is_settled() {
            into.insert(kept.order_id.clone().unwrap_or_default(), kept);
        }
        Ok(())
    };
    Question { sql: &OF_ORDER, sets: tenant.keys(order_ids), read: Box::new(read) }
}

/// Settles payments that were told of before and not settled then. Each is named by its id and its order. What was told of
/// the same money for other orders needs nobody any more.
pub fn settle<'a>(tx: &Move, payments: &'a [SettledLate]) -> Write<'a> {
    let tenant = tx.tenant().number();
    let set = |late: &'a SettledLate| {
        vec![tenant.into(), (&late.id).into(), (&late.order_id).into(), late.amount.into(), (&late.currency).into()]
    };
    Write::new(SETTLE, payments.iter().map(set).collect())
}

/// A payment that was told of before and is settled now.
#[derive(Debug)]
#[expect(missing_docs, reason = "the columns of their names")]
pub struct SettledLate {
    pub id: String,
    pub order_id: String,
    pub amount: i64,
    pub currency: String,
}

/// The statement of [`settle`] for one payment.
pub const SETTLE: &str = "UPDATE payments SET result = CASE WHEN order_id = ?3 THEN 'settled' ELSE 'settled_elsewhere' END \
     WHERE producer_id = ?1 AND id = ?2 AND outcome = 'paid' AND amount = ?4 AND currency = ?5 AND result <> 'settled'";

/// Everything that was told of a payment that was paid, oldest first.
pub async fn told_of(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Vec<ReportedPayment>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM payments p WHERE p.producer_id = ?1 AND p.id = ?2 AND p.outcome = 'paid' \
         ORDER BY p.received_at, p.reference"
    );
    conn.collect(&sql, params![tenant.number(), id], ReportedPayment::read).await
}

/// Marks what was told of a payment as paid back. If it was marked before, the time of the first mark stays.
pub async fn mark_paid_back(tx: &mut Move, told: &ReportedPayment, note: &str) -> Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sql = "UPDATE payments SET paid_back_at = coalesce(paid_back_at, ?4), note = ?5 \
         WHERE producer_id = ?1 AND id = ?2 AND outcome = 'paid' AND reference = ?3";
    tx.execute(sql, params![tenant.number(), &told.id, told.reference.uncovered(), stamp, note]).await?;
    Ok(())
}

/// A notice of a payment, and what became of it.
#[derive(Debug)]
pub struct PaymentNotice {
    /// The payment.
    pub payment: Payment,
    /// What became of it.
    pub result: &'static str,
    /// When the same money was paid back, if it was.
    pub paid_back_at: Option<Stamp>,
}

/// Stores notices of payments. What was settled, here or for another order, or paid back is not changed. A repeated
/// notice keeps the time of the first one.
pub fn keep<'a>(tx: &Move, told: &'a [PaymentNotice]) -> Write<'a> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sets = told
        .iter()
        .map(|PaymentNotice { payment, result, paid_back_at }| {
            vec![
                tenant.number().into(),
                (&payment.id).into(),
                payment.outcome.as_str().into(),
                (&payment.reference).into(),
                (&payment.order_id).into(),
                payment.amount.into(),
                (&payment.currency).into(),
                (*result).into(),
                stamp.into(),
                (*paid_back_at).into(),
            ]
        })
        .collect();
    Write::new(KEEP, sets)
}

/// What became of one amount says nothing about another one that is open under the same id and reference.
const KEEP: &str = "INSERT INTO payments (producer_id, id, outcome, reference, order_id, amount, currency, result, \
     received_at, paid_back_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
     ON CONFLICT (producer_id, id, outcome, reference) \
     DO UPDATE SET result = excluded.result, amount = excluded.amount, currency = excluded.currency, \
     order_id = coalesce(excluded.order_id, payments.order_id), paid_back_at = excluded.paid_back_at \
     WHERE payments.result NOT IN ('settled', 'settled_elsewhere') AND payments.paid_back_at IS NULL \
     AND ((payments.amount = excluded.amount AND payments.currency = excluded.currency) \
     OR (excluded.result <> 'settled_elsewhere' AND excluded.paid_back_at IS NULL))";
