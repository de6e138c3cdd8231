//! `taquilla ticket-type`.

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{
    Database,
    catalog::{create, parse_stamp, pick},
    database::find_producer,
    output::{Output, refused},
};
use crate::{
    app::Time,
    boxoffice::catalog::{TypeChange, change_type},
    config::{AMOUNT_MAX, COUNT_MAX},
    domain::{id, status::TypeStatus},
    store::{Store, producers::Tenant, types},
};

#[derive(Subcommand)]
pub enum TicketType {
    /// Create a ticket type, or a bundle with --include
    Create(Create),
    /// Change a ticket type or bundle; what is not named stays
    Change(Change),
}

#[derive(Args)]
pub struct Create {
    /// Whose it is
    #[arg(long, value_name = "ID")]
    producer: String,
    /// The event it is sold for
    #[arg(long, value_name = "ID")]
    event: String,
    /// Its id; made up when it is left out
    #[arg(long)]
    id: Option<String>,
    /// Its name
    #[arg(long)]
    name: String,
    /// The list price in whole units; 0 is free
    #[arg(long)]
    price: i64,
    /// The currency, such as EUR
    #[arg(long)]
    currency: String,
    /// ticket or merchandise
    #[arg(long)]
    category: Option<String>,
    /// What one bundle holds; once for each item
    #[arg(long, value_name = "TYPE=QUANTITY")]
    include: Vec<String>,
    /// active, hidden, exclusive, sold_out or inactive; a hidden one gets an access code, which is printed
    #[arg(long)]
    status: Option<String>,
    /// What buyers read about it
    #[arg(long)]
    description: Option<String>,
    /// Its stock; without it, infinite
    #[arg(long)]
    limit: Option<i64>,
    /// How many one order may hold
    #[arg(long)]
    max_per_order: Option<i64>,
    /// When it goes off sale
    #[arg(long, value_name = "TIME")]
    expires_at: Option<String>,
    /// Its place among the event's items, lowest first
    #[arg(long)]
    sort_order: Option<i64>,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct Change {
    /// The id of the ticket type or bundle
    type_id: String,
    /// Whose it is
    #[arg(long, value_name = "ID")]
    producer: String,
    /// Its name
    #[arg(long)]
    name: Option<String>,
    /// The list price in whole units
    #[arg(long)]
    price: Option<i64>,
    /// active, hidden, exclusive, sold_out or inactive; a hidden one gets an access code, which is printed
    #[arg(long)]
    status: Option<String>,
    /// Its stock, or none for infinite
    #[arg(long, value_name = "N|none")]
    limit: Option<String>,
    /// How many one order may hold
    #[arg(long)]
    max_per_order: Option<i64>,
    /// When it goes off sale, or none
    #[arg(long, value_name = "TIME|none")]
    expires_at: Option<String>,
    /// Delete it: off sale and out of the list; its tickets still enter
    #[arg(long)]
    delete: bool,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

impl TicketType {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::Change(change) => change.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let includes = self.include.iter().map(|text| parse_include(text)).collect::<anyhow::Result<Vec<_>>>()?;
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let id = self.id.unwrap_or_else(|| id::new_id("tt", Time::System.now()));
        let bundle = !includes.is_empty();
        let line = json!({
            "kind": if bundle { "bundle" } else { "ticket_type" }, "id": id, "event_id": self.event, "name": self.name,
            "price": self.price, "currency": self.currency, "category": self.category, "status": self.status,
            "description": self.description, "limit": self.limit, "max_per_order": self.max_per_order,
            "expires_at": self.expires_at, "sort_order": self.sort_order,
            "includes": if bundle { Value::from(includes) } else { Value::Null },
        });
        create(&store, tenant, &line).await?;
        // A change of nothing gives a hidden item its code.
        let code =
            change_type(&store, tenant, &id, &TypeChange::default(), Time::System.now()).await.map_err(refused)?;
        show(&store, tenant, &id, code, &self.output).await
    }
}

fn parse_include(text: &str) -> anyhow::Result<Value> {
    let wrong = || format!("--include {text}: TYPE=QUANTITY is expected, such as tt_beer=2");
    let (ticket_type_id, quantity) = text.rsplit_once('=').with_context(wrong)?;
    Ok(json!({"ticket_type_id": ticket_type_id, "quantity": quantity.parse::<i64>().with_context(wrong)?}))
}

impl Change {
    async fn run(self) -> anyhow::Result<()> {
        let limit = match self.limit.as_deref() {
            None => None,
            Some("none") => Some(None),
            Some(number) => Some(Some(number.parse().context("--limit is a number or none")?)),
        };
        let expires_at = match self.expires_at {
            None => None,
            Some(text) if text == "none" => Some(None),
            text => Some(parse_stamp("--expires-at", text)?),
        };
        for (flag, value, most) in [
            ("--price", self.price, AMOUNT_MAX),
            ("--limit", limit.flatten(), COUNT_MAX),
            ("--max-per-order", self.max_per_order, COUNT_MAX),
        ] {
            anyhow::ensure!(value.is_none_or(|value| (0..=most).contains(&value)), "{flag} is from 0 to {most}");
        }
        if let Some(name) = &self.name {
            super::producer::check_name(name)?;
        }
        let change = TypeChange {
            name: self.name,
            price: self.price,
            status: pick("--status", self.status, TypeStatus::ALL, TypeStatus::as_str)?,
            limit,
            max_per_order: self.max_per_order,
            expires_at,
            deleted: self.delete.then_some(true),
        };
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let code = change_type(&store, tenant, &self.type_id, &change, Time::System.now()).await.map_err(refused)?;
        show(&store, tenant, &self.type_id, code, &self.output).await
    }
}

async fn show(
    store: &Store,
    tenant: Tenant,
    id: &str,
    access_code: Option<String>,
    output: &Output,
) -> anyhow::Result<()> {
    let mut conn = store.read().await?;
    let Some(sale) = types::for_sale(&mut conn, tenant, id).await? else {
        anyhow::bail!("there is no such ticket type")
    };
    let items = types::of_event(&mut conn, tenant, &sale.event_id, true).await?;
    let Some(item) = items.into_iter().find(|item| item.id == id) else {
        anyhow::bail!("there is no such ticket type")
    };
    let mut json = serde_json::to_value(&item)?;
    let mut fields = vec![
        ("id", item.id.clone()),
        ("name", item.name.clone()),
        ("status", item.status.as_str().to_owned()),
        ("price", format!("{} {}", item.price, item.currency)),
        ("sold", format!("{} of {}", item.sold, item.limit.map_or("∞".into(), |limit| limit.to_string()))),
    ];
    if let Some(code) = access_code {
        json["access_code"] = code.clone().into();
        fields.push(("access code", code));
    }
    output.one(&json, &fields)
}
