//! What the shop answers to buyers and payment processors.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use taquilla_domain::{clock::Stamp, pool::Shared, status::TypeStatus as Status, terms, ticket_type};

use super::{
    api::{Event, Include, Order, includes},
    names::{Category, ItemKind, OrderStatus, TicketStatus, TypeStatus},
    prices::ShopSurcharge,
    time::Time,
};

/// An event and the items that this caller may buy.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sale<'a> {
    /// The event, as the API shows it.
    #[schema(value_type = Event<'static>)]
    pub event: &'a RawValue,
    /// Its items, sold-out ones included.
    pub items: Vec<ShopItem<'a>>,
    /// What buyers pay besides the prices of the items. An order's `unit_price`s have it in them.
    pub surcharges: Vec<ShopSurcharge<'a>>,
    /// The terms that buyers accept before they order; null where there are none.
    #[schema(required)]
    pub terms: Option<ShopTerms<'a>>,
}

/// Terms that buyers accept.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShopTerms<'a> {
    /// Their id, which an order names. Others that replace them have another one.
    #[schema(example = "te_01K5Z3M8Q2D9V7XW4T6B1NHRCE")]
    pub id: &'a str,
    /// What they say; null where the address alone does.
    #[schema(required)]
    pub text: Option<&'a str>,
    /// Where they can be read; null where the text is all.
    #[schema(required)]
    pub url: Option<&'a str>,
}

impl<'a> From<&'a terms::Terms> for ShopTerms<'a> {
    fn from(terms: &'a terms::Terms) -> Self {
        Self { id: &terms.id, text: terms.text.as_deref(), url: terms.url.as_deref() }
    }
}

/// Terms as their organiser sees them.
#[derive(Debug, Serialize)]
pub struct Terms<'a> {
    #[serde(flatten)]
    shown: ShopTerms<'a>,
    event_id: Option<&'a str>,
    created_at: Time,
}

impl<'a> From<&'a terms::Terms> for Terms<'a> {
    fn from(terms: &'a terms::Terms) -> Self {
        Self { shown: terms.into(), event_id: terms.event_id.as_deref(), created_at: terms.created_at.into() }
    }
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
    /// What one of it costs when it is bought alone: with the coupon that was asked about, and with the surcharges for each
    /// ticket, but without those for the order. More of it, or other items beside it, share a coupon's amount.
    #[schema(minimum = 0)]
    pub unit_price: i64,
    /// The currency's code.
    #[schema(example = "EUR")]
    pub currency: &'a str,
    /// How it is offered. An active item with nothing left, of its own or of a pool that it shares, reads `sold_out`.
    pub status: TypeStatus,
    /// When the next hold ends, if all that is left of it is held for others; null if some can be bought, or nothing is
    /// left.
    #[schema(required, value_type = Option<Time>)]
    pub held_until: Option<Time>,
    /// How many one order may hold.
    #[schema(minimum = 0)]
    pub max_per_order: i64,
    /// How many one order must have, if it has any.
    #[schema(minimum = 1)]
    pub min_per_order: i64,
    /// When its sale begins; until then it is shown and cannot be ordered. Null is as soon as the event is on sale.
    #[schema(required, value_type = Option<Time>)]
    pub on_sale_from: Option<Time>,
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
    /// Until when its stock is held for the buyer; null for a free order, which has its tickets already.
    #[schema(required, value_type = Option<Time>)]
    pub held_until: Option<Time>,
}

/// An order as its buyer sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoughtOrder<'a> {
    /// The order.
    pub order: Order<'a>,
    /// The stock that is held for it; null once it is decided.
    #[schema(required)]
    pub hold: Option<Hold>,
    /// Its tickets, as they were issued. The new ticket of a transfer belongs to somebody else and is not shown.
    pub tickets: Vec<BoughtTicket<'a>>,
}

/// The hold of a pending order.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Hold {
    /// When it ends or ended.
    #[schema(value_type = Time)]
    pub until: Time,
    /// Whether it lasts still. After that, a payment gets the tickets only if they are not sold or held for others.
    pub lasts: bool,
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

impl<'a> ShopItem<'a> {
    /// An item of which this much is held, when the next of these holds ends, what its pools leave of it, and what one of it costs
    /// now.
    pub fn new(item: &'a ticket_type::TicketType, held: Option<(i64, Stamp)>, shared: Shared, unit_price: i64) -> Self {
        let is_all = |held: i64| item.limit.is_some_and(|limit| item.sold < limit && item.sold + held >= limit);
        let status = match item.shown_status() {
            Status::Active if shared.is_full => Status::SoldOut,
            status => status,
        };
        let own = held.filter(|(quantity, _)| is_all(*quantity)).map(|(_, until)| until);
        // Some can be bought only once both have room.
        let is_left = !shared.is_full && item.limit.is_none_or(|limit| item.sold < limit);
        let held_until = own.max(shared.held_until).filter(|_| is_left);
        Self {
            held_until: held_until.map(Time),
            id: &item.id,
            kind: item.kind.into(),
            category: item.category.into(),
            name: &item.name,
            description: item.description.as_deref(),
            image_url: item.image_url.as_deref(),
            price: item.price,
            unit_price,
            currency: &item.currency,
            status: status.into(),
            max_per_order: item.max_per_order,
            min_per_order: item.min_per_order,
            on_sale_from: item.on_sale_from.map(Time),
            expires_at: item.expires_at.map(Time),
            includes: includes(item),
        }
    }
}
