//! Lists of payments: all, those that somebody has to deal with, and those for a file.

use std::sync::LazyLock;

use taquilla_domain::{clock::Stamp, order::Order, status::OrderStatus};

use super::payments::{COLUMNS, OPEN, ReportedPayment};
use crate::{Conn, Result, Tenant, engine::sql::params};

/// Which payments are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// All.
    All,
    /// Those that were paid and have paid for nothing: somebody has to deal with them. Each payment once, as it was told
    /// of last.
    Unsettled,
}

/// What the order that a payment names can do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fits {
    /// Nothing: there is no such order, or it is rejected, refunded or paid.
    Nothing,
    /// It waits for its payment.
    Waits,
    /// Staff have approved it, and no payment has paid for it.
    Approved,
}

impl Fits {
    /// What this order can do with a payment that has paid for nothing.
    pub fn of(order: &Order) -> Self {
        match order.status {
            OrderStatus::Pending => Self::Waits,
            OrderStatus::Approved if order.payment_id.is_none() && order.total > 0 => Self::Approved,
            _ => Self::Nothing,
        }
    }
}

/// A producer's payments, oldest first, each with what its order can do with it.
pub async fn list(conn: &mut Conn, tenant: Tenant, listed: Listed) -> Result<Vec<(ReportedPayment, Fits)>> {
    let condition = if listed == Listed::All { "1 = 1" } else { &LISTED };
    let sql = format!(
        "SELECT {COLUMNS}, CAST(CASE WHEN o.status = 'pending' THEN 1 \
         WHEN o.status = 'approved' AND o.payment_id IS NULL AND o.total > 0 THEN 2 ELSE 0 END AS BIGINT) FROM payments p \
         LEFT JOIN orders o ON o.producer_id = ?1 AND o.id = p.order_id WHERE p.producer_id = ?1 AND {condition} \
         ORDER BY p.received_at, p.id"
    );
    let fits = |number| match number {
        1 => Fits::Waits,
        2 => Fits::Approved,
        _ => Fits::Nothing,
    };
    conn.collect(&sql, params![tenant.number()], |row| Ok((ReportedPayment::read(row)?, fits(row.int(10)?)))).await
}

/// Whether a payment (`p`) is in the list that staff work through: it is open, and was not told of later for another
/// reference, under which it is listed.
static LISTED: LazyLock<String> = LazyLock::new(|| {
    let later = OPEN.replace("p.", "l.");
    format!(
        "{OPEN} AND 0 = (SELECT count(*) FROM payments l WHERE l.producer_id = ?1 AND l.id = p.id AND {later} \
         AND l.amount = p.amount AND l.currency = p.currency AND (l.received_at, l.reference) > (p.received_at, p.reference))"
    )
});

/// How many payments somebody has to deal with, counted up to a limit.
pub async fn count_open(conn: &mut Conn, tenant: Tenant, limit: i64) -> Result<i64> {
    Ok(conn.query_first(&COUNT_OPEN, params![tenant.number(), limit], |row| row.int(0)).await?.unwrap_or_default())
}

/// The query of [`count_open`].
pub static COUNT_OPEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT count(*) FROM (SELECT 1 FROM payments p INDEXED BY payments_unsettled WHERE p.producer_id = ?1 AND {} LIMIT ?2) c",
        *LISTED
    )
});

/// A page of the payments that somebody has to deal with, oldest first, after the payment that was received then and has
/// this id, or from the first on.
pub async fn open_page(
    conn: &mut Conn,
    tenant: Tenant,
    after: (Stamp, &str),
    limit: usize,
) -> Result<Vec<ReportedPayment>> {
    conn.collect(&OPEN_PAGE, params![tenant.number(), after.0, after.1, limit as i64], ReportedPayment::read).await
}

/// The query of [`open_page`].
pub static OPEN_PAGE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM payments p INDEXED BY payments_unsettled WHERE p.producer_id = ?1 AND p.received_at >= ?2 \
         AND (p.received_at, p.id) > (?2, ?3) AND {} ORDER BY p.received_at, p.id LIMIT ?4",
        *LISTED
    )
});

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
    pub fn row(kept: &ReportedPayment) -> Self {
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
) -> Result<Vec<(ReportedPayment, Option<String>)>> {
    let values = params![tenant.number(), *received_at, id, outcome, reference, limit as i64];
    conn.collect(&AFTER, values, |row| Ok((ReportedPayment::read(row)?, row.opt_text(10)?.map(str::to_owned)))).await
}

/// The query of [`after`]. The first bound follows from the second, but only it tells the engines that the index serves.
pub static AFTER: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS}, (SELECT o.event_id FROM orders o WHERE o.producer_id = ?1 AND o.id = p.order_id) \
         FROM payments p INDEXED BY payments_by_received WHERE p.producer_id = ?1 AND p.received_at + 1 <> 1 AND p.received_at >= ?2 \
         AND (p.received_at, p.id, p.outcome, p.reference) > (?2, ?3, ?4, ?5) \
         ORDER BY p.received_at, p.id, p.outcome, p.reference LIMIT ?6"
    )
});
