//! Every limit: what it counts, by what, how much is allowed, and what is said beyond that.

use std::{num::NonZeroU32, time::Duration};

use taquilla_domain::{
    config::{
        COUPON_TRIES, COUPON_TRY_EVERY, Config, DOOR_BURST_FACTOR, FAILED_AUTH_BURST, FAILED_AUTH_PER_SECOND,
        GUEST_SEARCH_EVERY, GUEST_SEARCHES, REFUSAL_NOTED_EVERY, REFUSED_SIGN_INS_MAX, SCANS_MAX, SHOP_BURST_FACTOR,
        SIGN_IN_EVERY, SIGN_INS_MAX, WRONG_PIN_EVERY, WRONG_PINS_MAX,
    },
    named,
};

named! {
    /// How fast somebody may call.
    Pace {
        /// Requests with a key, by the key.
        KeyRequests = "key_requests",
        /// Requests to the shop and its pages, by the address.
        ShopVisits = "shop_visits",
        /// Calls at the door, by the door link and by the address. An upload counts once for each of its scans.
        DoorCalls = "door_calls",
    }
}

/// A line of the table of paces.
pub(super) struct PaceRow {
    /// How many calls in a second; `None` is without limit.
    pub per_second: Option<NonZeroU32>,
    /// How many at once.
    pub burst: u32,
    /// Whether each answer tells the caller what is left.
    pub is_told: bool,
    /// What is said to whoever is too fast.
    pub detail: &'static str,
}

impl Pace {
    pub(super) fn row(self, config: &Config) -> PaceRow {
        let times = |rate: Option<NonZeroU32>, factor: u32| rate.map_or(0, |rate| rate.get().saturating_mul(factor));
        match self {
            Self::KeyRequests => PaceRow {
                per_second: config.rates.key,
                burst: times(config.rates.key, 1),
                is_told: true,
                detail: "This key has made more requests than it may in a second.",
            },
            Self::ShopVisits => PaceRow {
                per_second: config.rates.shop,
                burst: times(config.rates.shop, SHOP_BURST_FACTOR),
                is_told: false,
                detail: "Too many requests came from this address.",
            },
            Self::DoorCalls => PaceRow {
                per_second: config.rates.door,
                // An upload always fits.
                burst: times(config.rates.door, DOOR_BURST_FACTOR).max(2 * SCANS_MAX as u32),
                is_told: false,
                detail: "This door link, or this address, makes more calls than it may.",
            },
        }
    }
}

named! {
    /// What somebody may be wrong about, but not often, because the right one could be found by trying.
    Guess {
        /// Keys, door links, links of staff and signatures, by the address. Whoever has shown a right one before need not pass
        /// this.
        Credential = "credential",
        /// PINs of door links, by the link and by the address. A device that has opened the link already needs no PIN and is not
        /// affected.
        Pin = "pin",
        /// Passwords and codes of users: by the account and by the address, by the browser where it is known, and by the session
        /// where there is one.
        SignIn = "sign_in",
        /// Guests who are looked for at a door, by the door link. Everybody could be found by trying names.
        Guest = "guest",
        /// Codes of coupons, by the address.
        Coupon = "coupon",
        /// Pages that a member has no right to, by the user and the page. Beyond this they are refused as before, and not written
        /// down.
        Right = "right",
    }
}

/// A line of the table of guesses.
pub(super) struct GuessRow {
    /// How many failed tries at once.
    pub max: u32,
    /// How long it takes until another one is allowed.
    pub every: Duration,
    /// How many refused tries more an address is charged for.
    pub charged: u32,
    /// What is said to whoever made too many.
    pub detail: &'static str,
}

impl Guess {
    pub(super) fn row(self) -> GuessRow {
        match self {
            Self::Credential => GuessRow {
                max: FAILED_AUTH_BURST,
                every: Duration::from_secs(1) / FAILED_AUTH_PER_SECOND,
                charged: 0,
                detail: "Too many requests without a valid key, door link or signature came from this address.",
            },
            Self::Pin => GuessRow {
                max: WRONG_PINS_MAX,
                every: WRONG_PIN_EVERY,
                charged: 0,
                detail: "Too many wrong PINs came for this link, or from this address. Wait, then try the right one.",
            },
            Self::SignIn => GuessRow {
                max: SIGN_INS_MAX,
                every: SIGN_IN_EVERY,
                charged: REFUSED_SIGN_INS_MAX,
                detail: "Too many attempts to sign in failed for this account, or from this address.",
            },
            Self::Guest => GuessRow {
                max: GUEST_SEARCHES,
                every: GUEST_SEARCH_EVERY,
                charged: 0,
                detail: "This door link has looked for too many guests. Wait a moment.",
            },
            Self::Coupon => GuessRow {
                max: COUPON_TRIES,
                every: COUPON_TRY_EVERY,
                charged: 0,
                detail: "Too many coupons that cannot be used came from this address. Wait a moment.",
            },
            Self::Right => GuessRow {
                max: 1,
                every: REFUSAL_NOTED_EVERY,
                charged: 0,
                detail: "This member was refused this page before.",
            },
        }
    }
}
