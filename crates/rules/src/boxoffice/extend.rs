//! Making a hold longer, for a buyer who needs more time.

use std::time::Duration;

use taquilla_domain::{hold, order::Order, refusal::Refusal, status::OrderStatus};
use taquilla_store::ChangeResult;

use super::ledger::Ledger;

impl Ledger {
    /// Makes the hold of a pending order longer: once, and only while it lasts, because what it held may be somebody else's by
    /// then.
    pub fn extend_hold(&mut self, id: &str, by: Duration) -> ChangeResult<Order> {
        let mut order = self.order(id)?.clone();
        if order.status != OrderStatus::Pending {
            return Err(Refusal::OrderNotPending(order.status).into());
        }
        let until = order.held_until.filter(|until| *until > self.now && !self.extended.contains(id));
        let until = hold::end(until.ok_or(Refusal::HoldStays)?, by);
        self.end_hold(&mut order);
        self.hold(&order, until);
        order.held_until = Some(until);
        self.changes.extended.push((id.to_owned(), until));
        Ok(order)
    }
}
