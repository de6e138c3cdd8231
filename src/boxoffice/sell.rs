//! Placing an order.

use super::ledger::Ledger;
use crate::{
    config::{AMOUNT_MAX, COUNT_MAX, ITEMS_MAX, SHOP_DETAILS_MAX},
    domain::{
        id,
        moves::OrderMove,
        order::{Order, OrderItem},
        person::Person,
        refusal::Refusal,
        status::{EventStatus, OrderStatus},
        stock::Channel,
        webhook::MessageKind,
    },
    store::{
        self, ChangeResult,
        sales::{
            idempotency::Idempotency,
            orders::{self, NewOrder},
        },
    },
    wire::{api, shop::PlacedOrder},
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

/// The result of placing an order.
pub enum Placed {
    /// A new order.
    New(Box<NewlyPlaced>),
    /// The answer, word for word, that the first request with this key got.
    Before(String),
}

/// An order that was just placed.
#[derive(Debug)]
pub struct NewlyPlaced {
    /// The order.
    pub order: Order,
    /// The reference with which the buyer looks the order up.
    pub reference: String,
    /// The answer to the buyer, also if the request is repeated.
    pub answer: String,
}

impl Ledger {
    /// Places an order. A free one is approved at once; any other is pending until its payment is settled.
    pub fn place(&mut self, request: &OrderRequest, idempotency: Option<&Idempotency>) -> ChangeResult<Placed> {
        // The move holds the producer's lock, so the second of two requests with one key finds the first one's answer.
        if let Some(Idempotency { key, request_hash }) = idempotency
            && let Some((hash, answer)) = self.answered.get(key)
        {
            return match hash == request_hash {
                true => Ok(Placed::Before(answer.clone())),
                false => Err(Refusal::IdempotencyMismatch.into()),
            };
        }
        let status = *self.events.get(&request.event_id).ok_or(Refusal::NotFound("event"))?;
        let open = match request.channel {
            Channel::Public => status == EventStatus::Published,
            Channel::Staff => matches!(status, EventStatus::Published | EventStatus::Draft),
        };
        if !open {
            // For the public, a draft event does not exist.
            let hidden = request.channel == Channel::Public && status == EventStatus::Draft;
            return Err(if hidden { Refusal::NotFound("event") } else { Refusal::EventNotOnSale }.into());
        }
        let (items, currency) = self.price(request)?;
        // Looked at already now, so that nobody pays for what cannot be issued.
        self.singles(&items)?;

        let secret = id::new_reference(self.stamp);
        let reference = orders::join_reference(self.tenant, &secret);
        let mut order = Order {
            id: id::new_id("or", self.stamp),
            event_id: request.event_id.clone(),
            status: OrderStatus::Pending,
            buyer: request.buyer.clone(),
            total: items.iter().map(|item| item.total).sum(),
            items,
            currency,
            reference: Some(reference.clone()),
            channel: Some(request.channel.into()),
            payment_id: None,
            paid_at: None,
            refunded_at: None,
            created_at: self.stamp,
            updated_at: self.stamp,
        };
        let mut document = self.tell_order(MessageKind::OrderCreated, &order)?;
        let attendees: Vec<Vec<Person>> = request.items.iter().map(|item| item.attendees.clone()).collect();
        if order.total == 0 {
            order.status = OrderMove::Approve.from(order.status)?;
            document = self.issue(&order, |position, unit| attendees.get(position)?.get(unit))?;
        }
        let placed = PlacedOrder { order: api::Order::from(&order), reference: &reference };
        let answer = serde_json::to_string(&placed).map_err(store::Error::internal)?;
        if let Some(idempotency) = idempotency {
            self.changes.answers.push((idempotency.clone(), answer.clone()));
        }
        self.changes.placed.push(NewOrder { order: order.clone(), secret, attendees, document });
        Ok(Placed::New(Box::new(NewlyPlaced { order, reference, answer })))
    }

    /// The order's items at present prices, and their currency. Refuses items that may not be sold now.
    fn price(&self, request: &OrderRequest) -> Result<(Vec<OrderItem>, String), Refusal> {
        let mut items = Vec::with_capacity(request.items.len());
        let mut currency: Option<String> = None;
        for (position, wanted) in request.items.iter().enumerate() {
            let unknown = || {
                let message = "the event has no such item; look again what is on sale";
                Refusal::invalid(format!("items[{position}].ticket_type_id"), message)
            };
            let item = self.items.get(&wanted.ticket_type_id);
            let item = item.filter(|item| item.event_id == request.event_id).ok_or_else(unknown)?;
            item.offer.may_sell(wanted.quantity, request.channel, wanted.access_code.as_deref(), self.stamp).map_err(
                |refusal| match (request.channel, refusal) {
                    // For the public, an item that it may not see does not exist. Staff are told the reason.
                    (Channel::Public, Refusal::NotOnSale(_)) => unknown(),
                    (_, refusal) => refusal,
                },
            )?;
            if *currency.get_or_insert_with(|| item.currency.clone()) != item.currency {
                let field = format!("items[{position}].ticket_type_id");
                return Err(Refusal::invalid(field, "the items of one order have one currency"));
            }
            let unit_price = wanted.unit_price.unwrap_or(item.price);
            let total = unit_price.saturating_mul(wanted.quantity);
            if total > AMOUNT_MAX {
                let message = format!("the total would be over {AMOUNT_MAX}");
                return Err(Refusal::invalid(format!("items[{position}].quantity"), message));
            }
            items.push(OrderItem {
                ticket_type_id: wanted.ticket_type_id.clone(),
                kind: item.kind,
                name: item.name.clone(),
                quantity: wanted.quantity,
                list_price: item.price,
                unit_price,
                total,
            });
        }
        Ok((items, currency.unwrap_or_default()))
    }
}

/// Checks what needs no database.
pub(super) fn check(request: &OrderRequest) -> Result<(), Refusal> {
    request.buyer.check("buyer", request.channel)?;
    let mut details = request.buyer.bytes();
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
    if request.channel == Channel::Public && details > SHOP_DETAILS_MAX {
        let message = format!(
            "the details of buyer and attendees may take {} kB together; name fewer attendees, or place several orders",
            SHOP_DETAILS_MAX / 1024
        );
        return Err(Refusal::invalid("items", message));
    }
    Ok(())
}
