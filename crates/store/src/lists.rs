//! Pages of a list. Each page is read along one index from where the last page ended.
//!
//! A list is sorted by a stamp, newest first, and by seq where stamps are equal; staff may turn it around ([`First`]).
//! The filter's equalities and statuses choose the index; a page is a range of it. Several statuses are one range each, merged while they are read. A
//! condition that no index can serve (a status beside `scanned_after`, a second time filter) is tested row by row, for
//! at most [`EXAMINED_MAX`] rows a page: such a page may be short, and its cost stays flat (G8).
//!
//! The lists of one order by scan and by update have no index of their own, because an order has few tickets: all of them
//! are read and sorted. An order with more than [`EXAMINED_MAX`], which only an import can bring, is read along the
//! producer's list instead, with the order tested row by row. Both ways have the same sorting and the same positions, so
//! a traversal may begin in one and end in the other.
//!
//! Lists are sorted by what is filtered: with `updated_after` by `updated_at`, with `scanned_…` by `checked_in_at`,
//! else by `issued_at` or `created_at`. Sorted otherwise, a ticket on a page already read that is scanned meanwhile
//! would be lost to a client whose mark moves past it. With several time filters `updated_at` wins, because any change
//! moves it.
//!
//! SQLite is told the index (`INDEXED BY`). On PostgreSQL each list has a number N, and the condition `seq + N <> N`,
//! true of every row, stands in its query and its index alone. `tests/it/plans.rs` checks every combination of filters.

use taquilla_domain::{clock::Stamp, config::EXAMINED_MAX};

use super::{
    Conn, Error, Result, Tenant,
    engine::sql::{Param, Row},
    list_indexes::{LISTS, List},
};

/// A row's place in a list: its stamp, then its seq.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The stamp that the list is sorted by.
    pub stamp: Stamp,
    /// Tells rows with the same stamp apart.
    pub seq: i64,
}

impl Position {
    /// The position before every row, where rows are read oldest first.
    pub const BEGINNING: Self = Self { stamp: Stamp::BEGINNING, seq: 0 };

    /// The position before every row stamped at this time or earlier. (Lists are newest first.)
    pub fn above(stamp: Stamp) -> Self {
        Self { stamp, seq: i64::MAX }
    }
}

/// Which end of a list comes first. An index is read from either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum First {
    /// The newest, as programs read lists.
    #[default]
    Newest,
    /// The oldest, where staff turn a list around.
    Oldest,
}

impl First {
    /// The position before every row.
    pub fn start(self) -> Position {
        match self {
            Self::Newest => Position::above(Stamp::END),
            Self::Oldest => Position::BEGINNING,
        }
    }
}

/// The table and columns of a list.
pub struct Source {
    /// The table; its alias in the other texts is `t`.
    pub table: &'static str,
    /// The noun's columns, read from column [`FIRST`] on.
    pub columns: &'static str,
    /// A condition, with its `AND`, that every listed row fulfils; the indexes repeat it.
    pub visible: &'static str,
}

/// The first column of the noun. Before it are the stamp, the seq and the last change; after the noun's columns is the
/// result of the tests, if any.
pub const FIRST: usize = 3;

/// The latest change of any row that a client was shown, and the state in which its traversal began. A replica that has not come
/// so far must not answer its next question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown(pub Stamp);

impl Default for Shown {
    /// Nothing was shown.
    fn default() -> Self {
        Self(Stamp::BEGINNING)
    }
}

impl Shown {
    /// A row of a list is shown.
    pub fn note(&mut self, row: &Row<'_>) -> Result<()> {
        self.0 = self.0.max(row.stamp(2)?);
        Ok(())
    }
}

