//! Orders and their items.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use taquilla_domain::{
    clock::Stamp,
    config::ORDERS_AT_A_TIME,
    id,
    order::{Order, OrderItem, Promoter, UsedCoupon},
    order_number::OrderNumber,
    person::Person,
    personal::Personal,
    status::{ItemKind, OrderChannel, OrderStatus, PaymentMethod},
};

use crate::{
    Conn, Error, Move, Question, Result, Tenant, Write,
    engine::sql::{Param, Row, params},
    lists::{self, End, FIRST, Filter, First, Position, Source, Test},
};

/// The list of orders, without their items, for staff.
pub const ORDERS: Source = Source { table: "orders", columns: COLUMNS, visible: "" };

/// The columns of an order, which [`read`] reads.
pub(crate) const COLUMNS: &str = "t.id, t.event_id, t.status, t.buyer_name, t.buyer_email, t.buyer_phone, t.buyer_document, \
     t.currency, t.total, t.created_at, t.updated_at, t.reference, t.channel, t.payment_id, t.paid_at, t.refunded_at, \
     t.held_until, t.past_holds_at, t.number, t.payment_method, t.sold_by, t.coupon_id, t.coupon, t.promoter_id, \
     t.promoter, t.language, t.discount, t.surcharge";

pub(crate) fn read(tenant: Tenant, row: &Row<'_>, first: usize) -> Result<Order> {
    let channel = |name: &str| OrderChannel::parse(name).ok_or_else(|| Error::internal("an unknown channel"));
    let method = |name: &str| PaymentMethod::parse(name).ok_or_else(|| Error::internal("an unknown way to pay"));
    let text = |at: usize| -> Result<Option<String>> { Ok(row.opt_text(first + at)?.map(str::to_owned)) };
    let (coupon_id, promoter_id) = (text(21)?, text(23)?);
    Ok(Order {
        id: row.text(first)?.to_owned(),
        event_id: row.text(first + 1)?.to_owned(),
        status: row.named(first + 2, OrderStatus::parse)?,
        buyer: Person {
            name: row.text(first + 3)?.to_owned(),
            email: row.text(first + 4)?.to_owned(),
            phone: row.opt_text(first + 5)?.map(str::to_owned),
            identity_document: row.text(first + 6)?.to_owned(),
        },
        items: Vec::new(),
        currency: row.text(first + 7)?.to_owned(),
        total: row.int(first + 8)?,
        created_at: row.stamp(first + 9)?,
        updated_at: row.stamp(first + 10)?,
        reference: row.opt_text(first + 11)?.map(|secret| join_reference(tenant, secret)),
        coupon: text(22)?.map(|code| UsedCoupon { id: coupon_id, code }),
        promoter: text(24)?.map(|name| Promoter { id: promoter_id, name }),
        language: text(25)?,
        discount: row.int(first + 26)?,
        surcharge: row.int(first + 27)?,
        channel: row.opt_text(first + 12)?.map(channel).transpose()?,
        payment_id: row.opt_text(first + 13)?.map(str::to_owned),
        paid_at: row.opt_stamp(first + 14)?,
        refunded_at: row.opt_stamp(first + 15)?,
        held_until: row.opt_stamp(first + 16)?,
        past_holds_at: row.opt_stamp(first + 17)?,
        number: OrderNumber::from_column(row.int(first + 18)?),
        payment_method: row.opt_text(first + 19)?.map(method).transpose()?,
        sold_by: row.opt_text(first + 20)?.map(str::to_owned),
    })
}

pub(crate) fn read_item(row: &Row<'_>, first: usize) -> Result<OrderItem> {
    Ok(OrderItem {
        ticket_type_id: row.text(first)?.to_owned(),
        kind: row.named(first + 1, ItemKind::parse)?,
        name: row.text(first + 2)?.to_owned(),
        quantity: row.int(first + 3)?,
        list_price: row.int(first + 4)?,
        unit_price: row.int(first + 5)?,
        total: row.int(first + 6)?,
    })
}

/// One order with its items, or `None` if the producer has none with this id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Personal<Order>>> {
    let (mut orders, mut items) = (Vec::new(), Vec::new());
    conn.ask(vec![find_all(tenant, &[id], &mut orders), find_items(tenant, &[id], &mut items)]).await?;
    put_items(&mut orders, items);
    Ok(orders.pop().map(Personal::new))
}

/// Asks for the orders with these ids, without their items.
pub fn find_all<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut Vec<Order>) -> Question<'a> {
    let read = move |row: &Row<'_>| {
        into.push(read(tenant, row, 0)?);
        Ok(())
    };
    Question { sql: &FIND, sets: tenant.keys(ids), read: Box::new(read) }
}

/// Finds one order by its key.
pub static FIND: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {COLUMNS} FROM orders t WHERE t.producer_id = ?1 AND t.id = ?2"));

