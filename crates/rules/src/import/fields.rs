//! The fields of a line, named as the API shows them. Fields that the API derives (`sold`, `available`, `updated_at`)
//! or that are of the server that sold (`reference`, `channel`, `payment_method`) are accepted and ignored. An unknown field is refused, because a misspelt one would lose data.

use serde::{Deserialize, de::IgnoredAny};

#[derive(Deserialize)]
pub(super) struct Kind {
    pub kind: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Event {
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    pub venue: Option<String>,
    pub timezone: Option<String>,
    pub starts_at: Option<String>,
    pub ends_at: Option<String>,
    pub currency: String,
    pub status: Option<String>,
    pub image_url: Option<String>,
    pub attendees_asked: Option<String>,
    pub terms: Option<Terms>,
    pub created_at: Option<String>,
    #[serde(rename = "updated_at")]
    _updated_at: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Terms {
    pub text: Option<String>,
    pub url: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Item {
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    pub id: String,
    pub event_id: String,
    pub category: Option<String>,
    pub name: String,
    pub description: Option<String>,
    pub image_url: Option<String>,
    pub price: i64,
    pub currency: Option<String>,
    pub status: Option<String>,
    pub deleted: Option<bool>,
    pub limit: Option<i64>,
    #[serde(rename = "sold")]
    _sold: Option<IgnoredAny>,
    #[serde(rename = "available")]
    _available: Option<IgnoredAny>,
    pub max_per_order: Option<i64>,
    pub min_per_order: Option<i64>,
    pub on_sale_from: Option<String>,
    pub expires_at: Option<String>,
    pub sort_order: Option<i64>,
    pub reentry: Option<bool>,
    pub door_note: Option<String>,
    pub includes: Option<Vec<Include>>,
    #[serde(rename = "updated_at")]
    _updated_at: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Include {
    pub ticket_type_id: String,
    pub quantity: i64,
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(rename = "category")]
    _category: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pool {
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    pub id: String,
    pub event_id: String,
    pub name: String,
    pub limit: i64,
    pub ticket_type_ids: Vec<String>,
    // These follow from what is sold and held.
    #[serde(rename = "taken")]
    _taken: Option<IgnoredAny>,
    #[serde(rename = "held")]
    _held: Option<IgnoredAny>,
    #[serde(rename = "free")]
    _free: Option<IgnoredAny>,
    #[serde(rename = "updated_at")]
    _updated_at: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    pub id: String,
    pub event_id: String,
    pub status: String,
    pub buyer: Option<Person>,
    pub items: Vec<OrderItem>,
    pub currency: String,
    pub total: Option<i64>,
    #[serde(rename = "reference")]
    _reference: Option<IgnoredAny>,
    pub discount: Option<i64>,
    pub surcharge: Option<i64>,
    pub coupon: Option<String>,
    pub promoter: Option<Promoter>,
    #[serde(rename = "channel")]
    _channel: Option<IgnoredAny>,
    pub payment_id: Option<String>,
    #[serde(rename = "payment_method")]
    _payment_method: Option<IgnoredAny>,
    pub paid_at: Option<String>,
    pub refunded_at: Option<String>,
    pub created_at: Option<String>,
    #[serde(rename = "updated_at")]
    _updated_at: Option<IgnoredAny>,
    // Orders are counted anew here.
    #[serde(rename = "number")]
    _number: Option<IgnoredAny>,
}

/// A promoter's name, by itself or as the API shows it. The id is of the server that sold.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a promoter is a name")]
pub(super) enum Promoter {
    Name(String),
    Shown(ShownPromoter),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShownPromoter {
    #[serde(rename = "id")]
    _id: Option<IgnoredAny>,
    name: String,
}

impl Promoter {
    pub fn into_name(self) -> String {
        match self {
            Self::Name(name) | Self::Shown(ShownPromoter { name, .. }) => name,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderItem {
    pub ticket_type_id: String,
    #[serde(rename = "kind")]
    _kind: Option<IgnoredAny>,
    pub name: Option<String>,
    pub quantity: i64,
    pub list_price: Option<i64>,
    pub unit_price: i64,
    pub total: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Person {
    pub id: Option<String>,
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub identity_document: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ticket {
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    pub id: String,
    pub event_id: String,
    pub order_id: Option<String>,
    pub order_item: Option<i64>,
    pub status: Option<String>,
    pub ticket_type_id: String,
    pub bundle_id: Option<String>,
    pub bundle_unit: Option<String>,
    pub from_bundle: Option<bool>,
    pub attendee: Option<Person>,
    pub issued_at: Option<String>,
    pub checked_in_at: Option<String>,
    pub checked_in_by: Option<String>,
    pub transferred_at: Option<String>,
    pub transferred_to_ticket_id: Option<String>,
    pub cancelled_at: Option<String>,
    pub hidden: Option<bool>,
    pub door_note: Option<String>,
    #[serde(rename = "updated_at")]
    _updated_at: Option<IgnoredAny>,
}
