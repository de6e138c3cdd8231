//! A sale as the rules know it.

use super::{
    clock::Stamp,
    person::Person,
    status::{ItemKind, OrderStatus},
};

/// An order with its items.
#[derive(Clone, Debug)]
pub struct Order {
    /// Its id.
    pub id: String,
    /// The event it is for.
    pub event_id: String,
    /// Where it stands.
    pub status: OrderStatus,
    /// Who bought.
    pub buyer: Person,
    /// What was bought, at the prices of that moment.
    pub items: Vec<OrderItem>,
    /// The currency of all prices.
    pub currency: String,
    /// What was paid in all, in whole units of the currency.
    pub total: i64,
    /// When it was placed.
    pub created_at: Stamp,
    /// When it last changed its state.
    pub updated_at: Stamp,
}

/// One line of an order.
#[derive(Clone, Debug)]
pub struct OrderItem {
    /// The item bought; it may have been deleted since.
    pub ticket_type_id: String,
    /// A single item or a bundle.
    pub kind: ItemKind,
    /// Its name at the time.
    pub name: String,
    /// How many.
    pub quantity: i64,
    /// The list price at the time.
    pub list_price: i64,
    /// The price actually paid for one.
    pub unit_price: i64,
    /// What was paid for all of them.
    pub total: i64,
}
