//! What the shop answers to buyers and payment processors.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    api::{Include, Order, includes},
    time::Time,
};
use crate::domain::{
    status::{Category, ItemKind, OrderStatus, TicketStatus, TypeStatus},
    ticket_type,
};

/// An event and the items that this caller may buy.
#[derive(Debug, Serialize)]
pub struct Sale<'a> {
    /// The event, as the API shows it.
    pub event: &'a RawValue,
    /// Its items, sold-out ones included.
    pub items: Vec<ShopItem<'a>>,
}

/// An item as the public sees it, without stock and sales figures.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "as in api::TicketType")]
pub struct ShopItem<'a> {
    pub id: &'a str,
    pub kind: ItemKind,
    pub category: Category,
    pub name: &'a str,
    pub description: Option<&'a str>,
    pub image_url: Option<&'a str>,
    pub price: i64,
    pub currency: &'a str,
    pub status: TypeStatus,
    pub max_per_order: i64,
    pub expires_at: Option<Time>,
    pub includes: Option<Vec<Include<'a>>>,
}

/// An order that was just placed.
#[derive(Debug, Serialize)]
pub struct PlacedOrder<'a> {
    /// The order.
    pub order: Order<'a>,
    /// The reference with which the buyer looks the order up. It cannot be guessed, so its holder may read the order.
    pub reference: &'a str,
}

/// An order as its buyer sees it.
#[derive(Debug, Serialize)]
pub struct BoughtOrder<'a> {
    /// The order.
    pub order: Order<'a>,
    /// Its tickets, as they were issued. The new ticket of a transfer belongs to somebody else and is not shown.
    pub tickets: Vec<BoughtTicket<'a>>,
}

/// A ticket as its buyer sees it.
#[derive(Debug, Serialize)]
pub struct BoughtTicket<'a> {
    /// The value of the QR code.
    pub id: &'a str,
    /// Its status.
    pub status: TicketStatus,
    /// The ticket type's name.
    pub name: &'a str,
    /// The attendee's name.
    pub attendee_name: &'a str,
}

/// The order after a payment processor's notice.
#[derive(Debug, Serialize)]
pub struct Settled<'a> {
    /// The order.
    pub order_id: &'a str,
    /// Its status now.
    pub status: OrderStatus,
}

impl<'a> From<&'a ticket_type::TicketType> for ShopItem<'a> {
    fn from(item: &'a ticket_type::TicketType) -> Self {
        Self {
            id: &item.id,
            kind: item.kind,
            category: item.category,
            name: &item.name,
            description: item.description.as_deref(),
            image_url: item.image_url.as_deref(),
            price: item.price,
            currency: &item.currency,
            status: item.shown_status(),
            max_per_order: item.max_per_order,
            expires_at: item.expires_at.map(Time),
            includes: includes(item),
        }
    }
}
