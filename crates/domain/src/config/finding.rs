//! Finding things on the command line.

/// Rows that a list or a search shows if no limit is named.
pub const FOUND_DEFAULT: usize = 50;
/// The most rows that one list or search shows. They are in memory together, so there is an end to them.
pub const FOUND_MAX: usize = 10_000;
/// Rows that one statement of a search reads: enough that the way to the database does not matter, few enough to keep
/// memory flat and to let go of the database often.
pub const SEARCHED_TOGETHER: usize = 1_000;
/// Columns that a table may take without `--wide`: every terminal has as many.
pub const TABLE_WIDTH: u16 = 80;
/// Columns that an id may take in a list. Those made here have at most 30; a longer one gets a line of its own.
pub const TABLE_ID_WIDTH: usize = 30;
