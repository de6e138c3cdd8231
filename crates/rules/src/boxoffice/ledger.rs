//! What the sales of a group need to know, and what they change.
//!
//! Everything is read before the first of them is decided. Then each is decided in memory, against what the ones before it
//! left, and at the end everything is written. So the number of statements does not depend on the number of sales.

use std::collections::{BTreeSet, HashMap, HashSet};

use taquilla_domain::{
    clock::Stamp, order::Order, order_number::OrderNumber, status::PaymentOutcome, webhook::MessageKind,
};
use taquilla_store as store;
use taquilla_store::{
    Move, Tenant,
    catalogue::{
        events::{self, ForSale as EventForSale},
        pools, ticket_counts,
        ticket_types::{self, Contents, ForSale},
    },
    producers,
    sales::{
        attempts,
        coupons::{self as coupon_rows, OfBuyers},
        documents, figures,
        holds::{self, Counted, HeldItems, UnpaidOrders},
        idempotency::{self, Answered},
        orders::{self, Attendees},
        pay_backs,
        payments::{self, Earlier, ReportedPayment},
        promoter_sums,
        promoters::{self, KnownPromoters},
        refunded_items::{self, RefundedItems},
        surcharges,
    },
    staff::audit,
    tickets::{
        documents::completed,
        rows::{self, State},
    },
    webhooks::outbox::{self, Message},
};

use super::{
    changes::Changes,
    common::ticket_messages,
    coupons::{KnownCoupons, code, coupon_id},
    order_request::{OrderRequest, Stranger},
    pools::Pools,
};

/// What has to be read before a group can be decided.
#[derive(Default)]
pub(super) struct Needs<'a> {
    /// Idempotency keys.
    pub keys: BTreeSet<&'a str>,
    /// Orders to be placed with a coupon.
    pub with_coupon: Vec<&'a OrderRequest>,
    /// Events whose surcharges are charged.
    pub charged: BTreeSet<&'a str>,
    /// Strangers who may hold only so much.
    pub strangers: Vec<(&'a OrderRequest, &'a Stranger)>,
    /// Events.
    pub events: BTreeSet<&'a str>,
    /// Items and bundles.
    pub items: BTreeSet<&'a str>,
    /// Promoters, by their ids.
    pub promoters: BTreeSet<&'a str>,
    /// Promoters, by the hashes of their tokens.
    pub promoters_by_hash: BTreeSet<&'a str>,
    /// Orders, with their tickets, attendees, events and items.
    pub orders: BTreeSet<&'a str>,
    /// Orders whose hold is to be made longer.
    pub extended: BTreeSet<&'a str>,
    /// Orders whose attempts to be paid matter.
    pub attempted: BTreeSet<&'a str>,
    /// Payments that may have been told of before, by id and outcome.
    pub payments: Vec<(&'a str, PaymentOutcome)>,
    /// Orders whose unsettled money matters.
    pub paid_orders: BTreeSet<&'a str>,
    /// Orders whose settled money matters, and what was refunded of them before.
    pub refunded_orders: BTreeSet<&'a str>,
}

/// What is known, kept up to date while the group is decided.
pub(super) struct Ledger {
    pub tenant: Tenant,
    pub stamp: Stamp,
    /// The present by the database's clock, for holds.
    pub now: Stamp,
    /// Requests that were answered before, by idempotency key: the request's hash and the answer.
    pub answered: Answered,
    pub events: HashMap<String, EventForSale>,
    pub items: HashMap<String, ForSale>,
    pub contents: HashMap<String, Contents>,
    pub pools: Pools,
    pub orders: HashMap<String, Order>,
    pub attendees: HashMap<String, Attendees>,
    /// Orders whose hold was made longer before.
    pub extended: HashSet<String>,
    /// Attempts to pay for orders, by order.
    pub attempts: attempts::OfOrders,
    /// The tickets of orders, by order.
    pub tickets: HashMap<String, Vec<State>>,
    pub earlier: Earlier,
    pub unsettled: HashMap<String, Vec<ReportedPayment>>,
    /// The payments that have paid for orders, by order.
    pub settled: HashMap<String, ReportedPayment>,
    /// What was refunded alone of orders before, by order.
    pub refunded_before: RefundedItems,
    /// What is or was owed for orders already, by order.
    pub owed_before: HashMap<String, i64>,
    pub unpaid: UnpaidOrders,
    pub coupons: KnownCoupons,
    /// What buyers of the shop pay besides the prices, by event.
    pub surcharges: surcharges::OfEvents,
    pub promoters: KnownPromoters,
    /// The number of the last order that was placed.
    pub last_number: OrderNumber,
    pub changes: Changes,
}