/// Which rows a list shows, and by which stamp it is sorted.
pub struct Filter<'a> {
    /// The column that sorts the list and bounds the range.
    pub stamp: &'static str,
    /// Only rows stamped strictly after this.
    pub after: Option<Stamp>,
    /// Columns that must equal a value; the index begins with them.
    pub equal: Vec<(&'static str, &'a str)>,
    /// Other values that the first of `equal` may have, too. Each is a range of its own, merged like those of statuses; a filter
    /// has several of one of the two.
    pub also: Vec<&'a str>,
    /// The row's status must be one of these; empty means any. The index has the status after the equalities.
    pub statuses: Vec<&'static str>,
    /// Conditions that are tested row by row.
    pub tested: Vec<Test<'a>>,
    /// Which end comes first.
    pub first: First,
}

impl<'a> Filter<'a> {
    /// The same rows, for the list of all rows: the owner is tested row by row.
    pub fn of_any_owner(&self) -> Filter<'a> {
        let owners = self.equal.iter().map(|(column, value)| Test::OneOf(column, vec![value]));
        let tested = owners.chain(self.tested.iter().cloned()).collect();
        Filter { equal: vec![], also: vec![], tested, statuses: self.statuses.clone(), ..*self }
    }

    /// The entry of [`LISTS`] that serves this filter on a table.
    pub fn list(&self, table: &str) -> Result<&'static List> {
        let owner = self.equal.first().map(|(column, _)| *column);
        let by_status = !self.statuses.is_empty();
        LISTS
            .iter()
            .find(|list| (list.table, list.owner, list.by_status, list.stamp) == (table, owner, by_status, self.stamp))
            .ok_or_else(|| Error::internal(format!("no list of {table} of {owner:?} by {}", self.stamp)))
    }
}

/// A condition that the index of a list cannot serve.
#[derive(Clone, Debug)]
pub enum Test<'a> {
    /// The column equals one of these.
    OneOf(&'static str, Vec<&'a str>),
    /// The column's stamp is strictly after this.
    After(&'static str, Stamp),
    /// The column's stamp is at or before this.
    UpTo(&'static str, Stamp),
    /// An order has an item of this ticket type.
    HasItem(&'a str),
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
    let wider;
    let filter = match filter.list(source.table)?.is_sorted_late && has_many(conn, tenant, source, filter).await? {
        true => {
            wider = filter.of_any_owner();
            &wider
        }
        false => filter,
    };
    let reach = if filter.tested.is_empty() { limit } else { EXAMINED_MAX };
    let (sql, params) = statement(tenant, source, filter, from, reach + 1)?;
    let mut examined = 0;
    let mut shown = 0;
    let mut last = from;
    let mut end = End::Complete;
    conn.query_while(&sql, &params, |row| {
        // A row beyond the page shows that there is more; it is not shown itself.
        if examined == reach || shown == limit {
            end = End::More(last);
            return Ok(false);
        }
        examined += 1;
        if filter.tested.is_empty() || row.flag(row.columns() - 1)? {
            shown += 1;
            each(row)?;
        }
        // Reading a row's position costs a little, so it is read for the last row only.
        if examined == reach || shown == limit {
            last = Position { stamp: row.stamp(0)?, seq: row.int(1)? };
        }
        Ok(true)
    })
    .await?;
    Ok(end)
}

/// Whether there are more rows of the filter's owner than may be sorted for a page.
async fn has_many(conn: &mut Conn, tenant: Tenant, source: &Source, filter: &Filter<'_>) -> Result<bool> {
    let (sql, params) = many(tenant, source, filter)?;
    Ok(conn.query_first(&sql, &params, |_| Ok(())).await?.is_some())
}

/// The statement of `has_many` and its parameters. It finds the first row too many.
pub fn many<'a>(tenant: Tenant, source: &Source, filter: &Filter<'a>) -> Result<(String, Vec<Param<'a>>)> {
    let Source { table, visible, .. } = source;
    let index = filter.list(table)?.index;
    let mut params = vec![Param::from(tenant.number())];
    let owner = equalities(&filter.equal, &mut params);
    let sql = format!(
        "SELECT 1 FROM {table} t INDEXED BY {index} WHERE t.producer_id = ?1{owner}{visible} LIMIT 1 OFFSET {EXAMINED_MAX}"
    );
    Ok((sql, params))
}

/// The conditions that the filter's columns equal their values, each with its `AND`.
fn equalities<'a>(equal: &[(&'static str, &'a str)], params: &mut Vec<Param<'a>>) -> String {
    let mut conditions = String::new();
    for (column, value) in equal {
        params.push(Param::from(*value));
        conditions += &format!(" AND t.{column} = ?{}", params.len());
    }
    conditions
}

