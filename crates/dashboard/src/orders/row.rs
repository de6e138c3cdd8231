//! Orders as rows of a table.

use taquilla_domain::{clock::Stamp, order::Order, order_number::OrderNumber, personal::Personal};
use taquilla_http::errors::Error;
use taquilla_pages::{
    address::in_path,
    badges::{self, Badge},
};
use taquilla_store::{Conn, catalogue::events};

use super::till::method_key;
use crate::access::Member;

/// An order in a table.
#[expect(missing_docs, reason = "the columns of the table")]
pub struct OrderRow {
    pub path: String,
    pub number: OrderNumber,
    pub id: String,
    pub buyer: String,
    pub event: String,
    pub time_zone: String,
    pub what: String,
    pub total: i64,
    pub currency: String,
    pub method: Option<&'static str>,
    pub badge: Badge,
    pub created_at: Stamp,
}

/// The rows of these orders, as the member sees them.
pub async fn rows<N>(
    conn: &mut Conn,
    member: &Member<N>,
    orders: Vec<Personal<Order>>,
) -> Result<Vec<OrderRow>, Error> {
    let orders: Vec<Order> = orders.into_iter().map(|order| order.seen_by(member.sees())).collect();
    let ids: Vec<&str> = orders.iter().map(|order| order.event_id.as_str()).collect();
    let events = events::named(conn, member.tenant(), &ids).await?;
    let row = |order: Order| {
        let event = events.get(&order.event_id).cloned().unwrap_or_default();
        let what = order.items.iter().map(|item| format!("{} × {}", item.quantity, item.name)).collect::<Vec<_>>();
        OrderRow {
            path: member.path(&format!("/orders/{}", in_path(&order.id))),
            number: order.number,
            id: order.id,
            buyer: order.buyer.name,
            event: event.name,
            time_zone: event.time_zone,
            what: what.join(", "),
            total: order.total,
            currency: order.currency,
            method: order.payment_method.as_ref().map(method_key),
            badge: badges::of_order(order.status),
            created_at: order.created_at,
        }
    };
    Ok(orders.into_iter().map(row).collect())
}
