//! Counts what callers do against the limits of the table: paces by GCRA, and guesses by their tries.

use std::{num::NonZeroU32, time::Duration};

use governor::{
    Quota, RateLimiter, clock::Clock, middleware::StateInformationMiddleware, nanos::Nanos,
    state::keyed::DashMapStateStore,
};

use taquilla_domain::{config::Config, time_source::TimeSource};

use super::{
    source::Source,
    table::{Guess, Pace},
    too_many::{TooMany, whole_seconds},
    tries::Tries,
};
use crate::{allowance::Allowance, errors::Error};

type Limiter = RateLimiter<Source, DashMapStateStore<Source>, Passed, StateInformationMiddleware>;

/// The time that passes, which no jump of the clock moves and which tests step.
#[derive(Clone)]
struct Passed(TimeSource);

impl Clock for Passed {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.passed().into()
    }
}

/// One pace of the table, with its counts.
struct Counted {
    per_second: NonZeroU32,
    is_told: bool,
    detail: &'static str,
    limiter: Limiter,
}

/// The limits of one server.
pub struct Limits {
    /// In the order of [`Pace::ALL`]; `None` is without limit.
    paces: Vec<Option<Counted>>,
    /// In the order of [`Guess::ALL`].
    guesses: Vec<Tries<Source>>,
    time: Passed,
}

impl Limits {
    /// Limits with this server's settings.
    pub fn new(config: &Config, time: &TimeSource) -> Self {
        let passed = Passed(time.clone());
        let paces = Pace::ALL.iter().map(|pace| {
            let row = pace.row(config);
            let per_second = row.per_second?;
            let burst = NonZeroU32::new(row.burst).unwrap_or(NonZeroU32::MIN);
            let quota = Quota::per_second(per_second).allow_burst(burst);
            let limiter = RateLimiter::dashmap_with_clock(quota, passed.clone()).with_middleware();
            Some(Counted { per_second, is_told: row.is_told, detail: row.detail, limiter })
        });
        let guesses = Guess::ALL.iter().map(|guess| {
            let row = guess.row();
            Tries::new(row.max, row.every, time)
        });
        Self { paces: paces.collect(), guesses: guesses.collect(), time: passed }
    }

    /// Counts a call of all these sources, or refuses it. Gives what is left, if the caller is to be told.
    pub fn count(&self, pace: Pace, sources: &[Source]) -> Result<Option<Allowance>, Error> {
        self.count_many(pace, sources, NonZeroU32::MIN)
    }

    /// Counts several calls at once, or refuses them all.
    pub fn count_many(&self, pace: Pace, sources: &[Source], calls: NonZeroU32) -> Result<Option<Allowance>, Error> {
        let Some(counted) = &self.paces[pace as usize] else { return Ok(None) };
        let tell = |remaining| counted.is_told.then_some(Allowance { per_second: counted.per_second, remaining });
        // Every source counts the calls, also if another one refuses them.
        let checked: Vec<_> = sources.iter().map(|source| counted.limiter.check_key_n(source, calls)).collect();
        let mut remaining = u32::MAX;
        // A burst is larger than all calls at once, so the outer `Err` (more than could ever be allowed) cannot occur.
        for result in checked.into_iter().flatten() {
            match result {
                Ok(snapshot) => remaining = remaining.min(snapshot.remaining_burst_capacity()),
                Err(until) => {
                    return Err(Error::RateLimited {
                        retry_after_s: whole_seconds(until.wait_time_from(self.time.now())),
                        detail: counted.detail,
                        allowance: tell(0),
                    });
                }
            }
        }
        Ok(tell(remaining))
    }

    /// Counts a failed try of all these sources in advance, unless one of them has made too many. After too many nothing is
    /// compared until some time has passed, so the right one cannot be found by trying. A refused try costs the address that
    /// sent it: else a single stranger who goes on trying would take every try that an account gets back.
    pub fn attempt(&self, guess: Guess, sources: &[Source]) -> Result<(), TooMany> {
        let (tries, row) = (&self.guesses[guess as usize], guess.row());
        tries.count(sources).map_err(|wait| {
            let senders = sources.iter().filter(|source| row.charged > 0 && matches!(source, Source::Network(_)));
            let wait = senders.map(|sender| tries.charge(sender, row.charged)).fold(wait, Duration::max);
            TooMany::new(wait, row.detail)
        })
    }