/// The statement for a page and its parameters.
///
/// The statement names its index, so that the plan does not depend on statistics. SQLite has `INDEXED BY` for that.
/// PostgreSQL gets the statement without that clause (`postgres.rs`) and finds the index by the list's number.
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
    // One bound is the filter's, the other one the place. Oldest first both are below, and the higher of them is the place.
    let after = filter.after.unwrap_or(Stamp::BEGINNING);
    let (far, from) = match filter.first {
        First::Newest => (after, from),
        First::Oldest => (Stamp::END, from.max(Position::above(after))),
    };
    params.extend([
        Param::from(tenant.number()),
        Param::from(far),
        Param::from(from.stamp),
        Param::from(from.seq),
        Param::from(rows as i64),
    ]);
    let tested = tested(&filter.tested, &mut params);
    let number = number.map(|number| format!("t.seq + {number} <> {number} AND ")).unwrap_or_default();
    let has_several_owners = !filter.also.is_empty();
    let shared = if has_several_owners { filter.equal.get(1..).unwrap_or_default() } else { &filter.equal[..] };
    let conditions = format!("{number}t.producer_id = ?1{}", equalities(shared, &mut params));
    let (beyond, below, order) = match filter.first {
        First::Newest => (" > ?2 AND (t.", ", t.seq) < (?3, ?4) ", "ORDER BY stamp DESC, seq DESC"),
        First::Oldest => (" <= ?2 AND (t.", ", t.seq) > (?3, ?4) ", "ORDER BY stamp, seq"),
    };
    let several = filter.statuses.len() > 1 || has_several_owners;
    let mut sql = String::with_capacity(512 * (filter.statuses.len() + filter.also.len()).max(1));
    let mut select = |branch: &str| {
        // Each part is sorted by itself. With its own ORDER BY, PostgreSQL merges the parts instead of sorting them
        // together.
        let (before, after) = match (several, sql.is_empty()) {
            (false, _) => ("", ""),
            (true, true) => ("SELECT * FROM (", ") part"),
            (true, false) => (" UNION ALL SELECT * FROM (", ") part"),
        };
        for text in [
            before,
            "SELECT t.",
            stamp,
            " AS stamp, t.seq AS seq, t.updated_at AS changed, ",
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
            beyond,
            stamp,
            below,
            order,
            after,
        ] {
            sql += text;
        }
    };
    if has_several_owners {
        let owners = filter.equal.iter().take(1).flat_map(|(column, value)| {
            std::iter::once((*column, *value)).chain(filter.also.iter().map(move |value| (*column, *value)))
        });
        for owner in owners {
            select(&equalities(&[owner], &mut params));
        }
    } else if filter.statuses.is_empty() {
        select("");
    }
    for status in &filter.statuses {
        params.push(Param::from(*status));
        select(&format!(" AND t.status = ?{}", params.len()));
    }
    if several {
        sql += " ";
        sql += order;
    }
    sql += " LIMIT ?5";
    Ok((sql, params))
}

/// A last column, if there are tests: 1 for rows to show and 0 for the others. Empty if there are none.
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
            Test::HasItem(id) => format!(
                "EXISTS (SELECT 1 FROM order_items i WHERE i.producer_id = ?1 AND i.order_id = t.id \
                 AND i.ticket_type_id = ?{})",
                bind(Param::from(*id))
            ),
        })
        .collect();
    format!(", CAST(CASE WHEN {} THEN 1 ELSE 0 END AS BIGINT)", conditions.join(" AND "))
}
