//! What is asked about attempts to pay for an order at a payment processor.

use std::time::Duration;

use taquilla_domain::order::Order;
use taquilla_payments::{Session, SessionState};

use super::{
    attempts::{self, AttemptChange, AttemptStep, Attempted, Learnt},
    request::{Request, What},
};

impl Request<Attempted> {
    /// Begins the attempt of this number to pay for an order, at the processor of this name, whose sessions last so long. The same
    /// one begins once.
    pub fn begin_attempt(order_id: &str, number: i64, processor: &str, lasts: Duration) -> Self {
        Self::of_attempt(order_id, number, AttemptStep::Begin(processor.to_owned(), lasts))
    }

    /// The processor has opened a session for an attempt.
    pub fn attempt_opened(order_id: &str, number: i64, session: Session) -> Self {
        Self::of_attempt(order_id, number, AttemptStep::Learn(Learnt::Opened(session)))
    }

    /// The processor has opened none, for this reason.
    pub fn attempt_refused(order_id: &str, number: i64, reason: String) -> Self {
        Self::of_attempt(order_id, number, AttemptStep::Learn(Learnt::Refused(reason)))
    }

    /// The processor could not be asked about an attempt, for this reason.
    pub fn attempt_unknown(order_id: &str, number: i64, reason: String) -> Self {
        Self::of_attempt(order_id, number, AttemptStep::Learn(Learnt::Trouble(reason)))
    }

    /// Settles what the processor says of an attempt's session. Payments approve the order, or are listed for staff.
    pub fn settle_attempt(order: &Order, number: i64, state: SessionState) -> Self {
        let payments = attempts::payments(order, &state);
        Self::of_attempt(&order.id, number, AttemptStep::Learn(Learnt::Said(state, payments)))
    }

    fn of_attempt(order_id: &str, number: i64, step: AttemptStep) -> Self {
        let change = AttemptChange { order_id: order_id.to_owned(), number, step };
        Self::new(|reply| What::Attempt(change, reply))
    }
}
