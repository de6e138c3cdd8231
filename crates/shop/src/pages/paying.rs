//! What the page of an order says of paying at a processor.

use taquilla_domain::attempt::{Attempt, AttemptState};
use taquilla_http::app::App;

/// How a buyer pays for an order that is held.
pub enum Paying {
    /// There is no processor: the buyer pays the producer in some way.
    ByHand,
    /// At a processor.
    There {
        /// What became of the attempt before.
        last: Option<Last>,
        /// The number of the attempt that the form begins or goes on with.
        number: i64,
    },
    /// The processor waits for the money of an attempt.
    Waits,
}

/// What became of the attempt before.
#[derive(Clone, Copy)]
pub enum Last {
    /// Its page may still be paid.
    Open,
    /// The payment was refused, or the processor could not be asked.
    Failed,
    /// It was left without a payment.
    Closed,
}

impl Paying {
    /// How a buyer pays, after these attempts.
    pub fn after(attempts: &[Attempt], app: &App) -> Self {
        if !app.cashier.for_buyers().1.opens_sessions() {
            return Self::ByHand;
        }
        let Some(last) = attempts.last() else { return Self::There { last: None, number: 1 } };
        let (said, number) = match last.state {
            AttemptState::Pending => return Self::Waits,
            AttemptState::Open => (Last::Open, last.number),
            AttemptState::Begun | AttemptState::Failed => (Last::Failed, last.number + 1),
            AttemptState::Paid | AttemptState::Closed => (Last::Closed, last.number + 1),
        };
        Self::There { last: Some(said), number }
    }

    /// The text that says what became of the attempt before.
    pub fn said(&self) -> Option<&'static str> {
        let Self::There { last, .. } = self else { return None };
        last.map(|last| match last {
            Last::Open => "bought-pay-open",
            Last::Failed => "bought-pay-failed",
            Last::Closed => "bought-pay-closed",
        })
    }

    /// Whether the payment before did not work.
    pub fn has_failed(&self) -> bool {
        matches!(self, Self::There { last: Some(Last::Failed), .. })
    }
}
