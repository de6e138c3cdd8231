//! The shop: what buyers and payment processors call. JSON in, JSON out, no key.

pub mod orders;
pub mod payments;
pub mod requests;
pub mod sale;
