//! The box office: every change to what is sold, one file for each move, the same on both engines.
//!
//! Every change is a [`Move`](taquilla_store::Move): it begins with a tick of the producer's clock, which locks the
//! producer until the commit. So stock is checked against exactly what is sold, and stamps are in the order of commits.
//! Each move writes its messages to the outbox in the same transaction.

mod admit;
mod alone;
mod attempt_requests;
mod attempts;
mod changes;
mod common;
mod counter_money;
mod counting;
mod coupon_uses;
mod coupons;
mod decide;
mod digest;
mod erase;
mod extend;
mod group;
mod kind;
mod large;
mod ledger;
mod order_request;
mod pay;
mod placed;
mod pools;
mod prices;
mod queue;
mod refund;
mod refund_tickets;
mod reply;
mod request;
mod scan;
mod sell;
mod ticket_change;
mod undo;
mod unpaid;
mod verdict;

pub use self::{
    admit::{Admission, Door, Scan, look},
    alone::{
        admit, approve, approve_paid, cancel, hide, note, place, refund, refund_tickets, reject, settle, settle_with,
        transfer,
    },
    attempts::Attempted,
    erase::{erase_attendees, erase_buyers, erase_waiting},
    kind::Kind,
    order_request::{ItemRequest, OrderRequest, PastHolds, Stranger},
    placed::{NewlyPlaced, Placed, PlacedBefore},
    queue::Queue,
    request::Request,
    scan::scan,
    undo::{Entry, Undo},
    unpaid::reject_unpaid,
};
