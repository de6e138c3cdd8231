//! `taquilla event`.

use anyhow::Context;
use clap::{Args, Subcommand};

use taquilla_domain::{
    asked::AttendeesAsked,
    clock::Stamp,
    id,
    invalid::Invalid,
    money::Currency,
    status::EventStatus,
    text::{Name, Text},
    time_zone::TimeZone,
};
use taquilla_rules::admin::catalogue::{EventChange, NewEvent, change_event, create_event};
use taquilla_store::{Store, Tenant, catalogue::events, producers};
use taquilla_wire::api;

use super::{
    by::by,
    catalogue_find::{ListEvents, ShowEvent},
    common::OfProducer,
    flags,
    mistake::Mistake,
    output::{Output, moment, refused},
};

#[derive(Subcommand)]
pub enum Event {
    /// Create an event
    Create(Create),
    /// Change an event; what is not named stays
    Change(Change),
    /// List events, newest first; each shows its times in its own time zone
    List(ListEvents),
    /// Show an event, with what is sold and left of each item
    Show(ShowEvent),
}

#[derive(Args)]
pub struct Create {
    /// Its id; generated if left out
    #[arg(long, value_parser = flags::id)]
    id: Option<String>,
    /// Its name
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// The currency its items are priced in, such as EUR
    #[arg(long, value_parser = Currency::parse)]
    currency: Currency,
    #[command(flatten)]
    details: Details,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Change {
    /// The event's id
    #[arg(value_parser = flags::id)]
    event_id: String,
    /// Its name
    #[arg(long, value_parser = Name::parse)]
    name: Option<Name>,
    /// The currency of the event and of all its items, while it has no order
    #[arg(long, value_parser = Currency::parse)]
    currency: Option<Currency>,
    #[command(flatten)]
    details: Details,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
struct Details {
    /// The time zone of the place: its IANA name, such as Europe/Madrid, or its city alone
    #[arg(long, alias = "time-zone", value_parser = TimeZone::find)]
    timezone: Option<TimeZone>,
    /// Where it is
    #[arg(long, value_parser = Text::parse)]
    venue: Option<Text>,
    /// What buyers read about it
    #[arg(long, value_parser = Text::parse)]
    description: Option<Text>,
    /// When it begins, such as 2027-01-01T21:00:00+01:00
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    starts_at: Option<Stamp>,
    /// When it ends
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    ends_at: Option<Stamp>,
    /// draft, published, finished or cancelled
    #[arg(long, value_parser = status)]
    status: Option<EventStatus>,
    /// What buyers of the shop say of those who come, for each entrance: none, name or name_and_email
    #[arg(long, value_name = "WHAT", value_parser = attendees)]
    attendees: Option<AttendeesAsked>,
}

fn attendees(text: &str) -> Result<AttendeesAsked, Invalid> {
    flags::named(text, AttendeesAsked::ALL, AttendeesAsked::as_str)
}

fn status(text: &str) -> Result<EventStatus, Invalid> {
    flags::named(text, EventStatus::ALL, EventStatus::as_str)
}

impl Event {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::Change(change) => change.run().await,
            Self::List(list) => list.run().await,
            Self::Show(show) => show.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let by = by();
        let id = self.id.unwrap_or_else(|| id::new_id("ev", by.now));
        let Details { timezone, venue, description, starts_at, ends_at, status, attendees } = self.details;
        // The producer's time zone, unless another is said.
        let zone = producers::time_zone(&mut store.read().await?, tenant).await?;
        let zone = TimeZone::parse(&zone).map_err(|invalid| refused(invalid.in_field("timezone").into()))?;
        let event = NewEvent {
            id: id.clone(),
            name: self.name,
            description,
            venue,
            timezone: timezone.unwrap_or(zone),
            starts_at,
            ends_at,
            currency: self.currency,
            status: status.unwrap_or(EventStatus::Published),
            image_url: None,
            attendees_asked: attendees.unwrap_or(AttendeesAsked::None),
            terms: None,
            created_at: None,
        };
        create_event(&store, tenant, event, &by).await.map_err(refused)?;
        let shown = show(&store, tenant, &id, self.of.output()).await;
        shown.with_context(|| format!("{id} is created, but cannot be shown"))
    }
}

impl Change {
    async fn run(self) -> anyhow::Result<()> {
        let Details { timezone, venue, description, starts_at, ends_at, status, attendees } = self.details;
        let change = EventChange {
            name: self.name,
            timezone,
            venue: venue.map(Some),
            description: description.map(Some),
            image_url: None,
            starts_at: starts_at.map(Some),
            ends_at: ends_at.map(Some),
            currency: self.currency,
            status,
            attendees_asked: attendees,
        };
        if change == EventChange::default() {
            let flags = "--name, --currency, --timezone, --venue, --description, --starts-at, --ends-at, --status or --attendees";
            return Err(Mistake::new(format!("say what to change: {flags}")).into());
        }
        let (store, tenant) = self.of.open().await?;
        change_event(&store, tenant, &self.event_id, &change, None, &by()).await.map_err(refused)?;
        show(&store, tenant, &self.event_id, self.of.output()).await
    }
}

async fn show(store: &Store, tenant: Tenant, id: &str, output: &Output) -> anyhow::Result<()> {
    let shown = events::find(&mut store.read().await?, tenant, id, |event| {
        let fields = [
            ("id", event.id.to_owned()),
            ("name", event.name.to_owned()),
            ("status", event.status.as_str().to_owned()),
            ("starts", moment(event.starts_at)),
        ];
        output.one(&api::Event::from(event), &fields)
    })
    .await?;
    shown.unwrap_or_else(|| Err(anyhow::anyhow!("there is no such event")))
}
