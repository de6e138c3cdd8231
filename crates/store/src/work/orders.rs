//! The orders that a piece of work goes through.

use taquilla_domain::status::OrderStatus;

use super::pieces::Piece;
use crate::{
    Conn, Result, Tenant, Unstamped,
    engine::sql::{Param, params},
};

/// An order of a piece of work.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its place in the work, from 1.
    pub number: i64,
    /// The order's id.
    pub order_id: String,
    /// `refunded`, `rejected`, the code of what stood in the way, or empty while it is not decided.
    pub result: String,
}

/// The result of an order that was refunded.
pub const REFUNDED: &str = "refunded";

/// The result of an order that nobody had paid.
pub const REJECTED: &str = "rejected";

/// How many orders of an event are refunded or rejected when it is called off. This counts them, so it is for the work itself
/// and not for a page.
pub async fn count_open(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<i64> {
    let mut count = 0;
    for status in [OrderStatus::Approved, OrderStatus::Pending] {
        let values = params![tenant.number(), event_id, status.as_str()];
        count += conn.query_first(COUNT_OF_STATUS, values, |row| row.int(0)).await?.unwrap_or(0);
    }
    Ok(count)
}

/// The query of [`count_open`], along the list of an event's orders of one status.
pub const COUNT_OF_STATUS: &str = "SELECT count(*) FROM orders t INDEXED BY orders_of_event_by_status \
     WHERE t.seq + 8 <> 8 AND t.producer_id = ?1 AND t.event_id = ?2 AND t.status = ?3";

/// How many orders of an event have a status, counted up to a limit, for a page.
pub async fn count_some(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    status: OrderStatus,
    limit: i64,
) -> Result<i64> {
    let values = params![tenant.number(), event_id, status.as_str(), limit];
    Ok(conn.query_first(COUNT_SOME, values, |row| row.int(0)).await?.unwrap_or(0))
}

/// The query of [`count_some`].
pub const COUNT_SOME: &str = "SELECT count(*) FROM (SELECT 1 FROM orders t INDEXED BY orders_of_event_by_status \
     WHERE t.seq + 8 <> 8 AND t.producer_id = ?1 AND t.event_id = ?2 AND t.status = ?3 LIMIT ?4) c";

/// Plans orders, before anything is done about them.
pub async fn plan<'a>(tx: &mut Unstamped, piece: &'a Piece, order_ids: &[&'a str]) -> Result<()> {
    let first = piece.done + piece.failed + 1;
    let row = |(order_id, number): (&&'a str, i64)| {
        vec![piece.tenant.number().into(), (&piece.id).into(), number.into(), (*order_id).into()]
    };
    let sets: Vec<Vec<Param<'a>>> = order_ids.iter().zip(first..).map(row).collect();
    let sql = "INSERT INTO work_orders (producer_id, work_id, number, order_id, result) VALUES (?1, ?2, ?3, ?4, '')";
    tx.execute_many(sql, &sets).await
}

/// The planned orders that are not decided.
pub async fn open(conn: &mut Conn, piece: &Piece) -> Result<Vec<Planned>> {
    select(conn, piece.tenant, &piece.id, "result = '' ORDER BY number", i64::MAX, i64::MAX).await
}

/// Orders below a place that could not be refunded, the last first.
pub async fn failed(conn: &mut Conn, tenant: Tenant, work_id: &str, number: i64, limit: i64) -> Result<Vec<Planned>> {
    let which = "result NOT IN ('', 'refunded', 'rejected') ORDER BY number DESC";
    select(conn, tenant, work_id, which, number, limit).await
}

/// Orders of the work below a place, the last first.
pub async fn before(conn: &mut Conn, tenant: Tenant, work_id: &str, number: i64, limit: i64) -> Result<Vec<Planned>> {
    select(conn, tenant, work_id, "number > 0 ORDER BY number DESC", number, limit).await
}

async fn select(
    conn: &mut Conn,
    tenant: Tenant,
    work_id: &str,
    which: &str,
    number: i64,
    limit: i64,
) -> Result<Vec<Planned>> {
    let sql = format!(
        "SELECT number, order_id, result FROM work_orders \
         WHERE producer_id = ?1 AND work_id = ?2 AND number < ?3 AND {which} LIMIT ?4"
    );
    conn.collect(&sql, params![tenant.number(), work_id, number, limit], |row| {
        Ok(Planned { number: row.int(0)?, order_id: row.text(1)?.to_owned(), result: row.text(2)?.to_owned() })
    })
    .await
}

/// Writes what became of orders, each with its number.
pub async fn decide(tx: &mut Unstamped, piece: &Piece, results: &[(i64, &'static str)]) -> Result<()> {
    let row = |(number, result): &(i64, &'static str)| {
        vec![piece.tenant.number().into(), (&piece.id).into(), (*number).into(), (*result).into()]
    };
    let sets: Vec<Vec<Param<'_>>> = results.iter().map(row).collect();
    let sql = "UPDATE work_orders SET result = ?4 WHERE producer_id = ?1 AND work_id = ?2 AND number = ?3";
    tx.execute_many(sql, &sets).await
}
