//! Pages of a list, each read along one index from where the last one ended.
//!
//! A list is sorted by a stamp, newest first, and by seq where stamps are equal. The equalities of a filter and its
//! statuses choose the index; a page is a range of it. Several statuses are one range each, merged as they are read.
//! What no index can serve (a status beside `scanned_after`, a second time filter) is tested row by row, for at most
//! [`EXAMINED_MAX`] rows a page: such a page may be short, and its cost stays flat (G8).

use super::{
    Conn, Error, Result, Tenant,
    engine::sql::{Param, Row},
};
use crate::{config::EXAMINED_MAX, domain::clock::Stamp};

/// A row's place in a list: its stamp, then its seq.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The stamp that the list is sorted by.
    pub stamp: Stamp,
    /// What tells rows with the same stamp apart.
    pub seq: i64,
}

impl Position {
    /// Just above every row stamped up to and including this.
    pub fn above(stamp: Stamp) -> Self {
        Self { stamp, seq: i64::MAX }
    }
}

/// What a list is made of: one constant per noun.
pub struct Source {
    /// The table; in all other texts its alias is `t`.
    pub table: &'static str,
    /// What each row is read as, from column [`FIRST`] on.
    pub columns: &'static str,
    /// A condition that holds for every row a list may show, with its `AND`; the indexes repeat it.
    pub visible: &'static str,
}

/// The first column that is the noun's own: before it come the stamp and the seq, and after the noun's the test, if any.
pub const FIRST: usize = 2;

/// Which rows, sorted how.
pub struct Filter<'a> {
    /// The column that sorts the list and bounds the range.
    pub stamp: &'static str,
    /// Only rows stamped strictly after this.
    pub after: Option<Stamp>,
    /// Columns that must be equal to a value; an index begins with them.
    pub equal: Vec<(&'static str, &'a str)>,
    /// Any of these; an index has the status after the equalities. Empty is all.
    pub statuses: Vec<&'static str>,
    /// What is tested row by row.
    pub tested: Vec<Test<'a>>,
}

impl Filter<'_> {
    /// The list of a table that serves this filter, which must be one of [`LISTS`].
    pub fn list(&self, table: &str) -> Result<&'static List> {
        let owner = self.equal.first().map(|(column, _)| *column);
        let by_status = !self.statuses.is_empty();
        LISTS
            .iter()
            .find(|list| (list.table, list.owner, list.by_status, list.stamp) == (table, owner, by_status, self.stamp))
            .ok_or_else(|| Error::internal(format!("no list of {table} of {owner:?} by {}", self.stamp)))
    }
}

/// A way to read a table in order, and the index that serves it: whose rows, perhaps of one status, sorted by a stamp.
///
/// PostgreSQL can use an index only where its condition is in the query. So each list of a table has a number, and its
/// index the condition `seq + N <> N`: that is true of every row, no planner knows so, and no other query has it.
#[derive(Debug)]
pub struct List {
    /// The index that serves it.
    pub index: &'static str,
    /// Tells it from the other lists of the table.
    pub number: i64,
    /// The table.
    pub table: &'static str,
    /// The column that says whose rows it holds, besides the producer's.
    pub owner: Option<&'static str>,
    /// Whether it holds the rows of one status.
    pub by_status: bool,
    /// The stamp that sorts it.
    pub stamp: &'static str,
}

const fn list(
    index: &'static str,
    number: i64,
    table: &'static str,
    owner: Option<&'static str>,
    by_status: bool,
    stamp: &'static str,
) -> List {
    List { index, number, table, owner, by_status, stamp }
}

const OF_EVENT: Option<&str> = Some("event_id");
const OF_ORDER: Option<&str> = Some("order_id");

/// Every list there is. A test compares them with the indexes of both engines.
#[rustfmt::skip]
pub const LISTS: &[List] = &[
    list("tickets_by_issued",            1, "tickets", None,     false, "issued_at"),
    list("tickets_by_scanned",           2, "tickets", None,     false, "checked_in_at"),
    list("tickets_by_updated",           3, "tickets", None,     false, "updated_at"),
    list("tickets_by_status",            4, "tickets", None,     true,  "issued_at"),
    list("tickets_of_event_by_issued",   5, "tickets", OF_EVENT, false, "issued_at"),
    list("tickets_of_event_by_scanned",  6, "tickets", OF_EVENT, false, "checked_in_at"),
    list("tickets_of_event_by_updated",  7, "tickets", OF_EVENT, false, "updated_at"),
    list("tickets_of_event_by_status",   8, "tickets", OF_EVENT, true,  "issued_at"),
    list("tickets_of_order_by_issued",   9, "tickets", OF_ORDER, false, "issued_at"),
    list("tickets_of_order_by_scanned", 10, "tickets", OF_ORDER, false, "checked_in_at"),
    list("tickets_of_order_by_updated", 11, "tickets", OF_ORDER, false, "updated_at"),
    list("orders_by_created",            1, "orders",  None,     false, "created_at"),
    list("orders_by_updated",            3, "orders",  None,     false, "updated_at"),
    list("orders_by_status",             4, "orders",  None,     true,  "created_at"),
    list("orders_of_event_by_created",   5, "orders",  OF_EVENT, false, "created_at"),
    list("orders_of_event_by_updated",   7, "orders",  OF_EVENT, false, "updated_at"),
    list("orders_of_event_by_status",    8, "orders",  OF_EVENT, true,  "created_at"),
    list("events_by_created",            1, "events",  None,     false, "created_at"),
    list("events_by_updated",            3, "events",  None,     false, "updated_at"),
];

