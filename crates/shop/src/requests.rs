//! What buyers and payment processors send, parsed strictly and within limits. Errors name the field at fault.

use std::{net::IpAddr, time::Duration};

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use serde::Deserialize;
use utoipa::ToSchema;

use taquilla_domain::{
    config::{Config, HOLD_MAX, ITEMS_MAX, SHOP_BODY_MAX},
    id,
    person::{Buyer, Person},
    refusal::Refusal,
    status::PaymentOutcome,
    stock::Channel,
};
use taquilla_http::{
    app::App,
    body, caller,
    client_address::ClientAddress,
    errors::Error,
    rate::{Pace, Source, network},
    schema::{CouponCode, Email, FullEmail, FullName, Id, IdentityDocument, Money, Name, Phone, Quantity},
};
use taquilla_rules::boxoffice::{ItemRequest, OrderRequest, Stranger};
use taquilla_store::{Tenant, producers, sales::promoters};

/// A caller within the shop's rate limit. Handlers extract it first.
pub struct Visitor;

impl FromRequestParts<App> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let ClientAddress(address) = ClientAddress::of(parts);
        app.limits.count(Pace::ShopVisits, &[Source::address(address)])?;
        Ok(Self)
    }
}

/// The event in a path, and its producer. Handlers extract it after the [`Visitor`].
pub struct ShopEvent {
    /// The producer.
    pub tenant: Tenant,
    /// The event, which may not exist.
    pub event_id: String,
}

impl FromRequestParts<App> for ShopEvent {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let Ok(Path((producer_id, event_id))) = Path::<(String, String)>::from_request_parts(parts, app).await else {
            return Err(Error::invalid("event_id", "The path is not valid percent-encoded UTF-8."));
        };
        if !id::is_plausible(&producer_id) || !id::is_plausible(&event_id) {
            return Err(Error::NotFound("event"));
        }
        let tenant = producers::find(&mut app.store.read().await?, &producer_id).await?;
        let tenant = tenant.ok_or(Error::NotFound("event"))?;
        caller::is_about(&producer_id);
        Ok(Self { tenant, event_id })
    }
}

/// A request's body, with the shop's size limit.
pub type JsonBody = body::JsonBody<SHOP_BODY_MAX>;

/// What is bought, by whom and for whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceOrder {
    /// Who buys. A name and an e-mail address are needed.
    #[schema(value_type = NewBuyer)]
    buyer: NewAttendee,
    /// What is bought, each item once.
    #[schema(min_items = 1, max_items = 500)]
    items: Vec<NewItem>,
    /// The id of the terms that the buyer accepted, as the sale shows them. An event with terms takes no order without.
    #[schema(value_type = Option<Id>, example = "te_01K5Z3M8Q2D9V7XW4T6B1NHRCE")]
    terms: Option<String>,
    /// The access code that opens hidden items.
    access_code: Option<String>,
    /// The code of a coupon. Neither case nor spaces around it matter.
    #[schema(value_type = Option<CouponCode>, example = "SUMMER10")]
    coupon: Option<String>,
    /// Who sells it: a promoter's id, as their links to the shop carry it, or their token. If there is no such promoter at this
    /// event any more, it is sold all the same, and nobody's.
    #[schema(value_type = Option<Id>, example = "pm_01K5Z3M8Q2D9V7XW4T6B1NHRCE")]
    promoter: Option<String>,
    /// Whether the promoter gives the tickets away, out of their contingent. This needs their token. Only entrances are given away:
    /// items that are on sale or exclusive.
    #[serde(default)]
    complimentary: bool,
    /// How long the stock is held, in seconds; half an hour by default. A processor's session may need longer. The operator
    /// sets how long it may be.
    #[schema(minimum = 1, maximum = 1_209_600)]
    hold_seconds: Option<u64>,
}

const _: () = assert!(ITEMS_MAX == 500 && HOLD_MAX.as_secs() == 1_209_600, "the numbers in the attributes above");

/// One line of a new order.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewItem {
    /// The item or bundle.
    #[schema(value_type = Id, example = "tt_general")]
    ticket_type_id: String,
    /// How many; the item's `min_per_order` at least, and its `max_per_order` at most.
    #[schema(value_type = Quantity)]
    quantity: i64,
    /// Who the first units are for. The other units are for the buyer, unless the event asks for an attendee for each entrance.
    #[serde(default)]
    attendees: Vec<NewAttendee>,
}

