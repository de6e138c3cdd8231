//! The only shapes that are ever serialised: what the read API answers, field by field.
//!
//! Texts are borrowed from the database row wherever a row becomes one object, so that a page is written without
//! copying them. The doc comments here are the descriptions in the OpenAPI document.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::domain::clock::Stamp;

/// A point in time: RFC 3339, UTC, always six decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-09-05T22:41:07.120934Z")]
pub struct Time(pub Stamp);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl From<Stamp> for Time {
    fn from(stamp: Stamp) -> Self {
        Self(stamp)
    }
}

macro_rules! schema_of_named {
    ($($name:ident => $module:ident),+ $(,)?) => {
        $(impl utoipa::PartialSchema for crate::domain::$module::$name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some(Self::ALL.iter().map(|value| value.as_str())))
                    .into()
            }
        }

        impl ToSchema for crate::domain::$module::$name {}

        impl Serialize for crate::domain::$module::$name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        })+
    };
}
schema_of_named! {
    TicketStatus => status,
    OrderStatus => status,
    EventStatus => status,
    TypeStatus => status,
    Category => status,
    ItemKind => status,
    Permission => key,
    Outcome => admit,
    EventKind => webhook,
    EndpointState => webhook,
    DeliveryStatus => webhook,
}
use crate::domain::{
    admit::Outcome,
    key::Permission,
    status::{Category, EventStatus, ItemKind, OrderStatus, TicketStatus, TypeStatus},
    webhook::{DeliveryStatus, EndpointState, EventKind},
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
    #[schema(example = "or_1042")]
    pub order_id: Option<&'a str>,
    /// What it is worth at the door: a transfer outweighs a refund, which outweighs a cancellation, which outweighs a scan.
    pub status: TicketStatus,
    /// The item it was issued for; for a ticket out of a bundle, the included item.
    pub ticket_type: TicketTypeSummary<'a>,
    /// Whether it came out of a bundle. Such tickets do not count in `sold` of their ticket type.
    pub from_bundle: bool,
    /// Who holds it. Personal data.
    pub attendee: Attendee<'a>,
    /// When it was issued. Tickets from before 11 August 2026 all carry that date.
    #[schema(value_type = Time)]
    pub issued_at: Time,
    /// When it entered; null when it has not.
    #[schema(value_type = Option<Time>)]
    pub checked_in_at: Option<Time>,
    /// The scanning station's label, where it is known; null when it has not entered.
    pub checked_in_by: Option<&'a str>,
    /// When it was passed on; null when it was not.
    #[schema(value_type = Option<Time>)]
    pub transferred_at: Option<Time>,
    /// The ticket that took its place; null when it was not passed on.
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
    /// Its present name.
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
    pub phone: Option<&'a str>,
    /// The attendee's identity document.
    pub identity_document: &'a str,
}

/// An item for sale: a single one, or a bundle of several.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketType {
    /// The ticket type's id.
    #[schema(example = "tt_general")]
    pub id: String,
    /// `ticket_type` for a single item, `bundle` for a combination. Branch on this field.
    pub kind: ItemKind,
    /// The event it is sold for.
    pub event_id: String,
    /// What it is.
    pub category: Category,
    /// Its name.
    pub name: String,
    /// What buyers read about it.
    pub description: Option<String>,
    /// Its picture.
    pub image_url: Option<String>,
    /// The list price in whole units of `currency`; 0 is free. What a buyer paid is in the order.
    #[schema(minimum = 0)]
    pub price: i64,
    /// The currency's code.
    #[schema(example = "EUR")]
    pub currency: String,
    /// How it is offered. An active item with nothing left reads `sold_out`.
    pub status: TypeStatus,
    /// Whether it was deleted; its tickets still enter. Only listed with `include_deleted=true`.
    pub deleted: bool,
    /// The stock; null is infinite.
    #[schema(minimum = 0)]
    pub limit: Option<i64>,
    /// Live tickets sold directly under this item; for a bundle, bundles with at least one live ticket.
    /// It is exactly the number that the limit is checked against.
    #[schema(minimum = 0)]
    pub sold: i64,
    /// `limit - sold`; null when there is no limit.
    #[schema(minimum = 0)]
    pub available: Option<i64>,
    /// How many one order may hold.
    #[schema(minimum = 0)]
    pub max_per_order: i64,
    /// When it goes off sale.
    #[schema(value_type = Option<Time>)]
    pub expires_at: Option<Time>,
    /// Its place among the event's items, lowest first.
    pub sort_order: i64,
    /// What one bundle holds; null for a single item.
    pub includes: Option<Vec<Include>>,
}

