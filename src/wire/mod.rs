//! The only shapes that are sent, one file for each who is spoken to, and the strict reading of what is received.

pub mod api;
pub mod door;
mod names;
pub mod shop;
pub mod strict_json;
mod time;
pub mod webhook;

pub use self::time::Time;
