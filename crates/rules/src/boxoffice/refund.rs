//! Refunding a whole order, and calling off the orders of a cancelled event.

use std::collections::HashSet;

use taquilla_domain::{
    moves::{OrderMove, TicketMove},
    order::Order,
    refusal::Refusal,
    status::{EventStatus, OrderStatus},
    webhook::MessageKind,
};
use taquilla_store::{
    ChangeResult,
    sales::{
        orders::Decided,
        pay_backs::{NewlyOwed, Owed},
        payments::ReportedPayment,
    },
    tickets::rows::{Mark, Marked},
};

use super::{counter_money::CounterMoney, ledger::Ledger};

impl Ledger {
    /// Refunds an approved order of a cancelled event, or rejects a pending one, which nobody can pay any more.
    pub fn call_off(&mut self, id: &str) -> ChangeResult<Order> {
        let order = self.order(id)?;
        let event = self.events.get(&order.event_id).ok_or(Refusal::NotFound("event"))?;
        if event.status != EventStatus::Cancelled {
            return Err(Refusal::EventNotCancelled.into());
        }
        match order.status {
            OrderStatus::Pending => self.reject(id),
            _ => self.refund(id, CounterMoney::default()),
        }
    }

    /// Refunds an order. Its tickets stop working, and so do the tickets they were passed on as, because those belong to
    /// the same order.
    pub fn refund(&mut self, id: &str, handed_back: CounterMoney<'_>) -> ChangeResult<Order> {
        let mut order = self.order(id)?.clone();
        order.status = OrderMove::Refund.from(order.status)?;
        order.updated_at = self.stamp;
        order.refunded_at = Some(self.stamp);
        let event = self.events.get(&order.event_id).ok_or(Refusal::NotFound("event"))?;
        let before = self.refunded_before.get(id).map_or(&[][..], Vec::as_slice);
        self.changes.sold.refund(&order, &event.zone, before);
        self.changes.of_promoters.refund(&order, &event.zone, before);
        // Staff approved it by hand and its payment came later. The same money must not be listed twice to be paid back.
        // What staff said they took themselves is other money.
        if order.payment_id.is_none()
            && order.payment_method.is_none()
            && let Some(late) = self.payment_that_fits(&order)
        {
            order.payment_id = Some(late.id.clone());
            self.changes.settled_late.push(late);
        }
        self.use_coupon(&order, -1);
        let owed = self.rest(&order);
        self.changes.owed.extend(owed.map(|owed| newly(owed, handed_back)));

        let mut refunded = Vec::new();
        let mut bundles = HashSet::new();
        for ticket in self.tickets.remove(id).unwrap_or_default() {
            // A ticket that was passed on stays transferred; the ticket that replaced it is in this order too.
            let Ok(status) = TicketMove::Refund.from(ticket.status) else { continue };
            if ticket.counts() {
                self.pools.take(&ticket.ticket_type_id, -1);
                match (&ticket.bundle_id, &ticket.bundle_unit) {
                    // All tickets of a sold bundle are refunded here, so the first of them gives the bundle's stock back.
                    (Some(bundle_id), unit) => {
                        if bundles.insert((bundle_id.clone(), unit.clone())) {
                            self.sell(bundle_id, -1);
                        }
                    }
                    (None, _) if ticket.from_bundle => {}
                    (None, _) => {
                        self.sell(&ticket.ticket_type_id, -1);
                        self.give(&order, -1);
                    }
                }
            }
            refunded.push(ticket.marked(status, Mark::Refunded, self.stamp, &mut self.changes.counts)?);
        }
        let document = self.tell_order(MessageKind::OrderRefunded, &order)?;
        let shown = refunded.iter().map(|marked: &Marked| (&marked.state, marked.document.as_str()));
        self.tell_tickets(MessageKind::TicketRefunded, shown)?;
        self.changes.refunded.append(&mut refunded);
        self.changes.decided.push(Decided { document, order: order.clone() });
        Ok(order)
    }

    /// What is to be paid back for an order and is not owed yet: of the payment that settled it, which may be less or more
    /// than the order costs, or of what staff or an import said was paid.
    fn rest(&self, order: &Order) -> Option<Owed> {
        let paid = self.paid(order);
        let amount = paid.amount - self.owed_before.get(&order.id).copied().unwrap_or_default();
        (amount > 0).then_some(Owed { amount, ..paid })
    }

    /// What was paid for an order.
    pub(super) fn paid(&self, order: &Order) -> Owed {
        let (order_id, payment) = (order.id.clone(), self.settled.get(&order.id));
        match payment {
            Some(ReportedPayment { id, amount, currency, .. }) => {
                Owed { order_id, payment_id: Some(id.clone()), amount: *amount, currency: currency.clone() }
            }
            None => Owed {
                order_id,
                payment_id: order.payment_id.clone(),
                amount: order.total,
                currency: order.currency.clone(),
            },
        }
    }
}

/// Staff hand back what they have: what a processor was paid stays to be paid back by the processor.
fn newly(owed: Owed, handed_back: CounterMoney<'_>) -> NewlyOwed {
    let handed_back = handed_back.method.filter(|_| owed.payment_id.is_none()).zip(handed_back.by);
    NewlyOwed { owed, handed_back: handed_back.map(|(method, by)| (method, by.to_owned())) }
}