/// An item as the shop shows it: without what is nobody's business.
#[derive(Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "as in TicketType")]
pub struct ShopItem {
    pub id: String,
    pub kind: ItemKind,
    pub category: Category,
    pub name: String,
    pub description: Option<String>,
    pub image_url: Option<String>,
    pub price: i64,
    pub currency: String,
    pub status: TypeStatus,
    pub max_per_order: i64,
    pub expires_at: Option<Time>,
    pub includes: Option<Vec<Include>>,
}

impl From<TicketType> for ShopItem {
    fn from(item: TicketType) -> Self {
        Self {
            id: item.id,
            kind: item.kind,
            category: item.category,
            name: item.name,
            description: item.description,
            image_url: item.image_url,
            price: item.price,
            currency: item.currency,
            status: item.status,
            max_per_order: item.max_per_order,
            expires_at: item.expires_at,
            includes: item.includes,
        }
    }
}

/// One kind of item in a bundle.
#[derive(Debug, Serialize, ToSchema)]
pub struct Include {
    /// The included item.
    pub ticket_type_id: String,
    /// Its present name.
    pub name: String,
    /// What it is.
    pub category: Category,
    /// How many of it one bundle holds; each becomes a ticket of its own.
    #[schema(minimum = 1)]
    pub quantity: i64,
}

/// A sale.
#[derive(Debug, Serialize, ToSchema)]
pub struct Order {
    /// The order's id.
    #[schema(example = "or_1042")]
    pub id: String,
    /// The event it is for.
    pub event_id: String,
    /// Where it stands.
    pub status: OrderStatus,
    /// Who bought. Personal data.
    pub buyer: Buyer,
    /// What was bought, at the prices of that moment.
    pub items: Vec<OrderItem>,
    /// The currency's code.
    #[schema(example = "EUR")]
    pub currency: String,
    /// What was paid in all, in whole units of `currency`.
    #[schema(minimum = 0)]
    pub total: i64,
    /// When it was placed.
    #[schema(value_type = Time)]
    pub created_at: Time,
    /// Moves whenever the order changes state. Synchronise by this one.
    #[schema(value_type = Time)]
    pub updated_at: Time,
}

/// An order that was just placed.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlacedOrder {
    /// The order.
    pub order: Order,
    /// What the buyer looks the order up by. Who holds it can read the order: it cannot be guessed.
    pub reference: String,
}

/// An order as its buyer sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoughtOrder {
    /// The order.
    pub order: Order,
    /// Its tickets, as they were issued. One that was passed on is somebody else's now: its successor is not shown.
    pub tickets: Vec<BoughtTicket>,
}

/// A ticket as its buyer sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoughtTicket {
    /// The value of the QR code.
    pub id: String,
    /// What it is worth at the door.
    pub status: TicketStatus,
    /// The item's name.
    pub name: String,
    /// Who holds it.
    pub attendee_name: String,
}

/// What became of an order that a processor told of.
#[derive(Debug, Serialize, ToSchema)]
pub struct Settled {
    /// The order.
    pub order_id: String,
    /// Where it stands now.
    pub status: OrderStatus,
}

/// The person who bought. Only `phone` may be null; other unknown texts are empty.
#[derive(Debug, Serialize, ToSchema)]
pub struct Buyer {
    /// The buyer's name.
    pub name: String,
    /// The buyer's e-mail address.
    pub email: String,
    /// The buyer's phone number.
    pub phone: Option<String>,
    /// The buyer's identity document.
    pub identity_document: String,
}

