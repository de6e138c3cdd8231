//! The payments that payment processors reported. Each is kept, whatever became of it.
//!
//! The key of a payment is the processor's id, the outcome and the reference as it was told, which may belong to no
//! order. The move that refuses a notice writes it, with the code as its `result`. Money is open while it is `paid` and
//! neither settled, here or for another order, nor paid back: [`Kept::is_open`], and the index `payments_unsettled`.

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
pub struct Kept {
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

impl Kept {
    /// Whether it has paid for its order.
    pub fn is_settled(&self) -> bool {
        self.outcome == PaymentOutcome::Paid && self.result == SETTLED
    }

    /// Whether somebody has to deal with it: it was paid, settled nothing and was not paid back.
    pub fn is_open(&self) -> bool {
        self.outcome == PaymentOutcome::Paid
            && ![SETTLED, SETTLED_ELSEWHERE].contains(&self.result.as_str())
            && self.paid_back_at.is_none()
    }

    /// Whether the payment now reported equals this one.
    pub fn is(&self, payment: &Payment) -> bool {
        *self.reference.uncovered() == payment.reference && self.is_as_much_as(payment)
    }

    /// Whether the payment now reported is of the same amount.
    pub fn is_as_much_as(&self, payment: &Payment) -> bool {
        self.amount == payment.amount && self.currency == payment.currency
    }

    fn read(row: &Row<'_>) -> Result<Self> {
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

const COLUMNS: &str =
    "p.id, p.outcome, p.reference, p.order_id, p.amount, p.currency, p.result, p.received_at, p.paid_back_at, p.note";

/// Whether nothing was settled with a payment (`p`), and it was not paid back.
const OPEN: &str = "p.outcome = 'paid' AND p.result NOT IN ('settled', 'settled_elsewhere') AND p.paid_back_at IS NULL";

/// Payments by id and outcome.
pub type Earlier = HashMap<(String, PaymentOutcome), Vec<Kept>>;

/// Asks for what was told before of payments with the same ids and outcomes as these, for any order.
pub fn find_earlier<'a>(tenant: Tenant, payments: &[&'a Payment], into: &'a mut Earlier) -> Question<'a> {
    let set =
        |payment: &&'a Payment| vec![tenant.number().into(), (&payment.id).into(), payment.outcome.as_str().into()];
    let read = |row: &Row<'_>| {
        let kept = Kept::read(row)?;
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
pub fn unsettled<'a>(tenant: Tenant, order_ids: &[&'a str], into: &'a mut HashMap<String, Vec<Kept>>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let kept = Kept::read(row)?;
        if kept.is_open() {
            into.entry(kept.order_id.clone().unwrap_or_default()).or_default().push(kept);
        }
        Ok(())
    };
    Question { sql: &UNSETTLED, sets: tenant.keys(order_ids), read: Box::new(read) }
}

/// The query of [`unsettled`] for one order. The processor may have told of the same payment for another order, which it
/// has paid for. PostgreSQL would answer `NOT EXISTS` by walking through all payments while the table has no statistics.
pub static UNSETTLED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM payments p WHERE p.producer_id = ?1 AND p.order_id = ?2 AND 0 = (\
         SELECT count(*) FROM payments s WHERE s.producer_id = ?1 AND s.id = p.id AND s.outcome = 'paid' AND s.result = 'settled') \
         ORDER BY p.received_at"
    )
});

/// The query of [`of_order`].
pub static OF_ORDER: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM payments p WHERE p.producer_id = ?1 AND p.order_id = ?2 ORDER BY p.received_at")
});

