//! The demo, whose people buy and enter by themselves.

use std::time::Duration;

/// Nights that a demo goes through before it rests, about six days of running: orders and tickets are never deleted, so a
/// demo that somebody forgot must not fill their disk.
pub const DEMO_NIGHTS_MAX: u32 = 20;
/// How long a demo is lively after its start. Then it goes on at a pace that nobody pays for in disk or heat.
pub const DEMO_LIVELY_FOR: Duration = Duration::from_secs(2 * 3_600);
/// Payments to come that a demo remembers; orders whose payment does not fit stay unpaid.
pub const DEMO_PAYMENTS_MAX: usize = 50;
/// Payments for staff to deal with that a demo leaves in their list.
pub const DEMO_UNSETTLED_MAX: usize = 4;
