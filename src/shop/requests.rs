//! What buyers and payment processors send, parsed strictly and within limits. Errors name the field at fault.

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use serde::Deserialize;

use crate::{
    boxoffice::{ItemRequest, OrderRequest},
    config::SHOP_BODY_MAX,
    domain::{id, person::Person, refusal::Refusal, status::PaymentOutcome, stock::Channel},
    http::{app::App, body, client_address::ClientAddress, errors::Error},
    store::{Tenant, producers},
};

/// A caller within the shop's rate limit. Handlers extract it first.
pub struct Visitor;

impl FromRequestParts<App> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let ClientAddress(address) = ClientAddress::of(parts);
        app.limits.count_visit(address)?;
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
        Ok(Self { tenant: tenant.ok_or(Error::NotFound("event"))?, event_id })
    }
}

/// A request's body, with the shop's size limit.
pub type JsonBody = body::JsonBody<SHOP_BODY_MAX>;

/// The body of an order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceOrder {
    buyer: PersonBody,
    items: Vec<ItemBody>,
    /// The access code that opens hidden items.
    access_code: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemBody {
    ticket_type_id: String,
    quantity: i64,
    #[serde(default)]
    attendees: Vec<PersonBody>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonBody {
    #[serde(default)]
    name: String,
    #[serde(default)]
    email: String,
    phone: Option<String>,
    #[serde(default)]
    identity_document: String,
}

impl From<PersonBody> for Person {
    fn from(body: PersonBody) -> Self {
        Self { name: body.name, email: body.email, phone: body.phone, identity_document: body.identity_document }
    }
}

impl PlaceOrder {
    /// The request to the box office. The buyer needs a name and an e-mail address, to be reachable.
    pub fn for_event(self, event_id: String) -> Result<OrderRequest, Error> {
        let buyer = Person::from(self.buyer);
        if buyer.name.trim().is_empty() {
            return Err(Refusal::invalid("buyer.name", "a name is needed").into());
        }
        if !buyer.email.contains('@') {
            return Err(Refusal::invalid("buyer.email", "an e-mail address is needed").into());
        }
        let access_code = self.access_code;
        let items = self.items.into_iter().map(|item| ItemRequest {
            ticket_type_id: item.ticket_type_id,
            quantity: item.quantity,
            unit_price: None,
            attendees: item.attendees.into_iter().map(Person::from).collect(),
            access_code: access_code.clone(),
        });
        Ok(OrderRequest { event_id, buyer, items: items.collect(), channel: Channel::Public })
    }
}

/// The body of a payment processor's callback.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentBody {
    /// The processor's id for the payment.
    pub payment_id: String,
    /// The order's reference.
    pub reference: String,
    /// Whether it was paid or failed.
    pub status: PaymentStatus,
    /// How much, in whole units.
    pub amount: i64,
    /// The currency.
    pub currency: String,
}

/// The outcome of a payment, as processors name it.
#[derive(Clone, Copy, Deserialize)]
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
