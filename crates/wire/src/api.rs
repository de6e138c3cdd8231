//! What the read API answers, field by field. The outbox keeps the same shapes, and the shop shows its orders in them.
//!
//! Texts are borrowed from whoever read them, so that a page is written without copying them. The comments here are the
//! descriptions in the OpenAPI document.

use serde::Serialize;
use utoipa::ToSchema;

use taquilla_domain::{event, key::Key, order, person::Person, ticket_type};

use super::{
    names::{
        AttendeesAsked, Category, EventStatus, ItemKind, OrderChannel, OrderStatus, PaymentMethod, Permission,
        TicketStatus, TypeStatus,
    },
    time::Time,
};

/// A ticket: the credential that a person shows at the door.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket<'a> {
    /// The value of the QR code.
    #[schema(example = "6XW3NVE8Z0M4QK1T9B7YH2RCDP")]
    pub id: &'a str,
    /// The event it belongs to.
    #[schema(example = "ev_summer_night")]
    pub event_id: &'a str,
    /// The order it came from; null on very old tickets loaded by hand.
    #[schema(required, example = "or_1042")]
    pub order_id: Option<&'a str>,
    /// The index, in the order's `items`, of the item it was issued for, from 0; null where that is not known.
    #[schema(required, minimum = 0)]
    pub order_item: Option<i64>,
    /// What it is worth at the door: a transfer outweighs a refund, which outweighs a cancellation, which outweighs a scan.
    pub status: TicketStatus,
    /// The item it was issued for; for a ticket out of a bundle, the included item.
    pub ticket_type: TicketTypeSummary<'a>,
    /// Whether it came out of a bundle. Such tickets do not count in `sold` of their ticket type.
    pub from_bundle: bool,
    /// The bundle it came out of; null for other tickets, and for old ones whose bundle is not known.
    #[schema(required)]
    pub bundle_id: Option<&'a str>,
    /// Who holds it. Personal data.
    pub attendee: Attendee<'a>,
    /// When it was issued. Tickets from before 11 August 2026 all carry that date.
    #[schema(value_type = Time)]
    pub issued_at: Time,
    /// When it entered; null when it has not.
    #[schema(required, value_type = Option<Time>)]
    pub checked_in_at: Option<Time>,
    /// The scanning station's label, where it is known; null when it has not entered.
    #[schema(required)]
    pub checked_in_by: Option<&'a str>,
    /// When it was passed on; null when it was not.
    #[schema(required, value_type = Option<Time>)]
    pub transferred_at: Option<Time>,
    /// The ticket that took its place; null when it was not passed on.
    #[schema(required)]
    pub transferred_to_ticket_id: Option<&'a str>,
    /// When anything about it last changed.
    #[schema(value_type = Time)]
    pub updated_at: Time,
}

/// What a ticket says of its ticket type.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketTypeSummary<'a> {
    /// The ticket type's id.
    pub id: &'a str,
    /// Its present name. A new name does not move the ticket's `updated_at`: join tickets with their ticket types by `id`, and read
    /// an event's ticket types again when the event's `updated_at` moves.
    pub name: &'a str,
    /// What it is.
    pub category: Category,
}

/// The person who holds a ticket. Only `phone` may be null; other unknown texts are empty.
#[derive(Debug, Serialize, ToSchema)]
pub struct Attendee<'a> {
    /// The attendee's id.
    pub id: &'a str,
    /// The attendee's name.
    pub name: &'a str,
    /// The attendee's e-mail address.
    pub email: &'a str,
    /// The attendee's phone number.
    #[schema(required)]
    pub phone: Option<&'a str>,
    /// The attendee's identity document.
    pub identity_document: &'a str,
}