/// One page of orders with their items.
pub async fn page(
    conn: &mut Conn,
    tenant: Tenant,
    query: &Query,
    from: Option<Position>,
    limit: usize,
) -> Result<(Vec<Personal<Order>>, End)> {
    let mut orders = Vec::with_capacity(limit);
    let (filter, start) = query.filter();
    let end = lists::page(conn, tenant, &ORDERS, &filter, from.unwrap_or(start), limit, |row| {
        orders.push(read(tenant, row, FIRST)?);
        Ok(())
    })
    .await?;
    add_items(conn, tenant, &mut orders).await?;
    Ok((orders.into_iter().map(Personal::new).collect(), end))
}

/// Some orders after this id, in the order of their ids, with their items, each with its stored document. Empty after
/// the last.
pub async fn after(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Vec<(Order, String)>> {
    let sql = format!(
        "SELECT {COLUMNS}, t.document FROM orders t WHERE t.producer_id = ?1 AND t.id > ?2 ORDER BY t.id LIMIT ?3"
    );
    let found = conn
        .collect(&sql, params![tenant.number(), id, ORDERS_AT_A_TIME], |row| {
            Ok((read(tenant, row, 0)?, row.text(28)?.to_owned()))
        })
        .await?;
    let (mut orders, documents): (Vec<Order>, Vec<String>) = found.into_iter().unzip();
    add_items(conn, tenant, &mut orders).await?;
    Ok(orders.into_iter().zip(documents).collect())
}

/// Adds the items to orders. Items never change once an order is placed, so they can be read after their orders.
pub async fn add_items(conn: &mut Conn, tenant: Tenant, orders: &mut [Order]) -> Result<()> {
    let mut items = Vec::new();
    let ids: Vec<&str> = orders.iter().map(|order| order.id.as_str()).collect();
    conn.ask(vec![find_items(tenant, &ids, &mut items)]).await?;
    put_items(orders, items);
    Ok(())
}

/// Asks for the items of these orders, each with the id of its order.
pub fn find_items<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut Vec<(String, OrderItem)>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        into.push((row.text(0)?.to_owned(), read_item(row, 1)?));
        Ok(())
    };
    Question { sql: ITEMS, sets: tenant.keys(ids), read: Box::new(read) }
}

/// Gives orders their items, which come in the order of the orders.
pub fn put_items(orders: &mut [Order], items: Vec<(String, OrderItem)>) {
    let mut items = items.into_iter().peekable();
    for order in orders {
        while let Some((_, item)) = items.next_if(|(order_id, _)| *order_id == order.id) {
            order.items.push(item);
        }
    }
}

/// The items of one order, in their order.
pub const ITEMS: &str = "SELECT order_id, ticket_type_id, kind, name, quantity, list_price, unit_price, total \
     FROM order_items WHERE producer_id = ?1 AND order_id = ?2 ORDER BY position";

/// The filters of the list of orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Only orders of this event.
    pub event_id: Option<String>,
    /// Only orders of these statuses, in declaration order, each once. Empty means all.
    pub statuses: Vec<OrderStatus>,
    /// Only orders placed strictly after this.
    pub created_after: Option<Stamp>,
    /// Only orders changed strictly after this.
    pub updated_after: Option<Stamp>,
    /// Only orders that were sold there.
    pub channel: Option<OrderChannel>,
    /// Only orders with an item of this ticket type.
    pub ticket_type_id: Option<String>,
    /// Which end comes first.
    pub first: First,
}

impl Query {
    /// Whether an order, with its items, passes the filters.
    pub fn has(&self, order: &Personal<Order>) -> bool {
        let order = order.uncovered();
        self.event_id.as_ref().is_none_or(|id| order.event_id == *id)
            && (self.statuses.is_empty() || self.statuses.contains(&order.status))
            && self.created_after.is_none_or(|after| order.created_at > after)
            && self.updated_after.is_none_or(|after| order.updated_at > after)
            && self.channel.is_none_or(|channel| order.channel == Some(channel))
            && self.ticket_type_id.as_ref().is_none_or(|id| order.items.iter().any(|item| item.ticket_type_id == *id))
    }

    /// The filter along one index, and where its first page begins; see `tickets::Query::filter`.
    pub fn filter(&self) -> (Filter<'_>, Position) {
        let mut tested = Vec::from_iter(self.ticket_type_id.as_deref().map(Test::HasItem));
        tested.extend(self.channel.map(|channel| Test::OneOf("channel", vec![channel.as_str()])));
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
        (Filter { stamp, after, equal, also: vec![], statuses, tested, first: self.first }, self.first.start())
    }
}

