//! What somebody of the staff took and paid back in a span of time, summed from the orders and refunds that moves wrote.
//!
//! Nothing is kept but the rows themselves. A span that begins and ends with the stamps of moves, as a shift does, has each
//! of them once and for all: no later move has a stamp inside of it. It reads as many rows as that person wrote in it.

use std::collections::{BTreeMap, BTreeSet};

use taquilla_domain::{clock::Stamp, status::PaymentMethod};

use crate::{
    Conn, Result, Tenant,
    engine::sql::{Row, params},
};

/// What was taken and paid back in one currency and in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many orders were sold.
    pub orders: i64,
    /// What was taken for them.
    pub taken: i64,
    /// How many refunds were paid back.
    pub refunds: i64,
    /// What was paid back for them.
    pub paid_back: i64,
}

impl Sum {
    /// What is left of it.
    pub fn left(&self) -> i64 {
        self.taken - self.paid_back
    }
}

/// Sums by currency and way; `None` is where nobody said how.
pub type Sums = BTreeMap<(String, Option<PaymentMethod>), Sum>;

/// What somebody took and paid back after one moment and before another.
pub async fn sums(conn: &mut Conn, tenant: Tenant, person: &str, after: Stamp, before: Stamp) -> Result<Sums> {
    let mut sums = Sums::new();
    let values = params![tenant.number(), person, after, before];
    conn.query(TAKEN, values, |row| {
        let sum = sums.entry(key(row)?).or_default();
        (sum.orders, sum.taken) = (row.int(2)?, row.int(3)?);
        Ok(())
    })
    .await?;
    conn.query(PAID_BACK, values, |row| {
        let sum = sums.entry(key(row)?).or_default();
        (sum.refunds, sum.paid_back) = (row.int(2)?, row.int(3)?);
        Ok(())
    })
    .await?;
    Ok(sums)
}

/// Some of those who ever took or paid back money, in the order of their names. Each is found by one step along an index, however
/// much they sold.
pub async fn people(conn: &mut Conn, tenant: Tenant, limit: usize) -> Result<Vec<String>> {
    let mut people = BTreeSet::new();
    for next in [NEXT_SELLER, NEXT_PAYER] {
        let mut last = String::new();
        for _ in 0..limit {
            let values = params![tenant.number(), &last];
            let found = conn.query_first(next, values, |row| Ok(row.opt_text(0)?.map(str::to_owned))).await?;
            let Some(person) = found.flatten() else { break };
            last.clone_from(&person);
            people.insert(person);
        }
    }
    Ok(people.into_iter().take(limit).collect())
}

/// The next person who sold something.
pub const NEXT_SELLER: &str =
    "SELECT min(sold_by) FROM orders INDEXED BY orders_by_seller WHERE producer_id = ?1 AND sold_by > ?2";

/// The next person who paid something back.
pub const NEXT_PAYER: &str = "SELECT min(paid_back_by) FROM pay_backs INDEXED BY pay_backs_by_payer \
     WHERE producer_id = ?1 AND paid_back_by > ?2";

fn key(row: &Row<'_>) -> Result<(String, Option<PaymentMethod>)> {
    Ok((row.text(0)?.to_owned(), row.opt_text(1)?.and_then(PaymentMethod::parse)))
}

/// What was taken.
pub const TAKEN: &str = "SELECT currency, payment_method, count(*), CAST(sum(total) AS BIGINT) FROM orders \
     INDEXED BY orders_by_seller WHERE producer_id = ?1 AND sold_by = ?2 AND paid_at > ?3 AND paid_at < ?4 \
     GROUP BY currency, payment_method";

/// What was paid back.
pub const PAID_BACK: &str = "SELECT currency, method, count(*), CAST(sum(amount) AS BIGINT) FROM pay_backs \
     INDEXED BY pay_backs_by_payer WHERE producer_id = ?1 AND paid_back_by = ?2 AND paid_back_at > ?3 \
     AND paid_back_at < ?4 GROUP BY currency, method";
