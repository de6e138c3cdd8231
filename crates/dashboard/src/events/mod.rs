//! Events and what they sell.

pub mod checkout;
mod common;
pub mod copy;
pub mod coupons;
pub mod event;
pub mod event_form;
pub mod item;
pub mod item_form;
mod item_values;
pub mod list;
pub mod pools;
pub mod present;
pub mod rows;
mod sold_by_day;
mod sorted;
pub mod status;
pub mod surcharges;

pub use self::common::event_path;