/// An item for sale: a single one, or a bundle of several.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketType<'a> {
    /// The ticket type's id.
    #[schema(example = "tt_general")]
    pub id: &'a str,
    /// `ticket_type` for a single item, `bundle` for a combination. Branch on this field.
    pub kind: ItemKind,
    /// The event it is sold for.
    pub event_id: &'a str,
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
    /// The list price in whole units of `currency`; 0 is free. What a buyer paid is in the order.
    #[schema(minimum = 0)]
    pub price: i64,
    /// The currency's code.
    #[schema(example = "EUR")]
    pub currency: &'a str,
    /// How it is offered. An active item with nothing left reads `sold_out`.
    pub status: TypeStatus,
    /// Whether it was deleted; its tickets still enter. Only listed with `include_deleted=true`.
    pub deleted: bool,
    /// The stock; null is infinite.
    #[schema(required, minimum = 0)]
    pub limit: Option<i64>,
    /// Live tickets sold directly under this item; for a bundle, bundles with at least one live ticket.
    /// It is exactly the number that the limit is checked against.
    #[schema(minimum = 0)]
    pub sold: i64,
    /// `limit - sold`; null when there is no limit.
    #[schema(required, minimum = 0)]
    pub available: Option<i64>,
    /// How many one order may hold.
    #[schema(minimum = 0)]
    pub max_per_order: i64,
    /// How many one order must have, if it has any.
    #[schema(minimum = 1)]
    pub min_per_order: i64,
    /// When its sale to the public begins; null is as soon as the event is on sale.
    #[schema(required, value_type = Option<Time>)]
    pub on_sale_from: Option<Time>,
    /// When it goes off sale.
    #[schema(required, value_type = Option<Time>)]
    pub expires_at: Option<Time>,
    /// Its place among the event's items, lowest first.
    pub sort_order: i64,
    /// What one bundle holds; null for a single item.
    #[schema(required)]
    pub includes: Option<Vec<Include<'a>>>,
    /// When anything about it last changed, apart from what a sale changes: `sold`, `available`, and `sold_out` for want of stock.
    /// The event's `updated_at` moves with it.
    #[schema(value_type = Time)]
    pub updated_at: Time,
}

/// One kind of item in a bundle.
#[derive(Debug, Serialize, ToSchema)]
pub struct Include<'a> {
    /// The included item.
    pub ticket_type_id: &'a str,
    /// Its present name.
    pub name: &'a str,
    /// What it is.
    pub category: Category,
    /// How many of it one bundle holds; each becomes a ticket of its own.
    #[schema(minimum = 1)]
    pub quantity: i64,
}

/// A sale.
#[derive(Debug, Serialize, ToSchema)]
pub struct Order<'a> {
    /// The order's id.
    #[schema(example = "or_1042")]
    pub id: &'a str,
    /// The event it is for.
    pub event_id: &'a str,
    /// Where it stands.
    pub status: OrderStatus,
    /// Who bought. Personal data.
    pub buyer: Buyer<'a>,
    /// What was bought, at the prices of that moment.
    pub items: Vec<OrderItem<'a>>,
    /// The currency's code.
    #[schema(example = "EUR")]
    pub currency: &'a str,
    /// What was paid in all, in whole units of `currency`.
    #[schema(minimum = 0)]
    pub total: i64,
    /// What its coupon took off; absent where nothing was.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(minimum = 1, required = false)]
    pub discount: i64,
    /// What surcharges added to it; absent where nothing was.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(minimum = 1, required = false)]
    pub surcharge: i64,
    /// What the buyer looks the order up by, and what the payment processor was given. Who has it can read the order's
    /// tickets, so it is null for a key without `TICKETS_READ`, and on imported orders.
    #[schema(required)]
    pub reference: Option<&'a str>,
    /// The code of the coupon that it was placed with; absent where there was none, and for a key without `TICKETS_READ`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "SUMMER10")]
    pub coupon: Option<&'a str>,
    /// The promoter who sold it; absent where there was none, and for a key without `TICKETS_READ`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub promoter: Option<Promoter<'a>>,
    /// Where it was sold; null on orders sold before this was written down.
    #[schema(required)]
    pub channel: Option<OrderChannel>,
    /// The payment processor's id of the payment that settled it; null when there was none.
    #[schema(required)]
    pub payment_id: Option<&'a str>,
    /// How staff were paid for it; absent where they did not say, and on orders that nobody paid at the box office.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub payment_method: Option<PaymentMethod>,
    /// When it was paid; null when it was not, when it was free, and on imported orders without it.
    #[schema(required, value_type = Option<Time>)]
    pub paid_at: Option<Time>,
    /// When it was refunded; null when it was not, and on imported orders without it.
    #[schema(required, value_type = Option<Time>)]
    pub refunded_at: Option<Time>,
    /// When it was placed.
    #[schema(value_type = Time)]
    pub created_at: Time,
    /// Moves whenever the order changes state. Synchronise by this one.
    #[schema(value_type = Time)]
    pub updated_at: Time,
    /// A short number for the telephone: unique for the producer, ten digits at most.
    #[schema(example = "1042")]
    pub number: String,
}

