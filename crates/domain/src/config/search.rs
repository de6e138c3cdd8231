//! Searching orders and tickets, and exports of them.

use std::time::Duration;

/// How often a server looks for orders and tickets that staff cannot find yet: what was sold is found about a second later.
pub const SEARCH_POLL: Duration = Duration::from_secs(1);
/// How often it looks whether that time has come, by the clock that tests step.
pub const SEARCH_CLOCK_POLL: Duration = Duration::from_millis(100);
/// Orders, and tickets, whose words one transaction writes. On SQLite a sale may have to wait for it, so they are few.
pub const SEARCH_TOGETHER: i64 = 100;
/// After such a transaction its task rests this many times as long as it took, so that it never takes more than a quarter
/// of the time in which sales are written.
pub const SEARCH_REST: u32 = 3;
/// Producers that are looked after in one round, of those that have sold something.
pub const SEARCH_PRODUCERS: usize = 100;
/// Bytes of an entry of the index. Whoever types more than this finds all that begins so.
pub const SEARCH_ENTRY_MAX: usize = 40;
/// Bytes of the entry of a ticket's code. Few codes begin alike, and those are compared as a whole.
pub const SEARCH_CODE_MAX: usize = 12;
/// Letters of a code or an order's id that must be typed. Fewer would bring a part of everything.
pub const SEARCH_CODE_MIN: usize = 4;
/// Entries of one person, because a name of 500 characters may have 250 words.
pub const SEARCH_ENTRIES_MAX: usize = 24;
/// Words of a text that is looked for.
pub const SEARCH_WORDS_MAX: usize = 6;
/// Rows that a search fetches at a time, newest first, until there are enough.
pub const TICKETS_FETCHED: usize = 100;
/// Events that a page lets staff choose from, the newest.
pub const EVENTS_OFFERED: usize = 100;
/// Tickets on one page that is printed, because each has a drawing.
pub const TICKETS_PRINTED: usize = 20;
/// Tickets of one order that its pages show. Only an import brings an order with more.
pub const ORDER_TICKETS_SHOWN: i64 = 1_000;
/// Orders whose tickets are listed when the text begins their ids.
pub const SEARCH_ORDERS_MAX: usize = 10;

/// Events on the front page.
pub const FRONT_EVENTS: usize = 12;
/// Characters that are kept of what a browser says of itself.
pub const DEVICE_MAX: usize = 200;
/// How long the page of a test message waits for its result.
pub const TEST_WAIT: Duration = Duration::from_secs(10);
/// How often it looks whether there is one.
pub const TEST_POLL: Duration = Duration::from_millis(50);

/// Days that a report covers if nobody says which.
pub const REPORT_DAYS: i64 = 30;
/// Days that a report covers at most: a leap year.
pub const REPORT_DAYS_MAX: i64 = 366;
/// Bars of a chart. More days than this are shown as weeks, which are as many bars as a phone can show.
pub const REPORT_BARS: i64 = 62;
/// Points of an entry curve, as many as a laptop can show.
pub const REPORT_ENTRY_STEPS: i64 = 150;
/// Rows of sums that a report adds up, and that its file has: some megabytes.
pub const REPORT_ROWS_MAX: usize = 50_000;
/// Exports that run at once on a server: each keeps a page of rows in memory and reads one page after another.
pub const EXPORTS_MAX: usize = 16;
/// Exports of one producer among them, so that none takes the places of the others.
pub const EXPORTS_PER_PRODUCER: usize = 4;
/// When to try again if there is no place for an export.
pub const EXPORT_RETRY_S: u64 = 30;
/// Rows that an export reads at a time: a few hundred kilobytes.
pub const EXPORT_PAGE: usize = 250;
/// How often an export tries to read a page while the database is busy, before it breaks off.
pub const EXPORT_TRIES: u32 = 5;
/// How long it waits in between.
pub const EXPORT_PAUSE: Duration = Duration::from_secs(1);
/// Events whose names and time zones an export keeps in memory.
pub const EXPORT_EVENTS: usize = 1_000;

/// Tickets on the list of attendees to print, which is sorted by name in memory: some forty sheets of paper. Larger events
/// take the export of their tickets.
pub const ATTENDEES_LISTED: usize = 2_000;
