//! Listing and showing producers, events, and what is for sale at them.

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use taquilla_domain::{event::Event, ticket_type::TicketType};
use taquilla_rules::admin::lists::{self, NewestRows};
use taquilla_store::{
    Store, Tenant,
    catalogue::{events, ticket_types},
    producers::{self, Details},
};
use taquilla_wire::{Time, api};

use super::{
    common::{Common, OfProducer, PRODUCER},
    flags,
    found::Limit,
    output::{
        Column::{Fact, Id, Text},
        Output, local_moment, moment, say,
    },
};

#[derive(Args)]
pub struct ListProducers {
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub struct ShowProducer {
    /// The producer's id
    #[arg(env = PRODUCER, value_parser = flags::id)]
    producer_id: String,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub struct ListEvents {
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct ShowEvent {
    /// The event's id
    #[arg(value_parser = flags::id)]
    event_id: String,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct ListTicketTypes {
    /// The event they are sold for
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    /// Also show deleted ones
    #[arg(long)]
    include_deleted: bool,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct ShowTicketType {
    /// The id of the ticket type or bundle
    #[arg(value_parser = flags::id)]
    type_id: String,
    #[command(flatten)]
    of: OfProducer,
}

/// A producer as commands show it.
#[derive(Serialize)]
struct ShownProducer<'a> {
    #[serde(flatten)]
    producer: api::Producer<'a>,
    created_at: Time,
    retention_days: Option<i64>,
}

fn shown_producer(Details { id, name, created_at, retention_days }: &Details) -> ShownProducer<'_> {
    let producer = api::Producer { id, name };
    ShownProducer { producer, created_at: Time(*created_at), retention_days: *retention_days }
}

/// For how long what is known of people is kept.
pub fn kept_for(retention_days: Option<i64>) -> String {
    retention_days.map_or_else(|| "for ever".to_owned(), |days| format!("{days} days after an event's end"))
}

/// An event as commands show it: as the API does, and what is for sale at it.
#[derive(Serialize)]
struct ShownEvent<'a> {
    #[serde(flatten)]
    event: &'a Value,
    ticket_types: Vec<api::TicketType<'a>>,
}

/// An item as commands show it: as the API does, what the scanner shows, and the code that opens a hidden one.
#[derive(Serialize)]
pub struct ShownTicketType<'a> {
    #[serde(flatten)]
    item: api::TicketType<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    door_note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    access_code: Option<&'a str>,
}

impl<'a> ShownTicketType<'a> {
    /// An item, and the code that opens it while it is hidden.
    pub fn new(item: &'a TicketType, access_code: Option<&'a str>) -> Self {
        Self { item: api::TicketType::from(item), door_note: item.door_note.get(), access_code }
    }
}

/// Refuses an event that the producer does not have, if one is named.
pub async fn an_event(store: &Store, tenant: Tenant, id: Option<&str>) -> anyhow::Result<()> {
    let Some(id) = id else { return Ok(()) };
    match events::exists(&mut store.read().await?, tenant, id).await? {
        true => Ok(()),
        false => bail!("the producer has no event {id}; `taquilla event list` shows the ids"),
    }
}

impl ListProducers {
    pub async fn run(self) -> anyhow::Result<()> {
        let found = lists::producers(&self.common.open().await?, self.limit.get()).await?;
        let columns = [Id("id"), Text("name"), Fact("created")];
        self.common.output.list(&found.rows, &columns, &[], shown_producer, |producer| {
            vec![producer.id.clone(), producer.name.clone(), moment(Some(producer.created_at))]
        })?;
        self.limit.mention(&found);
        Ok(())
    }
}

impl ShowProducer {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, id) = (self.common.open().await?, &self.producer_id);
        let found = producers::details(&mut store.read().await?, id).await?;
        let producer =
            found.with_context(|| format!("there is no producer {id}; `taquilla producer list` shows the ids"))?;
        let fields = [
            ("id", producer.id.clone()),
            ("name", producer.name.clone()),
            ("created", moment(Some(producer.created_at))),
            ("people are kept", kept_for(producer.retention_days)),
        ];
        self.common.output.one(&shown_producer(&producer), &fields)
    }
}

impl ListEvents {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let found = lists::events(&store, tenant, self.limit.get(), |event| {
            Ok::<_, serde_json::Error>((serde_json::to_value(api::Event::from(event))?, event_cells(&event)))
        })
        .await?;
        let rows = found.rows.into_iter().collect::<Result<Vec<_>, _>>()?;
        let found = NewestRows { rows, has_more: found.has_more };
        let columns = [Id("id"), Fact("status"), Fact("starts"), Text("name")];
        let more = [Text("time zone"), Fact("ends"), Text("venue"), Fact("currency"), Fact("created")];
        self.of.output().list(&found.rows, &columns, &more, |(json, _)| json, |(_, cells)| cells.clone())?;
        self.limit.mention(&found);
        Ok(())
    }
}

