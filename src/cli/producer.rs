//! `taquilla producer`.

use anyhow::bail;
use clap::{Args, Subcommand};

use super::{
    catalogue_find::{ListProducers, ShowProducer},
    common::Common,
    flags,
    output::refused,
};
use crate::{
    admin::producers,
    domain::{refusal::Refusal, text::Name},
    store::ChangeError,
    time_source::TimeSource,
    wire::api,
};

#[derive(Subcommand)]
pub enum Producer {
    /// Create a producer
    Create(Create),
    /// List producers, newest first
    List(ListProducers),
    /// Show a producer
    Show(ShowProducer),
}

#[derive(Args)]
pub struct Create {
    /// The organisation's name
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// Its id; made up when it is left out
    #[arg(long, value_parser = flags::id)]
    id: Option<String>,
    #[command(flatten)]
    common: Common,
}

impl Producer {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Show(show) => show.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let Self { name, id, common } = self;
        let store = common.database.open_or_create().await?;
        let id = match producers::create(&store, id.as_deref(), &name, TimeSource::System.now()).await {
            Err(ChangeError::Refused(Refusal::IdTaken(_))) => {
                bail!("there is already a producer with this id; choose another, or leave --id out")
            }
            created => created.map_err(refused)?,
        };
        let fields = [("id", id.clone()), ("name", name.as_str().to_owned())];
        common.output.one(&api::Producer { id: &id, name: name.as_str() }, &fields)
    }
}