fn list<'a>(set: &BTreeSet<&'a str>) -> Vec<&'a str> {
    set.iter().copied().collect()
}

/// Those that are not known yet.
fn new<'a, T>(set: &BTreeSet<&'a str>, known: &HashMap<String, T>) -> Vec<&'a str> {
    set.iter().copied().filter(|id| !known.contains_key(*id)).collect()
}

/// Whose unpaid orders are to be counted for a request.
fn counted<'a>((request, stranger): &(&'a OrderRequest, &'a Stranger)) -> Counted<'a> {
    Counted {
        email: stranger.per_buyer.map(|_| request.buyer.email.as_str()),
        address: stranger.per_address.map(|_| stranger.address.as_str()),
    }
}

impl Ledger {
    fn empty(tx: &Move) -> Self {
        Self {
            tenant: tx.tenant(),
            stamp: tx.stamp(),
            now: tx.now(),
            answered: HashMap::new(),
            events: HashMap::new(),
            items: HashMap::new(),
            contents: HashMap::new(),
            pools: Pools::default(),
            orders: HashMap::new(),
            attendees: HashMap::new(),
            extended: HashSet::new(),
            attempts: attempts::OfOrders::new(),
            tickets: HashMap::new(),
            earlier: HashMap::new(),
            unsettled: HashMap::new(),
            settled: HashMap::new(),
            refunded_before: HashMap::new(),
            owed_before: HashMap::new(),
            unpaid: UnpaidOrders::default(),
            coupons: KnownCoupons::default(),
            surcharges: surcharges::OfEvents::new(),
            promoters: KnownPromoters::default(),
            last_number: tx.last_order_number(),
            changes: Changes::default(),
        }
    }