/// Who sold an order.
#[derive(Debug, Serialize, ToSchema)]
pub struct Promoter<'a> {
    /// The promoter's id; null on imported orders.
    #[schema(required)]
    pub id: Option<&'a str>,
    /// The promoter's name at the time.
    pub name: &'a str,
}

/// The person who bought. Only `phone` may be null; other unknown texts are empty.
#[derive(Debug, Serialize, ToSchema)]
pub struct Buyer<'a> {
    /// The buyer's name.
    pub name: &'a str,
    /// The buyer's e-mail address.
    pub email: &'a str,
    /// The buyer's phone number.
    #[schema(required)]
    pub phone: Option<&'a str>,
    /// The buyer's identity document.
    pub identity_document: &'a str,
}

/// One line of an order.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderItem<'a> {
    /// The item bought; it may have been deleted since.
    pub ticket_type_id: &'a str,
    /// A single item or a bundle.
    pub kind: ItemKind,
    /// Its name at the time.
    pub name: &'a str,
    /// How many.
    #[schema(minimum = 1)]
    pub quantity: i64,
    /// The list price at the time.
    #[schema(minimum = 0)]
    pub list_price: i64,
    /// The price actually paid for one, after coupons and surcharges.
    #[schema(minimum = 0)]
    pub unit_price: i64,
    /// What was paid for all of them.
    #[schema(minimum = 0)]
    pub total: i64,
}

/// Something to go to.
#[derive(Debug, Serialize, ToSchema)]
pub struct Event<'a> {
    /// The event's id.
    #[schema(example = "ev_summer_night")]
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// What buyers read about it.
    #[schema(required)]
    pub description: Option<&'a str>,
    /// Where it is.
    #[schema(required)]
    pub venue: Option<&'a str>,
    /// The IANA time zone of the place.
    #[schema(example = "Europe/Madrid")]
    pub timezone: &'a str,
    /// When it begins.
    #[schema(required, value_type = Option<Time>)]
    pub starts_at: Option<Time>,
    /// When it ends.
    #[schema(required, value_type = Option<Time>)]
    pub ends_at: Option<Time>,
    /// The currency its items are priced in.
    #[schema(example = "EUR")]
    pub currency: &'a str,
    /// Where it stands.
    pub status: EventStatus,
    /// Its picture.
    #[schema(required)]
    pub image_url: Option<&'a str>,
    /// What buyers of the shop say of those who come, for each entrance.
    pub attendees_asked: AttendeesAsked,
    /// When it was created.
    #[schema(value_type = Time)]
    pub created_at: Time,
    /// When anything about it or its ticket types last changed, apart from what a sale changes.
    #[schema(value_type = Time)]
    pub updated_at: Time,
}

/// Who is asking.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me<'a> {
    /// Whose data the key reads.
    pub producer: Producer<'a>,
    /// The key that was used.
    pub key: KeyInfo<'a>,
}

/// An organisation that sells tickets.
#[derive(Debug, Serialize, ToSchema)]
pub struct Producer<'a> {
    /// The producer's id.
    #[schema(example = "pr_demo")]
    pub id: &'a str,
    /// The producer's name.
    pub name: &'a str,
}

/// A key without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyInfo<'a> {
    /// The key's id; not the key itself.
    #[schema(example = "key_01K5Z3M8Q2D9V7XW4T6B1NHRCE")]
    pub id: &'a str,
    /// What its owner called it.
    pub name: &'a str,
    /// What it may read.
    pub permissions: Vec<Permission>,
    /// When it was created.
    #[schema(value_type = Time)]
    pub created_at: Time,
    /// When it was last used, to the minute.
    #[schema(required, value_type = Option<Time>)]
    pub last_used_at: Option<Time>,
    /// When it stops working by itself; null is never.
    #[schema(required, value_type = Option<Time>)]
    pub expires_at: Option<Time>,
}

/// An error, as RFC 9457 describes it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem<'a> {
    /// Where the error is explained, relative to this server.
    #[serde(rename = "type")]
    #[schema(example = "/docs/errors#invalid_parameter")]
    pub kind: &'a str,
    /// What went wrong, the same for every error of this code.
    pub title: &'a str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What went wrong this time, and what to do.
    pub detail: &'a str,
    /// The error's stable name, for machines.
    #[schema(example = "invalid_parameter")]
    pub code: &'a str,
    /// The parameter at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub param: Option<&'a str>,
    /// When the next hold ends, if holds stand in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Time>)]
    pub held_until: Option<Time>,
    /// Names this request in the server's log; also the `X-Request-Id` header.
    pub request_id: &'a str,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(amount: &i64) -> bool {
    *amount == 0
}