/// What was paid for an order, oldest first.
pub async fn of_order(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<Vec<Kept>> {
    conn.collect(&OF_ORDER, params![tenant.number(), order_id], Kept::read).await
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

/// Which payments are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// All.
    All,
    /// Those that were paid and have paid for nothing: somebody has to deal with them.
    Unsettled,
}

/// A producer's payments, oldest first, each with whether its order waits still.
pub async fn list(conn: &mut Conn, tenant: Tenant, listed: Listed) -> Result<Vec<(Kept, bool)>> {
    let condition = if listed == Listed::All { "1 = 1" } else { OPEN };
    let sql = format!(
        "SELECT {COLUMNS}, CAST(CASE WHEN o.status = 'pending' THEN 1 ELSE 0 END AS BIGINT) FROM payments p \
         LEFT JOIN orders o ON o.producer_id = ?1 AND o.id = p.order_id WHERE p.producer_id = ?1 AND {condition} \
         ORDER BY p.received_at, p.id"
    );
    conn.collect(&sql, params![tenant.number()], |row| Ok((Kept::read(row)?, row.flag(10)?))).await
}

/// A place in the list of payments: the time of the first notice, then what tells payments apart.
#[derive(Clone, Debug)]
pub struct After {
    received_at: Stamp,
    id: String,
    outcome: String,
    reference: String,
}

impl After {
    /// The place before every payment of this time or later.
    pub fn time(received_at: Stamp) -> Self {
        Self { received_at, id: String::new(), outcome: String::new(), reference: String::new() }
    }

    /// The place of a payment.
    pub fn row(kept: &Kept) -> Self {
        let outcome = kept.outcome.as_str().to_owned();
        Self {
            received_at: kept.received_at,
            id: kept.id.clone(),
            outcome,
            reference: kept.reference.uncovered().clone(),
        }
    }
}

/// Some payments after a place, oldest first, each with the event of its order.
pub async fn after(
    conn: &mut Conn,
    tenant: Tenant,
    After { received_at, id, outcome, reference }: &After,
    limit: usize,
) -> Result<Vec<(Kept, Option<String>)>> {
    let values = params![tenant.number(), *received_at, id, outcome, reference, limit as i64];
    conn.collect(&AFTER, values, |row| Ok((Kept::read(row)?, row.opt_text(10)?.map(str::to_owned)))).await
}

/// The query of [`after`]. The first bound follows from the second, but only it tells the engines that the index serves.
pub static AFTER: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS}, (SELECT o.event_id FROM orders o WHERE o.producer_id = ?1 AND o.id = p.order_id) \
         FROM payments p INDEXED BY payments_by_received WHERE p.producer_id = ?1 AND p.currency <> '' AND p.received_at >= ?2 \
         AND (p.received_at, p.id, p.outcome, p.reference) > (?2, ?3, ?4, ?5) \
         ORDER BY p.received_at, p.id, p.outcome, p.reference LIMIT ?6"
    )
});

/// How many payments somebody has to deal with, counted up to a limit.
pub async fn count_open(conn: &mut Conn, tenant: Tenant, limit: i64) -> Result<i64> {
    Ok(conn.query_first(&COUNT_OPEN, params![tenant.number(), limit], |row| row.int(0)).await?.unwrap_or_default())
}

/// The query of [`count_open`].
pub static COUNT_OPEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT count(*) FROM (SELECT 1 FROM payments p INDEXED BY payments_unsettled WHERE p.producer_id = ?1 AND {OPEN} LIMIT ?2) c"
    )
});

/// A page of the payments that somebody has to deal with, oldest first, after the payment that was received then and has
/// this id, or from the first on.
pub async fn open_page(conn: &mut Conn, tenant: Tenant, after: (Stamp, &str), limit: usize) -> Result<Vec<Kept>> {
    conn.collect(&OPEN_PAGE, params![tenant.number(), after.0, after.1, limit as i64], Kept::read).await
}

/// The query of [`open_page`].
pub static OPEN_PAGE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM payments p INDEXED BY payments_unsettled WHERE p.producer_id = ?1 AND p.received_at >= ?2 \
         AND (p.received_at, p.id) > (?2, ?3) AND {OPEN} ORDER BY p.received_at, p.id LIMIT ?4"
    )
});

/// Everything that was told of a payment that was paid, oldest first.
pub async fn told_of(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Vec<Kept>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM payments p WHERE p.producer_id = ?1 AND p.id = ?2 AND p.outcome = 'paid' \
         ORDER BY p.received_at, p.reference"
    );
    conn.collect(&sql, params![tenant.number(), id], Kept::read).await
}

/// Marks what was told of a payment as paid back. If it was marked before, the time of the first mark stays.
pub async fn mark_paid_back(tx: &mut Move, told: &Kept, note: &str) -> Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sql = "UPDATE payments SET paid_back_at = coalesce(paid_back_at, ?4), note = ?5 \
         WHERE producer_id = ?1 AND id = ?2 AND outcome = 'paid' AND reference = ?3";
    tx.execute(sql, params![tenant.number(), &told.id, told.reference.uncovered(), stamp, note]).await?;
    Ok(())
}

/// Stores payments and their results. One that was settled or paid back is not changed. A repeated notice keeps the time
/// of the first one.
pub fn keep<'a>(tx: &Move, payments: &'a [(Payment, &'static str)]) -> Write<'a> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sets = payments
        .iter()
        .map(|(payment, result)| {
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
            ]
        })
        .collect();
    let sql = "INSERT INTO payments (producer_id, id, outcome, reference, order_id, amount, currency, result, received_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (producer_id, id, outcome, reference) \
         DO UPDATE SET result = excluded.result, amount = excluded.amount, currency = excluded.currency, \
         order_id = coalesce(excluded.order_id, payments.order_id) WHERE payments.result <> 'settled' AND payments.paid_back_at IS NULL";
    Write::new(sql, sets)
}
