//! A connection outside the pool, for long work such as an import, a check or a migration.

use std::ops::{Deref, DerefMut};

use super::{
    conn::{Conn, Link},
    error::Result,
    sql::Param,
    transaction::Transaction,
};

/// A connection for work that goes through whole tables. On PostgreSQL it has the server's ordinary planner and no time
/// limit.
pub struct Dedicated(pub(super) Conn);

impl Dedicated {
    /// Runs statements without parameters. Each is durable by itself, unless one of them begins a transaction.
    pub(crate) async fn batch(&mut self, sql: &str) -> Result<()> {
        self.0.batch(sql).await
    }

    /// Runs a statement and tells how many rows it changed.
    pub(crate) async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        self.0.execute(sql, params).await
    }

    /// Puts rows into a table, each with a value for each column, which are numbers and texts.
    pub(crate) async fn fill(&mut self, table: &str, columns: &[&str], rows: &[Vec<Param<'_>>]) -> Result<()> {
        self.0.fill(table, columns, rows).await
    }

    /// From here on PostgreSQL finds rows by their keys, whatever its statistics say.
    pub(crate) async fn find_by_key(&mut self) -> Result<()> {
        match &mut self.0.link {
            Link::Sqlite(_) => Ok(()),
            Link::Postgres(session) => Box::pin(session.find_by_key()).await,
        }
    }

    /// The connection, for reading only.
    pub(crate) fn into_reading(self) -> Conn {
        self.0
    }

    /// Begins one transaction for everything that follows on this connection.
    pub(crate) async fn begin(self) -> Result<Transaction> {
        let Self(mut conn) = self;
        match &mut conn.link {
            Link::Sqlite(session) => session.batch("BEGIN IMMEDIATE")?,
            Link::Postgres(session) => session.begin().await?,
        }
        Ok(conn.into())
    }

    /// Commits a transaction that [`Dedicated::begin`] began, and gives the connection back.
    pub(crate) async fn commit(Transaction { mut conn, .. }: Transaction) -> Result<Self> {
        match &mut conn.link {
            Link::Sqlite(session) => session.batch("COMMIT")?,
            Link::Postgres(session) => session.commit().await?,
        }
        Ok(Self(conn))
    }

    /// Undoes a transaction that [`Dedicated::begin`] began, and gives the connection back.
    pub(crate) async fn undo(Transaction { mut conn, .. }: Transaction) -> Result<Self> {
        match &mut conn.link {
            Link::Sqlite(session) => session.batch("ROLLBACK")?,
            Link::Postgres(session) => session.roll_back().await?,
        }
        Ok(Self(conn))
    }

    /// Begins a transaction that excludes every other server that starts at the same time.
    pub(crate) async fn begin_schema_change(self) -> Result<Transaction> {
        let mut transaction = self.begin().await?;
        if let Link::Postgres(session) = &mut transaction.conn.link {
            session.lock_schema().await?;
        }
        Ok(transaction)
    }
}

impl Deref for Dedicated {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.0
    }
}

impl DerefMut for Dedicated {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.0
    }
}