    /// Reads what a group needs. Each kind of row is one statement, and what can be asked together is.
    pub async fn load(tx: &mut Move, needs: Needs<'_>) -> store::Result<Self> {
        let (tenant, now) = (tx.tenant(), tx.now());
        let mut ledger = Self::empty(tx);
        let order_ids = list(&needs.orders);
        let (mut orders, mut order_items, mut tickets) = (Vec::new(), Vec::new(), Vec::new());
        let mut held = HeldItems::new();
        let codes: BTreeSet<(&str, String)> = needs.with_coupon.iter().filter_map(|request| code(request)).collect();
        let codes: Vec<(&str, &str)> = codes.iter().map(|(event, code)| (*event, code.as_str())).collect();
        let (mut promoters, mut promoters_by_hash) = (Vec::new(), Vec::new());
        // Only an order that is paid for counts among those of its buyer. What it costs is known after the first
        // questions, but another wait for PostgreSQL would cost more than looking up all of them.
        let is_remote = tx.is_remote();
        let asked: Vec<Counted<'_>> = needs.strangers.iter().filter(|_| is_remote).map(counted).collect();
        tx.ask(vec![
            idempotency::find_answers(tenant, &list(&needs.keys), &mut ledger.answered),
            orders::find_all(tenant, &order_ids, &mut orders),
            orders::find_items(tenant, &order_ids, &mut order_items),
            orders::attendees(tenant, &order_ids, &mut ledger.attendees),
            orders::extended(tenant, &list(&needs.extended), &mut ledger.extended),
            attempts::of_orders(tenant, &list(&needs.attempted), &mut ledger.attempts),
            rows::states_of_orders(tenant, &order_ids, &mut tickets),
            payments::find_earlier(tenant, &needs.payments, &mut ledger.earlier),
            payments::unsettled(tenant, &list(&needs.paid_orders), &mut ledger.unsettled),
            payments::settled(tenant, &list(&needs.refunded_orders), &mut ledger.settled),
            refunded_items::of_orders(tenant, &list(&needs.refunded_orders), &mut ledger.refunded_before),
            pay_backs::sums(tenant, &list(&needs.refunded_orders), &mut ledger.owed_before),
            events::for_sale(tenant, &list(&needs.events), &mut ledger.events),
            ticket_types::contents(tenant, &list(&needs.items), &mut ledger.contents),
            ticket_types::for_sale(tenant, &list(&needs.items), &mut ledger.items),
            pools::takes(tenant, &list(&needs.items), &mut ledger.pools.takes),
            holds::held(tenant, &list(&needs.items), now, &mut held),
            holds::unpaid(tenant, &asked, now, &mut ledger.unpaid),
            surcharges::charged(tenant, &list(&needs.charged), &mut ledger.surcharges),
            coupon_rows::by_code(tenant, &codes, &mut ledger.coupons.by_id),
            promoters::by_ids(tenant, &list(&needs.promoters), &mut promoters),
            promoters::by_hashes(tenant, &list(&needs.promoters_by_hash), &mut promoters_by_hash),
        ])
        .await?;
        ledger.promoters.extend(promoters);
        ledger.promoters.extend(promoters_by_hash);

        // What the orders and the bundles name is asked for once they are known.
        orders::put_items(&mut orders, order_items);
        let events: BTreeSet<&str> = orders.iter().map(|order| order.event_id.as_str()).collect();
        let sold: BTreeSet<&str> =
            orders.iter().flat_map(|order| &order.items).map(|item| item.ticket_type_id.as_str()).collect();
        let costs = |request: &OrderRequest| {
            let mut items = request.items.iter().map(|item| ledger.items.get(&item.ticket_type_id));
            items.any(|item| item.is_some_and(|item| item.price > 0))
        };
        let asked: Vec<Counted<'_>> =
            needs.strangers.iter().filter(|(request, _)| !is_remote && costs(request)).map(counted).collect();
        // An order whose hold lasts takes what it holds, whatever others hold.
        let ended = orders.iter().filter(|order| order.held_until.is_none_or(|until| until <= now));
        let ended: BTreeSet<&str> =
            ended.flat_map(|order| &order.items).map(|item| item.ticket_type_id.as_str()).collect();
        let with_hold_ended = orders.iter().filter(|order| order.held_until.is_none_or(|until| until <= now));
        let buyers: Vec<(String, String)> = ledger.coupons.buyers(&needs.with_coupon, with_hold_ended);
        let buyers: Vec<(&str, &str)> = buyers.iter().map(|(id, email)| (id.as_str(), email.as_str())).collect();
        let coupons: BTreeSet<String> = ledger.coupons.by_id.keys().cloned().collect();
        let coupons: BTreeSet<&str> =
            coupons.iter().map(String::as_str).chain(orders.iter().filter_map(coupon_id)).collect();
        let (mut coupon_items, mut held_uses, mut of_buyers) = (Vec::new(), HeldItems::new(), OfBuyers::new());
        tx.ask(vec![
            events::for_sale(tenant, &new(&events, &ledger.events), &mut ledger.events),
            ticket_types::contents(tenant, &new(&sold, &ledger.items), &mut ledger.contents),
            holds::held(tenant, &new(&ended, &ledger.items), now, &mut held),
            pools::takes(tenant, &new(&sold, &ledger.items), &mut ledger.pools.takes),
            holds::held(tenant, &list(&coupons), now, &mut held_uses),
            coupon_rows::items(tenant, &list(&coupons), &mut coupon_items),
            coupon_rows::of_buyers(tenant, &buyers, now, &mut of_buyers),
            coupon_rows::by_id(tenant, &new(&coupons, &ledger.coupons.by_id), &mut ledger.coupons.by_id),
            ticket_types::for_sale(tenant, &new(&sold, &ledger.items), &mut ledger.items),
            holds::unpaid(tenant, &asked, now, &mut ledger.unpaid),
        ])
        .await?;
        ledger.coupons.complete(coupon_items, &held_uses, of_buyers);
        let singles = ledger.contents.values().flatten().map(|(single, _)| single.as_str());
        let ticketed = tickets.iter().map(|state: &State| state.ticket_type_id.as_str());
        let singles = singles.chain(ticketed.clone()).collect();
        // A ticket that is refunded gives back the place of its own item, whatever it was sold as.
        let ticketed = new(&ticketed.collect(), &ledger.items);
        tx.ask(vec![
            pools::takes(tenant, &ticketed, &mut ledger.pools.takes),
            ticket_types::for_sale(tenant, &new(&singles, &ledger.items), &mut ledger.items),
        ])
        .await?;
        ledger.pools.load(tx).await?;

        for (id, held) in held {
            if let Some(item) = ledger.items.get_mut(&id) {
                (item.offer.held, item.offer.held_until) = (held.quantity, Some(held.until));
            }
        }
        ledger.orders = orders.into_iter().map(|order| (order.id.clone(), order)).collect();
        for state in tickets {
            ledger.tickets.entry(state.order_id.clone().unwrap_or_default()).or_default().push(state);
        }
        Ok(ledger)
    }

