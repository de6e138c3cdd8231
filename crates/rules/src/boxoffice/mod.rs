//! The box office: every change to what is sold, one file for each move, the same on both engines.
//!
//! Every change is a [`Move`](taquilla_store::Move): it begins with a tick of the producer's clock, which locks the
//! producer until the commit. So stock is checked against exactly what is sold, and stamps are in the order of commits.
//! Each move writes its messages to the outbox in the same transaction.

mod admit;
mod alone;
mod cancel;
mod common;
mod counting;
mod decide;
mod erase;
mod group;
mod hide;
mod ledger;
mod order_request;
mod pay;
mod queue;
mod refund;
mod request;
mod scan;
mod sell;
mod transfer;
mod unpaid;

pub use self::{
    admit::{Admission, Door, Scan},
    alone::{admit, approve, place, refund, reject, settle},
    cancel::cancel,
    erase::{erase_attendees, erase_buyers, erase_waiting},
    hide::hide,
    order_request::{ItemRequest, OrderRequest, PastHolds, Stranger},
    queue::Queue,
    request::{Answer, Kind, Request},
    scan::scan,
    sell::Placed,
    transfer::transfer,
    unpaid::reject_unpaid,
};
