//! The tables in which an import's rows wait. On SQLite they are temporary, and vanish with the connection. On PostgreSQL they
//! are there for good, because a connection through a pooler is another one for each transaction; there the rows of an
//! import have its id, and `remove` deletes them.

use taquilla_domain::{clock::Stamp, id};

use super::temporary;
use crate::{
    Dedicated, Error, Result, Tenant,
    engine::sql::{Param, params},
};

/// A row to be staged: its line and its columns by name.
pub struct Staged {
    /// The table it waits in.
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

/// The tables that lines are staged in, in the order in which their rows are inserted. (The others are filled
/// by `prepare`.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the table of its name")]
pub enum Table {
    Events,
    TicketTypes,
    Includes,
    Pools,
    PoolItems,
    Coupons,
    CouponItems,
    Surcharges,
    Orders,
    Items,
    Tickets,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 11] = [
        Self::Events,
        Self::TicketTypes,
        Self::Includes,
        Self::Pools,
        Self::PoolItems,
        Self::Coupons,
        Self::CouponItems,
        Self::Surcharges,
        Self::Orders,
        Self::Items,
        Self::Tickets,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Events => "import_events",
            Self::TicketTypes => "import_types",
            Self::Includes => "import_includes",
            Self::Pools => "import_pools",
            Self::PoolItems => "import_pool_items",
            Self::Coupons => "import_coupons",
            Self::CouponItems => "import_coupon_items",
            Self::Surcharges => "import_surcharges",
            Self::Orders => "import_orders",
            Self::Items => "import_items",
            Self::Tickets => "import_tickets",
        }
    }
}

/// Whose import rows belong to. On PostgreSQL the staged rows of all imports are in the same tables.
pub struct Import {
    /// The producer.
    pub tenant: Tenant,
    /// Which of the producer's imports, such as `im_01K…`.
    pub id: String,
}

impl Import {
    /// A new one.
    pub fn new(tenant: Tenant, now: Stamp) -> Self {
        Self { tenant, id: id::new_id("im", now) }
    }

    /// The parameters of a statement over staged rows: `?1` and `?2` for [`keyed`], then further ones.
    pub(super) fn and<'p>(&'p self, further: &[Param<'p>]) -> Vec<Param<'p>> {
        params![self.tenant.number(), &self.id].iter().chain(further).copied().collect()
    }
}

/// The statement with `[s]` written out: the rows of table `s` that belong to the import of `?1` and `?2`. Every table of a
/// statement is narrowed down to one producer by a value, so that a database of many machines asks one of them.
pub fn keyed(sql: &str) -> String {
    let mut text = String::with_capacity(2 * sql.len());
    let mut rest = sql;
    while let Some(at) = rest.find('[') {
        let (before, found) = rest.split_at(at);
        text += before;
        match found[1..].split_once(']') {
            Some((alias, after)) if alias.len() == 1 => {
                text += &format!("{alias}.producer_id = ?1 AND {alias}.import_id = ?2");
                rest = after;
            }
            _ => {
                text.push('[');
                rest = &found[1..];
            }
        }
    }
    text + rest
}

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

/// Begins to stage rows, on a dedicated connection.
pub async fn begin(conn: &mut Dedicated, import: &Import, now: Stamp) -> Result<()> {
    if conn.is_remote() {
        conn.find_by_key().await?;
        let sql = "INSERT INTO import_runs (producer_id, import_id, began_at) VALUES (?1, ?2, ?3)";
        return conn.execute(sql, &import.and(params![now])).await.map(drop);
    }
    conn.batch(temporary::TABLES).await?;
    // One transaction holds all staging, because on SQLite a commit for each batch would cost more than its rows.
    conn.batch("BEGIN").await
}

/// Stages rows of one table.
pub async fn stage(conn: &mut Dedicated, import: &Import, rows: &[Staged]) -> Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    let named = first.columns.iter().map(|(name, _)| *name);
    let columns: Vec<&str> = ["producer_id", "import_id", "line"].into_iter().chain(named).collect();
    let sets: Vec<Vec<Param<'_>>> = rows
        .iter()
        .map(|row| {
            let values = row.columns.iter().map(|(_, value)| Param::from(value));
            import.and(params![row.line]).into_iter().chain(values).collect()
        })
        .collect();
    conn.fill(first.table.name(), &columns, &sets).await
}

/// Ends the staging. All lines have been read. Returns a fault for the first row whose id stood in the file before.
pub async fn end(conn: &mut Dedicated, import: &Import) -> Result<Option<Fault>> {
    let is_repeated = if conn.is_remote() {
        some_id_is_repeated(conn, import).await?
    } else {
        conn.batch("COMMIT").await?;
        // An index that is built at once costs a fraction of one that grows.
        conn.batch(temporary::KEYS).await.is_err()
    };
    if is_repeated {
        let line = twice(conn, import).await?.ok_or_else(|| Error::internal("the staged rows have no keys"))?;
        return Ok(Some(Fault { line, field: "id", message: "this id stands in the file twice".into() }));
    }
    analyse(conn, &Table::ALL.map(Table::name)).await?;
    Ok(None)
}

/// Tells the planner how many rows there are.
pub(super) async fn analyse(conn: &mut Dedicated, tables: &[&str]) -> Result<()> {
    for table in tables {
        conn.batch(&format!("ANALYZE {table}")).await?;
    }
    Ok(())
}

/// The tables whose rows have an id of their own. Rows of bundles and orders have the lines of these.
const WITH_ID: [Table; 5] = [Table::Events, Table::TicketTypes, Table::Pools, Table::Orders, Table::Tickets];

async fn some_id_is_repeated(conn: &mut Dedicated, import: &Import) -> Result<bool> {
    for table in WITH_ID.map(Table::name) {
        let sql = keyed(&format!("SELECT s.id FROM {table} s WHERE [s] GROUP BY s.id HAVING count(*) > 1 LIMIT 1"));
        if conn.query_first(&sql, &import.and(&[]), |_| Ok(())).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The first line whose id stood in the file before.
async fn twice(conn: &mut Dedicated, import: &Import) -> Result<Option<i64>> {
    let repeated = |table: &str| {
        format!("SELECT s.line, row_number() OVER (PARTITION BY s.id ORDER BY s.line) AS nth FROM {table} s WHERE [s]")
    };
    let tables = WITH_ID.map(|table| repeated(table.name()));
    let sql = keyed(&format!("SELECT min(line) FROM ({}) r WHERE nth > 1", tables.join(" UNION ALL ")));
    Ok(conn.query_first(&sql, &import.and(&[]), |row| row.opt_int(0)).await?.flatten())
}
