//! Every table there is, and whether it is in a backup. A test compares the list with the schema. Where imports wait on
//! PostgreSQL (`import_…`) is no part of it: SQLite has no such tables.

/// A table.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Whether a backup has its rows.
    pub is_kept: bool,
}

const fn kept(name: &'static str) -> Table {
    Table { name, is_kept: true }
}

const fn left_out(name: &'static str) -> Table {
    Table { name, is_kept: false }
}

/// Every table of every version of the schema, in an order in which rows can be inserted: a row comes after those that it
/// refers to. A table that a later migration drops stays in the list, for backups from before.
pub const TABLES: &[Table] = &[
    kept("settings"),
    kept("producers"),
    kept("lost_history"),
    kept("api_keys"),
    kept("events"),
    kept("ticket_types"),
    kept("bundle_items"),
    kept("orders"),
    kept("order_items"),
    kept("order_attendees"),
    kept("tickets"),
    kept("idempotency_keys"),
    kept("payment_accounts"),
    kept("payments"),
    kept("pay_backs"),
    kept("refunded_items"),
    kept("order_notes"),
    kept("shifts"),
    kept("shift_cash"),
    kept("door_links"),
    kept("inside_limits"),
    kept("door_link_events"),
    kept("scans"),
    // These follow from other rows. They are kept all the same, because nothing but a move writes them.
    kept("held_stock"),
    kept("station_entries"),
    kept("inside"),
    kept("entries"),
    kept("link_scans"),
    kept("sales"),
    kept("event_sales"),
    kept("event_totals"),
    kept("outbox"),
    kept("webhook_endpoints"),
    kept("webhook_deliveries"),
    kept("webhook_attempts"),
    kept("imports"),
    kept("users"),
    kept("recovery_codes"),
    kept("roles"),
    kept("members"),
    kept("audit"),
    kept("work"),
    kept("work_orders"),
    // The schema is made anew.
    left_out("schema_migrations"),
    // A session that was ended since, or a link that was used since, must not work again.
    left_out("sessions"),
    left_out("staff_links"),
    // Files on their way in, which whoever sent them has.
    left_out("uploads"),
    // Servers make these anew, from orders and tickets.
    left_out("search_words"),
    left_out("search_marks"),
    // Whose turn it is belongs to the servers that run.
    left_out("backup_turn"),
];

/// The tables whose rows a backup has.
pub fn in_backups() -> impl DoubleEndedIterator<Item = &'static str> {
    TABLES.iter().filter(|table| table.is_kept).map(|table| table.name)
}
