//! The shop: the calls of buyers and payment processors. JSON in, JSON out, no key.

pub mod front;
pub mod openapi;
pub mod orders;
pub mod payments;
pub mod requests;
pub mod sale;
