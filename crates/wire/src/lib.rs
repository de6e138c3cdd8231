//! The JSON shapes of everything that is sent, one file for each audience, and the strict parsing of what is received.

pub mod api;
pub mod covered;
pub mod door;
pub mod names;
pub mod person;
pub mod prices;
pub mod shop;
pub mod strict_json;
mod time;
pub mod webhook;

pub use self::time::Time;
