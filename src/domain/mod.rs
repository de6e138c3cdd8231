//! The rules of ticketing, pure: no async, no SQL, no serialisation; time is an argument.

pub mod admit;
pub mod clock;
pub mod id;
pub mod key;
pub mod moves;
pub mod person;
pub mod refusal;
pub mod signature;
pub mod status;
pub mod stock;
pub mod webhook;
