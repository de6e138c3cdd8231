//! Orders and their items.

use crate::{
    domain::{
        clock::Stamp,
        status::{ItemKind, OrderStatus},
    },
    wire::{Buyer, Order, OrderItem},
};

use super::{
    Conn, Result,
    keyset::{self, End, FIRST, Position, Source, Test},
    producers::Tenant,
    sql::{Param, Row, params},
};

/// The list of orders, without their items.
pub const ORDERS: Source = Source { table: "orders", columns: COLUMNS, visible: "" };

const COLUMNS: &str = "t.id, t.event_id, t.status, t.buyer_name, t.buyer_email, t.buyer_phone, t.buyer_document, \
     t.currency, t.total, t.created_at, t.updated_at";

fn read(row: &Row<'_>, first: usize) -> Result<Order> {
    Ok(Order {
        id: row.text(first)?.to_owned(),
        event_id: row.text(first + 1)?.to_owned(),
        status: row.named(first + 2, OrderStatus::parse)?,
        buyer: Buyer {
            name: row.text(first + 3)?.to_owned(),
            email: row.text(first + 4)?.to_owned(),
            phone: row.opt_text(first + 5)?.map(str::to_owned),
            identity_document: row.text(first + 6)?.to_owned(),
        },
        items: Vec::new(),
        currency: row.text(first + 7)?.to_owned(),
        total: row.int(first + 8)?,
        created_at: row.time(first + 9)?,
        updated_at: row.time(first + 10)?,
    })
}

/// One order with its items, or nothing when the producer has none with this id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Order>> {
    let sql = format!("SELECT {COLUMNS} FROM orders t WHERE t.producer_id = ?1 AND t.id = ?2");
    let mut found = conn.query_first(&sql, params![tenant.number(), id], |row| read(row, 0)).await?;
    add_items(conn, tenant, found.as_mut_slice()).await?;
    Ok(found)
}

/// One page of orders with their items.
pub async fn page(
    conn: &mut Conn,
    tenant: Tenant,
    query: &Query,
    from: Option<Position>,
    limit: usize,
) -> Result<(Vec<Order>, End)> {
    let mut orders = Vec::with_capacity(limit);
    let (filter, start) = query.filter();
    let end = keyset::page(conn, tenant, &ORDERS, &filter, from.unwrap_or(start), limit, |row| {
        orders.push(read(row, FIRST)?);
        Ok(())
    })
    .await?;
    add_items(conn, tenant, &mut orders).await?;
    Ok((orders, end))
}

/// Items never change once an order is placed, so reading them after their orders is as good as reading them together.
async fn add_items(conn: &mut Conn, tenant: Tenant, orders: &mut [Order]) -> Result<()> {
    const ITEMS: &str = "SELECT ticket_type_id, kind, name, quantity, list_price, unit_price, total FROM order_items \
         WHERE producer_id = ?1 AND order_id = ?2 ORDER BY position";
    let mut items: Vec<Vec<OrderItem>> = orders.iter().map(|_| Vec::new()).collect();
    let sets: Vec<[Param<'_>; 2]> =
        orders.iter().map(|order| [Param::from(tenant.number()), Param::from(&order.id)]).collect();
    conn.query_many(ITEMS, &sets, |at, row| {
        items[at].push(OrderItem {
            ticket_type_id: row.text(0)?.to_owned(),
            kind: row.named(1, ItemKind::parse)?,
            name: row.text(2)?.to_owned(),
            quantity: row.int(3)?,
            list_price: row.int(4)?,
            unit_price: row.int(5)?,
            total: row.int(6)?,
        });
        Ok(())
    })
    .await?;
    for (order, items) in orders.iter_mut().zip(items) {
        order.items = items;
    }
    Ok(())
}

/// What a client may ask of the list of orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Only this event's.
    pub event_id: Option<String>,
    /// Only these, in declaration order, each once; empty is all.
    pub statuses: Vec<OrderStatus>,
    /// Placed strictly after.
    pub created_after: Option<Stamp>,
    /// Changed strictly after.
    pub updated_after: Option<Stamp>,
}

impl Query {
    /// The filter along one index, and where its first page begins; see `tickets::Query::filter`.
    pub fn filter(&self) -> (keyset::Filter<'_>, Position) {
        let mut tested = Vec::new();
        let mut statuses: Vec<&str> = self.statuses.iter().map(|status| status.as_str()).collect();
        if statuses.len() == OrderStatus::ALL.len() {
            statuses.clear();
        }
        let (stamp, after) = if self.updated_after.is_some() {
            tested.extend(self.created_after.map(|stamp| Test::After("created_at", stamp)));
            if !statuses.is_empty() {
                tested.push(Test::OneOf("status", std::mem::take(&mut statuses)));
            }
            ("updated_at", self.updated_after)
        } else {
            ("created_at", self.created_after)
        };
        let equal = self.event_id.iter().map(|event| ("event_id", event.as_str())).collect();
        (keyset::Filter { stamp, after, equal, statuses, tested }, Position::above(Stamp::END))
    }
}
