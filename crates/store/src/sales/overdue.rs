//! Pending orders that nobody has paid although their holds ended long ago.

use taquilla_domain::clock::Stamp;

use crate::{Conn, Result, Tenant, engine::sql::params, lists::Position};

/// A pending order that nobody has paid although its hold ended long ago.
pub struct Overdue {
    /// Its id.
    pub id: String,
    /// Its place among the pending orders.
    pub position: Position,
    /// Whether somebody has paid for it although it could not be approved, and has not got the money back.
    pub is_paid: bool,
}

/// Pending orders of the shop whose holds ended before a time, in the order of their age, beginning after a position.
/// Whatever that time is, a hold that lasts by the database's clock has not ended.
pub async fn find(conn: &mut Conn, tenant: Tenant, before: Stamp, after: Position, limit: i64) -> Result<Vec<Overdue>> {
    let bounds = params![tenant.number(), before, after.stamp, after.seq, limit];
    let sql = OVERDUE.replace("{now}", &conn.clock());
    conn.collect(&sql, bounds, |row| {
        let position = Position { stamp: row.stamp(1)?, seq: row.int(2)? };
        Ok(Overdue { id: row.text(0)?.to_owned(), position, is_paid: row.int(3)? > 0 })
    })
    .await
}

/// The query of [`find`]; `{now}` is the database's clock. Orders from before there were holds have none.
pub const OVERDUE: &str = "SELECT o.id, o.created_at, o.seq, (SELECT count(*) FROM payments p \
     WHERE p.producer_id = ?1 AND p.order_id = o.id AND p.outcome = 'paid' AND p.result <> 'settled_elsewhere' \
     AND p.paid_back_at IS NULL) \
     FROM orders o INDEXED BY orders_unpaid \
     WHERE o.producer_id = ?1 AND o.status = 'pending' AND o.channel = 'shop' AND o.created_at < ?2 \
     AND (o.created_at, o.seq) > (?3, ?4) AND coalesce(o.held_until, o.created_at) < ?2 \
     AND coalesce(o.held_until, 0) < {now} ORDER BY o.created_at, o.seq LIMIT ?5";
