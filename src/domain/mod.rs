//! The rules of ticketing, pure: no async, no SQL, no serialisation; time is an argument.

pub mod clock;
pub mod id;
pub mod key;
pub mod status;
