//! The values of labels.

use taquilla_domain::named;

named! {
    /// What the box office was asked for.
    MoveKind {
        /// A new order.
        Order = "order",
        /// What a payment processor told.
        Payment = "payment",
        /// Staff approve an order.
        Approve = "approve",
        /// Staff reject an order.
        Reject = "reject",
        /// An order is refunded.
        Refund = "refund",
        /// A buyer's hold is made longer.
        ExtendHold = "extend_hold",
        /// Attempts to pay at a processor.
        Attempt = "attempt",
        /// A code is shown at a door.
        Scan = "scan",
        /// An entry is taken back.
        UndoEntry = "undo_entry",
        /// Staff cancel a ticket.
        Cancel = "cancel",
        /// Staff pass a ticket on.
        PassOn = "pass_on",
        /// What the scanner shows with a ticket was changed.
        Note = "note",
        /// Staff hide a ticket.
        Hide = "hide",
    }
}

named! {
    /// What became of it.
    MoveOutcome {
        /// It was done; a repeated payment or scan, too, that was done before.
        Done = "done",
        /// The rules say no.
        Refused = "refused",
        /// An order was repeated with its `Idempotency-Key`, and got the first answer.
        Repeated = "repeated",
        /// The database failed, or it waited too long.
        Failed = "failed",
    }
}

named! {
    /// What somebody showed to be let in.
    SignIn {
        /// A password, to sign in to the dashboard.
        Password = "password",
        /// A code of the second factor.
        SecondFactor = "second_factor",
        /// The password once more, before something that matters.
        Confirm = "confirm",
        /// The PIN of a door link.
        Pin = "pin",
    }
}

named! {
    /// What became of it.
    SignedIn {
        /// It was right.
        Ok = "ok",
        /// It was wrong.
        Wrong = "wrong",
        /// Too many tries came before, and it was not looked at.
        Limited = "limited",
    }
}

named! {
    /// What became of an attempt to deliver a message.
    Attempted {
        /// The receiver accepted it.
        Delivered = "delivered",
        /// It failed, and there will be another.
        Again = "again",
        /// It failed and was the last.
        GivenUp = "given_up",
    }
}
