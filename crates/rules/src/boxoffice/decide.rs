//! Deciding a pending order: approve it and issue its tickets, or reject it.

use taquilla_domain::{
    config::ORDER_TICKETS_MAX,
    id,
    moves::OrderMove,
    order::{Order, OrderItem},
    person::Person,
    refusal::Refusal,
    status::{EventStatus, ItemKind},
    webhook::MessageKind,
};
use taquilla_store::{
    ChangeResult,
    sales::{
        orders::Decided,
        payments::{ReportedPayment, SettledLate},
    },
    tickets::rows::{Issued, NewTicket},
};

use super::{counter_money::CounterMoney, ledger::Ledger, order_request::PastHolds, sell::units};

impl Ledger {
    /// Approves a pending order by hand. If money of the right amount came for it and has paid for nothing yet, the oldest
    /// such payment is settled by this. Any other stays unsettled, because it is money that staff must deal with. So does
    /// one whose notice was wrong.
    /// Staff who say how they were paid have other money than that.
    pub fn approve_by_hand(
        &mut self,
        order_id: &str,
        past_holds: PastHolds,
        taken: CounterMoney<'_>,
    ) -> ChangeResult<Order> {
        let order = self.order(order_id)?;
        let late = if taken.method.is_none() { self.payment_that_fits(order) } else { None };
        let taken = if late.is_none() { taken } else { CounterMoney::default() };
        let approved = self.approve(order_id, late.as_ref().map(|late| late.id.clone()), past_holds, taken)?;
        self.changes.settled_late.extend(late);
        Ok(approved)
    }

    /// The oldest payment for an order that has settled nothing, of just what the order costs.
    pub(super) fn payment_that_fits(&self, order: &Order) -> Option<SettledLate> {
        let fits = |kept: &&ReportedPayment| {
            kept.amount == order.total
                && kept.currency == order.currency
                && kept.result != Refusal::INVALID
                && !self.changes.settles(&kept.id)
        };
        let kept = self.unsettled.get(&order.id)?.iter().find(fits)?;
        Some(SettledLate {
            id: kept.id.clone(),
            order_id: order.id.clone(),
            amount: kept.amount,
            currency: kept.currency.clone(),
        })
    }

    /// Approves a pending order: checks its stock again and issues its tickets. What the order itself holds is there for
    /// it. An order whose hold has ended takes what nobody else holds.
    pub(super) fn approve(
        &mut self,
        id: &str,
        payment_id: Option<String>,
        past_holds: PastHolds,
        taken: CounterMoney<'_>,
    ) -> ChangeResult<Order> {
        let mut order = self.order(id)?.clone();
        order.status = OrderMove::Approve.from(order.status)?;
        // The event may have been cancelled, or tickets imported, since the order was placed.
        if self.events.get(&order.event_id).is_some_and(|event| event.status == EventStatus::Cancelled) {
            return Err(Refusal::EventNotOnSale.into());
        }
        if self.tickets.get(id).is_some_and(|tickets| !tickets.is_empty()) {
            return Err(Refusal::OrderHasTickets.into());
        }
        if order.held_until.is_none_or(|until| until <= self.now) {
            let free = self.check_free(&order.items, past_holds).map_err(|refusal| match refusal {
                Refusal::Held { item, until, .. } => Refusal::HoldEnded { item, until },
                refusal => refusal,
            })?;
            let past = self.coupon_again(&order, past_holds)?.then_some(self.stamp);
            order.past_holds_at = order.past_holds_at.or(free).or(past);
        }
        order.updated_at = self.stamp;
        if order.total > 0 {
            order.paid_at = Some(self.stamp);
            order.payment_method = taken.method;
        }
        order.sold_by = taken.by.map(str::to_owned);
        if payment_id.is_some() {
            order.payment_id = payment_id;
        }
        // A group decides an order once, so nobody else needs its attendees.
        let named = self.attendees.remove(id).unwrap_or_default();
        let document = self.issue(&order, |position, unit| named.get(&(position as i64, unit as i64)))?;
        self.end_hold(&mut order);
        if !named.is_empty() {
            self.changes.forgotten.push(id.to_owned());
        }
        self.changes.decided.push(Decided { document, order: order.clone() });
        Ok(order)
    }