    /// Takes back what [`Limits::attempt`] counted, because the try was right.
    pub fn was_right(&self, guess: Guess, sources: &[Source]) {
        self.guesses[guess as usize].take_back(sources);
    }

    /// Refuses a source that has made too many failed tries, before the database is asked. It counts nothing.
    pub fn may_attempt(&self, guess: Guess, source: &Source) -> Result<(), TooMany> {
        let checked = self.guesses[guess as usize].check(source);
        checked.map_err(|wait| TooMany::new(wait, guess.row().detail))
    }

    /// Counts a try that has failed. Gives the refusal, or the one that says that there were too many.
    pub fn failed(&self, guess: Guess, source: Source, refusal: Error) -> Error {
        self.attempt(guess, &[source]).map_or_else(Error::from, |()| refusal)
    }

    /// Forgets callers who have not been near their limit for a while, so that memory stays flat.
    pub fn forget_idle(&self) {
        for counted in self.paces.iter().flatten() {
            counted.limiter.retain_recent();
            counted.limiter.shrink_to_fit();
        }
        self.guesses.iter().for_each(Tries::forget_idle);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn slow() -> Limits {
        let one = NonZeroU32::new(1);
        let config = Config {
            rates: taquilla_domain::config::RateLimits { key: one, shop: one, door: None },
            ..Config::default()
        };
        Limits::new(&config, &TimeSource::Stepped(Arc::default()))
    }

    #[test]
    fn each_pace_and_each_source_has_its_own_count() {
        let limits = slow();
        let (one, other) = (Source::id("one"), Source::id("other"));
        let left = limits.count(Pace::KeyRequests, std::slice::from_ref(&one)).unwrap();
        assert_eq!(
            left.map(|left| (left.per_second.get(), left.remaining)),
            Some((1, 0)),
            "keys are told what is left"
        );
        let refused = limits.count(Pace::KeyRequests, std::slice::from_ref(&one)).unwrap_err();
        assert!(
            matches!(refused, Error::RateLimited { retry_after_s: 1, allowance: Some(_), .. }),
            "and that nothing is: {refused:?}"
        );
        assert!(limits.count(Pace::KeyRequests, &[other]).is_ok());
        assert!(limits.count(Pace::ShopVisits, &[one]).is_ok_and(|left| left.is_none()));
    }

    #[test]
    fn without_a_limit_nothing_is_counted() {
        let limits = slow();
        let many = NonZeroU32::new(1_000_000).unwrap();
        for _ in 0..3 {
            assert!(limits.count_many(Pace::DoorCalls, &[Source::id("link")], many).is_ok());
        }
    }

    #[test]
    fn a_failed_try_gives_its_refusal_until_there_were_too_many() {
        let (limits, source) = (slow(), Source::id("a"));
        let failed = || limits.failed(Guess::Pin, source.clone(), Error::InvalidToken);
        for _ in 0..Guess::Pin.row().max {
            assert!(matches!(failed(), Error::InvalidToken));
        }
        assert!(matches!(failed(), Error::RateLimited { .. }));
        assert!(limits.may_attempt(Guess::Pin, &source).is_err());
        assert!(limits.attempt(Guess::Credential, &[source]).is_ok(), "other guesses have their own count");
    }

    #[test]
    fn a_refused_try_costs_the_address_that_sent_it() {
        let limits = slow();
        let stranger = Source::both("account", std::net::Ipv4Addr::new(203, 0, 113, 5).into());
        for _ in 0..Guess::SignIn.row().max {
            assert!(limits.attempt(Guess::SignIn, &stranger).is_ok());
        }
        let waits: Vec<u64> =
            (0..100).map(|_| limits.attempt(Guess::SignIn, &stranger).unwrap_err().retry_after_s).collect();
        assert_eq!(waits[..2], [120, 180], "each costs a minute more");
        assert_eq!(waits[99], 61 * 60, "an hour at most");
        let owner = limits.attempt(Guess::SignIn, &[Source::id("account")]).unwrap_err();
        assert_eq!(owner.retry_after_s, 60, "and the account nothing");
    }
}
