//! A condition of a statement: a query that must give a row, or the statement gives none.
//!
//! Both are one statement. A second one would cost the database a transaction and an answer of its own. Where tables are
//! spread over machines they are two (`Session::rows_if`).

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use parking_lot::RwLock;
use tokio_postgres::Row as PgRow;

use super::super::{
    error::{Error, Result},
    sql::{KeptParam, Param, Row},
};

/// A query that gives one row or none.
pub struct Condition {
    /// The query.
    pub sql: &'static str,
    /// Its parameters.
    pub params: Vec<KeptParam>,
    /// Called if it gives no row.
    pub refused: Box<dyn FnOnce() + Send + Sync>,
}

impl Condition {
    /// The parameters of a statement, and behind them those of the condition.
    pub fn params<'p>(&'p self, statement: &[Param<'p>]) -> Vec<Param<'p>> {
        statement.iter().copied().chain(self.params.iter().map(Param::from)).collect()
    }

    /// A statement with so many parameters, in PostgreSQL's dialect, under this condition. It gives no row at all if the
    /// condition gives none; else the statement's rows, each with a 1 behind its columns, or one row with NULL there if
    /// the statement gives none.
    ///
    /// The rows keep their order: the condition gives one row at most, and for that row the statement runs as it is.
    pub fn text(&self, statement: &Arc<str>, params: usize) -> Arc<str> {
        type Texts = RwLock<HashMap<Arc<str>, (&'static str, Arc<str>)>>;
        static KNOWN: LazyLock<Texts> = LazyLock::new(RwLock::default);
        if let Some((_, known)) = KNOWN.read().get(statement).filter(|(condition, _)| *condition == self.sql) {
            return Arc::clone(known);
        }
        let mut condition = self.sql.to_owned();
        for number in (1..=self.params.len()).rev() {
            condition = condition.replace(&format!("?{number}"), &format!("${}", params + number));
        }
        let text: Arc<str> = format!(
            "SELECT found.* FROM ({condition}) condition \
             LEFT JOIN (SELECT statement.*, CAST(1 AS BIGINT) FROM ({statement}) statement) found ON true"
        )
        .into();
        KNOWN.write().insert(Arc::clone(statement), (self.sql, Arc::clone(&text)));
        text
    }

    /// Hands over the rows of the statement under this condition, each without what [`Condition::text`] put behind it.
    pub fn each(self, rows: &[PgRow], each: &mut impl FnMut(&Row<'_>) -> Result<bool>) -> Result<()> {
        if rows.is_empty() {
            return Err(self.refuse());
        }
        for row in rows {
            let columns = row.len() - 1;
            let is_there = row.try_get::<_, Option<i64>>(columns)?.is_some();
            if !is_there || !each(&Row::Postgres(row, columns))? {
                break;
            }
        }
        Ok(())
    }

    /// Tells whoever set the condition that it gave no row.
    pub fn refuse(self) -> Error {
        (self.refused)();
        Error::KeyRefused
    }
}
