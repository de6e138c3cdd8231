//! A made-up producer, to look around.

mod data;
mod people;

pub use self::data::{PRODUCER_ID, PRODUCER_NAME, TONIGHT_ID, data};