    /// Rejects a pending order.
    pub fn reject(&mut self, id: &str) -> ChangeResult<Order> {
        let mut order = self.order(id)?.clone();
        order.status = OrderMove::Reject.from(order.status)?;
        order.updated_at = self.stamp;
        self.end_hold(&mut order);
        let document = self.tell_order(MessageKind::OrderRejected, &order)?;
        self.changes.forgotten.push(id.to_owned());
        self.changes.decided.push(Decided { document, order: order.clone() });
        Ok(order)
    }

    /// An order from before this group.
    pub(super) fn order(&self, id: &str) -> Result<&Order, Refusal> {
        self.orders.get(id).ok_or(Refusal::NotFound("order"))
    }

    /// Takes the stock of an approved order and issues its tickets: one for each unit of a single item, and one for each
    /// item in each unit of a bundle. `attendee` knows who was named for an item's position and a unit of it. Returns what
    /// the API shows of the order.
    pub(super) fn issue<'a>(
        &mut self,
        order: &'a Order,
        attendee: impl Fn(usize, usize) -> Option<&'a Person>,
    ) -> ChangeResult<String> {
        let singles = self.singles(&order.items)?;
        let wanted = units(&order.items);
        for (id, quantity) in &wanted {
            self.items.get(*id).ok_or(Refusal::NotFound("ticket type"))?.offer.has_left(*quantity)?;
        }
        self.pools.have_left(&wanted)?;
        self.coupon_has_left(order)?;
        for (id, quantity) in wanted {
            self.sell(id, quantity);
            self.pools.take(id, quantity);
        }
        self.use_coupon(order, 1);
        let event = self.events.get(&order.event_id).ok_or(Refusal::NotFound("event"))?;
        self.changes.sold.sell(order, &event.zone);
        self.changes.of_promoters.sell(order, &event.zone);
        // What is given away are single tickets.
        self.give(order, order.items.iter().map(|item| item.quantity).sum());
        let mut issued: Vec<Issued> = Vec::new();
        for (position, (item, singles)) in order.items.iter().zip(&singles).enumerate() {
            let bundle = (item.kind == ItemKind::Bundle).then_some(item.ticket_type_id.as_str());
            for unit in 0..item.quantity {
                let attendee = attendee(position, unit as usize).unwrap_or(&order.buyer);
                for (ticket_type_id, quantity) in singles {
                    for _ in 0..*quantity {
                        let new = NewTicket {
                            id: id::new_ticket_id(),
                            event_id: &order.event_id,
                            order_id: Some(&order.id),
                            order_item: Some(position as i64),
                            ticket_type_id,
                            bundle: bundle.map(|id| (id, format!("{}/{position}/{unit}", order.id))),
                            from_bundle: bundle.is_some(),
                            hidden: false,
                            attendee,
                        };
                        issued.push(new.issued(self.stamp, &mut self.changes.counts)?);
                    }
                }
            }
        }
        let document = self.tell_order(MessageKind::OrderApproved, order)?;
        self.tell_tickets(MessageKind::TicketIssued, issued.iter().map(|new| (&new.state, new.document.as_str())))?;
        self.changes.issued.append(&mut issued);
        Ok(document)
    }

    /// The single items that one unit of each order item becomes, and how many of each. Refuses an order with too many
    /// tickets.
    pub(super) fn singles(&self, items: &[OrderItem]) -> Result<Vec<Vec<(String, i64)>>, Refusal> {
        let mut all = Vec::with_capacity(items.len());
        let mut count = 0_i64;
        for item in items {
            let singles = match item.kind {
                ItemKind::TicketType => vec![(item.ticket_type_id.clone(), 1)],
                ItemKind::Bundle => self.contents.get(&item.ticket_type_id).cloned().unwrap_or_default(),
            };
            let per_unit = singles.iter().fold(0_i64, |sum, (_, quantity)| sum.saturating_add(*quantity));
            count = count.saturating_add(item.quantity.saturating_mul(per_unit));
            all.push(singles);
        }
        if count > ORDER_TICKETS_MAX {
            let message =
                format!("an order becomes {ORDER_TICKETS_MAX} tickets at most; this one would become {count}");
            return Err(Refusal::invalid("items", message));
        }
        Ok(all)
    }
}
