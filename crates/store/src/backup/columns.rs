//! The columns of a table, as the database has them.

use super::{cell::Cell, sum::Sum};
use crate::{
    Conn, Error, Result,
    engine::sql::{Param, Row, params},
    tables,
};

/// A table and its columns.
#[derive(Clone, Debug)]
pub struct Columns {
    /// The table.
    pub table: &'static str,
    /// The names of its columns.
    pub names: Vec<String>,
    kinds: Vec<Kind>,
}

/// What a column holds. There are no others (`migrations/0001_foundation.sql`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Int,
    Text,
}

/// The tables whose rows a backup has, as far as this schema has them, in the order of the list.
pub(super) async fn of_backups(conn: &mut Conn) -> Result<Vec<Columns>> {
    let mut found = Vec::new();
    for table in tables::in_backups() {
        let columns = of(conn, table).await?;
        if !columns.names.is_empty() {
            found.push(columns);
        }
    }
    Ok(found)
}

async fn of(conn: &mut Conn, table: &'static str) -> Result<Columns> {
    let sql = conn.dialect(
        "SELECT name, lower(type) FROM pragma_table_info(?1) ORDER BY cid",
        "SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT) FROM information_schema.columns \
         WHERE table_schema = current_schema() AND table_name = ?1 ORDER BY ordinal_position",
    );
    let mut columns = Columns { table, names: Vec::new(), kinds: Vec::new() };
    conn.query(sql, params![table], |row| {
        columns.names.push(row.text(0)?.to_owned());
        columns.kinds.push(match row.text(1)? {
            "bigint" => Kind::Int,
            "text" => Kind::Text,
            other => return Err(Error::internal(format!("{table} has a column of the unknown kind {other}"))),
        });
        Ok(())
    })
    .await?;
    Ok(columns)
}

impl Columns {
    /// Hands every row to `each`, as it comes, until that fails.
    pub(super) async fn rows<E: From<Error> + Send>(
        &self,
        conn: &mut Conn,
        mut each: impl FnMut(&[Cell<'_>]) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let mut outcome = Ok(());
        let sql = format!("SELECT {} FROM {}", self.names.join(", "), self.table);
        conn.stream(&sql, |row| {
            outcome = each(&self.read(row)?);
            Ok(outcome.is_ok())
        })
        .await?;
        outcome
    }

    /// The sum of the rows that are there.
    pub(super) async fn sum(&self, conn: &mut Conn) -> Result<Sum> {
        let mut sum = Sum::default();
        self.rows(conn, |row| {
            sum.add(row);
            Ok::<_, Error>(())
        })
        .await?;
        Ok(sum)
    }

    fn read<'r>(&self, row: &'r Row<'_>) -> Result<Vec<Cell<'r>>> {
        let read = |(column, kind): (usize, &Kind)| {
            Ok(match kind {
                Kind::Int => row.opt_int(column)?.map_or(Cell::Null, Cell::Int),
                Kind::Text => row.opt_text(column)?.map_or(Cell::Null, |text| Cell::Text(text.into())),
            })
        };
        self.kinds.iter().enumerate().map(read).collect()
    }

    /// A row as parameters, one for each column. `None` if it has other values than the columns hold.
    pub(super) fn params<'c>(&self, row: &'c [Cell<'_>]) -> Option<Vec<Param<'c>>> {
        let param = |(cell, kind): (&'c Cell<'_>, &Kind)| {
            Some(match (cell, kind) {
                (Cell::Null, Kind::Int) => Param::Int(None),
                (Cell::Null, Kind::Text) => Param::Text(None),
                (Cell::Int(value), Kind::Int) => Param::Int(Some(*value)),
                (Cell::Text(value), Kind::Text) => Param::Text(Some(value)),
                _ => return None,
            })
        };
        if row.len() == self.kinds.len() { row.iter().zip(&self.kinds).map(param).collect() } else { None }
    }
}
