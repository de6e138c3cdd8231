//! Long work: refunding all orders of an event, and importing a file.

pub mod imports;
pub mod refunds;
