//! Which moves an order or a ticket allows in which state: the whole table, and nothing else.

use super::{
    refusal::Refusal,
    status::{OrderStatus, TicketStatus, named},
};

named! {
    /// What can be done with an order.
    OrderMove {
        /// It is paid: issue its tickets.
        Approve = "approve",
        /// It will not be paid.
        Reject = "reject",
        /// Pay it back: its tickets no longer work.
        Refund = "refund",
    }
}

named! {
    /// What can be done with a ticket.
    TicketMove {
        /// Let its holder in.
        Scan = "scan",
        /// Pass it on: a new ticket takes its place.
        Transfer = "transfer",
        /// Take it back.
        Cancel = "cancel",
        /// Its order was paid back.
        Refund = "refund",
    }
}

impl OrderMove {
    /// The state after this move, or why it is not allowed.
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
    /// The state after this move, or why it is not allowed.
    pub fn from(self, status: TicketStatus) -> Result<TicketStatus, Refusal> {
        match (self, status) {
            (Self::Scan, TicketStatus::Valid) => Ok(TicketStatus::Scanned),
            (Self::Transfer, TicketStatus::Valid) => Ok(TicketStatus::Transferred),
            (Self::Cancel, TicketStatus::Valid | TicketStatus::Scanned) => Ok(TicketStatus::Cancelled),
            // A refund outweighs a cancellation, so a cancelled ticket of a refunded order reads refunded.
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
