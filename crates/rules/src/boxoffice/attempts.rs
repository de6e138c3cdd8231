//! Attempts to pay for an order at a payment processor: what is decided about them, in the groups of orders.
//!
//! Whatever a processor says of a session, by whichever way it was asked, is settled here and nowhere else. Settling the same
//! once more changes nothing.

use std::time::Duration;

use taquilla_domain::{
    attempt::{Attempt, AttemptState},
    clock::Stamp,
    config::{ATTEMPT_LOOK, ATTEMPTS_MAX, HELD_AFTER_SESSION, HELD_UNSURE},
    hold,
    order::Order,
    refusal::Refusal,
    status::{OrderStatus, PaymentOutcome},
};
use taquilla_payments::{Paid, Session, SessionState};
use taquilla_store::{ChangeError, ChangeResult, sales::payments::Payment};

use super::ledger::Ledger;

/// Something about an attempt to be decided.
pub(super) struct AttemptChange {
    pub order_id: String,
    /// The attempt's number among those of its order.
    pub number: i64,
    pub step: AttemptStep,
}

impl AttemptChange {
    /// The payments that it settles.
    pub fn payments(&self) -> &[Payment] {
        if let AttemptStep::Learn(Learnt::Said(_, payments)) = &self.step { payments } else { &[] }
    }
}

/// What is decided about an attempt.
pub(super) enum AttemptStep {
    /// It begins at the processor of this name, whose sessions can be paid for so long.
    Begin(String, Duration),
    /// It goes on with what was learnt of it.
    Learn(Learnt),
}

/// What was learnt of an attempt.
pub(super) enum Learnt {
    /// The processor has opened this session for it.
    Opened(Session),
    /// The processor opened none, for this reason.
    Refused(String),
    /// The processor said this of its session, with the payments that were made in it.
    Said(SessionState, Vec<Payment>),
    /// The processor could not be asked, for this reason.
    Trouble(String),
}

/// An order and an attempt to pay for it, as they stand now.
#[derive(Clone, Debug)]
pub struct Attempted {
    /// The order.
    pub order: Order,
    /// The attempt; `None` if none could begin: the order is decided or not held any more, or an attempt before it may still be paid.
    pub attempt: Option<Attempt>,
}

/// The payments of a session as notices of payments tell of them.
pub(super) fn payments(order: &Order, state: &SessionState) -> Vec<Payment> {
    let SessionState::Paid(paid) = state else { return vec![] };
    let payment = |Paid { id, amount, is_whole, currency }: &Paid| Payment {
        id: id.clone(),
        reference: order.reference.clone().unwrap_or_else(|| order.id.clone()),
        order_id: Some(order.id.clone()),
        outcome: PaymentOutcome::Paid,
        amount: *amount,
        currency: currency.clone(),
        fault: (!is_whole).then_some(Refusal::PaymentMismatch),
    };
    paid.iter().map(payment).collect()
}

impl Ledger {
    /// Decides about an attempt.
    pub(super) fn attempt(&mut self, change: &AttemptChange) -> ChangeResult<Attempted> {
        let (order_id, number) = (change.order_id.as_str(), change.number);
        let attempt = match &change.step {
            AttemptStep::Begin(processor, lasts) => self.begin_attempt(order_id, number, processor, *lasts)?,
            AttemptStep::Learn(learnt) => Some(self.learn(order_id, number, learnt)?),
        };
        Ok(Attempted { order: self.order(order_id)?.clone(), attempt })
    }

    fn learn(&mut self, order_id: &str, number: i64, learnt: &Learnt) -> ChangeResult<Attempt> {
        let mut known = self.attempts.get(order_id).into_iter().flatten();
        let known = known.find(|known| known.number == number);
        let mut attempt = known.cloned().ok_or(Refusal::NotFound("attempt"))?;
        match learnt {
            Learnt::Opened(session) => self.opened(order_id, &mut attempt, session)?,
            // Another server may have been told of a session meanwhile.
            Learnt::Refused(_) if attempt.session.is_some() => {}
            Learnt::Refused(problem) => {
                attempt.problem.clone_from(problem);
                self.stands(&mut attempt, AttemptState::Failed);
            }
            Learnt::Said(state, payments) => {
                attempt.problem.clear();
                attempt.looked_at = Some(self.now);
                self.said(order_id, &mut attempt, state, payments)?;
            }
            Learnt::Trouble(problem) => {
                attempt.problem.clone_from(problem);
                attempt.looked_at = Some(self.now);
                self.hold_on(order_id, &attempt)?;
            }
        }
        attempt.look_at = attempt.next_look(self.now);
        self.keep_attempt(order_id, attempt.clone());
        Ok(attempt)
    }

