//! What commands have in common: a database, how to print, and mostly a producer.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use taquilla_domain::{clock::Stamp, config::DEFAULT_DATABASE};
use taquilla_store as store;
use taquilla_store::{Conn, Open, Store, Tenant, backup::snapshot::Snapshot, check, producers};

use super::{flags, mistake::Mistake, output::Output};

/// What every command takes that is about a database.
#[derive(Args)]
pub struct Common {
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub output: Output,
}

impl Common {
    pub async fn open(&self) -> anyhow::Result<Store> {
        self.database.open().await
    }
}

#[derive(Args)]
pub struct Database {
    /// Where the data lives: sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, value_name = "ADDRESS", env = "TAQUILLA_DATABASE", default_value = DEFAULT_DATABASE, hide_env_values = true)]
    database: String,
}

impl Database {
    /// The database, which must be there.
    pub async fn open(&self) -> anyhow::Result<Store> {
        opened(Store::open(&self.database, Open::Existing).await)
    }

    /// The database, for the few commands that begin something.
    pub async fn open_or_create(&self) -> anyhow::Result<Store> {
        opened(Store::open(&self.database, Open::MayCreate).await)
    }

    /// The state of the database at this moment, whose schema may be an older one.
    pub async fn snapshot(&self, now: Stamp) -> anyhow::Result<Snapshot> {
        opened(Snapshot::at(&self.database, now).await)
    }

    /// Where the data lives, or is to live.
    pub fn address(&self) -> &str {
        &self.database
    }

    /// The folder of the data, for files that belong beside it: that of SQLite's file, else `data`.
    pub fn folder(&self) -> PathBuf {
        let file = self.database.strip_prefix("sqlite:").map_or(Path::new("data/taquilla.db"), Path::new);
        file.parent().map(Path::to_owned).unwrap_or_default()
    }

    /// A connection that only looks at the database.
    pub async fn look(&self) -> anyhow::Result<Conn> {
        opened(check::open(&self.database).await)
    }
}

/// What `taquilla serve` also takes.
#[derive(Args)]
pub struct Replicas {
    /// A standby of the PostgreSQL database that may answer lists of the read API, as far as it has followed; repeatable
    #[arg(
        long = "read-replica",
        value_name = "ADDRESS",
        env = "TAQUILLA_READ_REPLICA",
        value_delimiter = ' ',
        hide_env_values = true
    )]
    read_replicas: Vec<String>,
}

impl Replicas {
    /// The addresses. A variable that is set to nothing names none.
    pub fn addresses(&self) -> Vec<String> {
        self.read_replicas.iter().filter(|address| !address.is_empty()).cloned().collect()
    }

    /// The same database with these replicas.
    pub fn of(&self, store: Store) -> anyhow::Result<Store> {
        store
            .with_replicas(&self.addresses())
            .map_err(|cause| Mistake::in_flag("--read-replica", cause.to_string()).into())
    }
}

/// A mistake in the address is one of the command.
pub fn opened<T>(opened: store::Result<T>) -> anyhow::Result<T> {
    match opened {
        Err(store::Error::Address(message)) => Err(Mistake::in_flag("--database", message).into()),
        opened => opened.context("cannot open the database"),
    }
}

/// The variable that names the producer where `--producer` does not.
pub const PRODUCER: &str = "TAQUILLA_PRODUCER";

/// What every command takes that is about one producer.
#[derive(Args)]
pub struct OfProducer {
    /// The producer's id
    #[arg(long, value_name = "ID", env = PRODUCER, value_parser = flags::id)]
    pub producer: String,
    #[command(flatten)]
    common: Common,
}

impl OfProducer {
    /// The database and the producer in it, or advice.
    pub async fn open(&self) -> anyhow::Result<(Store, Tenant)> {
        let (store, id) = (self.common.open().await?, &self.producer);
        let found = producers::find(&mut store.read().await?, id).await?;
        match found {
            Some(tenant) => Ok((store, tenant)),
            None => bail!("there is no producer {id}; create one with: taquilla producer create --name NAME --id {id}"),
        }
    }

    pub fn output(&self) -> &Output {
        &self.common.output
    }
}
