//! The database: one SQL text, two engines.
//!
//! [`Store`] is a closed choice between SQLite and PostgreSQL. SQL is written once, with `?N` parameters, in the
//! dialect both share; only `sqlite.rs` and `postgres.rs` know which engine runs. The statements themselves live in
//! one file per noun, and each takes a [`producers::Tenant`], so that none can forget whose rows it may see.

pub mod check;
pub mod deliveries;
pub mod delivery_log;
pub mod documents;
pub mod door_links;
pub mod endpoints;
pub mod events;
pub mod import;
pub mod keys;
pub mod keyset;
pub mod migrate;
pub mod orders;
pub mod outbox;
pub mod payments;
mod postgres;
pub mod producers;
pub mod prune;
pub mod scans;
pub mod settings;
pub mod sql;
mod sqlite;
pub mod ticket_rows;
pub mod tickets;
mod transaction;
pub mod type_names;
pub mod types;

#[doc(hidden)]
pub use self::transaction::pause_before_again;
pub use self::transaction::{MayBeLost, Transaction};

use self::sql::{Param, Row};

/// What can go wrong with the database. None of these texts is for clients.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached or is too busy; trying again later may help.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The transaction lost against another one and may simply be run again.
    #[error("the transaction must be run again: {0}")]
    Again(String),
    /// The database was written by a newer Taquilla.
    #[error(
        "its schema has version {found}, but this taquilla knows only versions up to {known}; run a newer taquilla"
    )]
    NewerSchema {
        /// The version in the database.
        found: i64,
        /// The newest version this binary knows.
        known: i64,
    },
    /// The `--database` address cannot be used.
    #[error("{0}")]
    Address(String),
    /// A check that travelled with a statement refused the key (see [`keys::check_along`]).
    #[error("the key was refused")]
    KeyRefused,
    /// Anything else: a defect or a broken disk.
    #[error("the database failed: {0}")]
    Internal(String),
}

impl Error {
    /// A defect, told by what went wrong.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error>>) -> Self {
        Self::Internal(whole_story(cause.into().as_ref()))
    }
}

/// An error and all its causes: drivers often keep the telling part in the last one.
fn whole_story(error: &dyn std::error::Error) -> String {
    let mut story = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        let text = deeper.to_string();
        if !story.contains(&text) {
            story += ": ";
            story += &text;
        }
        cause = deeper.source();
    }
    story
}

/// The outcome of a store call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The database, whichever engine runs it. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    engine: Engine,
}

#[derive(Clone)]
enum Engine {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
}

impl Store {
    /// Opens `sqlite:PATH` or `postgres://…` and brings its schema up to date.
    pub async fn open(address: &str) -> Result<Self> {
        let engine = if let Some(path) = address.strip_prefix("sqlite:") {
            Engine::Sqlite(sqlite::Sqlite::open(path.as_ref()).await?)
        } else if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            Engine::Postgres(postgres::Postgres::open(address)?)
        } else {
            // The address may hold a password: say what is expected, not what was given.
            return Err(Error::Address(
                "a database address is sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME".into(),
            ));
        };
        let store = Self { engine };
        migrate::run(&mut store.dedicated().await?).await?;
        Ok(store)
    }

    /// A connection for reading. It cannot write. Each statement sees one consistent state; on SQLite all of them see
    /// the same one, so ask for a new connection to see what was written meanwhile.
    pub async fn read(&self) -> Result<Conn> {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.reader().map(Conn::Sqlite),
            Engine::Postgres(postgres) => postgres.reader().await.map(Conn::Postgres),
        }
    }

    /// Begins a writing transaction. Use [`transaction!`](crate::transaction), which runs it again when it lost.
    pub async fn begin(&self) -> Result<Transaction> {
        let conn = match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.begin().await.map(Conn::Sqlite),
            Engine::Postgres(postgres) => postgres.begin().await.map(Conn::Postgres),
        }?;
        Ok(Transaction::on(conn))
    }

    /// How many commits this server made and how many transactions they held, where it commits for itself.
    pub async fn write_counts(&self) -> Option<WriteCounts> {
        match &self.engine {
            Engine::Sqlite(sqlite) => Some(sqlite.write_counts().await),
            Engine::Postgres(_) => None,
        }
    }

    /// A connection of its own with [`Conn::begin`] and [`Conn::commit`], for long work such as an import.
    pub async fn dedicated(&self) -> Result<Conn> {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.dedicated().map(Conn::Sqlite),
            Engine::Postgres(postgres) => postgres.dedicated().await.map(Conn::Postgres),
        }
    }
}

/// What group commit has done so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteCounts {
    /// Commits, each with one wait for the disk.
    pub commits: u64,
    /// Transactions that they made durable.
    pub transactions: u64,
}

/// A connection. On SQLite no method ever waits: the statement runs on the calling thread.
pub enum Conn {
    #[doc(hidden)]
    Sqlite(sqlite::Session),
    #[doc(hidden)]
    Postgres(postgres::Session),
}

