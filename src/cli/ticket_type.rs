//! `taquilla ticket-type`.

use anyhow::Context;
use clap::{Args, Subcommand};

use taquilla_domain::{
    clock::Stamp,
    count::Count,
    door_note::DoorNote,
    id,
    invalid::Invalid,
    money::{Amount, Currency},
    status::{Category, TypeStatus},
    text::{Name, Text},
};
use taquilla_rules::admin::catalogue::{
    Content, NewInclude, NewItem, TicketTypeChange, change_ticket_type, create_item,
};
use taquilla_store::{Store, Tenant, catalogue::ticket_types};

use super::{
    by::by,
    catalogue_find::{ListTicketTypes, ShowTicketType, ShownTicketType, sold},
    common::OfProducer,
    flags,
    hold::PastHoldsFlag,
    output::{Output, refused},
};

#[derive(Subcommand)]
pub enum TicketType {
    /// Create a ticket type, or a bundle with --include
    Create(Create),
    /// Change a ticket type or bundle; what is not named stays
    Change(Change),
    /// List what is for sale at an event, in the organiser's order
    List(ListTicketTypes),
    /// Show a ticket type or bundle, with what it includes and what is sold and left
    Show(ShowTicketType),
}

#[derive(Args)]
pub struct Create {
    /// The event it is sold for
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    /// Its id; generated if left out
    #[arg(long, value_parser = flags::id)]
    id: Option<String>,
    /// Its name
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// The list price in whole units; 0 is free
    #[arg(long, value_parser = Amount::parse)]
    price: Amount,
    /// The currency, which is the event's; it need not be said
    #[arg(long, value_parser = Currency::parse)]
    currency: Option<Currency>,
    /// ticket or merchandise
    #[arg(long, value_parser = category)]
    category: Option<Category>,
    /// What one bundle holds; once for each item
    #[arg(long, value_name = "TYPE=QUANTITY", value_parser = parse_include)]
    include: Vec<NewInclude>,
    /// active, hidden, exclusive, sold_out or inactive; a hidden one gets an access code, which is printed
    #[arg(long, value_parser = status)]
    status: Option<TypeStatus>,
    /// What buyers read about it
    #[arg(long, value_parser = Text::parse)]
    description: Option<Text>,
    /// Its stock; without it, infinite
    #[arg(long, value_parser = Count::parse)]
    limit: Option<Count>,
    /// How many one order may hold
    #[arg(long, value_parser = Count::parse)]
    max_per_order: Option<Count>,
    /// How many one order must have, if it has any
    #[arg(long, value_parser = least)]
    min_per_order: Option<Count>,
    /// When its sale to the public begins; staff sell it before
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    on_sale_from: Option<Stamp>,
    /// When it goes off sale
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    expires_at: Option<Stamp>,
    /// Its place among the event's items, lowest first
    #[arg(long, value_name = "N", value_parser = flags::place, allow_negative_numbers = true)]
    sort_order: Option<Count>,
    /// Let people go out with it and come in again
    #[arg(long)]
    reentry: bool,
    /// What the scanner shows with its tickets, such as "needs a wristband": one short line
    #[arg(long, value_name = "NOTE", value_parser = DoorNote::parse)]
    door_note: Option<DoorNote>,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Change {
    /// The id of the ticket type or bundle
    #[arg(value_parser = flags::id)]
    type_id: String,
    /// Its name
    #[arg(long, value_parser = Name::parse)]
    name: Option<Name>,
    /// The list price in whole units
    #[arg(long, value_parser = Amount::parse)]
    price: Option<Amount>,
    /// active, hidden, exclusive, sold_out or inactive; a hidden one gets an access code, which is printed
    #[arg(long, value_parser = status)]
    status: Option<TypeStatus>,
    /// Its stock, or none for infinite
    #[arg(long, value_name = "N|none", value_parser = limit)]
    limit: Option<OrNone<Count>>,
    #[command(flatten)]
    past_holds: PastHoldsFlag,
    /// How many one order may hold
    #[arg(long, value_parser = Count::parse)]
    max_per_order: Option<Count>,
    /// How many one order must have, if it has any
    #[arg(long, value_parser = least)]
    min_per_order: Option<Count>,
    /// When its sale to the public begins, or none
    #[arg(long, value_name = "TIME|none", value_parser = moment)]
    on_sale_from: Option<OrNone<Stamp>>,
    /// When it goes off sale, or none
    #[arg(long, value_name = "TIME|none", value_parser = moment)]
    expires_at: Option<OrNone<Stamp>>,
    /// What buyers read about it
    #[arg(long, value_parser = Text::parse)]
    description: Option<Text>,
    /// Its place among the event's items, lowest first
    #[arg(long, value_name = "N", value_parser = flags::place, allow_negative_numbers = true)]
    sort_order: Option<Count>,
    /// Whether people may go out with it and come in again
    #[arg(long, value_name = "true|false")]
    reentry: Option<bool>,
    /// What the scanner shows with its tickets; an empty text for nothing
    #[arg(long, value_name = "NOTE", value_parser = DoorNote::parse)]
    door_note: Option<DoorNote>,
    /// Delete it: off sale and out of the list; its tickets still enter
    #[arg(long)]
    delete: bool,
    #[command(flatten)]
    of: OfProducer,
}

/// A value that can be taken away by saying `none`.
#[derive(Clone, Copy)]
struct OrNone<T>(Option<T>);

fn limit(text: &str) -> Result<OrNone<Count>, Invalid> {
    flags::or_none(text, Count::parse).map(OrNone)
}

fn moment(text: &str) -> Result<OrNone<Stamp>, Invalid> {
    flags::or_none(text, flags::stamp).map(OrNone)
}

/// How many one order must have.
fn least(text: &str) -> Result<Count, Invalid> {
    Count::parse_at_least(1, text)
}

fn category(text: &str) -> Result<Category, Invalid> {
    flags::named(text, &[Category::Ticket, Category::Merchandise], Category::as_str)
}

fn status(text: &str) -> Result<TypeStatus, Invalid> {
    flags::named(text, TypeStatus::ALL, TypeStatus::as_str)
}

impl TicketType {
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
        let id = self.id.unwrap_or_else(|| id::new_id("tt", by.now));
        let item = NewItem {
            id: id.clone(),
            event_id: self.event,
            content: if self.include.is_empty() { Content::Single } else { Content::Bundle(self.include) },
            category: self.category,
            name: self.name,
            description: self.description,
            image_url: None,
            price: self.price,
            currency: self.currency,
            status: self.status.unwrap_or(TypeStatus::Active),
            deleted: false,
            limit: self.limit,
            max_per_order: self.max_per_order,
            min_per_order: self.min_per_order,
            on_sale_from: self.on_sale_from,
            expires_at: self.expires_at,
            sort_order: self.sort_order,
            reentry: self.reentry,
            door_note: self.door_note.unwrap_or_default(),
        };
        create_item(&store, tenant, item, &by).await.map_err(refused)?;
        let shown = show(&store, tenant, &id, self.of.output()).await;
        shown.with_context(|| format!("{id} is created, but cannot be shown"))
    }
}

