//! The shop: the calls of buyers and payment processors (JSON in, JSON out, no key), and the front page.

pub mod cross_origin;
pub mod front;
pub mod openapi;
pub mod orders;
pub mod payments;
pub mod requests;
pub mod sale;
