//! The temporary tables in which an import's rows wait.

use std::iter;

use taquilla_domain::clock::Stamp;

use crate::{Dedicated, Result, engine::sql::Param};

/// A row to be staged: its line and its columns by name.
pub struct Staged {
    /// The temporary table it waits in.
    pub table: Table,
    /// The line of the file.
    pub line: i64,
    /// Column names and values; every row of a table names the same columns in the same order.
    pub columns: Vec<(&'static str, Value)>,
}

/// A column's value in a staged row.
#[derive(Debug)]
pub enum Value {
    /// A number, a stamp or a flag.
    Int(Option<i64>),
    /// A text.
    Text(Option<String>),
}

macro_rules! value_from {
    ($($from:ty => |$value:ident| $into:expr),+ $(,)?) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self { $into }
        })+
    };
}
value_from! {
    i64 => |value| Value::Int(Some(value)),
    Option<i64> => |value| Value::Int(value),
    bool => |value| Value::Int(Some(i64::from(value))),
    Option<Stamp> => |value| Value::Int(value.map(Stamp::micros)),
    Stamp => |value| Value::Int(Some(value.micros())),
    String => |value| Value::Text(Some(value)),
    &str => |value| Value::Text(Some(value.to_owned())),
    Option<String> => |value| Value::Text(value),
}

impl<'a> From<&'a Value> for Param<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Int(value) => Param::Int(*value),
            Value::Text(value) => Param::Text(value.as_deref()),
        }
    }
}

/// The temporary tables that lines are staged in, in the order in which their rows are inserted. (The others are filled
/// by `prepare`.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the table of its name")]
pub enum Table {
    Events,
    TicketTypes,
    Includes,
    Orders,
    Items,
    Tickets,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 6] =
        [Self::Events, Self::TicketTypes, Self::Includes, Self::Orders, Self::Items, Self::Tickets];

    const fn name(self) -> &'static str {
        match self {
            Self::Events => "import_events",
            Self::TicketTypes => "import_types",
            Self::Includes => "import_includes",
            Self::Orders => "import_orders",
            Self::Items => "import_items",
            Self::Tickets => "import_tickets",
        }
    }
}

const STAGING: &str = "
CREATE TEMP TABLE import_events (line BIGINT NOT NULL, id TEXT NOT NULL, name TEXT, description TEXT, venue TEXT,
    timezone TEXT, starts_at BIGINT, ends_at BIGINT, currency TEXT, status TEXT, image_url TEXT, created_at BIGINT);
CREATE TEMP TABLE import_types (line BIGINT NOT NULL, id TEXT NOT NULL, event_id TEXT, kind TEXT, category TEXT,
    name TEXT, description TEXT, image_url TEXT, price BIGINT, currency TEXT, status TEXT, deleted BIGINT,
    stock_limit BIGINT, max_per_order BIGINT, expires_at BIGINT, sort_order BIGINT, access_code TEXT, reentry BIGINT,
    door_note TEXT);
CREATE TEMP TABLE import_includes (line BIGINT NOT NULL, bundle_id TEXT, position BIGINT, ticket_type_id TEXT,
    quantity BIGINT);
CREATE TEMP TABLE import_orders (line BIGINT NOT NULL, id TEXT NOT NULL, event_id TEXT, status TEXT,
    buyer_name TEXT, buyer_email TEXT, buyer_phone TEXT, buyer_document TEXT, currency TEXT, total BIGINT,
    payment_id TEXT, paid_at BIGINT, refunded_at BIGINT, created_at BIGINT);
CREATE TEMP TABLE import_items (line BIGINT NOT NULL, order_id TEXT, position BIGINT, ticket_type_id TEXT,
    name TEXT, quantity BIGINT, list_price BIGINT, unit_price BIGINT, total BIGINT);
CREATE TEMP TABLE import_tickets (line BIGINT NOT NULL, id TEXT NOT NULL, event_id TEXT, order_id TEXT,
    order_item BIGINT, ticket_type_id TEXT, bundle_id TEXT, bundle_unit TEXT, from_bundle BIGINT, hidden BIGINT, attendee_id TEXT,
    attendee_name TEXT, attendee_email TEXT, attendee_phone TEXT, attendee_document TEXT, issued_at BIGINT,
    checked_in_at BIGINT, checked_in_by TEXT, transferred_at BIGINT, transferred_to TEXT, cancelled_at BIGINT,
    door_note TEXT, status TEXT, document TEXT);
CREATE TEMP TABLE import_ready (line BIGINT NOT NULL, id TEXT, event_id TEXT, order_id TEXT, order_item BIGINT,
    ticket_type_id TEXT, bundle_id TEXT, bundle_unit TEXT, from_bundle BIGINT, status TEXT, told TEXT, hidden BIGINT,
    attendee_id TEXT, attendee_name TEXT, attendee_email TEXT, attendee_phone TEXT, attendee_document TEXT, issued_at BIGINT,
    checked_in_at BIGINT, checked_in_by TEXT, transferred_at BIGINT, transferred_to TEXT, cancelled_at BIGINT, door_note TEXT,
    document TEXT);