    /// Begins an attempt, once. The order must be held for its buyer, and no attempt before it may be open: the processor has
    /// closed their sessions first.
    fn begin_attempt(
        &mut self,
        order_id: &str,
        number: i64,
        processor: &str,
        lasts: Duration,
    ) -> ChangeResult<Option<Attempt>> {
        let order = self.order(order_id)?;
        let is_held = order.status == OrderStatus::Pending && order.held_until.is_some_and(|until| until > self.now);
        let known = self.attempts.get(order_id).map_or(&[][..], Vec::as_slice);
        if let Some(same) = known.iter().find(|known| known.number == number) {
            return Ok(Some(same.clone()).filter(|_| is_held));
        }
        let is_next = usize::try_from(number).is_ok_and(|number| number == known.len() + 1 && number <= ATTEMPTS_MAX);
        if !is_held || !is_next || known.iter().any(|known| known.state.is_open()) {
            return Ok(None);
        }
        let attempt = Attempt {
            number,
            processor: processor.to_owned(),
            state: AttemptState::Begun,
            session: None,
            url: None,
            problem: String::new(),
            created_at: self.now,
            expires_at: self.now.plus(lasts),
            ended_at: None,
            looked_at: None,
            look_at: Some(self.now.plus(ATTEMPT_LOOK)),
        };
        self.hold_until(order_id, lasts + HELD_AFTER_SESSION)?;
        self.keep_attempt(order_id, attempt.clone());
        Ok(Some(attempt))
    }

    /// The processor has opened a session. If another attempt was begun meanwhile, nobody is led to its page, and the reconciler
    /// closes it.
    fn opened(&mut self, order_id: &str, attempt: &mut Attempt, session: &Session) -> ChangeResult<()> {
        if attempt.session.is_some() {
            return Ok(());
        }
        let is_last = !self.attempts.get(order_id).into_iter().flatten().any(|other| other.number > attempt.number);
        attempt.session = Some(session.id.clone());
        attempt.url = is_last.then(|| session.url.clone());
        (attempt.state, attempt.ended_at) = (AttemptState::Open, None);
        attempt.problem.clear();
        attempt.expires_at = session.expires_at;
        self.hold_until(order_id, session.expires_at.since(self.now) + HELD_AFTER_SESSION)
    }

    /// Settles what the processor says. What was paid stays paid, whatever it says later.
    fn said(
        &mut self,
        order_id: &str,
        attempt: &mut Attempt,
        state: &SessionState,
        payments: &[Payment],
    ) -> ChangeResult<()> {
        for payment in payments {
            match self.settle(payment) {
                Ok(settled) => drop(self.orders.insert(order_id.to_owned(), settled)),
                // It is in the list of what staff must deal with.
                Err(ChangeError::Refused(_)) => {}
                Err(cause) => return Err(cause),
            }
        }
        let now = match state {
            SessionState::Paid(_) => AttemptState::Paid,
            _ if attempt.state == AttemptState::Paid => return Ok(()),
            SessionState::Open => AttemptState::Open,
            SessionState::Pending => AttemptState::Pending,
            SessionState::Failed => AttemptState::Failed,
            SessionState::Closed => AttemptState::Closed,
        };
        self.stands(attempt, now);
        self.hold_on(order_id, attempt)
    }

    fn stands(&self, attempt: &mut Attempt, state: AttemptState) {
        attempt.state = state;
        attempt.ended_at = if state.is_open() { None } else { attempt.ended_at.or(Some(self.now)) };
    }

    /// Holds an order on while its attempt may still be paid, although its session should be over: what it holds is free only
    /// when the processor has said so.
    fn hold_on(&mut self, order_id: &str, attempt: &Attempt) -> ChangeResult<()> {
        let is_unsure = attempt.state.is_open() && self.now < attempt.expires_at.plus(HELD_UNSURE);
        if is_unsure { self.hold_until(order_id, HELD_AFTER_SESSION) } else { Ok(()) }
    }

    /// Holds a pending order for so long from now, if its hold lasts and would end earlier.
    fn hold_until(&mut self, order_id: &str, lasts: Duration) -> ChangeResult<()> {
        let mut order = self.order(order_id)?.clone();
        let until: Stamp = hold::end(self.now, lasts);
        let is_short = order.held_until.is_some_and(|held| held > self.now && held < until);
        if order.status == OrderStatus::Pending && is_short {
            self.end_hold(&mut order);
            self.hold(&order, until);
            order.held_until = Some(until);
            self.changes.held_on.push((order_id.to_owned(), until));
            self.orders.insert(order_id.to_owned(), order);
        }
        Ok(())
    }

    fn keep_attempt(&mut self, order_id: &str, attempt: Attempt) {
        self.changes.attempts.push((order_id.to_owned(), attempt));
    }
}
