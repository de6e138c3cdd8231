//! Payments reported by a payment processor.

use super::ledger::Ledger;
use crate::{
    domain::{order::Order, refusal::Refusal, status::PaymentOutcome},
    store::{
        ChangeError, ChangeResult,
        sales::payments::{Payment, SETTLED},
    },
};

impl Ledger {
    /// Approves or rejects the order of a payment. The caller has checked the signature.
    ///
    /// A repeated notice changes nothing and gets the order as it is. A notice that cannot be settled (the item is sold
    /// out, the order is already decided, the amount differs) is stored with its reason, because staff must deal with
    /// that money.
    pub fn settle(&mut self, payment: &Payment) -> ChangeResult<Order> {
        let settled = self.try_to_settle(payment);
        if let Err(ChangeError::Refused(refusal)) = &settled {
            self.changes.payments.push((payment.clone(), refusal.code()));
        }
        settled
    }

    fn try_to_settle(&mut self, payment: &Payment) -> ChangeResult<Order> {
        let order = self.order(&payment.order_id)?;
        match self.settled.get(&(payment.id.clone(), payment.outcome)) {
            Some(kept) if kept.is(payment) => return Ok(order.clone()),
            Some(_) => return Err(Refusal::PaymentMismatch.into()),
            None => {}
        }
        let paid = payment.outcome == PaymentOutcome::Paid;
        if paid && (payment.amount != order.total || payment.currency != order.currency) {
            return Err(Refusal::PaymentMismatch.into());
        }
        let decided = match paid {
            true => self.approve(&payment.order_id, Some(payment.id.clone()))?,
            false => self.reject(&payment.order_id)?,
        };
        self.changes.payments.push((payment.clone(), SETTLED));
        Ok(decided)
    }
}
