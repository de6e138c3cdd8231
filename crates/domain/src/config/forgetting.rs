//! What is forgotten, and when.

use std::time::Duration;

use super::lengths::days;

/// How long things are kept that nobody needs for ever.
#[derive(Clone, Copy, Debug)]
pub struct KeptFor {
    /// How long the answer to an order is kept for a repetition with the same `Idempotency-Key`.
    pub order_answers: Duration,
    /// How long the scan log is kept. A scan that a phone uploads again later than this is decided anew.
    pub scans: Duration,
}

impl Default for KeptFor {
    fn default() -> Self {
        Self { order_answers: days(ORDER_ANSWERS_KEPT_DAYS), scans: days(SCANS_KEPT_DAYS) }
    }
}

/// Days that the answer to an order is kept by default. A buyer's page repeats an order within minutes; a producer's
/// own shop may have a queue that was down for days.
pub const ORDER_ANSWERS_KEPT_DAYS: u64 = 30;
/// Days that the scan log is kept by default: a season and its accounts.
pub const SCANS_KEPT_DAYS: u64 = 400;
/// The fewest days that the scan log may be kept. A phone keeps the decisions it made offline until it has uploaded
/// them, and a phone left in a drawer after a festival must still get its own answers.
pub const SCANS_KEPT_DAYS_MIN: u64 = 30;
/// Days after the end of its hold when an order that nobody has paid is rejected by default. Bank transfers take up to a
/// week and cash vouchers up to three; a late payment would meet a rejected order and have to be paid back. After its hold
/// a pending order keeps no stock from anybody, so waiting costs nobody a ticket.
pub const UNPAID_DAYS: u64 = 30;
/// Unpaid orders that one move looks at and rejects. Sales and scans of the producer wait for it, and each order takes
/// several statements.
pub const UNPAID_TOGETHER: i64 = 20;
/// The most days that anything may be kept, so that no number of days overflows.
pub const KEPT_DAYS_MAX: u64 = 36_500;
/// How often a server deletes what is old.
pub const PRUNE_EVERY: Duration = Duration::from_hours(1);
/// How long after its start a server deletes for the first time.
pub const PRUNE_FIRST: Duration = Duration::from_mins(5);
/// How often a server looks whether it is time to delete.
pub const PRUNE_POLL: Duration = Duration::from_millis(200);
/// Rows that one transaction deletes, so that sales and scans do not wait long.
pub const PRUNED_TOGETHER: i64 = 100;
/// The pause between two such transactions. It allows two million rows an hour and leaves most of the time to others.
pub const PRUNE_PAUSE: Duration = Duration::from_millis(100);
