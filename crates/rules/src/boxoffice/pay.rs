//! Payments reported by a payment processor, and those that staff settle an order with.

use taquilla_domain::{
    order::Order,
    refusal::Refusal,
    status::{OrderStatus, PaymentOutcome},
    webhook::MessageKind,
};
use taquilla_store::{
    ChangeError, ChangeResult,
    sales::{
        orders::Decided,
        payment_lists::Fits,
        payments::{Payment, PaymentNotice, ReportedPayment, SETTLED, SETTLED_ELSEWHERE, SettledLate},
    },
};

use super::{counter_money::CounterMoney, ledger::Ledger, order_request::PastHolds};

impl Ledger {
    /// Approves or rejects the order of a payment. The caller has checked the signature.
    ///
    /// A repeated notice changes nothing and gets the order as it is. A notice that cannot be settled (there is no such
    /// order, the item is sold out, the order is already decided, the amount differs) is stored with its reason, because
    /// staff must deal with that money. Money that has paid for another order, or was paid back, needs nobody, for
    /// whichever order it is told of now.
    pub fn settle(&mut self, payment: &Payment) -> ChangeResult<Order> {
        let settled = self.try_to_settle(payment);
        let is_money = payment.outcome == PaymentOutcome::Paid;
        if let Err(ChangeError::Refused(refusal)) = &settled
            && (is_money || payment.order_id.is_some())
        {
            let same = || self.told_of(&payment.id, payment.outcome).iter().filter(|kept| kept.is_as_much_as(payment));
            let is_spent = is_money && same().any(ReportedPayment::is_settled);
            let told = PaymentNotice {
                payment: payment.clone(),
                result: if is_spent { SETTLED_ELSEWHERE } else { refusal.code() },
                paid_back_at: same().filter_map(|kept| kept.paid_back_at).min().filter(|_| !is_spent),
            };
            self.changes.payments.push(told);
        }
        settled
    }

    /// What was told before of a payment.
    fn told_of(&self, id: &str, outcome: PaymentOutcome) -> &[ReportedPayment] {
        self.earlier.get(&(id.to_owned(), outcome)).map_or(&[][..], Vec::as_slice)
    }

    fn try_to_settle(&mut self, payment: &Payment) -> ChangeResult<Order> {
        if let Some(fault) = &payment.fault {
            return Err(fault.clone().into());
        }
        let order_id = payment.order_id.as_deref().ok_or(Refusal::NotFound("order"))?;
        let order = self.order(order_id)?;
        let earlier = self.told_of(&payment.id, payment.outcome);
        let paid = payment.outcome == PaymentOutcome::Paid;
        if paid && self.changes.settles(&payment.id) {
            return Err(Refusal::PaymentMismatch.into());
        }
        match earlier.iter().find(|kept| kept.result == SETTLED) {
            Some(kept) if kept.is(payment) => return Ok(order.clone()),
            Some(_) => return Err(Refusal::PaymentMismatch.into()),
            None if earlier.iter().any(|kept| kept.paid_back_at.is_some()) => {
                return Err(Refusal::PaymentPaidBack.into());
            }
            None => {}
        }
        if paid && (payment.amount != order.total || payment.currency != order.currency) {
            return Err(Refusal::PaymentMismatch.into());
        }
        // The same money may have been refused for another reference. It needs nobody once it has paid for this one.
        let refused_elsewhere = earlier.iter().any(|kept| kept.is_open() && kept.is_as_much_as(payment));
        let decided = match paid {
            true => self.approve(order_id, Some(payment.id.clone()), PastHolds::No, CounterMoney::default())?,
            false => self.reject(order_id)?,
        };
        self.changes.payments.push(PaymentNotice { payment: payment.clone(), result: SETTLED, paid_back_at: None });
        self.changes.settled_late.extend(refused_elsewhere.then(|| SettledLate {
            id: payment.id.clone(),
            order_id: order_id.to_owned(),
            amount: payment.amount,
            currency: payment.currency.clone(),
        }));
        Ok(decided)
    }

    /// Settles an order with a payment that has paid for nothing, as staff say: whatever its amount is, and whichever
    /// order it was meant for. A pending order is approved by this; one that staff approved before has its payment now.
    pub fn settle_with(&mut self, order_id: &str, payment_id: &str, past_holds: PastHolds) -> ChangeResult<Order> {
        let order = self.order(order_id)?.clone();
        let told = self.told_of(payment_id, PaymentOutcome::Paid);
        if let Some(kept) = told.iter().find(|kept| kept.is_settled()) {
            return Err(Refusal::PaymentSettled(kept.order_id.clone().unwrap_or_default()).into());
        }
        if told.iter().any(|kept| kept.paid_back_at.is_some()) {
            return Err(Refusal::PaymentPaidBack.into());
        }
        // Another request of this group may have approved an order with it.
        if let Some(late) = self.changes.settled_late.iter().find(|late| late.id == payment_id) {
            return Err(Refusal::PaymentSettled(late.order_id.clone()).into());
        }
        // One that was told of for this order comes first: the same id may stand for other amounts elsewhere.
        let open = || told.iter().filter(|kept| kept.is_open());
        let meant = open().find(|kept| kept.order_id.as_deref() == Some(order_id));
        let kept = meant.or_else(|| open().max_by_key(|kept| kept.received_at)).ok_or(Refusal::NotFound("payment"))?;
        let late = SettledLate {
            id: kept.id.clone(),
            order_id: order_id.to_owned(),
            amount: kept.amount,
            currency: kept.currency.clone(),
        };
        let payment = Payment {
            id: kept.id.clone(),
            // Imported orders have no reference.
            reference: order.reference.clone().unwrap_or_else(|| order.id.clone()),
            order_id: Some(order_id.to_owned()),
            outcome: PaymentOutcome::Paid,
            amount: kept.amount,
            currency: kept.currency.clone(),
            fault: None,
        };
        let settled = match Fits::of(&order) {
            Fits::Waits => self.approve(order_id, Some(payment_id.to_owned()), past_holds, CounterMoney::default())?,
            Fits::Approved => {
                // What was refunded of it already came out of this money.
                let owed = self.owed_before.get(order_id).copied().unwrap_or_default();
                if owed > 0 && (owed > payment.amount || payment.currency != order.currency) {
                    return Err(Refusal::PaymentMismatch.into());
                }
                self.paid_later(order, payment_id)?
            }
            Fits::Nothing => match (order.status, order.payment_id) {
                (OrderStatus::Approved, Some(payment_id)) => return Err(Refusal::OrderPaid(payment_id).into()),
                (status, _) => return Err(Refusal::OrderNotPending(status).into()),
            },
        };
        self.changes.payments.push(PaymentNotice { payment, result: SETTLED, paid_back_at: None });
        self.changes.settled_late.push(late);
        Ok(settled)
    }

    /// Gives an order that staff approved by hand the payment that came for it.
    fn paid_later(&mut self, mut order: Order, payment_id: &str) -> ChangeResult<Order> {
        order.payment_id = Some(payment_id.to_owned());
        order.updated_at = self.stamp;
        let document = self.tell_order(MessageKind::OrderApproved, &order)?;
        self.changes.decided.push(Decided { document, order: order.clone() });
        Ok(order)
    }
}
