//! Who may ask how often (GCRA).

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    time::Duration,
};

use axum::http::{HeaderMap, HeaderValue};
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DashMapStateStore,
};

use crate::{
    config::{FAILED_AUTH_BURST, FAILED_AUTH_PER_SECOND, SHOP_BURST_FACTOR},
    error::Error,
};

type KeyLimiter = RateLimiter<String, DashMapStateStore<String>, DefaultClock, StateInformationMiddleware>;

/// The limits of one server.
pub struct Limits {
    keys: Option<(NonZeroU32, KeyLimiter)>,
    failures: DefaultKeyedRateLimiter<IpAddr>,
    visits: Option<DefaultKeyedRateLimiter<IpAddr>>,
}

/// What a client is told of its limit (draft-ietf-httpapi-ratelimit-headers).
#[derive(Debug)]
pub struct Allowance {
    per_second: NonZeroU32,
    remaining: u32,
}

impl Allowance {
    /// Writes the `RateLimit-Policy` and `RateLimit` headers.
    pub fn tell(&self, headers: &mut HeaderMap) {
        let Self { per_second, remaining } = self;
        for (name, text) in [
            ("ratelimit-policy", format!("\"key\";q={per_second};w=1")),
            ("ratelimit", format!("\"key\";r={remaining};t=1")),
        ] {
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.insert(name, value);
            }
        }
    }
}

impl Limits {
    /// With this many requests a second for each key, and for each address in the shop.
    pub fn new(per_key: Option<NonZeroU32>, per_visitor: Option<NonZeroU32>) -> Self {
        let per_second = NonZeroU32::new(FAILED_AUTH_PER_SECOND).unwrap_or(NonZeroU32::MIN);
        let burst = NonZeroU32::new(FAILED_AUTH_BURST).unwrap_or(NonZeroU32::MIN);
        Self {
            keys: per_key.map(|rate| {
                (rate, RateLimiter::dashmap(Quota::per_second(rate)).with_middleware::<StateInformationMiddleware>())
            }),
            failures: RateLimiter::dashmap(Quota::per_second(per_second).allow_burst(burst)),
            visits: per_visitor.map(|rate| {
                let burst = rate.saturating_mul(NonZeroU32::new(SHOP_BURST_FACTOR).unwrap_or(NonZeroU32::MIN));
                RateLimiter::dashmap(Quota::per_second(rate).allow_burst(burst))
            }),
        }
    }

    /// Counts a request of a key. Without a limit there is nothing to tell.
    pub fn count_request(&self, key_id: &str) -> Result<Option<Allowance>, Error> {
        let Some((rate, limiter)) = &self.keys else { return Ok(None) };
        let per_second = *rate;
        match limiter.check_key(&key_id.to_owned()) {
            Ok(snapshot) => Ok(Some(Allowance { per_second, remaining: snapshot.remaining_burst_capacity() })),
            Err(until) => Err(Error::RateLimited {
                retry_after_s: whole_seconds(until.wait_time_from(DefaultClock::default().now())),
                detail: "This key has made more requests than it may in a second.",
                allowance: Some(Allowance { per_second, remaining: 0 }),
            }),
        }
    }

    /// Counts a failed authentication, and turns it into 429 when there were too many from this address.
    pub fn count_failure(&self, address: IpAddr, refusal: Error) -> Error {
        match self.failures.check_key(&network(address)) {
            Ok(()) => refusal,
            Err(until) => Error::RateLimited {
                retry_after_s: whole_seconds(until.wait_time_from(DefaultClock::default().now())),
                detail: "Too many requests without a valid key came from this address.",
                allowance: None,
            },
        }
    }

    /// Counts a request to the shop.
    pub fn count_visit(&self, address: IpAddr) -> Result<(), Error> {
        let Some(limiter) = &self.visits else { return Ok(()) };
        limiter.check_key(&network(address)).map_err(|until| Error::RateLimited {
            retry_after_s: whole_seconds(until.wait_time_from(DefaultClock::default().now())),
            detail: "Too many requests came from this address.",
            allowance: None,
        })
    }

    /// Forgets those who have not been near their limit for a while, so that memory stays flat.
    pub fn forget_idle(&self) {
        self.failures.retain_recent();
        self.failures.shrink_to_fit();
        if let Some(limiter) = &self.visits {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        if let Some((_, limiter)) = &self.keys {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

/// One customer usually holds a whole IPv6 /64; counting single addresses would limit nobody.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> 64))),
        address => address,
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).max(1) as u64
}
