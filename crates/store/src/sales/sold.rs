//! The orders behind the figures of sales: what was sold of an event, or refunded, in some stretch of time, newest first.

use std::sync::LazyLock;

use taquilla_domain::{clock::Stamp, order::Order, personal::Personal};

use super::orders::{self, COLUMNS};
use crate::{Conn, Result, Tenant, engine::sql::params};

/// Which figure the orders are behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// What was sold, also if it was refunded since.
    Sold,
    /// What was refunded.
    Refunded,
}

impl Figure {
    /// When this figure counts an order; see [`figures`](super::figures).
    pub fn time_of(self, order: &Order) -> Stamp {
        let sold = order.paid_at.unwrap_or(order.created_at);
        match self {
            Self::Sold => sold,
            Self::Refunded => order.refunded_at.unwrap_or(sold),
        }
    }

    /// The query of [`page`].
    pub fn sql(self) -> &'static str {
        match self {
            Self::Sold => &SOLD,
            Self::Refunded => &REFUNDED,
        }
    }
}

static SOLD: LazyLock<String> = LazyLock::new(|| {
    statement("orders_by_sale", "coalesce(t.paid_at, t.created_at)", "t.status IN ('approved', 'refunded')")
});
static REFUNDED: LazyLock<String> = LazyLock::new(|| {
    statement("orders_by_refund", "coalesce(t.refunded_at, t.paid_at, t.created_at)", "t.status = 'refunded'")
});

fn statement(index: &str, time: &str, condition: &str) -> String {
    format!(
        "SELECT {COLUMNS} FROM orders t INDEXED BY {index} WHERE t.producer_id = ?1 AND t.event_id = ?2 AND {condition} \
         AND {time} >= ?3 AND {time} <= ?4 AND ({time} < ?4 OR t.id < ?5) ORDER BY {time} DESC, t.id DESC LIMIT ?6"
    )
}

/// Some orders of an event that count from one moment on, and before a place: a moment and an order's id. With their items.
pub async fn page(
    conn: &mut Conn,
    tenant: Tenant,
    figure: Figure,
    event_id: &str,
    from: Stamp,
    before: (Stamp, &str),
    limit: usize,
) -> Result<Vec<Personal<Order>>> {
    let values = params![tenant.number(), event_id, from, before.0, before.1, limit as i64];
    let mut found = conn.collect(figure.sql(), values, |row| orders::read(tenant, row, 0)).await?;
    orders::add_items(conn, tenant, &mut found).await?;
    Ok(found.into_iter().map(Personal::new).collect())
}
