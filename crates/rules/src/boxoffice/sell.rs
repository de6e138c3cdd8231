//! Placing an order.

use std::collections::{BTreeMap, HashMap};

use taquilla_domain::{
    clock::Stamp,
    config::AMOUNT_MAX,
    hold, id,
    moves::OrderMove,
    order::{Order, OrderItem},
    person::Person,
    refusal::Refusal,
    status::{EventStatus, OrderStatus},
    stock::Channel,
    webhook::MessageKind,
};
use taquilla_store as store;
use taquilla_store::{
    ChangeResult,
    sales::{
        holds::Unpaid,
        idempotency::Idempotency,
        orders::{self, NewOrder},
    },
};
use taquilla_wire::{Time, api, shop::PlacedOrder};

use super::{
    counter_money::CounterMoney,
    ledger::Ledger,
    order_request::{OrderRequest, PastHolds, Stranger},
    placed::{NewlyPlaced, Placed, PlacedBefore},
};

impl Ledger {
    /// Places an order. A free one and one that staff were paid for are approved at once; any other is pending until its
    /// payment is settled, and its stock is held for a while.
    pub fn place(
        &mut self,
        request: &OrderRequest,
        idempotency: Option<&Idempotency>,
        taken: CounterMoney<'_>,
    ) -> ChangeResult<Placed> {
        // The move holds the producer's lock, so the second of two requests with one key finds the first one's answer.
        if let Some(idempotency) = idempotency
            && let Some((hash, answer)) = self.answered.get(&idempotency.key)
        {
            return match idempotency.is_of(hash) {
                true => Ok(Placed::Before(PlacedBefore::read(answer)?)),
                false => Err(Refusal::IdempotencyMismatch.into()),
            };
        }
        let status = self.events.get(&request.event_id).ok_or(Refusal::NotFound("event"))?.status;
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
        let past_holds_at = self.check_free(&items, request.past_holds)?;

        let secret = id::new_reference(self.stamp);
        let reference = orders::join_reference(self.tenant, &secret);
        let mut order = Order {
            id: id::new_id("or", self.stamp),
            number: self.last_number.next(),
            event_id: request.event_id.clone(),
            status: OrderStatus::Pending,
            buyer: request.buyer.clone(),
            total: items.iter().map(|item| item.total).sum(),
            items,
            currency,
            reference: Some(reference.clone()),
            coupon: None,
            promoter: None,
            language: None,
            channel: Some(request.channel.into()),
            payment_id: None,
            payment_method: None,
            sold_by: None,
            paid_at: None,
            refunded_at: None,
            held_until: None,
            past_holds_at,
            created_at: self.stamp,
            updated_at: self.stamp,
        };
        let held_by = request.stranger.as_ref().filter(|_| order.total > 0);
        if let Some(stranger) = held_by {
            self.check_unpaid(&order.buyer, stranger)?;
        }
        let is_settled = order.total == 0 || request.is_paid;
        if is_settled {
            order.status = OrderMove::Approve.from(order.status)?;
            order.paid_at = Some(self.stamp).filter(|_| order.total > 0);
            order.payment_method = taken.method.filter(|_| order.total > 0);
            order.sold_by = taken.by.map(str::to_owned);
        }
        // Messages of one move have one stamp, so all of them show the order as the move leaves it. A mirror that keeps the
        // later of two could not tell them apart.
        let mut document = self.tell_order(MessageKind::OrderCreated, &order)?;
        let mut attendees: Vec<Vec<Person>> = request.items.iter().map(|item| item.attendees.clone()).collect();
        if is_settled {
            document = self.issue(&order, |position, unit| attendees.get(position)?.get(unit))?;
            // Who is on a ticket is kept there alone.
            attendees.clear();
        } else {
            let until = hold::end(self.now, request.hold);
            order.held_until = Some(until);
            self.hold(&order, until);
            if let Some(stranger) = held_by {
                self.count_unpaid(&order.buyer, stranger, until);
            }
        }
        let placed = PlacedOrder {
            order: api::Order::from(&order),
            reference: &reference,
            held_until: order.held_until.map(Time),
        };
        let answer = serde_json::to_string(&placed).map_err(store::Error::internal)?;
        if let Some(idempotency) = idempotency {
            self.changes.answers.push((idempotency.clone(), answer.clone()));
        }
        // Where it came from is kept only to be counted.
        let placed_from = held_by.filter(|stranger| stranger.per_address.is_some());
        let placed_from = placed_from.map(|stranger| stranger.address.clone());
        // A refused order takes no number.
        self.last_number = order.number;
        self.changes.placed.push(NewOrder { order: order.clone(), secret, placed_from, attendees, document });
        Ok(Placed::New(Box::new(NewlyPlaced { order, reference, answer })))
    }

