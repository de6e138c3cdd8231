//! Every table there is, whether it is in a backup, and where it is when a database is spread over several machines (Citus).
//! A test compares the list with the schema. Where imports wait on PostgreSQL is a list of its own: SQLite has no such tables.

/// A table.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Whether a backup has its rows.
    pub is_kept: bool,
    /// Where its rows are in a database that is spread over several machines.
    pub placement: Placement,
}

/// Where the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Those of one producer are together on one worker, with all others that are spread. Every key begins with `producer_id`.
    Spread,
    /// All are on the coordinator. Citus knows these, too: what a move writes there commits with the move or not at all, and a
    /// worker that is asked for them asks the coordinator.
    Coordinator,
}

const fn kept(name: &'static str) -> Table {
    Table { name, is_kept: true, placement: Placement::Spread }
}

const fn left_out(name: &'static str) -> Table {
    Table { is_kept: false, ..kept(name) }
}

impl Table {
    const fn on_coordinator(self) -> Self {
        Self { placement: Placement::Coordinator, ..self }
    }
}

/// Every table of a PostgreSQL database.
pub fn on_postgres() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().chain(STAGING)
}

/// Whether the rows of a table are spread over workers.
pub fn is_spread(name: &str) -> bool {
    on_postgres().any(|table| table.name == name && table.placement == Placement::Spread)
}

/// Every table of every version of the schema, in an order in which rows can be inserted: a row comes after those that it
/// refers to. A table that a later migration drops stays in the list, for backups from before.
pub const TABLES: &[Table] = &[
    kept("settings").on_coordinator(),
    kept("producers").on_coordinator(),
    kept("clocks"),
    kept("lost_history").on_coordinator(),
    kept("api_keys").on_coordinator(),
    kept("shop_pictures"),
    kept("events"),
    kept("ticket_types"),
    kept("bundle_items"),
    kept("pools"),
    kept("pool_items"),
    kept("coupons"),
    kept("coupon_items"),
    kept("surcharges"),
    kept("terms"),
    kept("promoters"),
    kept("orders"),
    kept("order_items"),
    kept("order_attendees"),
    kept("tickets"),
    kept("idempotency_keys"),
    kept("payment_accounts"),
    kept("payments"),
    kept("pay_backs"),
    kept("payment_attempts"),
    kept("refunded_items"),
    kept("order_notes"),
    kept("shifts"),
    kept("shift_cash"),
    kept("door_links").on_coordinator(),
    kept("inside_limits"),
    kept("door_link_events").on_coordinator(),
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
    kept("promoter_sales"),
    kept("outbox"),
    kept("webhook_endpoints"),
    kept("webhook_deliveries"),
    kept("webhook_attempts"),
    kept("imports"),
    kept("users").on_coordinator(),
    kept("recovery_codes").on_coordinator(),
    kept("roles").on_coordinator(),
    kept("members").on_coordinator(),
    kept("audit").on_coordinator(),
    kept("work").on_coordinator(),
    kept("work_orders"),
    // The schema is made anew.
    left_out("schema_migrations").on_coordinator(),
    // A session that was ended since, or a link that was used since, must not work again.
    left_out("sessions").on_coordinator(),
    left_out("staff_links").on_coordinator(),
    // Files on their way in, which whoever sent them has.
    left_out("uploads"),
    // Whoever waits in a line does so at the servers that run.
    left_out("waiting_lines"),
    // Servers make these anew, from orders and tickets.
    left_out("search_words"),
    left_out("search_marks"),
    // Whose turn it is belongs to the servers that run.
    left_out("backup_turn").on_coordinator(),
];

/// Where imports wait on PostgreSQL.
pub const STAGING: &[Table] = &[
    left_out("import_runs"),
    left_out("import_events"),
    left_out("import_types"),
    left_out("import_includes"),
    left_out("import_pools"),
    left_out("import_pool_items"),
    left_out("import_coupons"),
    left_out("import_coupon_items"),
    left_out("import_surcharges"),
    left_out("import_orders"),
    left_out("import_items"),
    left_out("import_tickets"),
    left_out("import_ready"),
    left_out("import_found_types"),
    left_out("import_order_documents"),
    left_out("import_places"),
    left_out("import_known_orders"),
    left_out("import_counts"),
    left_out("import_entries"),
    left_out("import_sales"),
    left_out("import_minutes"),
    left_out("import_units"),
];

/// The tables whose rows a backup has.
pub fn in_backups() -> impl DoubleEndedIterator<Item = &'static str> {
    TABLES.iter().filter(|table| table.is_kept).map(|table| table.name)
}
