//! Fills an empty database with rows as they were elsewhere, in one transaction: all of them are there at the end, or none.

use taquilla_domain::{config::PostgresTimeouts, time_source::TimeSource};

use super::{
    afterwards::{self, Restoration},
    cell::Cell,
    columns::{self, Columns},
    sum::Sum,
};
use crate::{
    Error, Result, Store, catch_up,
    engine::{sql::Param, transaction::Transaction},
    migrate,
};

/// A database that is being filled. Whoever starts a server on it meanwhile waits. Dropping this leaves it empty.
pub struct Filling {
    transaction: Transaction,
    /// The tables to be filled, in the order of the list.
    pub tables: Vec<Columns>,
}

impl Filling {
    /// Makes the schema of a version in a database without one.
    pub async fn begin(address: &str, version: i64) -> Result<Self> {
        Store::refuse_others(address).await?;
        let store = Store::connect(address, PostgresTimeouts::default(), TimeSource::System, migrate::LATEST).await?;
        let mut transaction = store.dedicated().await?.begin_schema_change().await?;
        if migrate::has_schema(&mut transaction).await? {
            return transaction.end(Err(Error::NotEmpty(Store::shown(address)))).await;
        }
        migrate::up_to(&mut transaction, version).await?;
        let tables = columns::of_backups(&mut transaction).await?;
        // Migrations insert a row here and there, which the backup has, too.
        for table in tables.iter().rev() {
            transaction.batch(&format!("DELETE FROM {}", table.table)).await?;
        }
        Ok(Self { transaction, tables })
    }

    /// Inserts rows. `false` if one has other values than the table's columns hold.
    pub async fn insert(&mut self, table: &Columns, rows: &[Vec<Cell<'static>>]) -> Result<bool> {
        let sets: Option<Vec<Vec<Param<'_>>>> = rows.iter().map(|row| table.params(row)).collect();
        let Some(sets) = sets else { return Ok(false) };
        let names: Vec<&str> = table.names.iter().map(String::as_str).collect();
        self.transaction.fill(table.table, &names, &sets).await?;
        Ok(true)
    }

    /// The sum of the rows that the database has now.
    pub async fn sum(&mut self, table: &Columns) -> Result<Sum> {
        table.sum(&mut self.transaction).await
    }

    /// Brings the schema up to date, sets right what a restored database must not go on with, and keeps everything. How many
    /// keys, links and users were revoked.
    pub async fn finish(mut self, restoration: &Restoration<'_>) -> Result<usize> {
        let finished = async {
            migrate::migrate(&mut self.transaction).await?;
            catch_up::within(&mut self.transaction).await?;
            let revoked = afterwards::set_right(&mut self.transaction, restoration).await?;
            // PostgreSQL plans by statistics, and would have none of a million rows for a while.
            self.transaction.batch(self.transaction.dialect("", "ANALYZE")).await?;
            Ok(revoked)
        }
        .await;
        self.transaction.end(finished).await
    }
}
