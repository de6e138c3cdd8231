//! Pages of lists.

/// Rows on a page if the client names no limit.
pub const PAGE_DEFAULT: u32 = 50;
/// The most rows on a page.
pub const PAGE_MAX: u32 = 200;
/// Rows examined for one page when a filter cannot be served by the index alone (two time filters at once, say). The
/// page may then be shorter than the limit, with `has_more`, and its cost stays flat (G8). Also the most tickets of one
/// order that are sorted for a page; an order placed here has [`ORDER_TICKETS_MAX`](super::ORDER_TICKETS_MAX) and their transfers.
pub const EXAMINED_MAX: usize = 1_000;

/// How many times one list is read because its rows are of ticket types whose names the server does not know yet. The
/// first reading finds them all; another is needed only if rows of further ticket types were added meanwhile.
pub const LIST_READS_MAX: usize = 10;

/// Transfers that are followed, back and forth, from one ticket. Far more than a ticket is ever passed on.
pub const CHAIN_MAX: i64 = 10_000;
