//! The table of moves: which move each status of an order or a ticket allows.
//!
//! A forbidden move is a `Refusal` with a stable code, the same over HTTP and at the command line. Stock moves in
//! `boxoffice/` only: a single ticket gives back its item's when it dies, a bundle when its last live ticket does, and
//! a transfer moves none.

use super::{
    refusal::Refusal,
    status::{OrderStatus, TicketStatus, named},
};

named! {
    /// A move of an order.
    OrderMove {
        /// Mark it as paid and issue its tickets.
        Approve = "approve",
        /// Give it up, because it will not be paid.
        Reject = "reject",
        /// Refund it; its tickets stop working.
        Refund = "refund",
    }
}

named! {
    /// A move of a ticket.
    TicketMove {
        /// Admit its holder.
        Scan = "scan",
        /// Take its entry back, because it was a mistake.
        UndoEntry = "undo_entry",
        /// Pass it on; a new ticket replaces it.
        Transfer = "transfer",
        /// Cancel it.
        Cancel = "cancel",
        /// Mark it as refunded, because its order was.
        Refund = "refund",
    }
}

impl OrderMove {
    /// The status after this move, or why it is not allowed.
    pub fn from(self, status: OrderStatus) -> Result<OrderStatus, Refusal> {
        match (self, status) {
            (Self::Approve, OrderStatus::Pending) => Ok(OrderStatus::Approved),
            (Self::Reject, OrderStatus::Pending) => Ok(OrderStatus::Rejected),
            (Self::Refund, OrderStatus::Approved) => Ok(OrderStatus::Refunded),
            (Self::Approve | Self::Reject, status) => Err(Refusal::OrderNotPending(status)),
            (Self::Refund, status) => Err(Refusal::OrderNotApproved(status)),
        }
    }
}

impl TicketMove {
    /// The status after this move, or why it is not allowed.
    pub fn from(self, status: TicketStatus) -> Result<TicketStatus, Refusal> {
        match (self, status) {
            (Self::Scan, TicketStatus::Valid) => Ok(TicketStatus::Scanned),
            (Self::UndoEntry, TicketStatus::Scanned) => Ok(TicketStatus::Valid),
            (Self::Transfer, TicketStatus::Valid) => Ok(TicketStatus::Transferred),
            (Self::Cancel, TicketStatus::Valid | TicketStatus::Scanned) => Ok(TicketStatus::Cancelled),
            // A refund takes precedence over a cancellation, so a cancelled ticket of a refunded order becomes
            // refunded.
            (Self::Refund, TicketStatus::Valid | TicketStatus::Scanned | TicketStatus::Cancelled) => {
                Ok(TicketStatus::Refunded)
            }
            (_, status) => Err(Refusal::TicketIs(status)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_of_an_order_is_allowed_or_refused_as_written_here() {
        use OrderStatus::{Approved, Pending, Refunded, Rejected};
        let table = [
            (OrderMove::Approve, [Some(Approved), None, None, None]),
            (OrderMove::Reject, [Some(Rejected), None, None, None]),
            (OrderMove::Refund, [None, Some(Refunded), None, None]),
        ];
        assert_eq!(table.map(|(step, _)| step), OrderMove::ALL);
        for (step, after) in table {
            for (status, expected) in [Pending, Approved, Rejected, Refunded].into_iter().zip(after) {
                assert_eq!(step.from(status).ok(), expected, "{step:?} of {status:?}");
            }
        }
        assert_eq!(OrderStatus::ALL, [Pending, Approved, Rejected, Refunded]);
    }

    #[test]
    fn every_move_of_a_ticket_is_allowed_or_refused_as_written_here() {
        use TicketStatus::{Cancelled, Refunded, Scanned, Transferred, Valid};
        let table = [
            (TicketMove::Scan, [Some(Scanned), None, None, None, None]),
            (TicketMove::UndoEntry, [None, Some(Valid), None, None, None]),
            (TicketMove::Transfer, [Some(Transferred), None, None, None, None]),
            (TicketMove::Cancel, [Some(Cancelled), Some(Cancelled), None, None, None]),
            (TicketMove::Refund, [Some(Refunded), Some(Refunded), None, Some(Refunded), None]),
        ];
        assert_eq!(table.map(|(step, _)| step), TicketMove::ALL);
        for (step, after) in table {
            for (status, expected) in [Valid, Scanned, Transferred, Cancelled, Refunded].into_iter().zip(after) {
                assert_eq!(step.from(status).ok(), expected, "{step:?} of {status:?}");
            }
        }
        assert_eq!(TicketStatus::ALL, [Valid, Scanned, Transferred, Cancelled, Refunded]);
    }
}
