//! The overview of the dashboard.

use std::time::Duration;

/// The events that the overview shows: more do not fit on a phone before what waits for a person.
pub const OVERVIEW_EVENTS: usize = 6;
/// Events that are looked at to find them: some that begin soon may be drafts, or cancelled.
pub const OVERVIEW_EXAMINED: usize = 50;
/// Pages of events that are looked through for those with a status before the reader is asked to go on.
pub const EVENT_PAGES_EXAMINED: usize = 10;
/// The most events whose list is sorted by a column, which reads them all: years of a busy house, in about 20 ms. A list of
/// more is shown by date, which an index gives.
pub const EVENTS_SORTED_MAX: usize = 500;
/// How long after its start an event without a known end counts as on.
pub const EVENT_LASTS: Duration = Duration::from_secs(12 * 3_600);
/// How long after its start an event is looked for at all.
pub const EVENT_LASTS_MAX: Duration = Duration::from_secs(3 * 24 * 3_600);
/// The most of anything that the overview counts; beyond it says that there are more. So a page costs the same however
/// much is left undone.
pub const ATTENTION_MAX: i64 = 100;
/// The most orders that the page before a refund of all orders counts. That many entries of an index take a few
/// milliseconds; beyond it says that there are more.
pub const REFUNDS_COUNTED: i64 = 10_000;
/// How long before its end something that ends by itself is shown.
pub const ENDS_SOON: Duration = Duration::from_secs(7 * 24 * 3_600);
/// The same of an invitation. It lasts no longer than [`ENDS_SOON`], so only its last day is a reason to look.
pub const INVITATION_ENDS_SOON: Duration = Duration::from_secs(24 * 3_600);
/// How long before its end a hold is shown.
pub const HOLD_ENDS_SOON: Duration = Duration::from_secs(10 * 60);
/// How long an order waits before it is shown as waiting for long: a processor that takes days is no reason to look.
pub const PENDING_LONG: Duration = Duration::from_secs(3 * 24 * 3_600);
/// Days of the overview's sales.
pub const SALES_DAYS: usize = 14;
/// Payments on a page of those that somebody has to deal with.
pub const PAYMENTS_PAGE: usize = 50;
