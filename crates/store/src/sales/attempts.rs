//! Attempts to pay for orders at a payment processor. Moves write them, because an attempt decides until when its order is
//! held; when one is looked at again is bookkeeping.

use std::{collections::HashMap, sync::LazyLock};

use taquilla_domain::{
    attempt::{Attempt, AttemptState},
    clock::Stamp,
};

use crate::{
    Conn, Move, Question, Result, Tenant, Unstamped, Write,
    engine::sql::{Row, params},
};

const COLUMNS: &str = "order_id, number, processor, state, session, url, problem, created_at, expires_at, ended_at, \
     looked_at, look_at";

fn read(row: &Row<'_>) -> Result<(String, Attempt)> {
    let attempt = Attempt {
        number: row.int(1)?,
        processor: row.text(2)?.to_owned(),
        state: row.named(3, AttemptState::parse)?,
        session: row.opt_text(4)?.map(str::to_owned),
        url: row.opt_text(5)?.map(str::to_owned),
        problem: row.text(6)?.to_owned(),
        created_at: row.stamp(7)?,
        expires_at: row.stamp(8)?,
        ended_at: row.opt_stamp(9)?,
        looked_at: row.opt_stamp(10)?,
        look_at: row.opt_stamp(11)?,
    };
    Ok((row.text(0)?.to_owned(), attempt))
}

/// Attempts by order, oldest first.
pub type OfOrders = HashMap<String, Vec<Attempt>>;

/// Asks for the attempts to pay for these orders.
pub fn of_orders<'a>(tenant: Tenant, order_ids: &[&'a str], into: &'a mut OfOrders) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let (order_id, attempt) = read(row)?;
        into.entry(order_id).or_default().push(attempt);
        Ok(())
    };
    Question { sql: &OF_ORDER, sets: tenant.keys(order_ids), read: Box::new(read) }
}

/// The query of [`of_orders`] and [`of_order`] for one order.
pub static OF_ORDER: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM payment_attempts WHERE producer_id = ?1 AND order_id = ?2 ORDER BY number")
});

/// The attempts to pay for an order, oldest first.
pub async fn of_order(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<Vec<Attempt>> {
    conn.collect(&OF_ORDER, params![tenant.number(), order_id], |row| Ok(read(row)?.1)).await
}

/// Writes attempts as they stand now, each with the id of its order.
pub fn write<'a>(tx: &Move, attempts: &'a [(String, Attempt)]) -> Write<'a> {
    let tenant = tx.tenant().number();
    let set = |(order_id, attempt): &'a (String, Attempt)| {
        vec![
            tenant.into(),
            order_id.into(),
            attempt.number.into(),
            (&attempt.processor).into(),
            attempt.state.as_str().into(),
            (&attempt.session).into(),
            (&attempt.url).into(),
            (&attempt.problem).into(),
            attempt.created_at.into(),
            attempt.expires_at.into(),
            attempt.ended_at.into(),
            attempt.looked_at.into(),
            attempt.look_at.into(),
        ]
    };
    Write::new(WRITE, attempts.iter().map(set).collect())
}

/// The statement of [`write()`] for one attempt.
pub const WRITE: &str = "INSERT INTO payment_attempts (producer_id, order_id, number, processor, state, session, url, problem, \
     created_at, expires_at, ended_at, looked_at, look_at) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) \
     ON CONFLICT (producer_id, order_id, number) DO UPDATE SET state = excluded.state, session = excluded.session, \
     url = excluded.url, problem = excluded.problem, expires_at = excluded.expires_at, ended_at = excluded.ended_at, \
     looked_at = excluded.looked_at, look_at = excluded.look_at";

/// An attempt whose time has come to be looked at.
#[derive(Clone, Debug)]
pub struct Due {
    /// The order.
    pub order_id: String,
    /// The attempt's number.
    pub number: i64,
    /// When it was to be looked at.
    pub look_at: Stamp,
}

/// The attempts that are to be looked at next, the most urgent first, whether their time has come or not.
pub async fn next(conn: &mut Conn, tenant: Tenant, limit: usize) -> Result<Vec<Due>> {
    let read =
        |row: &Row<'_>| Ok(Due { order_id: row.text(0)?.to_owned(), number: row.int(1)?, look_at: row.stamp(2)? });
    conn.collect(NEXT, params![tenant.number(), i64::try_from(limit).unwrap_or(i64::MAX)], read).await
}

/// The query of [`next`].
pub const NEXT: &str = "SELECT order_id, number, look_at FROM payment_attempts WHERE producer_id = ?1 AND look_at IS NOT NULL \
     ORDER BY look_at, order_id, number LIMIT ?2";

/// Keeps other servers from looking at an attempt until then. `false` if one of them, or a move, was faster.
pub async fn claim(tx: &mut Unstamped, tenant: Tenant, due: &Due, until: Stamp) -> Result<bool> {
    let changed = tx.execute(CLAIM, params![tenant.number(), &due.order_id, due.number, due.look_at, until]).await?;
    Ok(changed > 0)
}

/// The statement of [`claim`].
pub const CLAIM: &str = "UPDATE payment_attempts SET look_at = ?5 WHERE producer_id = ?1 AND order_id = ?2 AND number = ?3 \
     AND look_at = ?4";
