//! Notices of payment processors.

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
