//! Orders as rows of a table.

use taquilla_domain::{clock::Stamp, order::Order, role::Right};
use taquilla_http::errors::Error;
use taquilla_store::{Conn, catalogue::events};

use crate::{
    access::Member,
    badges::{self, Badge},
    frame::in_path,
    masked,
};

/// An order in a table.
#[expect(missing_docs, reason = "the columns of the table")]
pub struct OrderRow {
    pub path: String,
    pub id: String,
    pub buyer: String,
    pub event: String,
    pub what: String,
    pub total: i64,
    pub currency: String,
    pub badge: Badge,
    pub created_at: Stamp,
}

/// The rows of these orders. People are masked for whoever may not see them.
pub async fn rows<N>(conn: &mut Conn, member: &Member<N>, orders: &[Order]) -> Result<Vec<OrderRow>, Error> {
    let ids: Vec<&str> = orders.iter().map(|order| order.event_id.as_str()).collect();
    let names = events::names(conn, member.tenant(), &ids).await?;
    let sees_people = member.may(Right::SeePersonalData);
    let row = |order: &Order| {
        let what = order.items.iter().map(|item| format!("{} × {}", item.quantity, item.name)).collect::<Vec<_>>();
        OrderRow {
            path: member.path(&format!("/orders/{}", in_path(&order.id))),
            id: order.id.clone(),
            buyer: masked::text(&order.buyer.name, sees_people),
            event: names.get(&order.event_id).cloned().unwrap_or_default(),
            what: what.join(", "),
            total: order.total,
            currency: order.currency.clone(),
            badge: badges::of_order(order.status),
            created_at: order.created_at,
        }
    };
    Ok(orders.iter().map(row).collect())
}