/// An order about to be placed.
pub struct NewOrder {
    /// The order as it will be after the move.
    pub order: Order,
    /// The secret part of the buyer's reference; see [`join_reference`].
    pub secret: String,
    /// The address that it came from, for an order of the shop that holds stock.
    pub placed_from: Option<String>,
    /// The attendees that the buyer named, for the first units of each item.
    pub attendees: Vec<Vec<Person>>,
    /// The terms that the buyer accepted, by id.
    pub terms_id: Option<String>,
    /// What the API shows of it.
    pub document: String,
}

/// An order that was there before, as it is after the move.
pub struct Decided {
    /// The order.
    pub order: Order,
    /// What the API shows of it.
    pub document: String,
}

/// Places orders.
pub fn insert<'a>(tx: &mut Move, orders: &'a [NewOrder]) -> Result<[Write<'a>; 3]> {
    let tenant = tx.tenant().number();
    let mut rows: Vec<Vec<Param<'_>>> = Vec::with_capacity(orders.len());
    let mut items: Vec<Vec<Param<'_>>> = Vec::with_capacity(orders.len());
    let mut attendees: Vec<Vec<Param<'_>>> = Vec::new();
    for NewOrder { order, secret, placed_from, attendees: people, terms_id, document } in orders {
        let buyer = &order.buyer;
        let (coupon, promoter) = (order.coupon.as_ref(), order.promoter.as_ref());
        rows.push(vec![
            tenant.into(),
            tx.next_seq()?.into(),
            (&order.id).into(),
            secret.into(),
            (&order.event_id).into(),
            order.status.as_str().into(),
            (&buyer.name).into(),
            (&buyer.email).into(),
            (&buyer.phone).into(),
            (&buyer.identity_document).into(),
            (&order.currency).into(),
            order.total.into(),
            order.channel.map(OrderChannel::as_str).into(),
            order.created_at.into(),
            order.updated_at.into(),
            document.into(),
            order.held_until.into(),
            placed_from.into(),
            order.past_holds_at.into(),
            order.paid_at.into(),
            order.number.get().into(),
            order.payment_method.map(PaymentMethod::as_str).into(),
            (&order.sold_by).into(),
            coupon.and_then(|coupon| coupon.id.as_deref()).into(),
            coupon.map(|coupon| coupon.code.as_str()).into(),
            promoter.and_then(|promoter| promoter.id.as_deref()).into(),
            promoter.map(|promoter| promoter.name.as_str()).into(),
            (&order.language).into(),
            order.discount.into(),
            order.surcharge.into(),
            terms_id.into(),
        ]);
        items.extend(order.items.iter().zip(0_i64..).map(|(item, position)| {
            vec![
                tenant.into(),
                (&order.id).into(),
                position.into(),
                (&item.ticket_type_id).into(),
                item.kind.as_str().into(),
                (&item.name).into(),
                item.quantity.into(),
                item.list_price.into(),
                item.unit_price.into(),
                item.total.into(),
            ]
        }));
        for (people, position) in people.iter().zip(0_i64..) {
            attendees.extend(people.iter().zip(0_i64..).map(|(person, unit)| {
                vec![
                    tenant.into(),
                    (&order.id).into(),
                    position.into(),
                    unit.into(),
                    (&person.name).into(),
                    (&person.email).into(),
                    (&person.phone).into(),
                    (&person.identity_document).into(),
                ]
            }));
        }
    }
    Ok([
        Write::new(
            "INSERT INTO orders (producer_id, seq, id, reference, event_id, status, buyer_name, buyer_email, \
             buyer_phone, buyer_document, currency, total, channel, created_at, updated_at, document, held_until, \
             placed_from, past_holds_at, paid_at, number, payment_method, sold_by, coupon_id, coupon, \
             promoter_id, promoter, language, discount, surcharge, terms_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, \
             ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31)",
            rows,
        ),
        Write::new(
            "INSERT INTO order_items (producer_id, order_id, position, ticket_type_id, kind, name, quantity, list_price, \
             unit_price, total) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            items,
        ),
        Write::new(
            "INSERT INTO order_attendees (producer_id, order_id, position, unit, name, email, phone, document) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            attendees,
        ),
    ])
}

/// The attendees that a buyer named, by the item's position and the unit.
pub type Attendees = HashMap<(i64, i64), Person>;

/// Asks for the attendees of these orders, by order.
pub fn attendees<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut HashMap<String, Attendees>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let person = Person {
            name: row.text(3)?.to_owned(),
            email: row.text(4)?.to_owned(),
            phone: row.opt_text(5)?.map(str::to_owned),
            identity_document: row.text(6)?.to_owned(),
        };
        into.entry(row.text(0)?.to_owned()).or_default().insert((row.int(1)?, row.int(2)?), person);
        Ok(())
    };
    Question { sql: ATTENDEES, sets: tenant.keys(ids), read: Box::new(read) }
}