/// A condition that the index of a list cannot serve.
#[derive(Clone, Debug)]
pub enum Test<'a> {
    /// The column equals one of these.
    OneOf(&'static str, Vec<&'a str>),
    /// The stamp is strictly after.
    After(&'static str, Stamp),
    /// The stamp is at or before.
    UpTo(&'static str, Stamp),
}

/// Where a page ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left.
    Complete,
    /// The next page begins below this row.
    More(Position),
}

/// Reads one page and hands each of its rows to `each`.
pub async fn page(
    conn: &mut Conn,
    tenant: Tenant,
    source: &Source,
    filter: &Filter<'_>,
    from: Position,
    limit: usize,
    mut each: impl FnMut(&Row<'_>) -> Result<()> + Send,
) -> Result<End> {
    let reach = if filter.tested.is_empty() { limit } else { EXAMINED_MAX };
    let (sql, params) = statement(tenant, source, filter, from, reach + 1)?;
    let mut examined = 0;
    let mut shown = 0;
    let mut last = from;
    let mut end = End::Complete;
    conn.query_while(&sql, &params, |row| {
        // One row more than fits tells that there is more; it is not shown.
        if examined == reach || shown == limit {
            end = End::More(last);
            return Ok(false);
        }
        examined += 1;
        if filter.tested.is_empty() || row.flag(row.columns() - 1)? {
            shown += 1;
            each(row)?;
        }
        // Reading a row's place costs a little; it is needed of the last row only.
        if examined == reach || shown == limit {
            last = Position { stamp: row.stamp(0)?, seq: row.int(1)? };
        }
        Ok(true)
    })
    .await?;
    Ok(end)
}

/// The statement for a page and its parameters.
///
/// The index is named: left to itself, a planner goes by statistics, or worse, by none. SQLite has a clause for that;
/// PostgreSQL, which has not, gets the statement without it (`postgres.rs`) and knows the index by its number.
pub fn statement<'a>(
    tenant: Tenant,
    source: &Source,
    filter: &Filter<'a>,
    from: Position,
    rows: usize,
) -> Result<(String, Vec<Param<'a>>)> {
    let Source { table, columns, visible } = source;
    let stamp = filter.stamp;
    let &List { index, number, .. } = filter.list(table)?;
    let mut params = Vec::with_capacity(16);
    params.extend([
        Param::from(tenant.number()),
        Param::from(filter.after.unwrap_or(Stamp::BEGINNING)),
        Param::from(from.stamp),
        Param::from(from.seq),
        Param::from(rows as i64),
    ]);
    let tested = tested(&filter.tested, &mut params);
    let mut conditions = format!("t.seq + {number} <> {number} AND t.producer_id = ?1");
    for (column, value) in &filter.equal {
        params.push(Param::from(*value));
        conditions += &format!(" AND t.{column} = ?{}", params.len());
    }
    const ORDER: &str = "ORDER BY stamp DESC, seq DESC";
    let several = filter.statuses.len() > 1;
    let mut sql = String::with_capacity(512 * filter.statuses.len().max(1));
    let mut select = |branch: &str| {
        // Each part is in order by itself; said so, PostgreSQL merges them instead of sorting them together.
        let (before, after) = match (several, sql.is_empty()) {
            (false, _) => ("", ""),
            (true, true) => ("SELECT * FROM (", ") part"),
            (true, false) => (" UNION ALL SELECT * FROM (", ") part"),
        };
        for text in [
            before,
            "SELECT t.",
            stamp,
            " AS stamp, t.seq AS seq, ",
            columns,
            &tested,
            " FROM ",
            table,
            " t INDEXED BY ",
            index,
            " WHERE ",
            &conditions,
            branch,
            visible,
            " AND t.",
            stamp,
            " > ?2 AND (t.",
            stamp,
            ", t.seq) < (?3, ?4) ",
            ORDER,
            after,
        ] {
            sql += text;
        }
    };
    if filter.statuses.is_empty() {
        select("");
    }
    for status in &filter.statuses {
        params.push(Param::from(*status));
        select(&format!(" AND t.status = ?{}", params.len()));
    }
    if several {
        sql += " ";
        sql += ORDER;
    }
    sql += " LIMIT ?5";
    Ok((sql, params))
}

/// One more column, where anything is tested: 1 for the rows to show and 0 for the others.
fn tested<'a>(tests: &[Test<'a>], params: &mut Vec<Param<'a>>) -> String {
    let mut bind = |param: Param<'a>| {
        params.push(param);
        params.len()
    };
    if tests.is_empty() {
        return String::new();
    }
    let conditions: Vec<String> = tests
        .iter()
        .map(|test| match test {
            Test::OneOf(column, values) => {
                let values: Vec<String> =
                    values.iter().map(|value| format!("?{}", bind(Param::from(*value)))).collect();
                format!("t.{column} IN ({})", values.join(", "))
            }
            Test::After(column, stamp) => format!("t.{column} > ?{}", bind(Param::from(*stamp))),
            Test::UpTo(column, stamp) => format!("t.{column} <= ?{}", bind(Param::from(*stamp))),
        })
        .collect();
    format!(", CAST(CASE WHEN {} THEN 1 ELSE 0 END AS BIGINT)", conditions.join(" AND "))
}
