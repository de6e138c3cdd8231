//! Rate limits (GCRA), and limits of failed tries.

use std::{
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    time::Duration,
};

use governor::{
    NotUntil, Quota, RateLimiter,
    clock::Clock,
    middleware::{NoOpMiddleware, StateInformationMiddleware},
    nanos::Nanos,
    state::keyed::DashMapStateStore,
};

use taquilla_domain::{
    config::{
        Config, DOOR_BURST_FACTOR, FAILED_AUTH_BURST, FAILED_AUTH_PER_SECOND, SCANS_MAX, SHOP_BURST_FACTOR,
        SIGN_IN_EVERY, SIGN_INS_MAX, WRONG_PIN_EVERY, WRONG_PINS_MAX,
    },
    time_source::TimeSource,
};

use super::{allowance::Allowance, errors::Error, tries::Tries};

type Limiter<K, M = NoOpMiddleware<Nanos>> = RateLimiter<K, DashMapStateStore<K>, Passed, M>;

/// The time that passes, which no jump of the clock moves and which tests step.
#[derive(Clone)]
struct Passed(TimeSource);

impl Clock for Passed {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.passed().into()
    }
}

/// The limits of one server.
pub struct Limits {
    keys: Option<(NonZeroU32, Limiter<String, StateInformationMiddleware>)>,
    failures: Tries<IpAddr>,
    visits: Option<Limiter<IpAddr>>,
    door: Option<(Limiter<String>, Limiter<IpAddr>)>,
    wrong_pins: Tries<PinSource>,
    sign_ins: Tries<SignInSource>,
    time: Passed,
}

