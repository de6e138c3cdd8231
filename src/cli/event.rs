//! `taquilla event`.

use clap::{Args, Subcommand};
use serde_json::json;

use super::{
    Database,
    catalog::{create, parse_stamp, pick},
    database::find_producer,
    output::{Output, refused},
};
use crate::{
    app::Time,
    boxoffice::catalog::{EventChange, change_event},
    config::TEXT_MAX,
    domain::{id, status::EventStatus},
    store::events,
};

#[derive(Subcommand)]
pub enum Event {
    /// Create an event
    Create(Create),
    /// Change an event; what is not named stays
    Change(Change),
}

#[derive(Args)]
pub struct Create {
    /// Whose event it is
    #[arg(long, value_name = "ID")]
    producer: String,
    /// Its id; made up when it is left out
    #[arg(long)]
    id: Option<String>,
    /// Its name
    #[arg(long)]
    name: String,
    /// The currency its items are priced in, such as EUR
    #[arg(long)]
    currency: String,
    /// The IANA time zone of the place, such as Europe/Madrid
    #[arg(long)]
    timezone: Option<String>,
    #[command(flatten)]
    details: Details,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct Change {
    /// The event's id
    event_id: String,
    /// Whose event it is
    #[arg(long, value_name = "ID")]
    producer: String,
    /// Its name
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    details: Details,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
struct Details {
    /// Where it is
    #[arg(long)]
    venue: Option<String>,
    /// What buyers read about it
    #[arg(long)]
    description: Option<String>,
    /// When it begins, such as 2027-01-01T21:00:00+01:00
    #[arg(long, value_name = "TIME")]
    starts_at: Option<String>,
    /// When it ends
    #[arg(long, value_name = "TIME")]
    ends_at: Option<String>,
    /// draft, published, finished or cancelled
    #[arg(long)]
    status: Option<String>,
}

impl Event {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::Change(change) => change.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let id = self.id.unwrap_or_else(|| id::new_id("ev", Time::System.now()));
        let line = json!({
            "kind": "event", "id": id, "name": self.name, "currency": self.currency, "timezone": self.timezone,
            "venue": self.details.venue, "description": self.details.description,
            "starts_at": self.details.starts_at, "ends_at": self.details.ends_at, "status": self.details.status,
        });
        create(&store, tenant, &line).await?;
        show(&store, tenant, &id, &self.output).await
    }
}

impl Change {
    async fn run(self) -> anyhow::Result<()> {
        if let Some(name) = &self.name {
            super::producer::check_name(name)?;
        }
        for (flag, text) in [("--venue", &self.details.venue), ("--description", &self.details.description)] {
            let fits = text.as_ref().is_none_or(|text| text.chars().count() <= TEXT_MAX && !text.contains('\0'));
            anyhow::ensure!(fits, "{flag} is longer than {TEXT_MAX} characters or holds the character NUL");
        }
        let change = EventChange {
            name: self.name,
            venue: self.details.venue,
            description: self.details.description,
            starts_at: parse_stamp("--starts-at", self.details.starts_at)?,
            ends_at: parse_stamp("--ends-at", self.details.ends_at)?,
            status: pick("--status", self.details.status, EventStatus::ALL, EventStatus::as_str)?,
        };
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        change_event(&store, tenant, &self.event_id, &change, Time::System.now()).await.map_err(refused)?;
        show(&store, tenant, &self.event_id, &self.output).await
    }
}

async fn show(
    store: &crate::store::Store,
    tenant: crate::store::producers::Tenant,
    id: &str,
    output: &Output,
) -> anyhow::Result<()> {
    let shown = events::find(&mut store.read().await?, tenant, id, |event| {
        let fields = vec![
            ("id", event.id.to_owned()),
            ("name", event.name.to_owned()),
            ("status", event.status.as_str().to_owned()),
            ("starts", super::output::moment(event.starts_at)),
        ];
        serde_json::to_value(&event).map(|json| (json, fields))
    })
    .await?;
    let Some(shown) = shown else { anyhow::bail!("there is no such event") };
    let (json, fields) = shown?;
    output.one(&json, &fields)
}