/// Who a ticket is for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAttendee {
    /// The name.
    #[serde(default)]
    #[schema(value_type = Name)]
    name: String,
    /// The e-mail address.
    #[serde(default)]
    #[schema(value_type = Email)]
    email: String,
    /// The phone number.
    #[schema(value_type = Option<Phone>)]
    phone: Option<String>,
    /// The identity document.
    #[serde(default)]
    #[schema(value_type = IdentityDocument)]
    identity_document: String,
}

/// Who buys.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "a buyer is read as any person, and then checked; this is its documentation")]
struct NewBuyer {
    /// The name.
    #[schema(value_type = FullName)]
    name: String,
    /// The e-mail address.
    #[schema(value_type = FullEmail)]
    email: String,
    /// The phone number.
    #[schema(value_type = Option<Phone>)]
    phone: Option<String>,
    /// The identity document.
    #[serde(default)]
    #[schema(value_type = IdentityDocument)]
    identity_document: String,
}

impl From<NewAttendee> for Person {
    fn from(body: NewAttendee) -> Self {
        Self { name: body.name, email: body.email, phone: body.phone, identity_document: body.identity_document }
    }
}

impl PlaceOrder {
    /// The request to the box office.
    pub fn for_event(
        self,
        event_id: String,
        ClientAddress(address): ClientAddress,
        config: &Config,
    ) -> Result<OrderRequest, Error> {
        let buyer = Buyer::parse(self.buyer.into())?;
        let hold = self.hold_seconds.map_or(config.holds.lasts, Duration::from_secs);
        if hold < Duration::from_secs(1) || (self.hold_seconds.is_some() && hold > config.holds.longest) {
            let message = format!("a whole number from 1 to {} is expected", config.holds.longest.as_secs());
            return Err(Refusal::invalid("hold_seconds", message).into());
        }
        let access_code = self.access_code;
        let items = self.items.into_iter().map(|item| ItemRequest {
            ticket_type_id: item.ticket_type_id,
            quantity: item.quantity,
            unit_price: None,
            attendees: item.attendees.into_iter().map(Person::from).collect(),
            access_code: access_code.clone(),
        });
        let is_id = |promoter: &String| match id::is_plausible(promoter) {
            true => Ok(()),
            false => Err(Refusal::invalid("promoter", id::FORM)),
        };
        self.promoter.iter().try_for_each(is_id)?;
        if self.complimentary && self.coupon.is_some() {
            return Err(Refusal::Coupon.into());
        }
        let promoter = self.promoter.as_deref().map(promoters::named);
        let channel = if self.complimentary { Channel::Promoter } else { Channel::Public };
        let stranger = Some(stranger(address, config));
        let request = OrderRequest::new(event_id, buyer.into(), items.collect(), channel);
        Ok(OrderRequest { hold, coupon: self.coupon, terms: self.terms, stranger, promoter, ..request })
    }
}

/// Somebody at this address, whom nobody knows.
pub fn stranger(address: IpAddr, config: &Config) -> Stranger {
    Stranger {
        address: network(address).to_string(),
        per_address: config.holds.per_address,
        per_buyer: config.holds.per_buyer,
    }
}

/// What became of a payment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Payment)]
pub struct PaymentBody {
    /// The processor's id for the payment.
    #[schema(value_type = Id, example = "pay_1")]
    pub payment_id: String,
    /// The order's reference.
    pub reference: String,
    /// Whether it was paid or failed.
    pub status: PaymentStatus,
    /// How much, in whole units of the currency.
    #[schema(value_type = Money)]
    pub amount: i64,
    /// The currency's code.
    #[schema(pattern = "^[A-Z]{3}$", example = "EUR")]
    pub currency: String,
}

/// The outcome of a payment, as processors name it.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// The money was received.
    Paid,
    /// The money will not come.
    Failed,
}

impl From<PaymentStatus> for PaymentOutcome {
    fn from(status: PaymentStatus) -> Self {
        match status {
            PaymentStatus::Paid => Self::Paid,
            PaymentStatus::Failed => Self::Failed,
        }
    }
}
