//! What was sold: orders, the stock that they hold, the answers that were given to them, payments, and those who report them.

pub mod documents;
pub mod figures;
pub mod holds;
pub mod idempotency;
pub mod listed;
pub mod orders;
pub mod overdue;
pub mod payments;
pub mod processors;
pub mod search;
pub mod sold;
