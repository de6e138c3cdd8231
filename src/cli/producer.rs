//! `taquilla producer`.

use anyhow::{bail, ensure};
use clap::{Args, Subcommand};

use super::{Database, output::Output};
use crate::{app::Time, config::NAME_MAX, domain::id, store::producers, wire};

#[derive(Subcommand)]
pub enum Producer {
    /// Create a producer
    Create(Create),
}

#[derive(Args)]
pub struct Create {
    /// The organisation's name
    #[arg(long)]
    name: String,
    /// Its id; made up when it is left out
    #[arg(long)]
    id: Option<String>,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

impl Producer {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Create(Create { name, id, database, output }) = self;
        check_name(&name)?;
        if let Some(id) = &id {
            ensure!(id::is_plausible(id), "an id has 1 to 128 characters and no control characters");
        }
        let store = database.open().await?;
        let Some(id) = producers::create(&store, id.as_deref(), &name, Time::System.now()).await? else {
            bail!("there is already a producer with this id; choose another, or leave --id out");
        };
        let fields = [("id", id.clone()), ("name", name.clone())];
        output.one(&wire::Producer { id, name }, &fields)
    }
}

/// A name that people can read.
pub fn check_name(name: &str) -> anyhow::Result<()> {
    ensure!(!name.trim().is_empty(), "the name is empty");
    ensure!(name.chars().count() <= NAME_MAX, "the name is longer than {NAME_MAX} characters");
    ensure!(!name.chars().any(char::is_control), "the name holds control characters");
    Ok(())
}
