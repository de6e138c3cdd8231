//! Opening a database, and bringing its schema up to date.

use taquilla_domain::{config::PostgresTimeouts, time_source::TimeSource};

use super::{Error, Result, Store, migrate};

/// Whether opening may create the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// A database that is not there is created. This is for commands that begin something: a mistyped address gives
    /// them an empty database.
    MayCreate,
    /// The database must be there.
    Existing,
}

impl Store {
    /// Opens `sqlite:PATH` or `postgres://…` and brings its schema up to date.
    pub async fn open(address: &str, open: Open) -> Result<Self> {
        Self::open_with(address, open, PostgresTimeouts::default(), TimeSource::System).await
    }

    /// Opens a database whose PostgreSQL may take this long. Its clock is its own, unless a test steps one.
    pub async fn open_with(address: &str, open: Open, timeouts: PostgresTimeouts, clock: TimeSource) -> Result<Self> {
        if open == Open::Existing && !migrate::has_schema(&mut Self::look(address).await?).await? {
            return Err(Error::NoDatabase(Self::shown(address)));
        }
        let store = Self::connect(address, timeouts, clock, migrate::LATEST).await?;
        migrate::run(store.dedicated().await?).await?;
        Ok(store)
    }
}
