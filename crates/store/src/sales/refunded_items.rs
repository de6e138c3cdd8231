//! Units of an order's items that were refunded alone, while the order stays approved. The refund of the order itself takes
//! the rest; sums of sales are counted from both.

use std::collections::HashMap;

use taquilla_domain::clock::Stamp;

use crate::{Move, Question, Tenant, Write, engine::sql::Row};

/// Units of one item of an order, refunded by one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundedItem {
    /// The order.
    pub order_id: String,
    /// When.
    pub refunded_at: Stamp,
    /// The item's position in the order.
    pub position: i64,
    /// How many units.
    pub units: i64,
    /// What they cost in the order.
    pub amount: i64,
}

/// Refunded units, by order.
pub type RefundedItems = HashMap<String, Vec<RefundedItem>>;

/// Asks for what was refunded alone of these orders.
pub fn of_orders<'a>(tenant: Tenant, order_ids: &[&'a str], into: &'a mut RefundedItems) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let item = RefundedItem {
            order_id: row.text(0)?.to_owned(),
            refunded_at: row.stamp(1)?,
            position: row.int(2)?,
            units: row.int(3)?,
            amount: row.int(4)?,
        };
        into.entry(item.order_id.clone()).or_default().push(item);
        Ok(())
    };
    Question { sql: OF_ORDER, sets: tenant.keys(order_ids), read: Box::new(read) }
}

/// The query of [`of_orders`] for one order.
pub const OF_ORDER: &str = "SELECT order_id, refunded_at, position, units, amount FROM refunded_items \
     WHERE producer_id = ?1 AND order_id = ?2";

/// Writes down what is refunded alone.
pub fn write<'a>(tx: &Move, items: &'a [RefundedItem]) -> Write<'a> {
    let tenant = tx.tenant().number();
    let set = |item: &'a RefundedItem| {
        vec![
            tenant.into(),
            (&item.order_id).into(),
            item.refunded_at.into(),
            item.position.into(),
            item.units.into(),
            item.amount.into(),
        ]
    };
    let sql = "INSERT INTO refunded_items (producer_id, order_id, refunded_at, position, units, amount) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    Write::new(sql, items.iter().map(set).collect())
}

/// How much of one item of an order is not refunded yet: its units, and what they cost.
pub fn left(before: &[RefundedItem], position: i64, units: i64, amount: i64) -> (i64, i64) {
    let of_item = before.iter().filter(|item| item.position == position);
    of_item.fold((units, amount), |(units, amount), item| (units - item.units, amount - item.amount))
}
