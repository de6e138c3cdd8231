//! What the shop answers to buyers and payment processors.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{
    api::{Event, Include, Order, includes},
    time::Time,
};
use crate::domain::{
    status::{Category, ItemKind, OrderStatus, TicketStatus, TypeStatus},
    ticket_type,
};

/// An event and the items that this caller may buy.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sale<'a> {
    /// The event, as the API shows it.
    #[schema(value_type = Event<'static>)]
    pub event: &'a RawValue,
    /// Its items, sold-out ones included.
    pub items: Vec<ShopItem<'a>>,
}

/// An item as the public sees it, without stock and sales figures.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShopItem<'a> {
    /// The item's id.
    #[schema(example = "tt_general")]
    pub id: &'a str,
    /// `ticket_type` for a single item, `bundle` for a combination.
    pub kind: ItemKind,
    /// What it is.
    pub category: Category,
    /// Its name.
    pub name: &'a str,
    /// What buyers read about it.
    #[schema(required)]
    pub description: Option<&'a str>,
    /// Its picture.
    #[schema(required)]
    pub image_url: Option<&'a str>,
    /// The price in whole units of `currency`; 0 is free.
    #[schema(minimum = 0)]
    pub price: i64,
    /// The currency's code.
    #[schema(example = "EUR")]
    pub currency: &'a str,
    /// How it is offered. An active item with nothing left reads `sold_out`.
    pub status: TypeStatus,
    /// How many one order may hold.
    #[schema(minimum = 0)]
    pub max_per_order: i64,
    /// When it goes off sale.
    #[schema(required, value_type = Option<Time>)]
    pub expires_at: Option<Time>,
    /// What one bundle holds; null for a single item.
    #[schema(required)]
    pub includes: Option<Vec<Include<'a>>>,
}

/// An order that was just placed.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlacedOrder<'a> {
    /// The order.
    pub order: Order<'a>,
    /// The reference with which the buyer looks the order up. It cannot be guessed, so its holder may read the order.
    #[schema(example = "1-6XW3NVE8Z0M4QK1T9B7YH2RCDP")]
    pub reference: &'a str,
}

/// An order as its buyer sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoughtOrder<'a> {
    /// The order.
    pub order: Order<'a>,
    /// Its tickets, as they were issued. The new ticket of a transfer belongs to somebody else and is not shown.
    pub tickets: Vec<BoughtTicket<'a>>,
}

/// A ticket as its buyer sees it.
#[derive(Debug, Serialize, ToSchema)]
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
#[derive(Debug, Serialize, ToSchema)]
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
