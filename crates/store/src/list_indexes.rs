//! The lists that there are, and the index that serves each.

/// A way to read a table in order: all rows of a producer, an event or an order, perhaps of one status, sorted by a
/// stamp along an index.
///
/// PostgreSQL uses a partial index only if the query contains the index's condition. So each list of a table has a
/// number N, and its index and its query have the condition `seq + N <> N`. It is true for every row, but the planner
/// does not know that, so it uses this index for this list and for nothing else. The index of an order's tickets serves
/// other statements too and has no number; it can only serve a query that names the order.
#[derive(Debug)]
pub struct List {
    /// The index that serves it.
    pub index: &'static str,
    /// The N of its condition, if it has one; the lists of one table have different ones.
    pub number: Option<i64>,
    /// The table.
    pub table: &'static str,
    /// The column that names the event or order of its rows, if the list is of one.
    pub owner: Option<&'static str>,
    /// Whether the index has the status before the stamp.
    pub by_status: bool,
    /// The stamp that sorts it.
    pub stamp: &'static str,
    /// Whether the index has its rows in another order, so that they are sorted once they are read.
    pub is_sorted_late: bool,
}

const fn list(
    index: &'static str,
    number: i64,
    table: &'static str,
    owner: Option<&'static str>,
    by_status: bool,
    stamp: &'static str,
) -> List {
    List { index, number: Some(number), table, owner, by_status, stamp, is_sorted_late: false }
}

const fn of_order(stamp: &'static str, is_sorted_late: bool) -> List {
    let (index, table) = ("tickets_of_order", "tickets");
    List { index, number: None, table, owner: Some("order_id"), by_status: false, stamp, is_sorted_late }
}

const OF_EVENT: Option<&str> = Some("event_id");

/// Every list. A test compares them with the indexes of both engines.
#[rustfmt::skip]
pub const LISTS: &[List] = &[
    list("tickets_by_issued",           1, "tickets", None,     false, "issued_at"),
    list("tickets_by_scanned",          2, "tickets", None,     false, "checked_in_at"),
    list("tickets_by_updated",          3, "tickets", None,     false, "updated_at"),
    list("tickets_by_status",           4, "tickets", None,     true,  "issued_at"),
    list("tickets_of_event_by_issued",  5, "tickets", OF_EVENT, false, "issued_at"),
    list("tickets_of_event_by_scanned", 6, "tickets", OF_EVENT, false, "checked_in_at"),
    list("tickets_of_event_by_updated", 7, "tickets", OF_EVENT, false, "updated_at"),
    list("tickets_of_event_by_status",  8, "tickets", OF_EVENT, true,  "issued_at"),
    of_order("issued_at", false),
    of_order("checked_in_at", true),
    of_order("updated_at", true),
    list("orders_by_created",           1, "orders",  None,     false, "created_at"),
    list("orders_by_updated",           3, "orders",  None,     false, "updated_at"),
    list("orders_by_status",            4, "orders",  None,     true,  "created_at"),
    list("orders_of_event_by_created",  5, "orders",  OF_EVENT, false, "created_at"),
    list("orders_of_event_by_updated",  7, "orders",  OF_EVENT, false, "updated_at"),
    list("orders_of_event_by_status",   8, "orders",  OF_EVENT, true,  "created_at"),
    list("events_by_created",           1, "events",  None,     false, "created_at"),
    list("events_by_updated",           3, "events",  None,     false, "updated_at"),
];
