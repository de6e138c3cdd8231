//! `taquilla producer`.

use anyhow::bail;
use clap::{Args, Subcommand};
use serde::Serialize;

use taquilla_domain::{
    config::RETENTION_DAYS_MAX, invalid::Invalid, money::Currency, refusal::Refusal, text::Name, time_zone::TimeZone,
    web_origin::WebOrigin,
};
use taquilla_rules::admin::{people, producers, shop_origins};
use taquilla_store::ChangeError;
use taquilla_wire::api;

use super::{
    by::by,
    catalogue_find::{ListProducers, ShowProducer, kept_for},
    common::{Common, OfProducer},
    flags,
    output::refused,
};

#[derive(Subcommand)]
pub enum Producer {
    /// Create a producer
    Create(Create),
    /// Change how long a producer keeps personal data, or which websites may ask its shop
    Change(Change),
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
    /// Its id; generated if left out
    #[arg(long, value_parser = flags::id)]
    id: Option<String>,
    /// Its time zone, by its IANA name or its city, for the dashboard and for new events
    #[arg(long, value_name = "ZONE", default_value = "UTC", value_parser = TimeZone::find)]
    time_zone: TimeZone,
    /// Its currency
    #[arg(long, value_name = "CODE", default_value = "EUR", value_parser = Currency::parse)]
    currency: Currency,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub struct Change {
    /// Erase buyers and attendees this many days after the end of their event, or none to keep them
    #[arg(long, value_name = "DAYS", value_parser = retention, required_unless_present = "shop_origins")]
    retention_days: Option<Retention>,
    /// A website whose pages may ask the shop, such as https://www.example.org; may be repeated, replaces the list; none empties it
    #[arg(long = "shop-origin", value_name = "ORIGIN", value_parser = shop_origin)]
    shop_origins: Vec<Website>,
    #[command(flatten)]
    of: OfProducer,
}

/// Clap would take an `Option` for a flag that may be left out.
#[derive(Clone, Copy)]
struct Retention(Option<i64>);

fn retention(text: &str) -> Result<Retention, Invalid> {
    let days = |text: &str| flags::number(text, 1..=RETENTION_DAYS_MAX.unsigned_abs());
    flags::or_none(text, days).map(|days| Retention(days.map(|days| days.cast_signed())))
}

/// A website, or none.
#[derive(Clone)]
struct Website(Option<WebOrigin>);

fn shop_origin(text: &str) -> Result<Website, Invalid> {
    flags::or_none(text, WebOrigin::parse).map(Website)
}

#[derive(Serialize)]
struct Changed<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retention_days: Option<Option<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shop_origins: Option<Vec<&'a str>>,
}

impl Producer {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::Change(change) => change.run().await,
            Self::List(list) => list.run().await,
            Self::Show(show) => show.run().await,
        }
    }
}

impl Change {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let id = &self.of.producer;
        let mut fields = vec![("id", id.clone())];
        if let Some(Retention(days)) = self.retention_days {
            people::set_retention(&store, tenant, days, &by()).await.map_err(refused)?;
            fields.push(("people are kept", kept_for(days)));
        }
        let mut listed = None;
        if !self.shop_origins.is_empty() {
            let named = self.shop_origins.into_iter().filter_map(|Website(origin)| origin).collect();
            listed = Some(shop_origins::set(&store, tenant, named, &by()).await.map_err(refused)?);
        }
        let listed = listed.as_ref().map(|listed| listed.iter().map(WebOrigin::as_str).collect::<Vec<_>>());
        fields.extend(listed.as_ref().map(|listed| ("websites that may ask the shop", listed.join(" "))));
        let retention_days = self.retention_days.map(|Retention(days)| days);
        self.of.output().one(&Changed { id, retention_days, shop_origins: listed }, &fields)
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
