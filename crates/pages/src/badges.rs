//! How things stand, in a word and a colour.

use taquilla_domain::{
    admit::Outcome,
    status::{OrderStatus, TicketStatus},
};

/// A word on a coloured ground.
#[derive(Clone, Copy, Debug)]
pub struct Badge {
    /// `good`, `warn`, `bad` or `quiet`.
    pub class: &'static str,
    /// The text's key.
    pub key: &'static str,
}

/// How an order stands.
pub fn of_order(status: OrderStatus) -> Badge {
    let (class, key) = match status {
        OrderStatus::Pending => ("warn", "order-pending"),
        OrderStatus::Approved => ("good", "order-approved"),
        OrderStatus::Rejected => ("quiet", "order-rejected"),
        OrderStatus::Refunded => ("bad", "order-refunded"),
    };
    Badge { class, key }
}

/// How a ticket stands.
pub fn of_ticket(status: TicketStatus) -> Badge {
    let (class, key) = match status {
        TicketStatus::Valid => ("good", "ticket-valid"),
        TicketStatus::Scanned => ("good", "ticket-scanned"),
        TicketStatus::Transferred => ("quiet", "ticket-transferred"),
        TicketStatus::Cancelled => ("bad", "ticket-cancelled"),
        TicketStatus::Refunded => ("bad", "ticket-refunded"),
    };
    Badge { class, key }
}

/// What became of an attempt to enter.
pub fn of_attempt(outcome: Outcome) -> Badge {
    let (class, key) = match outcome {
        Outcome::Admitted => ("good", "attempt-admitted"),
        Outcome::AlreadyScanned => ("warn", "attempt-already-scanned"),
        Outcome::Transferred => ("bad", "attempt-transferred"),
        Outcome::Cancelled => ("bad", "attempt-cancelled"),
        Outcome::Refunded => ("bad", "attempt-refunded"),
        Outcome::Unknown => ("bad", "attempt-unknown"),
        Outcome::WrongEvent => ("bad", "attempt-wrong-event"),
        Outcome::NotHere => ("bad", "attempt-not-here"),
        Outcome::TurnedAway => ("bad", "attempt-turned-away"),
    };
    Badge { class, key }
}