    /// Counts units as sold, or as given back, for whoever is decided next and for the database.
    pub fn sell(&mut self, id: &str, units: i64) {
        if let Some(item) = self.items.get_mut(id) {
            item.offer.sold += units;
        }
        self.changes.counts.sell(id, units);
    }

    /// Takes tickets out of the contingent that an order's are from, or gives them back, for whoever is decided next and for the
    /// database.
    pub fn give(&mut self, order: &Order, tickets: i64) {
        if let Some(promoter_id) = order.given_by() {
            self.promoters.give(promoter_id, tickets);
            self.changes.of_promoters.give(promoter_id, tickets);
        }
    }

    /// Holds the stock of an order, for whoever is decided next and for the database.
    pub fn hold(&mut self, order: &Order, until: Stamp) {
        for item in &order.items {
            if let Some(known) = self.items.get_mut(&item.ticket_type_id) {
                known.offer.held += item.quantity;
                known.offer.held_until = Some(known.offer.held_until.map_or(until, |earlier| earlier.min(until)));
            }
            self.pools.hold(&item.ticket_type_id, item.quantity, until);
            self.changes.held.add(&item.ticket_type_id, until, item.quantity);
        }
        self.hold_coupon(order, until, 1);
    }

    /// Ends the hold of an order that is decided.
    pub fn end_hold(&mut self, order: &mut Order) {
        let Some(until) = order.held_until.take() else { return };
        for item in &order.items {
            if until > self.now {
                if let Some(known) = self.items.get_mut(&item.ticket_type_id) {
                    known.offer.held -= item.quantity;
                }
                self.pools.end_hold(&item.ticket_type_id, item.quantity);
            }
            self.changes.held.add(&item.ticket_type_id, until, -item.quantity);
        }
        self.hold_coupon(order, until, -1);
    }

    /// Adds a message with the order as it is now, and returns what it shows.
    pub fn tell_order(&mut self, kind: MessageKind, order: &Order) -> store::Result<String> {
        let document = documents::render(order)?;
        self.changes.messages.push(Message::new(kind, document.clone(), self.stamp));
        Ok(document)
    }

    /// Adds a message for each ticket as it is now, from its document.
    pub fn tell_tickets<'s>(
        &mut self,
        kind: MessageKind,
        tickets: impl Iterator<Item = (&'s State, &'s str)>,
    ) -> store::Result<()> {
        for (state, document) in tickets {
            let item = self.items.get(&state.ticket_type_id);
            let item = item.ok_or_else(|| store::Error::internal("a ticket of a type that is not there"))?;
            let shown = completed(document, &item.name, item.category)?;
            self.changes.messages.extend(ticket_messages(kind, state, shown, self.stamp)?);
        }
        Ok(())
    }

    /// Writes everything that was decided. Each kind of row is one statement, and all travel together.
    pub async fn write(self, tx: &mut Move) -> store::Result<()> {
        let changes = &self.changes;
        let mut writes = Vec::new();
        writes.extend(orders::insert(tx, &changes.placed)?);
        if !changes.placed.is_empty() {
            writes.push(producers::count_orders(tx, self.last_number));
        }
        writes.push(orders::update(tx, &changes.decided));
        writes.push(orders::extend(tx, &changes.extended));
        writes.push(orders::hold_on(tx, &changes.held_on));
        writes.push(attempts::write(tx, &changes.attempts));
        writes.push(orders::forget_attendees(tx, &changes.forgotten));
        writes.push(rows::insert(tx, &changes.issued)?);
        writes.extend(rows::update(tx, &changes.refunded));
        writes.extend(ticket_counts::write(tx, &changes.counts));
        writes.extend(holds::write(tx, &changes.held));
        writes.push(coupon_rows::write(tx, &changes.uses));
        writes.extend(figures::write(tx.tenant(), &changes.sold));
        writes.extend(promoter_sums::write(tx.tenant(), &changes.of_promoters));
        writes.push(outbox::write(tx, &changes.messages)?);
        writes.push(idempotency::keep_answers(tx, &changes.answers));
        writes.push(payments::keep(tx, &changes.payments));
        writes.push(payments::settle(tx, &changes.settled_late));
        writes.push(pay_backs::owe(tx, &changes.owed));
        writes.push(refunded_items::write(tx, &changes.refunded_items));
        if !changes.history.is_empty() {
            writes.push(audit::write(tx, &changes.history));
        }
        tx.write_all(writes).await
    }
}
