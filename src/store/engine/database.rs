//! The database itself: which engine runs it, and the connections it gives out.

use super::{
    conn::{Conn, Link},
    dedicated::Dedicated,
    error::{Error, Result},
    group_commit::WriteCounts,
    postgres::Postgres,
    sqlite::Sqlite,
    transaction::Transaction,
};

/// The database, whichever engine runs it. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    engine: Engine,
}

#[derive(Clone)]
enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Store {
    /// Connects to `sqlite:PATH` or `postgres://…` without looking at the schema.
    pub(in crate::store) async fn connect(address: &str) -> Result<Self> {
        let engine = if let Some(path) = address.strip_prefix("sqlite:") {
            Engine::Sqlite(Sqlite::open(path.as_ref()).await?)
        } else if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            Engine::Postgres(Postgres::open(address)?)
        } else {
            // The address may hold a password: say what is expected, not what was given.
            return Err(Error::Address(
                "a database address is sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME".into(),
            ));
        };
        Ok(Self { engine })
    }

    /// A connection for reading. It cannot write. Each statement sees one consistent state; on SQLite all statements of
    /// one connection see the same state, so later writes show on a new connection only.
    pub async fn read(&self) -> Result<Conn> {
        let link = match &self.engine {
            Engine::Sqlite(sqlite) => Link::Sqlite(sqlite.reader()?),
            Engine::Postgres(postgres) => Link::Postgres(postgres.reader().await?),
        };
        Ok(Conn(link))
    }

    /// A bare writing transaction. [`Move`](crate::store::Move) and [`Unstamped`](crate::store::Unstamped) wrap it.
    pub(in crate::store) async fn begin(&self) -> Result<Transaction> {
        let link = match &self.engine {
            Engine::Sqlite(sqlite) => Link::Sqlite(sqlite.begin().await?),
            Engine::Postgres(postgres) => Link::Postgres(postgres.begin().await?),
        };
        Ok(Transaction(Conn(link)))
    }

    /// A connection outside the pool, for long work such as an import or a check.
    pub async fn dedicated(&self) -> Result<Dedicated> {
        let link = match &self.engine {
            Engine::Sqlite(sqlite) => Link::Sqlite(sqlite.dedicated()?),
            Engine::Postgres(postgres) => Link::Postgres(postgres.dedicated().await?),
        };
        Ok(Dedicated(Conn(link)))
    }

    /// How many commits this server made and how many transactions they held. `None` on PostgreSQL, which commits for
    /// itself.
    pub async fn write_counts(&self) -> Option<WriteCounts> {
        match &self.engine {
            Engine::Sqlite(sqlite) => Some(sqlite.write_counts().await),
            Engine::Postgres(_) => None,
        }
    }
}
