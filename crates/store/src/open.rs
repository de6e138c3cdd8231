//! Opening a database, and bringing its schema up to date.

use std::path::Path;

use taquilla_domain::{config::PostgresTimeouts, time_source::TimeSource};

use super::{Error, Result, Store, distribution::Distribution, migrate};

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
        if open == Open::MayCreate {
            Self::refuse_others(address).await?;
        }
        let store = Self::connect(address, timeouts, clock, migrate::LATEST).await?;
        migrate::run(store.dedicated().await?).await?;
        if let Distribution::Unfinished { tables } = Distribution::of(&mut *store.dedicated().await?).await? {
            let why =
                format!("its tables are not all where they must be ({}): run `taquilla distribute`", tables.join(", "));
            return Err(Error::NotSpread(why));
        }
        Ok(store)
    }

    /// Refuses a SQLite file that another program has made, before anything in it is changed.
    pub(crate) async fn refuse_others(address: &str) -> Result<()> {
        let is_there = |file: &Path| file.metadata().is_ok_and(|found| found.is_file() && found.len() > 0);
        if !Self::file(address).is_some_and(is_there) {
            return Ok(());
        }
        let mut conn = Self::look(address).await?;
        let tables = conn.query_first("SELECT count(*) FROM sqlite_schema", &[], |row| row.int(0)).await?;
        match tables == Some(0) || migrate::has_schema(&mut conn).await? {
            true => Ok(()),
            false => Err(Error::OfOthers(Self::shown(address))),
        }
    }
}
