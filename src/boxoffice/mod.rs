//! The box office: every change to what is sold, one file for each move, the same on both engines.
//!
//! Every change is a [`Move`](crate::store::Move): it begins with a tick of the producer's clock, which locks the
//! producer until the commit. So stock is checked against exactly what is sold, and stamps are in the order of commits.
//! Each move writes its messages to the outbox in the same transaction.

mod admit;
mod cancel;
mod common;
mod decide;
mod gate;
mod hide;
mod pay;
mod refund;
mod scan;
mod sell;
mod transfer;
mod unpaid;

pub use self::{
    admit::{Admission, Door, Scan, admit},
    cancel::cancel,
    decide::{approve, reject},
    gate::Gate,
    hide::hide,
    pay::settle,
    refund::refund,
    scan::scan,
    sell::{Idempotency, ItemRequest, OrderRequest, Placed, place},
    transfer::transfer,
    unpaid::reject_unpaid,
};
