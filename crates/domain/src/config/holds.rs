//! Holds: stock that is kept for a buyer who is about to pay.

use std::{num::NonZeroU32, time::Duration};

use super::{forgetting::UNPAID_DAYS, lengths::days};

/// How long stock is held, and for how many who have not paid.
#[derive(Clone, Copy, Debug)]
pub struct HoldSettings {
    /// How long the stock of a new order is held for its buyer, unless the order asks for another time.
    pub lasts: Duration,
    /// The longest hold that an order of the shop may ask for.
    pub longest: Duration,
    /// Unpaid orders with which one address may hold stock at the same time; `None` is no limit.
    pub per_address: Option<NonZeroU32>,
    /// Unpaid orders with which one buyer's e-mail address may hold stock at the same time; `None` is no limit.
    pub per_buyer: Option<NonZeroU32>,
    /// How long after its hold has ended an order that nobody has paid is rejected; `None` is never.
    pub rejected_after: Option<Duration>,
}

impl Default for HoldSettings {
    fn default() -> Self {
        Self {
            lasts: HOLD,
            longest: HOLD_ASKED_MAX,
            per_address: NonZeroU32::new(UNPAID_PER_ADDRESS),
            per_buyer: NonZeroU32::new(UNPAID_PER_BUYER),
            rejected_after: Some(days(UNPAID_DAYS)),
        }
    }
}

/// How long the stock of a new order is held by default: long enough to find a card and to pay with it.
pub const HOLD: Duration = Duration::from_mins(30);
/// The longest hold that an order of the shop may ask for by default. Anybody may ask, so this is an hour: the sessions of
/// most processors are shorter.
pub const HOLD_ASKED_MAX: Duration = Duration::from_hours(1);
/// The longest hold at all, for bank transfers and cash vouchers.
pub const HOLD_MAX: Duration = days(14);
/// Holds end at whole multiples of one of these, and never earlier than they should. So few moments are told apart, and
/// adding up what is held of an item reads few rows, however many hold it.
pub const HOLD_STEPS_S: [u64; 8] = [1, 5, 15, 60, 5 * 60, 15 * 60, 3_600, 4 * 3_600];
/// A hold's step is the largest that is at most this part of its length: 15 s for half an hour. Holds of one length then
/// end at 120 to 600 different moments.
pub const HOLD_PARTS: u64 = 120;
/// Unpaid orders with which one address may hold stock by default. Many people share the address of a campus or of a mobile
/// network, and few of them are about to pay at the same moment.
pub const UNPAID_PER_ADDRESS: u32 = 100;
/// Unpaid orders with which one buyer's e-mail address may hold stock by default: somebody who began anew several times.
pub const UNPAID_PER_BUYER: u32 = 10;
/// How long the sums of holds that have ended are kept, so that a clock that was set back finds them.
pub const HELD_KEPT: Duration = days(1);