/// One line of an order.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderItem {
    /// The item bought; it may have been deleted since.
    pub ticket_type_id: String,
    /// A single item or a bundle.
    pub kind: ItemKind,
    /// Its name at the time.
    pub name: String,
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
    pub description: Option<&'a str>,
    /// Where it is.
    pub venue: Option<&'a str>,
    /// The IANA time zone of the place.
    #[schema(example = "Europe/Madrid")]
    pub timezone: &'a str,
    /// When it begins.
    #[schema(value_type = Option<Time>)]
    pub starts_at: Option<Time>,
    /// When it ends.
    #[schema(value_type = Option<Time>)]
    pub ends_at: Option<Time>,
    /// The currency its items are priced in.
    #[schema(example = "EUR")]
    pub currency: &'a str,
    /// Where it stands.
    pub status: EventStatus,
    /// Its picture.
    pub image_url: Option<&'a str>,
    /// When it was created.
    #[schema(value_type = Time)]
    pub created_at: Time,
    /// When anything about it last changed.
    #[schema(value_type = Time)]
    pub updated_at: Time,
}

/// Who is asking.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    /// Whose data the key reads.
    pub producer: Producer,
    /// The key that was used.
    pub key: KeyInfo,
}

/// An organisation that sells tickets.
#[derive(Debug, Serialize, ToSchema)]
pub struct Producer {
    /// The producer's id.
    #[schema(example = "pr_demo")]
    pub id: String,
    /// The producer's name.
    pub name: String,
}

/// A key without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyInfo {
    /// The key's id; not the key itself.
    #[schema(example = "key_01K5Z3M8Q2D9V7XW4T6B1NHRCE")]
    pub id: String,
    /// What its owner called it.
    pub name: String,
    /// What it may read.
    pub permissions: Vec<Permission>,
    /// When it was created.
    #[schema(value_type = Time)]
    pub created_at: Time,
    /// When it was last used, to the minute.
    #[schema(value_type = Option<Time>)]
    pub last_used_at: Option<Time>,
    /// When it stops working by itself; null is never.
    #[schema(value_type = Option<Time>)]
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
    /// Names this request in the server's log; also the `X-Request-Id` header.
    pub request_id: &'a str,
}

/// What a door answers to a scan.
#[derive(Debug, Serialize)]
pub struct ScanAnswer<'a> {
    /// The scan that is answered.
    pub scan_id: &'a str,
    /// What was decided.
    pub outcome: Outcome,
    /// The ticket, where it is one of the producer's.
    pub ticket: Option<DoorTicket<'a>>,
    /// When and where the ticket entered before.
    pub first_scan: Option<FirstScan<'a>>,
}

/// What a door is told of a ticket: never e-mail address, phone or document.
#[derive(Debug, Serialize)]
pub struct DoorTicket<'a> {
    /// Who holds it; empty where that is none of this door's business.
    pub name: &'a str,
    /// The item it was issued for.
    pub ticket_type: TicketTypeSummary<'a>,
    /// The event it opens.
    pub event: EventSummary<'a>,
}

/// An event in a few words.
#[derive(Debug, Serialize)]
pub struct EventSummary<'a> {
    /// The event's id.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// When and where a ticket entered.
#[derive(Debug, Serialize)]
pub struct FirstScan<'a> {
    /// When that scan was accepted.
    pub scanned_at: Time,
    /// Where, if that is known.
    pub station: Option<&'a str>,
}

/// How many have entered, and how many may still come.
#[derive(Debug, Serialize)]
pub struct DoorCounts {
    /// Tickets that have entered.
    pub entered: i64,
    /// Tickets that have not.
    pub to_come: i64,
}

/// A code that a door may be shown, as its phones keep it for when they are offline.
#[derive(Debug, Serialize)]
pub struct DoorCode<'a> {
    /// A salted hash of the code, not the code.
    pub code: &'a str,
    /// What a scan would be answered now.
    pub outcome: Outcome,
    /// The name of its item.
    pub ticket_type: &'a str,
    /// When anything about the ticket last changed.
    pub updated_at: Time,
}

