//! `taquilla producer`.

use anyhow::bail;
use clap::{Args, Subcommand};

use super::{
    by::by,
    catalogue_find::{ListProducers, ShowProducer},
    common::Common,
    flags,
    output::refused,
};
use crate::{
    admin::producers,
    domain::{money::Currency, refusal::Refusal, text::Name, time_zone::TimeZone},
    store::ChangeError,
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
    /// Its time zone, which the dashboard shows and a new event begins with
    #[arg(long, value_name = "ZONE", default_value = "UTC", value_parser = TimeZone::parse)]
    time_zone: TimeZone,
    /// The currency that it reckons in
    #[arg(long, value_name = "CODE", default_value = "EUR", value_parser = Currency::parse)]
    currency: Currency,
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
        let Self { name, id, time_zone, currency, common } = self;
        let store = common.database.open_or_create().await?;
        let producer = producers::Producer { name, time_zone, currency };
        let id = match producers::create(&store, id.as_deref(), &producer, &by()).await {
            Err(ChangeError::Refused(Refusal::IdTaken(_))) => {
                bail!("there is already a producer with this id; choose another, or leave --id out")
            }
            created => created.map_err(refused)?,
        };
        let name = &producer.name;
        let fields = [("id", id.clone()), ("name", name.as_str().to_owned())];
        common.output.one(&api::Producer { id: &id, name: name.as_str() }, &fields)
    }
}
