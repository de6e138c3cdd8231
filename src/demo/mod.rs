//! A made-up producer to explore Taquilla with.

mod data;
mod people;

pub use self::data::{PRODUCER_ID, PRODUCER_NAME, TONIGHT_ID, data};
