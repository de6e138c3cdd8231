//! A mirror, wherever it is kept.

use std::collections::HashMap;

use super::{
    batch::{Batch, Queue},
    files::Files,
    postgres::Postgres,
    seen::Unseen,
    sqlite::Sqlite,
    statements,
};
use crate::{cell::Row, error::Error, schema::Table};

/// A mirror of a producer.
pub struct Mirror {
    pub(super) kept: Kept,
    pub(super) files: Option<Files>,
}

pub(super) enum Kept {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl Mirror {
    pub(super) async fn tables(&self) -> Result<Vec<String>, Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.tables().await,
            Kept::Postgres(postgres) => postgres.tables().await,
        }
    }

    pub(super) async fn create(&self, schema: &str) -> Result<(), Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.create().await?,
            Kept::Postgres(postgres) => postgres.create().await?,
        }
        let state = vec![("schema".to_owned(), schema.to_owned())];
        self.write(Batch { state, ..Batch::default() }).await
    }

    pub(super) async fn state(&self) -> Result<HashMap<String, String>, Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.state().await,
            Kept::Postgres(postgres) => postgres.state().await,
        }
    }

    /// Writes all of this, or nothing.
    pub async fn write(&self, batch: Batch) -> Result<(), Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.write(batch).await,
            Kept::Postgres(postgres) => postgres.write(batch).await,
        }
    }

    /// Some of what is to be read again.
    pub async fn queued(&self, queue: Queue) -> Result<Vec<String>, Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.queued(queue).await,
            Kept::Postgres(postgres) => postgres.queued(queue).await,
        }
    }

    /// Makes what finds the rows of a table quickly, once they are there.
    pub async fn index(&self, table: &'static Table) -> Result<(), Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.index(table).await,
            Kept::Postgres(postgres) => postgres.index(table).await,
        }
    }

    /// How many rows a table has.
    pub async fn count(&self, table: &Table) -> Result<u64, Error> {
        self.number(format!("SELECT count(*) FROM {}", table.name)).await
    }

    /// How many tickets there are to come, judging by what was sold: more may have been, which are no longer live.
    pub async fn tickets_sold(&self) -> Result<u64, Error> {
        let sql = "SELECT CAST(coalesce(sum(y.sold * CASE WHEN y.kind = 'bundle' THEN coalesce((SELECT sum(b.quantity) \
             FROM bundle_items b WHERE b.bundle_id = y.id), 1) ELSE 1 END), 0) AS bigint) FROM ticket_types y";
        self.number(sql.to_owned()).await
    }

    /// How many orders there are to come, judging by the tickets.
    pub async fn orders_of_tickets(&self) -> Result<u64, Error> {
        self.number(statements::orders_of_tickets()).await
    }

    async fn number(&self, sql: String) -> Result<u64, Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.number(sql).await,
            Kept::Postgres(postgres) => postgres.number(&sql).await,
        }
    }

    /// The rows with these ids, as they are kept.
    pub async fn rows(&self, table: &'static Table, ids: Vec<String>) -> Result<HashMap<String, Row>, Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.rows(table, ids).await,
            Kept::Postgres(postgres) => postgres.rows(table, ids).await,
        }
    }

    /// Begins to note what a traversal shows.
    pub async fn begin_seeing(&self) -> Result<(), Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.begin_seeing().await,
            Kept::Postgres(postgres) => postgres.begin_seeing().await,
        }
    }

    /// Notes what a traversal shows.
    pub async fn see(&self, ids: Vec<String>) -> Result<(), Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.see(ids).await,
            Kept::Postgres(postgres) => postgres.see(ids).await,
        }
    }

    /// What a traversal has not shown.
    pub async fn unseen(&self, table: &'static Table) -> Result<Unseen, Error> {
        match &self.kept {
            Kept::Sqlite(sqlite) => sqlite.unseen(table).await,
            Kept::Postgres(postgres) => postgres.unseen(table).await,
        }
    }

    /// Whether files are to be written, because it is kept in files and one of them is missing.
    pub fn lacks_files(&self) -> bool {
        self.files.as_ref().is_some_and(Files::are_missing)
    }

    /// Writes the files anew, if it is kept in files.
    pub async fn write_files(&self) -> Result<(), Error> {
        match (&self.kept, &self.files) {
            (Kept::Sqlite(sqlite), Some(files)) => files.write(sqlite).await,
            _ => Ok(()),
        }
    }

    /// The files, if it is kept in files, that are not what they should be, and from which row on.
    pub async fn spoilt_files(&self) -> Result<Vec<(String, String)>, Error> {
        match (&self.kept, &self.files) {
            (Kept::Sqlite(sqlite), Some(files)) => files.spoilt(sqlite).await,
            _ => Ok(Vec::new()),
        }
    }
}
