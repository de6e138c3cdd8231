//! Refunding single tickets of an order.
//!
//! `refunded` says that the order was. So a ticket that is refunded alone reads `cancelled`, and its order stays approved.
//! What is owed for it is its share of what was paid. A bundle is refunded as the unit that was sold. Once no ticket would
//! be left, the order is refunded as a whole, and owes the rest.

use std::collections::{BTreeMap, HashSet};

use taquilla_domain::{
    moves::{OrderMove, TicketMove},
    order::{Order, share},
    refusal::Refusal,
    webhook::MessageKind,
};
use taquilla_store::{
    ChangeResult,
    sales::{
        orders::Decided,
        pay_backs::{NewlyOwed, Owed},
        refunded_items::{self, RefundedItem},
    },
    tickets::rows::{Mark, Marked, State},
};

use super::{counter_money::CounterMoney, ledger::Ledger};

/// What was sold as one: a ticket, or the tickets of a bundle.
struct Unit {
    /// The position of its item in the order.
    position: i64,
    /// Its tickets that work.
    tickets: Vec<State>,
}

impl Ledger {
    /// Refunds tickets of an approved order.
    pub fn refund_tickets(&mut self, id: &str, chosen: &[String]) -> ChangeResult<Order> {
        let mut order = self.order(id)?.clone();
        OrderMove::Refund.from(order.status)?;
        let units = self.units(&order, chosen)?;
        let works = |ticket: &&State| TicketMove::Cancel.from(ticket.status).is_ok();
        let working = self.tickets.get(id).map_or(0, |tickets| tickets.iter().filter(works).count());
        if units.iter().map(|unit| unit.tickets.len()).sum::<usize>() == working {
            return self.refund(id, CounterMoney::default());
        }
        // As with the refund of an order: the same money must not be listed twice to be paid back.
        if order.payment_id.is_none()
            && order.payment_method.is_none()
            && let Some(late) = self.payment_that_fits(&order)
        {
            (order.payment_id, order.updated_at) = (Some(late.id.clone()), self.stamp);
            self.changes.settled_late.push(late);
            let document = self.tell_order(MessageKind::OrderApproved, &order)?;
            self.changes.decided.push(Decided { document, order: order.clone() });
        }
        let items = self.refunded_items(&order, &units);
        let event = self.events.get(&order.event_id).ok_or(Refusal::NotFound("event"))?;
        self.changes.sold.refund_items(&order, &event.zone, &items);
        self.changes.of_promoters.refund_items(&order, &event.zone, &items);
        let price = items.iter().map(|item| item.amount).sum();
        let (paid, before) = (self.paid(&order), self.owed_before.get(id).copied().unwrap_or_default());
        let amount = share(paid.amount, order.total, price).min(paid.amount - before);
        self.changes
            .owed
            .extend((amount > 0).then_some(NewlyOwed { owed: Owed { amount, ..paid }, handed_back: None }));
        self.changes.refunded_items.extend(items);

        let mut cancelled: Vec<Marked> = Vec::new();
        for unit in units {
            if let Some(counted) = unit.tickets.iter().find(|ticket| ticket.counts()) {
                self.sell(&counted.bundle_id.clone().unwrap_or_else(|| counted.ticket_type_id.clone()), -1);
                self.give(&order, -1);
            }
            for ticket in unit.tickets {
                if ticket.counts() {
                    self.pools.take(&ticket.ticket_type_id, -1);
                }
                let status = TicketMove::Cancel.from(ticket.status)?;
                cancelled.push(ticket.marked(status, Mark::Cancelled, self.stamp, &mut self.changes.counts)?);
            }
        }
        let shown = cancelled.iter().map(|marked| (&marked.state, marked.document.as_str()));
        self.tell_tickets(MessageKind::TicketCancelled, shown)?;
        self.changes.refunded.append(&mut cancelled);
        Ok(order)
    }

    /// The units that these tickets belong to, each once.
    fn units(&self, order: &Order, chosen: &[String]) -> Result<Vec<Unit>, Refusal> {
        let tickets = self.tickets.get(&order.id).map_or(&[][..], Vec::as_slice);
        let (mut units, mut taken) = (Vec::new(), HashSet::new());
        for id in chosen {
            let ticket = tickets.iter().find(|ticket| ticket.id == *id).ok_or(Refusal::NotFound("ticket"))?;
            TicketMove::Cancel.from(ticket.status)?;
            let position = ticket.order_item.filter(|position| (0..order.items.len() as i64).contains(position));
            let position = position.filter(|_| !ticket.from_bundle || ticket.bundle_id.is_some()).ok_or_else(|| {
                let message = "which item of its order it was sold as is not known, so its price is not either; refund the \
                     whole order";
                Refusal::invalid("ticket", message)
            })?;
            if taken.contains(id) {
                continue;
            }
            let is_same = |other: &&State| match &ticket.bundle_id {
                Some(_) => other.bundle_id == ticket.bundle_id && other.bundle_unit == ticket.bundle_unit,
                None => other.id == ticket.id,
            };
            let works = |other: &&State| TicketMove::Cancel.from(other.status).is_ok();
            let tickets: Vec<State> = tickets.iter().filter(is_same).filter(works).cloned().collect();
            taken.extend(tickets.iter().map(|ticket| ticket.id.clone()));
            units.push(Unit { position, tickets });
        }
        if units.is_empty() {
            return Err(Refusal::invalid("ticket", "choose at least one ticket"));
        }
        Ok(units)
    }

    /// What is refunded of each item. An imported order may have more tickets than units; what is refunded of an item is
    /// never more than was sold of it.
    fn refunded_items(&self, order: &Order, units: &[Unit]) -> Vec<RefundedItem> {
        let before = self.refunded_before.get(&order.id).map_or(&[][..], Vec::as_slice);
        let mut counted: BTreeMap<i64, i64> = BTreeMap::new();
        for unit in units {
            *counted.entry(unit.position).or_default() += 1;
        }
        let refunded = |(position, units): (i64, i64)| {
            let item = order.items.get(usize::try_from(position).ok()?)?;
            let (left, money) = refunded_items::left(before, position, item.quantity, item.total);
            let units = units.min(left);
            let amount = units.saturating_mul(item.unit_price).min(money);
            let (order_id, refunded_at) = (order.id.clone(), self.stamp);
            (units > 0).then_some(RefundedItem { order_id, refunded_at, position, units, amount })
        };
        counted.into_iter().filter_map(refunded).collect()
    }
}
