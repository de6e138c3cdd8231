//! What was sold: orders, the answers that were given to them, and payments.

pub mod documents;
pub mod idempotency;
pub mod listed;
pub mod orders;
pub mod payments;
pub mod search;
