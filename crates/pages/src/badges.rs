//! How things stand, in a word and a colour.

use taquilla_domain::{
    admit::Outcome,
    credential::LifeState,
    status::{OrderStatus, TicketStatus},
    webhook::DeliveryStatus,
    work::WorkState,
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
        Outcome::EntryUndone => ("warn", "attempt-entry-undone"),
        Outcome::Reentered => ("good", "attempt-reentered"),
        Outcome::WentOut => ("quiet", "attempt-went-out"),
        Outcome::NotInside => ("warn", "attempt-not-inside"),
        Outcome::NoReentry => ("bad", "attempt-no-reentry"),
    };
    Badge { class, key }
}

/// How a key of the API stands.
pub fn of_key(state: LifeState) -> Badge {
    let (class, key) = match state {
        LifeState::Works => ("good", "key-works"),
        LifeState::Expired => ("quiet", "key-expired"),
        LifeState::Revoked => ("quiet", "key-revoked"),
    };
    Badge { class, key }
}

/// How a link of the door stands.
pub fn of_door_link(state: LifeState) -> Badge {
    let (class, key) = match state {
        LifeState::Works => ("good", "door-link-works"),
        LifeState::Expired => ("quiet", "door-link-expired"),
        LifeState::Revoked => ("quiet", "door-link-revoked"),
    };
    Badge { class, key }
}

/// What became of a message.
pub fn of_delivery(status: DeliveryStatus) -> Badge {
    let (class, key) = match status {
        DeliveryStatus::Pending => ("warn", "delivery-pending"),
        DeliveryStatus::Delivered => ("good", "delivery-delivered"),
        DeliveryStatus::Failed => ("bad", "delivery-failed"),
    };
    Badge { class, key }
}

/// How far a piece of work is.
pub fn of_work(state: WorkState) -> Badge {
    let (class, key) = match state {
        WorkState::Uploading => ("warn", "work-state-uploading"),
        WorkState::Checking => ("warn", "work-state-checking"),
        WorkState::Checked => ("warn", "work-state-checked"),
        WorkState::Running => ("warn", "work-state-running"),
        WorkState::Stopped => ("quiet", "work-state-stopped"),
        WorkState::Done => ("good", "work-state-done"),
        WorkState::Faulty => ("bad", "work-state-faulty"),
        WorkState::GivenUp => ("quiet", "work-state-given_up"),
    };
    Badge { class, key }
}
