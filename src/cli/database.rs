//! Which database a command works on, and finding a producer in it.

use anyhow::{Context, bail};
use clap::Args;

use crate::{
    config::DEFAULT_DATABASE,
    store::{
        Store,
        producers::{self, Tenant},
    },
};

#[derive(Args)]
pub struct Database {
    /// Where the data lives: sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, value_name = "ADDRESS", env = "TAQUILLA_DATABASE", default_value = DEFAULT_DATABASE, hide_env_values = true)]
    database: String,
}

impl Database {
    pub async fn open(&self) -> anyhow::Result<Store> {
        Store::open(&self.database).await.context("cannot open the database")
    }
}

/// The producer with this id, or advice.
pub async fn find_producer(store: &Store, id: &str) -> anyhow::Result<Tenant> {
    match producers::find(&mut store.read().await?, id).await? {
        Some(tenant) => Ok(tenant),
        None => bail!("there is no producer {id}; create one with: taquilla producer create --name NAME --id {id}"),
    }
}
