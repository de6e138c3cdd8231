//! Paying for orders at payment processors.
//!
//! | what | where |
//! |---|---|
//! | which processor a producer has | `cashier` |
//! | leading a buyer to it | `begin` |
//! | asking it how an attempt stands, and settling that | `look` |
//! | asking about every attempt whose time has come | `reconciler` |
//!
//! An attempt is written down before the processor is asked. Its page, the page to which buyers come back, and the reconciler
//! all look by [`look`], and what the processor says is settled in the groups of orders
//! ([`Request::settle_attempt`](crate::boxoffice::Request::settle_attempt)).
//!
//! Two open sessions of one order are how people pay twice, so a new attempt begins only once the processor has closed the one
//! before it. What an order holds is free only when the processor has said that its session is over: until then the reconciler
//! holds it on.

mod begin;
mod cashier;
mod look;
mod reconciler;

pub use self::{
    begin::{Leads, Way, begin},
    cashier::Cashier,
    look::{look, look_if_open},
    reconciler::start,
};