impl Conn {
    /// Whether each statement is a message to another process, so that two at once are worth having.
    pub fn is_remote(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Asks for one row by a text, together with the next statement, which gives its rows only if `check` accepts the
    /// answer. On SQLite nothing travels: ask first.
    fn check_along(
        &mut self,
        sql: &'static str,
        text: String,
        check: impl FnOnce(Option<&Row<'_>>) -> Result<()> + Send + Sync + 'static,
    ) -> Result<()> {
        match self {
            Self::Sqlite(_) => Err(Error::internal("a check that would never be made")),
            Self::Postgres(session) => {
                session.check_along(sql, text, Box::new(check));
                Ok(())
            }
        }
    }

    /// Whether no check is still waiting for a statement to travel with.
    pub fn is_settled(&self) -> bool {
        match self {
            Self::Sqlite(_) => true,
            Self::Postgres(session) => session.is_settled(),
        }
    }

    /// Lets a check arrive that would have travelled with the next statement.
    pub async fn settle(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(session) => session.settle().await,
        }
    }

    /// Runs a query and hands each row to `each`, until it answers `false`.
    pub async fn query_while(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<bool> + Send,
    ) -> Result<()> {
        match self {
            Self::Sqlite(session) => session.query(sql, params, &mut each),
            Self::Postgres(session) => {
                for row in session.query(sql, params).await? {
                    if !each(&Row::Postgres(&row))? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    /// Runs a query and hands each row to `each`.
    pub async fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<()> + Send,
    ) -> Result<()> {
        self.query_while(sql, params, |row| each(row).map(|()| true)).await
    }

    /// The first row of a query, if there is one.
    pub async fn query_first<T: Send>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Option<T>> {
        let mut first = None;
        self.query_while(sql, params, |row| {
            first = Some(read(row)?);
            Ok(false)
        })
        .await?;
        Ok(first)
    }

    /// Runs one query for each set of parameters, in their order.
    /// PostgreSQL gets them all at once, without waiting for each answer.
    pub async fn query_many(
        &mut self,
        sql: &str,
        sets: &[[Param<'_>; 2]],
        mut each: impl FnMut(&Row<'_>) -> Result<()> + Send,
    ) -> Result<()> {
        match self {
            Self::Sqlite(session) => {
                sets.iter().try_for_each(|params| session.query(sql, params, &mut |row| each(row).map(|()| true)))
            }
            Self::Postgres(session) => {
                session.query_many(sql, sets).await?.iter().flatten().try_for_each(|row| each(&Row::Postgres(row)))
            }
        }
    }

    /// Runs a statement and tells how many rows it changed.
    pub async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        match self {
            Self::Sqlite(session) => session.execute(sql, params),
            Self::Postgres(session) => session.execute(sql, params).await,
        }
    }

    /// Runs one statement for each set of parameters, and tells how many rows each changed.
    /// PostgreSQL gets them all at once, without waiting for each answer.
    pub async fn execute_many(&mut self, sql: &str, sets: &[Vec<Param<'_>>]) -> Result<Vec<u64>> {
        match self {
            Self::Sqlite(session) => sets.iter().map(|params| session.execute(sql, params)).collect(),
            Self::Postgres(session) => session.execute_many(sql, sets).await,
        }
    }

    /// Runs several statements without parameters.
    pub async fn batch(&mut self, sql: &str) -> Result<()> {
        match self {
            Self::Sqlite(session) => session.batch(sql),
            Self::Postgres(session) => session.batch(sql).await,
        }
    }

    /// Begins a writing transaction on a [`Store::dedicated`] connection. Dropping the connection undoes it.
    pub async fn begin(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(session) => session.batch("BEGIN IMMEDIATE"),
            Self::Postgres(session) => session.batch("START TRANSACTION READ WRITE").await,
        }
    }

    /// Makes everything since [`Conn::begin`] durable.
    pub async fn commit(&mut self) -> Result<()> {
        self.batch("COMMIT").await?;
        if let Self::Sqlite(session) = self {
            session.shrink_log();
        }
        Ok(())
    }

    /// Lets this transaction's commit not wait for the disk, where it can be done for one alone: a crash of the database
    /// may then lose it, though nothing of it that somebody else has built on.
    pub async fn need_not_reach_disk(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(session) => session.batch("SET LOCAL synchronous_commit TO off").await,
        }
    }

    /// Begins a writing transaction that no other server starting at the same time can be in.
    async fn begin_schema_change(&mut self) -> Result<()> {
        self.begin().await?;
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(session) => session.lock_schema().await,
        }
    }

    /// The text of a migration for this engine.
    fn dialect<'t>(&self, sqlite: &'t str, postgres: &'t str) -> &'t str {
        match self {
            Self::Sqlite(_) => sqlite,
            Self::Postgres(_) => postgres,
        }
    }
}