    /// Checks that an order's items, and their places in pools, are left and nobody else holds them. If others do and staff sell them all the same,
    /// it returns the time at which that was done.
    pub(super) fn check_free(&self, items: &[OrderItem], past_holds: PastHolds) -> Result<Option<Stamp>, Refusal> {
        let units = units(items);
        let known = || units.iter().filter_map(|(id, quantity)| Some((&self.items.get(*id)?.offer, *quantity)));
        // What is sold out stays so for longer than what is held, so the buyer is told that first.
        known().try_for_each(|(offer, quantity)| offer.has_left(quantity))?;
        self.pools.have_left(&units)?;
        let free = known().try_for_each(|(offer, quantity)| offer.is_free(quantity, self.now));
        match (free.and_then(|()| self.pools.are_free(&units, self.now)), past_holds) {
            (Ok(()), _) => Ok(None),
            (Err(_), PastHolds::Yes) => Ok(Some(self.stamp)),
            (Err(refusal), PastHolds::No) => Err(refusal),
        }
    }

    /// Refuses a buyer, or an address, with too many unpaid orders. Orders that this group has decided count still.
    fn check_unpaid(&self, buyer: &Person, stranger: &Stranger) -> Result<(), Refusal> {
        let (email, address) = (buyer.email.to_lowercase(), &stranger.address);
        let counted = [
            ("This buyer", self.unpaid.of_buyers.get(&email), stranger.per_buyer),
            ("This network address", self.unpaid.from_addresses.get(address), stranger.per_address),
        ];
        for (whose, unpaid, most) in counted {
            let (Some(Unpaid { orders, until }), Some(most)) = (unpaid, most) else { continue };
            if *orders >= i64::from(most.get()) {
                let wait_s = hold::seconds_until(*until, self.now);
                return Err(Refusal::TooManyUnpaid { whose, most: most.get(), until: *until, wait_s });
            }
        }
        Ok(())
    }

    fn count_unpaid(&mut self, buyer: &Person, stranger: &Stranger, until: Stamp) {
        let count = |counted: &mut HashMap<String, Unpaid>, whose: String| {
            let unpaid = counted.entry(whose).or_insert(Unpaid { orders: 0, until });
            unpaid.orders += 1;
            unpaid.until = unpaid.until.min(until);
        };
        count(&mut self.unpaid.of_buyers, buyer.email.to_lowercase());
        count(&mut self.unpaid.from_addresses, stranger.address.clone());
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
            item.offer.may_sell(request.channel, wanted.access_code.as_deref(), self.now).map_err(|refusal| {
                match (request.channel, refusal) {
                    // For the public, an item that it may not see does not exist. Staff are told the reason.
                    (Channel::Public, Refusal::NotOnSale(_)) => unknown(),
                    (_, refusal) => refusal,
                }
            })?;
            // Staff who were told how many one order may have, and sell more or fewer, say so.
            if !request.past_most {
                item.offer.fits_one_order(wanted.quantity)?;
            }
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

/// How many of each item an order has. An imported order may name one twice.
pub(super) fn units(items: &[OrderItem]) -> BTreeMap<&str, i64> {
    let mut units = BTreeMap::new();
    for item in items {
        *units.entry(item.ticket_type_id.as_str()).or_default() += item.quantity;
    }
    units
}
