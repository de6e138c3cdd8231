//! What the sales of a group need to know, and what they change.
//!
//! Everything is read before the first of them is decided. Then each is decided in memory, against what the ones before it
//! left, and at the end everything is written. So the number of statements does not depend on the number of sales.

use std::collections::{BTreeSet, HashMap};

use super::common::ticket_messages;
use crate::{
    domain::{
        clock::Stamp,
        order::Order,
        status::{EventStatus, PaymentOutcome},
        webhook::MessageKind,
    },
    store::{
        self, Move, Tenant,
        catalogue::{
            events,
            ticket_counts::{self, Counts},
            ticket_types::{self, Contents, ForSale},
        },
        sales::{
            documents,
            idempotency::{self, Idempotency},
            orders::{self, Attendees, NewOrder},
            payments::{self, Kept, Payment},
        },
        tickets::rows::{self, Marked, State},
        webhooks::outbox,
    },
};

/// What has to be read before a group can be decided.
#[derive(Default)]
pub(super) struct Needs<'a> {
    /// Idempotency keys.
    pub keys: BTreeSet<&'a str>,
    /// Events.
    pub events: BTreeSet<&'a str>,
    /// Items and bundles.
    pub items: BTreeSet<&'a str>,
    /// Orders, with their tickets, attendees, events and items.
    pub orders: BTreeSet<&'a str>,
    /// Payments that may have been settled before.
    pub payments: Vec<&'a Payment>,
    /// Orders whose unsettled money matters.
    pub paid_orders: BTreeSet<&'a str>,
}

/// What is known, kept up to date while the group is decided.
pub(super) struct Ledger {
    pub tenant: Tenant,
    pub stamp: Stamp,
    /// Requests that were answered before, by idempotency key: the request's hash and the answer.
    pub answered: HashMap<String, (String, String)>,
    pub events: HashMap<String, EventStatus>,
    pub items: HashMap<String, ForSale>,
    pub contents: HashMap<String, Contents>,
    pub orders: HashMap<String, Order>,
    pub attendees: HashMap<String, Attendees>,
    /// The tickets of orders, by order.
    pub tickets: HashMap<String, Vec<State>>,
    pub settled: HashMap<(String, PaymentOutcome), Kept>,
    pub unsettled: HashMap<String, Vec<Kept>>,
    pub changes: Changes,
}

/// What the group has decided so far. A refused request adds nothing but the payment that came with it.
#[derive(Default)]
pub(super) struct Changes {
    pub placed: Vec<NewOrder>,
    /// Orders from before this group.
    pub decided: Vec<Order>,
    /// Orders whose attendees are forgotten.
    pub forgotten: Vec<String>,
    pub issued: Vec<State>,
    pub refunded: Vec<Marked>,
    pub counts: Counts,
    pub messages: Vec<(MessageKind, String)>,
    pub answers: Vec<(Idempotency, String)>,
    pub payments: Vec<(Payment, &'static str)>,
    /// Payments that are settled only now: their ids and orders.
    pub settled_late: Vec<(String, String)>,
}

impl Changes {
    /// How many tickets are issued or changed.
    pub fn tickets(&self) -> usize {
        self.issued.len() + self.refunded.len()
    }
}

fn list<'a>(set: &BTreeSet<&'a str>) -> Vec<&'a str> {
    set.iter().copied().collect()
}

impl Ledger {
    /// Reads what a group needs. Each kind of row is one statement.
    pub async fn load(tx: &mut Move, needs: Needs<'_>) -> store::Result<Self> {
        let (tenant, stamp) = (tx.tenant(), tx.stamp());
        let Needs { keys, mut events, mut items, orders, payments, paid_orders } = needs;
        let answered = idempotency::find_answers(tx, tenant, &list(&keys)).await?;
        let order_ids = list(&orders);
        let orders = orders::find_all(tx, tenant, &order_ids).await?;
        let attendees = orders::attendees(tx, tenant, &order_ids).await?;
        let of_orders = rows::states_of_orders(tx, tenant, &order_ids).await?;
        let settled = payments::find_settled(tx, tenant, &payments).await?;
        let unsettled = payments::unsettled(tx, tenant, &list(&paid_orders)).await?;
        for order in orders.values() {
            events.insert(&order.event_id);
            items.extend(order.items.iter().map(|item| item.ticket_type_id.as_str()));
        }
        let events = events::statuses(tx, tenant, &list(&events)).await?;
        let contents = ticket_types::contents(tx, tenant, &list(&items)).await?;
        items.extend(contents.values().flatten().map(|(single, _)| single.as_str()));
        items.extend(of_orders.iter().map(|state| state.ticket_type_id.as_str()));
        let items = ticket_types::for_sale(tx, tenant, &list(&items)).await?;
        let mut tickets: HashMap<String, Vec<State>> = HashMap::new();
        for state in of_orders {
            let order_id = state.order_id.clone().unwrap_or_default();
            tickets.entry(order_id).or_default().push(state);
        }
        let changes = Changes::default();
        Ok(Self {
            tenant,
            stamp,
            answered,
            events,
            items,
            contents,
            orders,
            attendees,
            tickets,
            settled,
            unsettled,
            changes,
        })
    }

    /// Counts units as sold, or as given back, for whoever is decided next and for the database.
    pub fn sell(&mut self, id: &str, units: i64) {
        if let Some(item) = self.items.get_mut(id) {
            item.offer.sold += units;
        }
        self.changes.counts.sell(id, units);
    }

    /// Adds a message with the order as it is now.
    pub fn tell_order(&mut self, kind: MessageKind, order: &Order) -> store::Result<()> {
        self.changes.messages.push((kind, documents::render(order)?));
        Ok(())
    }

    /// Adds a message for each ticket as it is now.
    pub fn tell_tickets<'s>(
        &mut self,
        kind: MessageKind,
        states: impl Iterator<Item = &'s State>,
    ) -> store::Result<()> {
        for state in states {
            let item = self.items.get(&state.ticket_type_id);
            let item = item.ok_or_else(|| store::Error::internal("a ticket of a type that is not there"))?;
            let shown = state.shown(&item.name, item.category)?;
            self.changes.messages.extend(ticket_messages(kind, state, shown)?);
        }
        Ok(())
    }

    /// Writes everything that was decided. Each kind of row is one statement.
    pub async fn write(self, tx: &mut Move) -> store::Result<()> {
        let Changes { placed, decided, forgotten, issued, refunded, counts, messages, answers, payments, settled_late } =
            self.changes;
        orders::insert(tx, &placed).await?;
        orders::update(tx, &decided).await?;
        orders::forget_attendees(tx, &forgotten).await?;
        rows::insert(tx, &issued).await?;
        rows::update(tx, &refunded).await?;
        ticket_counts::write(tx, &counts).await?;
        outbox::add(tx, &messages).await?;
        idempotency::keep_answers(tx, &answers).await?;
        payments::keep(tx, &payments).await?;
        payments::settle(tx, &settled_late).await
    }
}