impl Limits {
    /// Limits with this server's settings.
    pub fn new(config: &Config, time: &TimeSource) -> Self {
        Self {
            keys: config.rates.key.map(|rate| (rate, limiter(Quota::per_second(rate), time).with_middleware())),
            failures: Tries::new(FAILED_AUTH_BURST, Duration::from_secs(1) / FAILED_AUTH_PER_SECOND, time),
            visits: config.rates.shop.map(|rate| {
                let burst = rate.saturating_mul(NonZeroU32::new(SHOP_BURST_FACTOR).unwrap_or(NonZeroU32::MIN));
                limiter(Quota::per_second(rate).allow_burst(burst), time)
            }),
            door: config.rates.door.map(|rate| {
                let burst = rate.get().saturating_mul(DOOR_BURST_FACTOR).max(2 * SCANS_MAX as u32);
                let quota = Quota::per_second(rate).allow_burst(NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN));
                (limiter(quota, time), limiter(quota, time))
            }),
            wrong_pins: Tries::new(WRONG_PINS_MAX, WRONG_PIN_EVERY, time),
            sign_ins: Tries::new(SIGN_INS_MAX, SIGN_IN_EVERY, time),
            time: Passed(time.clone()),
        }
    }

    /// Counts a request of a key. `None` if keys have no limit.
    pub fn count_request(&self, key_id: &str) -> Result<Option<Allowance>, Error> {
        let Some((rate, limiter)) = &self.keys else { return Ok(None) };
        let per_second = *rate;
        match limiter.check_key(&key_id.to_owned()) {
            Ok(snapshot) => Ok(Some(Allowance { per_second, remaining: snapshot.remaining_burst_capacity() })),
            Err(until) => Err(Error::RateLimited {
                retry_after_s: self.seconds_until(&until),
                detail: "This key has made more requests than it may in a second.",
                allowance: Some(Allowance { per_second, remaining: 0 }),
            }),
        }
    }

    /// Counts a failed authentication. Returns the refusal, or 429 if there were too many from this address.
    pub fn count_failure(&self, address: IpAddr, refusal: Error) -> Error {
        self.failures.count(&[network(address)]).map_or_else(too_many_failures, |()| refusal)
    }

    /// Refuses an address that made too many failed authentications, before the database is asked. Whoever has shown a
    /// right credential before need not pass this.
    pub fn may_fail(&self, address: IpAddr) -> Result<(), Error> {
        self.failures.check(&network(address)).map_err(too_many_failures)
    }

    /// Counts a request to the shop.
    pub fn count_visit(&self, address: IpAddr) -> Result<(), Error> {
        let Some(limiter) = &self.visits else { return Ok(()) };
        limiter.check_key(&network(address)).map_err(|until| Error::RateLimited {
            retry_after_s: self.seconds_until(&until),
            detail: "Too many requests came from this address.",
            allowance: None,
        })
    }

    /// Counts calls through a door link and from an address. An upload counts once for each of its scans.
    pub fn count_door_calls(&self, link_id: &str, address: IpAddr, calls: NonZeroU32) -> Result<(), Error> {
        let Some((links, addresses)) = &self.door else { return Ok(()) };
        for checked in [links.check_key_n(&link_id.to_owned(), calls), addresses.check_key_n(&network(address), calls)]
        {
            // The burst is larger than an upload, so the outer `Err` (more than could ever be allowed) cannot occur.
            if let Ok(Err(until)) = checked {
                return Err(Error::RateLimited {
                    retry_after_s: self.seconds_until(&until),
                    detail: "This door link, or this address, makes more calls than it may.",
                    allowance: None,
                });
            }
        }
        Ok(())
    }

    /// Counts a wrong PIN in advance, unless too many were tried for this door link or from this address. After too many,
    /// no PIN is compared until some time has passed, so the right one cannot be found by trying. A device that has
    /// opened the link already needs no PIN and is not affected.
    pub fn try_pin(&self, link_id: &str, address: IpAddr) -> Result<(), Error> {
        self.wrong_pins.count(&pin_sources(link_id, address)).map_err(|wait| Error::RateLimited {
            retry_after_s: whole_seconds(wait),
            detail: "Too many wrong PINs came for this link, or from this address. Wait, then try the right one.",
            allowance: None,
        })
    }

    /// Takes back what [`Limits::try_pin`] counted, because the PIN was right.
    pub fn pin_was_right(&self, link_id: &str, address: IpAddr) {
        self.wrong_pins.take_back(&pin_sources(link_id, address));
    }

    /// Counts a failed attempt to sign in, in advance, unless there were too many for this account or from this address. Then
    /// it gives the seconds to wait.
    pub fn try_sign_in(&self, account: &str, address: IpAddr) -> Result<(), u64> {
        self.sign_ins.count(&sign_in_sources(account, address)).map_err(whole_seconds)
    }

    /// Takes back what [`Limits::try_sign_in`] counted, because the password or the code was right.
    pub fn sign_in_was_right(&self, account: &str, address: IpAddr) {
        self.sign_ins.take_back(&sign_in_sources(account, address));
    }

    fn seconds_until(&self, until: &NotUntil<Nanos>) -> u64 {
        whole_seconds(until.wait_time_from(self.time.now()))
    }

    /// Forgets clients that have not been near their limit for a while, so that memory stays flat.
    pub fn forget_idle(&self) {
        self.failures.forget_idle();
        if let Some(limiter) = &self.visits {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        if let Some((links, addresses)) = &self.door {
            links.retain_recent();
            links.shrink_to_fit();
            addresses.retain_recent();
            addresses.shrink_to_fit();
        }
        self.wrong_pins.forget_idle();
        self.sign_ins.forget_idle();
        if let Some((_, limiter)) = &self.keys {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

fn limiter<K: Clone + Eq + Hash>(quota: Quota, time: &TimeSource) -> Limiter<K> {
    RateLimiter::dashmap_with_clock(quota, Passed(time.clone()))
}

/// What wrong PINs are counted by.
#[derive(Clone, PartialEq, Eq, Hash)]
enum PinSource {
    Link(String),
    Address(IpAddr),
}

/// What failed attempts to sign in are counted by.
#[derive(Clone, PartialEq, Eq, Hash)]
enum SignInSource {
    Account(String),
    Address(IpAddr),
}

fn sign_in_sources(account: &str, address: IpAddr) -> [SignInSource; 2] {
    [SignInSource::Account(account.to_owned()), SignInSource::Address(network(address))]
}

fn pin_sources(link_id: &str, address: IpAddr) -> [PinSource; 2] {
    [PinSource::Link(link_id.to_owned()), PinSource::Address(network(address))]
}

/// The address to count by. For IPv6 it is the /64 network, because one customer usually holds a whole one.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> 64))),
        address => address,
    }
}

fn too_many_failures(wait: Duration) -> Error {
    Error::RateLimited {
        retry_after_s: whole_seconds(wait),
        detail: "Too many requests without a valid key, door link or signature came from this address.",
        allowance: None,
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).max(1) as u64
}
