//! Imports.

use std::time::Duration;

/// Bytes in one line of an import.
pub const IMPORT_LINE_MAX: usize = 1024 * 1024;
/// Files of this many lines or more are written before the producer is locked, where that is possible. Fewer take the producer
/// for about as long as a sale does.
pub const IMPORT_AHEAD_LINES: i64 = 5_000;
/// A producer that has not moved for so long is taken not to sell just now.
pub const IMPORT_AHEAD_QUIET: Duration = Duration::from_mins(1);
/// Writing is expected to take this many times as long as preparing did, and [`IMPORT_AHEAD_LEAST`] more. It takes about twice as
/// long on a quiet machine.
pub const IMPORT_AHEAD_TIMES: u32 = 4;
/// See [`IMPORT_AHEAD_TIMES`].
pub const IMPORT_AHEAD_LEAST: Duration = Duration::from_secs(1);
/// The producer is locked so long before the moment that was chosen.
pub const IMPORT_AHEAD_END: Duration = Duration::from_millis(200);
/// How many times rows are written ahead. If sales overtake the moment that was chosen every time, the producer is locked first.
pub const IMPORT_AHEAD_TRIES: u32 = 2;
/// An import that began longer ago has ended, or its rows are deleted while it waits. A million tickets take minutes.
pub const IMPORT_LASTS: Duration = Duration::from_hours(24);
/// Lines sent to the database together: enough to keep PostgreSQL busy, few enough to keep memory flat.
pub const IMPORT_BATCH: usize = 1_000;
/// Items of one order, and different items in one bundle.
pub const ITEMS_MAX: usize = 500;