/// A door link without its token.
#[derive(Debug, Serialize)]
pub struct DoorLinkInfo {
    /// The link's id; not the token.
    pub id: String,
    /// The event it opens.
    pub event_id: String,
    /// What it is called.
    pub label: String,
    /// It admits items of these categories; with no category and no ticket type, everything.
    pub categories: Vec<Category>,
    /// It admits these items.
    pub ticket_types: Vec<String>,
    /// The stations it may be used at; empty is any.
    pub stations: Vec<String>,
    /// Whether a PIN is needed besides the link.
    pub has_pin: bool,
    /// When it was created.
    pub created_at: Time,
    /// When it stops working by itself; null is never.
    pub expires_at: Option<Time>,
    /// When it was revoked.
    pub revoked_at: Option<Time>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Time>,
}

/// What a phone is told when it opens a door link.
#[derive(Debug, Serialize)]
pub struct OpenedDoor<'a> {
    /// The link.
    pub link: DoorLinkInfo,
    /// The event it opens.
    pub event: DoorEvent,
    /// To be sent as `Door-Pass` with every other call, where the link has a PIN.
    pub pass: Option<String>,
    /// What codes are hashed with in the offline list.
    pub salt: &'a str,
    /// How many have entered.
    pub counts: DoorCounts,
}

/// What a door is told of its event.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "as in the event itself")]
pub struct DoorEvent {
    pub id: String,
    pub name: String,
    pub venue: Option<String>,
    pub timezone: String,
    pub starts_at: Option<Time>,
    pub ends_at: Option<Time>,
}

/// A line of the scan log.
#[derive(Debug, Serialize)]
pub struct LoggedScan {
    /// What the device called it.
    pub scan_id: String,
    /// Where it was.
    pub station: String,
    /// What was answered.
    pub outcome: Outcome,
    /// The ticket, where it is one of the producer's.
    pub ticket_id: Option<String>,
    /// The device's own time.
    pub scanned_at: Option<Time>,
    /// When the server accepted it.
    pub accepted_at: Time,
}

/// What a receiver of webhooks is sent: the body of the request.
#[derive(Debug, Serialize)]
pub struct WebhookBody<'a> {
    /// What happened.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// When it happened.
    pub timestamp: Time,
    /// Its place among the events for this endpoint. They rise by one: a missing one is still to come, or has failed.
    pub sequence: i64,
    /// The resource as it was at that moment, as the API shows it; personal data only where the endpoint asked for it.
    pub data: &'a RawValue,
}

/// An endpoint, without its secret.
#[derive(Debug, Serialize)]
pub struct WebhookEndpoint {
    /// The endpoint's id.
    pub id: String,
    /// Where events are sent.
    pub url: String,
    /// Which kinds are sent.
    pub kinds: Vec<EventKind>,
    /// Whether they carry personal data.
    pub personal_data: bool,
    /// Whether they are sent at all.
    pub state: EndpointState,
    /// Since when.
    pub state_since: Time,
    /// When it was created.
    pub created_at: Time,
    /// When it last took an event.
    pub last_success_at: Option<Time>,
    /// Since then nothing but failure was seen.
    pub failing_since: Option<Time>,
}

/// An event for an endpoint, and how far it came.
#[derive(Debug, Serialize)]
pub struct WebhookEvent {
    /// Its place among the endpoint's events.
    pub sequence: i64,
    /// The event's id, the same in every attempt (`webhook-id`).
    pub id: String,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// When it happened.
    pub timestamp: Time,
    /// What became of it.
    pub status: DeliveryStatus,
    /// How many attempts there were.
    pub attempts: i64,
    /// When it is sent next, if it is.
    pub next_attempt_at: Option<Time>,
    /// The body that is sent.
    pub body: Box<RawValue>,
}

/// An attempt to deliver an event.
#[derive(Debug, Serialize)]
pub struct AttemptInfo {
    /// The event's place among the endpoint's.
    pub sequence: i64,
    /// The first attempt of an event is 1.
    pub attempt: i64,
    /// When it began.
    pub attempted_at: Time,
    /// How long it took.
    pub duration_ms: i64,
    /// What was answered; null when nothing was.
    pub status: Option<i64>,
    /// What went wrong on the way, if anything did.
    pub problem: Option<String>,
    /// The beginning of the answer's body.
    pub response: String,
}
