//! What was sold: orders, the stock that they hold, the answers that were given to them, payments and those who report them, and what is
//! to be paid back.

pub mod attempts;
pub mod coupons;
pub mod documents;
pub mod figures;
pub mod holds;
pub mod idempotency;
pub mod listed;
pub mod notes;
pub mod numbers;
pub mod orders;
pub mod overdue;
pub mod pay_backs;
pub mod payment_lists;
pub mod payments;
pub mod processors;
pub mod promoter_sums;
pub mod promoters;
pub mod refunded_items;
pub mod search;
pub mod shifts;
pub mod sold;
pub mod surcharges;
pub mod terms;
pub mod till;
pub mod waiting_lines;
