//! `taquilla producer`.

use anyhow::bail;
use clap::{Args, Subcommand};

use super::{common::Common, flags, output::refused};
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
        let Self::Create(Create { name, id, common }) = self;
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
