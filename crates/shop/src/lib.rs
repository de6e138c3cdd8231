//! The shop: its pages, the front page, and the calls of shop fronts and payment processors (JSON in, JSON out, no key).

pub mod checkout;
mod coupon_tries;
pub mod cross_origin;
pub mod development;
mod drawn;
pub mod front;
pub mod line;
pub mod look;
pub mod openapi;
pub mod orders;
pub mod pages;
pub mod payments;
pub mod promoter;
pub mod requests;
pub mod sale;
