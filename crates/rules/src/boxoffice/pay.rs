//! Payments reported by a payment processor.

use taquilla_domain::{order::Order, refusal::Refusal, status::PaymentOutcome};
use taquilla_store::{
    ChangeError, ChangeResult,
    sales::payments::{Payment, SETTLED, SettledLate},
};

use super::{ledger::Ledger, order_request::PastHolds};

impl Ledger {
    /// Approves or rejects the order of a payment. The caller has checked the signature.
    ///
    /// A repeated notice changes nothing and gets the order as it is. A notice that cannot be settled (there is no such
    /// order, the item is sold out, the order is already decided, the amount differs) is stored with its reason, because
    /// staff must deal with that money.
    pub fn settle(&mut self, payment: &Payment) -> ChangeResult<Order> {
        let settled = self.try_to_settle(payment);
        let is_money = payment.outcome == PaymentOutcome::Paid;
        if let Err(ChangeError::Refused(refusal)) = &settled
            && (is_money || payment.order_id.is_some())
        {
            self.changes.payments.push((payment.clone(), refusal.code()));
        }
        settled
    }

    fn try_to_settle(&mut self, payment: &Payment) -> ChangeResult<Order> {
        if let Some(fault) = &payment.fault {
            return Err(fault.clone().into());
        }
        let order_id = payment.order_id.as_deref().ok_or(Refusal::NotFound("order"))?;
        let order = self.order(order_id)?;
        let earlier = self.earlier.get(&(payment.id.clone(), payment.outcome)).map_or(&[][..], Vec::as_slice);
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
            true => self.approve(order_id, Some(payment.id.clone()), PastHolds::No)?,
            false => self.reject(order_id)?,
        };
        self.changes.payments.push((payment.clone(), SETTLED));
        self.changes.settled_late.extend(refused_elsewhere.then(|| SettledLate {
            id: payment.id.clone(),
            order_id: order_id.to_owned(),
            amount: payment.amount,
            currency: payment.currency.clone(),
        }));
        Ok(decided)
    }
}