CREATE TEMP TABLE import_found_types (id TEXT PRIMARY KEY, kind TEXT, name TEXT, price BIGINT);
CREATE TEMP TABLE import_order_documents (id TEXT PRIMARY KEY, document TEXT);
CREATE TEMP TABLE import_places (id TEXT PRIMARY KEY, place BIGINT NOT NULL);
CREATE TEMP TABLE import_known_orders (id TEXT PRIMARY KEY, status TEXT, sold_here BIGINT);
CREATE TEMP TABLE import_counts (id TEXT PRIMARY KEY, sold BIGINT, valid BIGINT, scanned BIGINT);
CREATE TEMP TABLE import_entries (ticket_type_id TEXT, station TEXT, entered BIGINT, PRIMARY KEY (ticket_type_id, station));
CREATE TEMP TABLE import_sales (event_id TEXT, quarter BIGINT, ticket_type_id TEXT, units BIGINT, amount BIGINT,
    refunded_units BIGINT, refunded_amount BIGINT);
CREATE TEMP TABLE import_minutes (event_id TEXT, minute BIGINT, ticket_type_id TEXT, entered BIGINT,
    PRIMARY KEY (event_id, minute, ticket_type_id));
CREATE TEMP TABLE import_units (bundle_id TEXT, unit TEXT, order_id TEXT, PRIMARY KEY (bundle_id, unit, order_id));
";

/// What makes rows findable, once all are there: an index that is built at once costs a fraction of one that grows.
const KEYS: &str = "
CREATE UNIQUE INDEX import_events_key ON import_events (id);
CREATE UNIQUE INDEX import_types_key ON import_types (id);
CREATE UNIQUE INDEX import_includes_key ON import_includes (bundle_id, position);
CREATE UNIQUE INDEX import_orders_key ON import_orders (id);
CREATE UNIQUE INDEX import_items_key ON import_items (order_id, position);
CREATE UNIQUE INDEX import_tickets_key ON import_tickets (id);
CREATE INDEX import_tickets_by_origin ON import_tickets (transferred_to) WHERE transferred_to IS NOT NULL;
";

/// PostgreSQL's planner goes by statistics, and a temporary table or a young producer has none worth trusting. These
/// settings leave it one way: take the staged rows one by one and find the producer's rows by their keys. Of temporary tables
/// it keeps 8 MB in memory otherwise, which is less than the keys of a large file.
const BY_KEY: &str = "SET temp_buffers = '64MB'; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off; \
     SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan; SET jit = off";

/// A line that contradicts the rest of the file or the database.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the file.
    pub line: i64,
    /// The field of that line.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
}

/// Creates the temporary tables on a dedicated connection and begins to fill them.
pub async fn begin(conn: &mut Dedicated) -> Result<()> {
    // The room for temporary tables is settled by the first of them.
    conn.batch(conn.dialect("", BY_KEY)).await?;
    conn.batch(STAGING).await?;
    // One transaction holds all staging, because on SQLite a commit for each batch would cost more than its rows.
    conn.batch("BEGIN").await
}

/// Stages rows of one table.
pub async fn stage(conn: &mut Dedicated, rows: &[Staged]) -> Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    let columns: Vec<&str> = iter::once("line").chain(first.columns.iter().map(|(name, _)| *name)).collect();
    let sets: Vec<Vec<Param<'_>>> = rows
        .iter()
        .map(|row| {
            let values = row.columns.iter().map(|(_, value)| Param::from(value));
            iter::once(Param::from(row.line)).chain(values).collect()
        })
        .collect();
    conn.fill(first.table.name(), &columns, &sets).await
}

/// Ends the staging. All lines have been read. Returns a fault for the first row whose id stood in the file before.
pub async fn end(conn: &mut Dedicated) -> Result<Option<Fault>> {
    conn.batch("COMMIT").await?;
    if let Err(cause) = conn.batch(KEYS).await {
        return match twice(conn).await? {
            Some(line) => Ok(Some(Fault { line, field: "id", message: "this id stands in the file twice".into() })),
            None => Err(cause),
        };
    }
    for table in Table::ALL {
        conn.batch(&format!("ANALYZE {}", table.name())).await?;
    }
    Ok(None)
}

/// The first line whose id stood in the file before. Rows of bundles and orders have the lines of these.
async fn twice(conn: &mut Dedicated) -> Result<Option<i64>> {
    let repeated =
        |table: &str| format!("SELECT line, row_number() OVER (PARTITION BY id ORDER BY line) AS nth FROM {table}");
    let tables = [Table::Events, Table::TicketTypes, Table::Orders, Table::Tickets].map(|table| repeated(table.name()));
    let sql = format!("SELECT min(line) FROM ({}) r WHERE nth > 1", tables.join(" UNION ALL "));
    Ok(conn.query_first(&sql, &[], |row| row.opt_int(0)).await?.flatten())
}
