//! A made-up producer to explore Taquilla with.

mod data;
mod people;

pub use self::data::{CURRENCY, PRODUCER_ID, PRODUCER_NAME, TIME_ZONE, TONIGHT_ID, data};
