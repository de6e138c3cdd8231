//! Attempts to pay for an order at a payment processor: each is one session there.
//!
//! An attempt is written down before the processor is asked for its session, so whatever becomes of that question, there is
//! something to look at. An order has one attempt at a time that can still be paid: a new one closes the one before it.

use super::{clock::Stamp, status::named};
use crate::config::{ATTEMPT_LOOK, ATTEMPT_LOOKED_FOR};

named! {
    /// Where an attempt stands.
    AttemptState {
        /// It is written down, and the processor was asked for a session, or is being asked.
        Begun = "begun",
        /// Its session can be paid.
        Open = "open",
        /// The buyer has paid in a way that takes a while, and the processor waits for the money.
        Pending = "pending",
        /// The processor has the money.
        Paid = "paid",
        /// It was refused, or there never was a session.
        Failed = "failed",
        /// Its session is over, and nothing was paid.
        Closed = "closed",
    }
}

impl AttemptState {
    /// Whether money can still be expected of it.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Begun | Self::Open | Self::Pending)
    }
}

/// An attempt to pay for an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its number among those of its order, from 1.
    pub number: i64,
    /// The name of the processor.
    pub processor: String,
    /// Where it stands.
    pub state: AttemptState,
    /// The processor's id of its session, once there is one.
    pub session: Option<String>,
    /// The page where the buyer pays.
    pub url: Option<String>,
    /// What went wrong last, in the processor's words or ours; empty if nothing did.
    pub problem: String,
    /// When it was begun.
    pub created_at: Stamp,
    /// When its session can no longer be paid.
    pub expires_at: Stamp,
    /// When it was paid, refused or closed.
    pub ended_at: Option<Stamp>,
    /// When the processor was last asked about it.
    pub looked_at: Option<Stamp>,
    /// When to ask the processor again; `None` is never.
    pub look_at: Option<Stamp>,
}

impl Attempt {
    /// When to look at it again: soon while money is expected; then, because money comes late now and then, after pauses that
    /// double, and at last not any more.
    pub fn next_look(&self, now: Stamp) -> Option<Stamp> {
        let Some(ended_at) = self.ended_at else { return Some(now.plus(ATTEMPT_LOOK)) };
        let gone = now.since(ended_at);
        (self.session.is_some() && gone < ATTEMPT_LOOKED_FOR).then(|| now.plus(gone.max(ATTEMPT_LOOK)))
    }
}

/// The name of an attempt for a processor, which is the same whenever it is asked again: of the order, and its number.
pub fn name(order_id: &str, number: i64) -> String {
    format!("{order_id}-{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_ended_is_looked_at_less_and_less_and_then_no_more() {
        let ended = Stamp::from_micros(1_790_000_000_000_000);
        let mut attempt = Attempt {
            number: 1,
            processor: "stripe".to_owned(),
            state: AttemptState::Open,
            session: Some("cs_1".to_owned()),
            url: None,
            problem: String::new(),
            created_at: ended,
            expires_at: ended,
            ended_at: None,
            looked_at: None,
            look_at: None,
        };
        assert_eq!(attempt.next_look(ended), Some(ended.plus(ATTEMPT_LOOK)));
        attempt.ended_at = Some(ended);
        let mut looks = vec![ended];
        while let Some(next) = attempt.next_look(looks[looks.len() - 1]) {
            looks.push(next);
        }
        assert!((8..20).contains(&looks.len()), "{}", looks.len());
        assert!(looks[looks.len() - 1].since(ended) >= ATTEMPT_LOOKED_FOR);
        assert!(looks.windows(2).all(|pair| pair[0] < pair[1]));
        attempt.session = None;
        assert_eq!(attempt.next_look(ended), None, "nobody can have paid where there was no session");
    }
}
