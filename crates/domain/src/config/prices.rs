//! Coupons and surcharges.

use std::time::Duration;

/// Characters of a coupon's code. Codes are typed by hand, and printed.
pub const COUPON_CODE_MAX: usize = 60;
/// Coupons of one event that can be used: a campaign with a code for each of its partners. All of them are on one page.
pub const COUPONS_MAX: usize = 500;
/// Coupons that have ended which lists of an event show, newest first.
pub const ENDED_COUPONS_SHOWN: i64 = 100;
/// Items that a coupon names. One for more of them is for the whole event.
pub const COUPON_ITEMS_MAX: usize = 100;
/// Surcharges of one event that are charged. Each is named to buyers.
pub const SURCHARGES_MAX: usize = 10;
/// Coupons that one address may try in vain at once: typing mistakes of several people in one house.
pub const COUPON_TRIES: u32 = 20;
/// How long it takes until an address may try another one. 10,000 codes take two days at this pace.
pub const COUPON_TRY_EVERY: Duration = Duration::from_secs(15);