fn event_cells(event: &Event<'_>) -> Vec<String> {
    vec![
        event.id.to_owned(),
        event.status.as_str().to_owned(),
        local_moment(event.starts_at, event.timezone),
        event.name.to_owned(),
        event.timezone.to_owned(),
        local_moment(event.ends_at, event.timezone),
        event.venue.unwrap_or("–").to_owned(),
        event.currency.to_owned(),
        moment(Some(event.created_at)),
    ]
}

impl ShowEvent {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, Some(&self.event_id)).await?;
        let mut conn = store.read().await?;
        let found = events::find(&mut conn, tenant, &self.event_id, |event| {
            Ok::<_, serde_json::Error>((serde_json::to_value(api::Event::from(event))?, event_fields(&event)))
        })
        .await?;
        let (event, fields) = found.context("the event is gone")??;
        let items = ticket_types::of_event(&mut conn, tenant, &self.event_id, false).await?;
        let output = self.of.output();
        let ticket_types = items.iter().map(api::TicketType::from).collect();
        output.one(&ShownEvent { event: &event, ticket_types }, &fields)?;
        if output.json || items.is_empty() {
            return Ok(());
        }
        say("")?;
        print_items(output, &items)
    }
}

fn event_fields(event: &Event<'_>) -> Vec<(&'static str, String)> {
    vec![
        ("id", event.id.to_owned()),
        ("name", event.name.to_owned()),
        ("status", event.status.as_str().to_owned()),
        ("starts", local_moment(event.starts_at, event.timezone)),
        ("ends", local_moment(event.ends_at, event.timezone)),
        ("time zone", event.timezone.to_owned()),
        ("venue", event.venue.unwrap_or("–").to_owned()),
        ("currency", event.currency.to_owned()),
        ("created", moment(Some(event.created_at))),
        ("updated", moment(Some(event.updated_at))),
    ]
}

impl ListTicketTypes {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, Some(&self.event)).await?;
        let mut conn = store.read().await?;
        let items = ticket_types::of_event(&mut conn, tenant, &self.event, self.include_deleted).await?;
        print_items(self.of.output(), &items)
    }
}

/// What is for sale, in the organiser's order.
fn print_items(output: &Output, items: &[TicketType]) -> anyhow::Result<()> {
    let columns = [Id("id"), Fact("status"), Text("sold"), Text("left"), Text("price"), Text("name")];
    let more = [Fact("kind"), Fact("category"), Fact("per order"), Fact("on sale"), Fact("off sale")];
    output.list(items, &columns, &more, api::TicketType::from, |item| {
        vec![
            item.id.clone(),
            status(item),
            item.sold.to_string(),
            left(item),
            format!("{} {}", item.price, item.currency),
            item.name.clone(),
            item.kind.as_str().to_owned(),
            item.category.as_str().to_owned(),
            per_order(item),
            moment(item.on_sale_from),
            moment(item.expires_at),
        ]
    })
}

fn status(item: &TicketType) -> String {
    if item.deleted { "deleted".into() } else { item.shown_status().as_str().into() }
}

fn left(item: &TicketType) -> String {
    item.available().map_or("∞".into(), |left| left.to_string())
}

/// How many one order may have.
fn per_order(item: &TicketType) -> String {
    match item.min_per_order {
        1 => item.max_per_order.to_string(),
        least => format!("{least} to {}", item.max_per_order),
    }
}

/// How many are sold, of how many.
pub fn sold(item: &TicketType) -> String {
    format!("{} of {}", item.sold, item.limit.map_or("∞".into(), |limit| limit.to_string()))
}

impl ShowTicketType {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let found = ticket_types::find(&mut store.read().await?, tenant, &self.type_id).await?;
        let (item, access_code) = found.with_context(|| {
            let id = &self.type_id;
            format!("the producer has no ticket type {id}; `taquilla ticket-type list --event ID` shows the ids")
        })?;
        let mut fields = vec![
            ("id", item.id.clone()),
            ("kind", item.kind.as_str().to_owned()),
            ("name", item.name.clone()),
            ("event", item.event_id.clone()),
            ("category", item.category.as_str().to_owned()),
            ("status", status(&item)),
            ("price", format!("{} {}", item.price, item.currency)),
            ("sold", sold(&item)),
            ("left", left(&item)),
            ("per order", per_order(&item)),
            ("on sale", moment(item.on_sale_from)),
            ("off sale", moment(item.expires_at)),
        ];
        for include in &item.includes {
            fields.push(("includes", format!("{} × {} ({})", include.quantity, include.name, include.ticket_type_id)));
        }
        fields.extend(item.door_note.get().map(|note| ("door note", note.to_owned())));
        fields.extend(access_code.iter().map(|code| ("access code", code.clone())));
        let shown = ShownTicketType::new(&item, access_code.as_deref());
        self.of.output().one(&shown, &fields)
    }
}