/// The query of [`attendees`] for one order.
pub const ATTENDEES: &str = "SELECT order_id, position, unit, name, email, phone, document FROM order_attendees \
     WHERE producer_id = ?1 AND order_id = ?2";

/// Writes what became of orders: their status, the facts behind it, and the document that shows them. A decided order
/// holds nothing.
pub fn update<'a>(tx: &Move, orders: &'a [Decided]) -> Write<'a> {
    let tenant = tx.tenant().number();
    let sets = orders
        .iter()
        .map(|Decided { order, document }| {
            vec![
                tenant.into(),
                (&order.id).into(),
                order.status.as_str().into(),
                order.updated_at.into(),
                order.paid_at.into(),
                order.refunded_at.into(),
                (&order.payment_id).into(),
                document.into(),
                order.past_holds_at.into(),
                order.payment_method.map(PaymentMethod::as_str).into(),
                (&order.sold_by).into(),
            ]
        })
        .collect();
    Write::new(UPDATE, sets)
}

/// Asks which of these orders had their hold made longer.
pub fn extended<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut HashSet<String>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        into.insert(row.text(0)?.to_owned());
        Ok(())
    };
    Question { sql: EXTENDED, sets: tenant.keys(ids), read: Box::new(read) }
}

/// The query of [`extended`] for one order.
pub const EXTENDED: &str = "SELECT id FROM orders WHERE producer_id = ?1 AND id = ?2 AND hold_extended = 1";

/// Writes down the new ends of holds that are made longer. It moves no stamp: no feed shows a hold.
pub fn extend<'a>(tx: &Move, ends: &'a [(String, Stamp)]) -> Write<'a> {
    let tenant = tx.tenant().number();
    Write::new(EXTEND, ends.iter().map(|(id, until)| vec![tenant.into(), id.into(), (*until).into()]).collect())
}

/// The statement of [`extend`] for one order.
pub const EXTEND: &str = "UPDATE orders SET held_until = ?3, hold_extended = 1 WHERE producer_id = ?1 AND id = ?2";

/// Writes down until when orders are held on, because they may still be paid. No feed shows it either.
pub fn hold_on<'a>(tx: &Move, ends: &'a [(String, Stamp)]) -> Write<'a> {
    let tenant = tx.tenant().number();
    Write::new(HOLD_ON, ends.iter().map(|(id, until)| vec![tenant.into(), id.into(), (*until).into()]).collect())
}

/// The statement of [`hold_on`] for one order.
pub const HOLD_ON: &str = "UPDATE orders SET held_until = ?3 WHERE producer_id = ?1 AND id = ?2";

/// The statement of [`update`] for one order.
pub const UPDATE: &str = "UPDATE orders SET status = ?3, updated_at = ?4, paid_at = ?5, refunded_at = ?6, \
     payment_id = ?7, document = ?8, past_holds_at = ?9, payment_method = ?10, sold_by = ?11, held_until = NULL, \
     placed_from = NULL WHERE producer_id = ?1 AND id = ?2";

/// Forgets the attendees that buyers named, because their orders are decided: the tickets have them now, or there will
/// never be any.
pub fn forget_attendees<'a>(tx: &Move, ids: &'a [String]) -> Write<'a> {
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    Write::new(FORGET_ATTENDEES, tx.tenant().keys(&ids))
}

/// The statement of [`forget_attendees`] for one order.
pub const FORGET_ATTENDEES: &str = "DELETE FROM order_attendees WHERE producer_id = ?1 AND order_id = ?2";

/// The address that an order of the shop came from, while that is kept.
pub async fn placed_from(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<String>> {
    let sql = "SELECT placed_from FROM orders WHERE producer_id = ?1 AND id = ?2";
    let read = |row: &Row<'_>| Ok(row.opt_text(0)?.map(str::to_owned));
    Ok(conn.query_first(sql, params![tenant.number(), id], read).await?.flatten())
}

/// The producer and the secret part of a buyer's reference.
pub fn split_reference(reference: &str) -> Option<(Tenant, &str)> {
    let (producer, secret) = reference.split_once('-')?;
    let tenant = Tenant::from_column(producer.parse().ok()?);
    // A reference has one spelling: `01-…` and `+1-…` are no references.
    (id::is_plausible(secret) && join_reference(tenant, secret) == reference).then_some((tenant, secret))
}

/// Makes a buyer's reference that [`split_reference`] can read.
pub fn join_reference(tenant: Tenant, secret: &str) -> String {
    format!("{}-{secret}", tenant.number())
}

/// The id of the order whose reference has this secret part.
pub async fn find_by_reference(conn: &mut Conn, tenant: Tenant, reference: &str) -> Result<Option<String>> {
    conn.query_first(
        "SELECT id FROM orders WHERE producer_id = ?1 AND reference = ?2",
        params![tenant.number(), reference],
        |row| Ok(row.text(0)?.to_owned()),
    )
    .await
}