impl<'a> From<&'a order::Order> for Order<'a> {
    fn from(order: &'a order::Order) -> Self {
        Self {
            id: &order.id,
            event_id: &order.event_id,
            status: order.status.into(),
            buyer: Buyer::from(&order.buyer),
            items: order.items.iter().map(OrderItem::from).collect(),
            currency: &order.currency,
            total: order.total,
            discount: order.discount,
            surcharge: order.surcharge,
            reference: order.reference.as_deref(),
            coupon: order.coupon.as_ref().map(|coupon| coupon.code.as_str()),
            promoter: order.promoter.as_ref().map(Promoter::from),
            channel: order.channel.map(Into::into),
            payment_id: order.payment_id.as_deref(),
            payment_method: order.payment_method.map(Into::into),
            paid_at: order.paid_at.map(Time),
            refunded_at: order.refunded_at.map(Time),
            created_at: order.created_at.into(),
            updated_at: order.updated_at.into(),
            number: order.number.to_string(),
        }
    }
}

impl<'a> From<&'a order::Promoter> for Promoter<'a> {
    fn from(promoter: &'a order::Promoter) -> Self {
        Self { id: promoter.id.as_deref(), name: &promoter.name }
    }
}

impl<'a> From<&'a Person> for Buyer<'a> {
    fn from(person: &'a Person) -> Self {
        Self {
            name: &person.name,
            email: &person.email,
            phone: person.phone.as_deref(),
            identity_document: &person.identity_document,
        }
    }
}

impl<'a> From<&'a order::OrderItem> for OrderItem<'a> {
    fn from(item: &'a order::OrderItem) -> Self {
        Self {
            ticket_type_id: &item.ticket_type_id,
            kind: item.kind.into(),
            name: &item.name,
            quantity: item.quantity,
            list_price: item.list_price,
            unit_price: item.unit_price,
            total: item.total,
        }
    }
}

impl<'a> From<event::Event<'a>> for Event<'a> {
    fn from(event: event::Event<'a>) -> Self {
        Self {
            id: event.id,
            name: event.name,
            description: event.description,
            venue: event.venue,
            timezone: event.timezone,
            starts_at: event.starts_at.map(Time),
            ends_at: event.ends_at.map(Time),
            currency: event.currency,
            status: event.status.into(),
            image_url: event.image_url,
            attendees_asked: event.attendees_asked.into(),
            created_at: event.created_at.into(),
            updated_at: event.updated_at.into(),
        }
    }
}

impl<'a> From<&'a ticket_type::TicketType> for TicketType<'a> {
    fn from(item: &'a ticket_type::TicketType) -> Self {
        Self {
            id: &item.id,
            kind: item.kind.into(),
            event_id: &item.event_id,
            category: item.category.into(),
            name: &item.name,
            description: item.description.as_deref(),
            image_url: item.image_url.as_deref(),
            price: item.price,
            currency: &item.currency,
            status: item.shown_status().into(),
            deleted: item.deleted,
            limit: item.limit,
            sold: item.sold,
            available: item.available(),
            max_per_order: item.max_per_order,
            min_per_order: item.min_per_order,
            on_sale_from: item.on_sale_from.map(Time),
            expires_at: item.expires_at.map(Time),
            sort_order: item.sort_order,
            includes: includes(item),
            updated_at: item.updated_at.into(),
        }
    }
}

/// What a bundle holds; a single item holds nothing, which is said as null.
pub(super) fn includes(item: &ticket_type::TicketType) -> Option<Vec<Include<'_>>> {
    (item.kind == taquilla_domain::status::ItemKind::Bundle).then(|| item.includes.iter().map(Include::from).collect())
}

impl<'a> From<&'a ticket_type::Include> for Include<'a> {
    fn from(include: &'a ticket_type::Include) -> Self {
        Self {
            ticket_type_id: &include.ticket_type_id,
            name: &include.name,
            category: include.category.into(),
            quantity: include.quantity,
        }
    }
}

impl<'a> From<&'a Key> for KeyInfo<'a> {
    fn from(key: &'a Key) -> Self {
        Self {
            id: &key.id,
            name: &key.name,
            permissions: key.permissions.iter().map(Into::into).collect(),
            created_at: key.life.created_at.into(),
            last_used_at: key.life.last_used_at.map(Time),
            expires_at: key.life.expires_at.map(Time),
        }
    }
}