fn parse_include(text: &str) -> Result<NewInclude, Invalid> {
    let expected = || Invalid::new("TYPE=QUANTITY is expected, such as tt_beer=2");
    let (ticket_type_id, quantity) = flags::quantity_of(text).ok_or_else(expected)?;
    Ok(NewInclude { ticket_type_id, quantity })
}

impl Change {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let change = TicketTypeChange {
            name: self.name,
            price: self.price,
            status: self.status,
            limit: self.limit.map(|OrNone(limit)| limit),
            past_holds: self.past_holds.get(),
            max_per_order: self.max_per_order,
            min_per_order: self.min_per_order,
            on_sale_from: self.on_sale_from.map(|OrNone(from)| from),
            expires_at: self.expires_at.map(|OrNone(expiry)| expiry),
            description: self.description.map(Some),
            image_url: None,
            sort_order: self.sort_order,
            reentry: self.reentry,
            door_note: self.door_note,
            deleted: self.delete.then_some(true),
        };
        change_ticket_type(&store, tenant, &self.type_id, &change, None, &by()).await.map_err(refused)?;
        show(&store, tenant, &self.type_id, self.of.output()).await
    }
}

async fn show(store: &Store, tenant: Tenant, id: &str, output: &Output) -> anyhow::Result<()> {
    let found = ticket_types::find(&mut store.read().await?, tenant, id).await?;
    let (item, access_code) = &found.context("there is no such ticket type")?;
    let mut fields = vec![
        ("id", item.id.clone()),
        ("name", item.name.clone()),
        ("status", item.shown_status().as_str().to_owned()),
        ("price", format!("{} {}", item.price, item.currency)),
        ("sold", sold(item)),
    ];
    fields.extend(item.door_note.get().map(|note| ("door note", note.to_owned())));
    fields.extend(access_code.iter().map(|code| ("access code", code.clone())));
    let shown = ShownTicketType::new(item, access_code.as_deref());
    output.one(&shown, &fields)
}
