//! One consistent state of a whole database, to be read while others write.
//!
//! On SQLite it is a read transaction: writers go on, and the write-ahead log keeps what they write until it ends. On
//! PostgreSQL it is a transaction at `REPEATABLE READ`, which takes no lock that a move waits for.
//!
//! Rows are written as they come (`Conn::stream`), so memory stays flat. All columns are integers or texts, so JSON
//! keeps every value. The digest of a table does not depend on the order of its rows, because the engines sort texts
//! differently.

use sha2::{Digest, Sha256};

use taquilla_domain::{clock::Stamp, key::hexadecimal};

use super::{
    cell::Cell,
    columns::{self, Columns},
};
use crate::{Conn, Error, Result, Store, migrate, settings};

/// A state of a database.
pub struct Snapshot {
    conn: Conn,
    /// The time just before it: nothing that happened later than a clock's error after this is in it.
    pub taken_at: Stamp,
    /// The version of its schema.
    pub version: i64,
    /// The engine's name.
    pub engine: &'static str,
    /// What tells this database from others; empty if no server was ever started on it. A restored one has the same.
    pub database: String,
    /// Its tables, in an order in which they can be filled.
    pub tables: Vec<Columns>,
}

impl Snapshot {
    /// The present state of the database at an address, whose schema may be an older one.
    pub async fn at(address: &str, now: Stamp) -> Result<Self> {
        let mut conn = Store::look(address).await?;
        if !migrate::has_schema(&mut conn).await? {
            return Err(Error::NoDatabase(Store::shown(address)));
        }
        Self::begin(conn, now).await
    }

    /// The present state of an open database.
    pub async fn of(store: &Store, now: Stamp) -> Result<Self> {
        Self::begin(store.dedicated().await?.into_reading(), now).await
    }

    async fn begin(mut conn: Conn, taken_at: Stamp) -> Result<Self> {
        conn.begin_snapshot().await?;
        let (version, known) = (migrate::version(&mut conn).await?, migrate::LATEST);
        if version > known {
            return Err(Error::NewerSchema { found: version, known });
        }
        let engine = conn.dialect("sqlite", "postgres");
        let key = settings::kept_cursor_key(&mut conn).await?;
        let database =
            key.map_or_else(String::new, |key| hexadecimal(&Sha256::digest(format!("database\n{key}"))[..8]));
        let tables = columns::of_backups(&mut conn).await?;
        Ok(Self { conn, taken_at, version, engine, database, tables })
    }

    /// How many rows there are in all tables.
    pub async fn count(&mut self) -> Result<u64> {
        let mut rows = 0;
        for table in &self.tables {
            let sql = format!("SELECT count(*) FROM {}", table.table);
            rows += self.conn.query_first(&sql, &[], |row| row.int(0)).await?.unwrap_or(0);
        }
        Ok(u64::try_from(rows).unwrap_or(0))
    }

    /// Hands every row of a table to `each`, as it comes, until that fails.
    pub async fn rows<E: From<Error> + Send>(
        &mut self,
        table: &Columns,
        each: impl FnMut(&[Cell<'_>]) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        table.rows(&mut self.conn, each).await
    }
}
