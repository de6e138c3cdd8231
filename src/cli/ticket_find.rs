//! `taquilla ticket`: listing, showing and searching.

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

use taquilla_domain::{clock::Stamp, invalid::Invalid, status::TicketStatus};
use taquilla_rules::admin::{
    lists::{self, NewestRows},
    search::{self, Search},
};
use taquilla_store::{
    Store, Tenant,
    sales::orders,
    tickets::{listed::Query, rows},
};

use super::{
    catalogue_find::an_event,
    common::OfProducer,
    flags,
    found::{Limit, Wanted, looking_at},
    output::{
        Column::{Fact, Id, Text},
        Output, moment, say,
    },
    person::person,
};

#[derive(Args)]
pub struct ListTickets {
    /// Only tickets of this event
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: Option<String>,
    /// Only tickets of this order
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    order: Option<String>,
    /// Only tickets of this status: valid, scanned, transferred, cancelled or refunded; may be given several times
    #[arg(long, value_parser = status)]
    status: Vec<TicketStatus>,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct SearchTickets {
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    of: OfProducer,
}

fn status(text: &str) -> Result<TicketStatus, Invalid> {
    flags::named(text, TicketStatus::ALL, TicketStatus::as_str)
}

impl ListTickets {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, self.event.as_deref()).await?;
        if let Some(id) = &self.order {
            let found = orders::find(&mut store.read().await?, tenant, id).await?;
            ensure!(found.is_some(), "the producer has no order {id}; `taquilla order search` finds orders");
        }
        let statuses = TicketStatus::ALL.iter().copied().filter(|status| self.status.contains(status)).collect();
        let query = Query { event_id: self.event, order_id: self.order, statuses, ..Query::default() };
        print(self.of.output(), &self.limit, &lists::tickets(&store, tenant, &query, self.limit.get()).await?)
    }
}

impl SearchTickets {
    pub async fn run(self) -> anyhow::Result<()> {
        let Wanted { event, limit, .. } = &self.wanted;
        let (text, words) = self.wanted.parse()?;
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, event.as_deref()).await?;
        let search = Search { text: &text, words: &words, event_id: event.as_deref(), limit: limit.get() };
        let bar = looking_at("tickets");
        let found = search::tickets(&store, tenant, &search, |read| bar.set_position(read)).await;
        bar.finish_and_clear();
        print(self.of.output(), limit, &found?)
    }
}

/// A text of a ticket as the API shows it, or a dash.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or("–").to_owned()
}

/// A time of a ticket as the API shows it.
fn time(value: &Value) -> String {
    moment(value.as_str().and_then(Stamp::parse))
}

fn print(output: &Output, limit: &Limit, found: &NewestRows<Value>) -> anyhow::Result<()> {
    let columns = [Id("id"), Fact("status"), Text("type"), Text("attendee")];
    let more =
        [Text("email"), Id("event"), Id("order"), Fact("issued"), Fact("entered"), Text("gate"), Id("passed on as")];
    output.list(
        &found.rows,
        &columns,
        &more,
        |ticket| ticket,
        |ticket| {
            vec![
                text(&ticket["id"]),
                text(&ticket["status"]),
                text(&ticket["ticket_type"]["name"]),
                text(&ticket["attendee"]["name"]),
                text(&ticket["attendee"]["email"]),
                text(&ticket["event_id"]),
                text(&ticket["order_id"]),
                time(&ticket["issued_at"]),
                time(&ticket["checked_in_at"]),
                text(&ticket["checked_in_by"]),
                text(&ticket["transferred_to_ticket_id"]),
            ]
        },
    )?;
    limit.mention(found);
    Ok(())
}

/// Prints a ticket, where it stands, and whose it was before and after.
pub async fn show(store: &Store, tenant: Tenant, id: &str, output: &Output) -> anyhow::Result<()> {
    let unknown = "the producer has no ticket with this id; `taquilla ticket search` finds one by its holder";
    let rows::State { hidden, door_note, .. } =
        rows::state(&mut store.read().await?, tenant, id).await?.context(unknown)?;
    let chain = lists::chain(store, tenant, id).await?.context(unknown)?;
    let mut ticket = chain.iter().find(|ticket| ticket["id"] == *id).context(unknown)?.clone();
    let mut fields = fields(&ticket, hidden);
    fields.extend(door_note.get().map(|note| ("door note", note.to_owned())));
    let transfers = if chain.len() > 1 { chain } else { Vec::new() };
    ticket["hidden"] = json!(hidden);
    if let Some(note) = door_note.get() {
        ticket["door_note"] = json!(note);
    }
    ticket["transfers"] = json!(transfers);
    output.one(&ticket, &fields)?;
    if output.json || transfers.is_empty() {
        return Ok(());
    }
    say("\n Who held it, first to last:\n")?;
    let columns = [Id("id"), Fact("status"), Text("attendee")];
    output.list(
        &transfers,
        &columns,
        &[Fact("passed on")],
        |ticket| ticket,
        |ticket| {
            vec![
                text(&ticket["id"]),
                text(&ticket["status"]),
                text(&ticket["attendee"]["name"]),
                time(&ticket["transferred_at"]),
            ]
        },
    )
}

fn fields(ticket: &Value, hidden: bool) -> Vec<(&'static str, String)> {
    let attendee = &ticket["attendee"];
    let email = attendee["email"].as_str().unwrap_or_default();
    let bundle = match &ticket["bundle_id"] {
        Value::Null if ticket["from_bundle"] == true => "yes, but not known which".into(),
        id => text(id),
    };
    vec![
        ("id", text(&ticket["id"])),
        ("status", text(&ticket["status"])),
        ("type", text(&ticket["ticket_type"]["name"])),
        ("event", text(&ticket["event_id"])),
        ("order", text(&ticket["order_id"])),
        ("bundle", bundle),
        ("attendee", person(&text(&attendee["name"]), email)),
        ("issued", time(&ticket["issued_at"])),
        ("entered", time(&ticket["checked_in_at"])),
        ("gate", text(&ticket["checked_in_by"])),
        ("hidden", if hidden { "yes".into() } else { "no".into() }),
        ("passed on as", text(&ticket["transferred_to_ticket_id"])),
    ]
}
