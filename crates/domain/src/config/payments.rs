//! Payment processors: sessions that buyers pay in, and notices.

use std::time::Duration;

/// How long a processor's replaced secret is still taken beside the new one.
pub const PAYMENT_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// Secrets of one processor that may be taken at the same time. With this many, the next one must wait.
pub const PAYMENT_SECRETS_MAX: usize = 5;
/// Characters that are kept of the values in a payment's notice. Right ones are not longer.
pub const TOLD_MAX: usize = 128;
/// Characters of a payment's id that stand before the digest, where the id cannot be kept whole: enough to recognise it.
pub const TOLD_BEFORE_DIGEST: usize = 64;
/// How far the time on a payment's callback may be from ours; an older callback may be a replay.
pub const PAYMENT_TOLERANCE: Duration = Duration::from_secs(5 * 60);
/// How long a session at a processor can be paid: the half hour that processors ask for at least, and a minute for the way there.
pub const SESSION_LASTS: Duration = Duration::from_mins(31);
/// How much longer than its session an order's stock is held, so that the processor's word on the last moment arrives.
pub const HELD_AFTER_SESSION: Duration = Duration::from_mins(5);
/// How long the stock of an order is held on when its session is over by the clock, but the processor has not said so. After
/// this, others may have it, and money that comes all the same is late.
pub const HELD_UNSURE: Duration = Duration::from_hours(24);
/// How often the processor is asked about an attempt that may still be paid. Shorter than [`HELD_AFTER_SESSION`], so that what
/// is held is held on before its hold ends.
pub const ATTEMPT_LOOK: Duration = Duration::from_mins(3);
/// How long an attempt is looked at after it has ended, ever more seldom: money that comes later than this is told of by notices.
pub const ATTEMPT_LOOKED_FOR: Duration = Duration::from_hours(72);
/// Attempts that one order may have. Each holds its stock for half an hour more, and a card that is refused is tried again in the
/// same session, so who has needed as many is helped by the organiser.
pub const ATTEMPTS_MAX: usize = 6;
/// How soon the buyer's page asks the processor again, so that loading the page again and again asks it no more often.
pub const ATTEMPT_SEEN: Duration = Duration::from_secs(2);
/// How often a server looks for attempts whose time has come.
pub const ATTEMPTS_POLL: Duration = Duration::from_secs(1);
/// Attempts of one producer that are looked at in one round.
pub const ATTEMPTS_TOGETHER: usize = 20;
/// Producers that are asked for such attempts at the same time on PostgreSQL. SQLite answers at once.
pub const ATTEMPTS_ASKED_TOGETHER: usize = 4;
/// Producers that are asked in each round, beside those that are known to have some: 60 in a minute.
pub const ATTEMPTS_SWEPT: usize = 1;
/// How long another server leaves an attempt alone that one looks at.
pub const ATTEMPT_LEASE: Duration = Duration::from_mins(1);
/// Sessions that the development processor of the demo remembers. The oldest is forgotten first.
pub const DEVELOPMENT_SESSIONS_MAX: usize = 1_000;
/// How long after the end of the hold a payment of the development processor arrives that is paid late.
pub const DEVELOPMENT_LATE: Duration = Duration::from_mins(1);
