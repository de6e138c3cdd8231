//! Webhooks: kinds of messages, states of endpoints and deliveries, and what follows from an attempt.

use std::time::Duration;

use super::{clock::Stamp, status::named};
use crate::config::{WEBHOOK_JITTER, WEBHOOK_LADDER};

named! {
    /// The kind of a message. (An event is a concert; what a webhook carries is a message.)
    MessageKind {
        /// A ticket was issued.
        TicketIssued = "ticket.issued",
        /// A ticket entered.
        TicketScanned = "ticket.scanned",
        /// A ticket's entry was taken back. It is valid again.
        TicketEntryUndone = "ticket.entry_undone",
        /// A ticket was passed on.
        TicketTransferred = "ticket.transferred",
        /// A ticket was cancelled.
        TicketCancelled = "ticket.cancelled",
        /// A ticket's order was refunded.
        TicketRefunded = "ticket.refunded",
        /// A ticket was hidden, or a message tells of a hidden ticket. It is in no list and no count.
        TicketHidden = "ticket.hidden",
        /// What the scanner shows with a ticket was changed. The ticket itself has only another `updated_at`.
        TicketNoted = "ticket.noted",
        /// What was held of a ticket's attendee was erased. The ticket is as good as before.
        TicketPersonErased = "ticket.person_erased",
        /// An order was placed.
        OrderCreated = "order.created",
        /// An order was paid.
        OrderApproved = "order.approved",
        /// An order will not be paid.
        OrderRejected = "order.rejected",
        /// An order was refunded.
        OrderRefunded = "order.refunded",
        /// What was held of an order's buyer was erased.
        OrderPersonErased = "order.person_erased",
        /// An event is new, or it or one of its ticket types changed.
        EventUpdated = "event.updated",
        /// A ticket type or bundle is new or changed.
        TicketTypeUpdated = "ticket_type.updated",
        /// A test of one endpoint. Only that endpoint gets the message.
        WebhookTest = "webhook.test",
    }
}

impl MessageKind {
    /// Whether such a message is of a ticket, and has its id.
    pub fn is_of_ticket(self) -> bool {
        self.as_str().starts_with("ticket.")
    }
}

named! {
    /// Whether messages are sent to an endpoint. While they are not, they wait.
    EndpointState {
        /// Messages are sent.
        Active = "active",
        /// Staff paused it.
        Paused = "paused",
        /// Every attempt failed for days.
        Failing = "failing",
        /// The receiver answered that it is gone (410).
        Gone = "gone",
    }
}

impl EndpointState {
    /// Whether messages are sent to such an endpoint.
    pub fn is_sent_to(self) -> bool {
        self == Self::Active
    }
}

named! {
    /// The status of a delivery.
    DeliveryStatus {
        /// It waits for its first attempt, or for the next one.
        Pending = "pending",
        /// The receiver accepted it.
        Delivered = "delivered",
        /// Its last attempt failed too; only a replay sends it again.
        Failed = "failed",
    }
}

/// What follows from an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The receiver accepted it.
    Delivered,
    /// It is sent again at this time.
    Again(Stamp),
    /// It was sent before its time and failed. The attempt does not count: the next one comes when it would have, but
    /// not before this time.
    AsPlanned(Stamp),
    /// It failed, and this was its last attempt.
    Failed,
}

/// Whether this status means that the receiver accepted the message. A redirect does not, because it is not followed.
pub fn is_success(status: Option<u16>) -> bool {
    status.is_some_and(|status| (200..300).contains(&status))
}

/// Decides what follows from an answer. `failed_before` is how many attempts of this round failed before. `chance`,
/// from 0 to 1, is the part of the jitter by which the wait is longer. A receiver may ask for a longer wait, not for a
/// shorter one.
pub fn judge(
    status: Option<u16>,
    retry_after: Option<Duration>,
    failed_before: usize,
    chance: f64,
    now: Stamp,
) -> Verdict {
    if is_success(status) {
        return Verdict::Delivered;
    }
    match WEBHOOK_LADDER.get(failed_before) {
        Some(step) => {
            let wait = step.mul_f64(1.0 + WEBHOOK_JITTER * chance);
            Verdict::Again(now.plus(wait.max(retry_after.unwrap_or_default())))
        }
        None => Verdict::Failed,
    }
}

/// Decides what follows from an answer to a message that was sent before its time. A failure leaves the message where it
/// was on the ladder, so that a receiver that comes and goes does not use up its attempts.
pub fn judge_early(status: Option<u16>, retry_after: Option<Duration>, now: Stamp) -> Verdict {
    match is_success(status) {
        true => Verdict::Delivered,
        false => Verdict::AsPlanned(now.plus(retry_after.unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Stamp = Stamp::from_micros(1_786_406_400_000_000);

    #[test]
    fn ten_attempts_in_21_hours_1_minute_and_5_seconds() {
        let mut now = NOW;
        let mut attempts = 1;
        while let Verdict::Again(next) = judge(Some(500), None, attempts - 1, 0.0, now) {
            now = next;
            attempts += 1;
        }
        assert_eq!(attempts, 10);
        assert_eq!(now, NOW.plus(Duration::from_secs(21 * 3600 + 60 + 5)));
    }

    #[test]
    fn jitter_adds_a_tenth_at_the_most() {
        for (failed_before, step) in WEBHOOK_LADDER.iter().enumerate() {
            assert_eq!(judge(None, None, failed_before, 1.0, NOW), Verdict::Again(NOW.plus(step.mul_f64(1.1))));
        }
    }

    #[test]
    fn a_receiver_gets_more_time_and_never_less() {
        let after = |seconds| judge(Some(429), Some(Duration::from_secs(seconds)), 1, 0.0, NOW);
        assert_eq!(after(600), Verdict::Again(NOW.plus(Duration::from_mins(10))));
        assert_eq!(after(1), Verdict::Again(NOW.plus(Duration::from_mins(1))));
        assert_eq!(judge(Some(503), Some(Duration::from_mins(1)), 9, 0.0, NOW), Verdict::Failed);
    }

    #[test]
    fn only_2xx_is_success() {
        for status in [200, 201, 204, 299] {
            assert_eq!(judge(Some(status), None, 0, 0.0, NOW), Verdict::Delivered);
        }
        for status in [None, Some(100), Some(199), Some(301), Some(304), Some(307), Some(400), Some(410), Some(500)] {
            assert!(matches!(judge(status, None, 0, 0.0, NOW), Verdict::Again(_)), "{status:?}");
        }
    }
}
