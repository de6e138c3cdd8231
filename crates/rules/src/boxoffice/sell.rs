//! Placing an order.

use std::collections::{BTreeMap, HashMap};

use taquilla_domain::{
    clock::Stamp,
    hold, id,
    moves::OrderMove,
    order::{self, Order, OrderItem},
    person::Person,
    promoter::{NamedPromoter, Promoter},
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
    prices::Offered,
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
        let event = self.events.get(&request.event_id).ok_or(Refusal::NotFound("event"))?;
        let (status, terms) = (event.status, event.terms.clone().filter(|_| request.channel == Channel::Public));
        let open = match request.channel {
            Channel::Public | Channel::Promoter => status == EventStatus::Published,
            Channel::Staff => matches!(status, EventStatus::Published | EventStatus::Draft),
        };
        if !open {
            // For the public, a draft event does not exist.
            let hidden = request.channel == Channel::Public && status == EventStatus::Draft;
            return Err(if hidden { Refusal::NotFound("event") } else { Refusal::EventNotOnSale }.into());
        }
        let promoter = self.promoter(request)?;
        let Offered { items, mut attendees, currency, discount, surcharge, coupon } = self.price(request)?;
        // Terms that were replaced since the buyer saw them are not those that are in force.
        if terms.is_some() && terms != request.terms {
            return Err(Refusal::TermsNotAccepted.into());
        }
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
            discount,
            surcharge,
            reference: Some(reference.clone()),
            coupon,
            promoter: promoter.map(|promoter| order::Promoter { id: Some(promoter.id), name: promoter.name }),
            language: request.language.map(str::to_owned),
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
        self.changes.placed.push(NewOrder {
            order: order.clone(),
            secret,
            placed_from,
            attendees,
            terms_id: terms,
            document,
        });
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

    /// Who sells an order. A sale is not lost because of who sold it: if that promoter is unknown, has ended or sells for
    /// another event, it is nobody's. Who gives tickets away must be the promoter, and have as many left.
    fn promoter(&self, request: &OrderRequest) -> Result<Option<Promoter>, Refusal> {
        let found = request.promoter.as_ref().and_then(|named| self.promoters.find(named));
        let promoter = found.filter(|promoter| promoter.sells(&request.event_id));
        if request.channel == Channel::Promoter {
            let has_token = matches!(request.promoter, Some(NamedPromoter::Token(_)));
            let promoter = promoter.filter(|_| has_token).ok_or(Refusal::PromoterRefused)?;
            let wanted: i64 = request.items.iter().map(|item| item.quantity).sum();
            if wanted > promoter.left() {
                return Err(Refusal::ContingentUsedUp(promoter.left()));
            }
        }
        Ok(promoter.cloned())
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
