//! What somebody wants to order, and from whom it comes.

use std::{num::NonZeroU32, time::Duration};

use taquilla_domain::{
    config::{AMOUNT_MAX, COUNT_MAX, HOLD, ITEMS_MAX, SHOP_DETAILS_MAX},
    coupon::CouponCode,
    id,
    person::Person,
    promoter::NamedPromoter,
    refusal::Refusal,
    status::PaymentMethod,
    stock::Channel,
};

/// An order to be placed.
#[derive(Clone, Debug)]
pub struct OrderRequest {
    /// The event.
    pub event_id: String,
    /// The buyer.
    pub buyer: Person,
    /// The items.
    pub items: Vec<ItemRequest>,
    /// Whether the shop or staff place it.
    pub channel: Channel,
    /// How long its stock is held for the buyer.
    pub hold: Duration,
    /// Whether staff sell what others hold.
    pub past_holds: PastHolds,
    /// Whether staff have the money already: the order is approved in the move that places it.
    pub is_paid: bool,
    /// How staff were paid, if they say so.
    pub method: Option<PaymentMethod>,
    /// Whether staff sell more of an item than one order of the shop may have, or fewer than it must.
    pub past_most: bool,
    /// The code of a coupon.
    pub coupon: Option<String>,
    /// The id of the terms that the buyer accepted.
    pub terms: Option<String>,
    /// Who places it, if nobody knows them.
    pub stranger: Option<Stranger>,
    /// The code of the buyer's language, where a page knows it.
    pub language: Option<&'static str>,
    /// Who sells it, as the caller says. One who gives tickets away shows the token.
    pub promoter: Option<NamedPromoter>,
}

impl OrderRequest {
    /// An order whose stock is held for the usual time.
    pub fn new(event_id: String, buyer: Person, items: Vec<ItemRequest>, channel: Channel) -> Self {
        Self {
            event_id,
            buyer,
            items,
            channel,
            hold: HOLD,
            past_holds: PastHolds::No,
            is_paid: false,
            method: None,
            past_most: false,
            coupon: None,
            terms: None,
            stranger: None,
            language: None,
            promoter: None,
        }
    }
}

/// Whether what others hold may be sold all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PastHolds {
    /// What others hold is theirs.
    #[default]
    No,
    /// Staff said so. Whoever held it may pay in vain.
    Yes,
}

/// Somebody who may hold only so much, so that nobody can take the house by reserving it.
#[derive(Clone, Debug)]
pub struct Stranger {
    /// The address that the order came from.
    pub address: String,
    /// Unpaid orders that may hold stock for one address; `None` is no limit.
    pub per_address: Option<NonZeroU32>,
    /// Unpaid orders that may hold stock for one e-mail address; `None` is no limit.
    pub per_buyer: Option<NonZeroU32>,
}

/// One line of a request.
#[derive(Clone, Debug)]
pub struct ItemRequest {
    /// The item or bundle.
    pub ticket_type_id: String,
    /// How many units.
    pub quantity: i64,
    /// The price of one unit after a coupon or a surcharge; `None` is the list price.
    pub unit_price: Option<i64>,
    /// The attendees of the first units; the buyer is the attendee of the others.
    pub attendees: Vec<Person>,
    /// The access code that opens a hidden item.
    pub access_code: Option<String>,
}

/// Checks what needs no database.
pub(super) fn check(request: &OrderRequest) -> Result<(), Refusal> {
    request.buyer.check("buyer", request.channel)?;
    let mut details = request.buyer.bytes();
    // No coupon has such a code, so it is refused like any other that there is not.
    if request.coupon.as_deref().is_some_and(|code| CouponCode::parse(code).is_err()) {
        return Err(Refusal::Coupon);
    }
    if request.items.is_empty() || request.items.len() > ITEMS_MAX {
        return Err(Refusal::invalid("items", format!("an order has 1 to {ITEMS_MAX} items")));
    }
    for (position, item) in request.items.iter().enumerate() {
        let field = |name: &str| format!("items[{position}].{name}");
        if !(1..=COUNT_MAX).contains(&item.quantity) {
            return Err(Refusal::invalid(field("quantity"), "a whole number of at least 1 is expected"));
        }
        if item.unit_price.is_some_and(|price| !(0..=AMOUNT_MAX).contains(&price)) {
            return Err(Refusal::invalid(
                field("unit_price"),
                format!("a whole number from 0 to {AMOUNT_MAX} is expected"),
            ));
        }
        if item.attendees.len() as i64 > item.quantity {
            return Err(Refusal::invalid(field("attendees"), "there are more attendees than units"));
        }
        if !id::is_plausible(&item.ticket_type_id) {
            return Err(Refusal::invalid(field("ticket_type_id"), "this is no id"));
        }
        for (unit, attendee) in item.attendees.iter().enumerate() {
            attendee.check(&field(&format!("attendees[{unit}]")), request.channel)?;
            details += attendee.bytes();
        }
        if request.items[..position].iter().any(|earlier| earlier.ticket_type_id == item.ticket_type_id) {
            return Err(Refusal::invalid(
                field("ticket_type_id"),
                "each item stands in an order once; raise its quantity",
            ));
        }
    }
    if request.channel != Channel::Staff && details > SHOP_DETAILS_MAX {
        let message = format!(
            "the details of buyer and attendees may take {} kB together; name fewer attendees, or place several orders",
            SHOP_DETAILS_MAX / 1024
        );
        return Err(Refusal::invalid("items", message));
    }
    Ok(())
}
