//! New events, ticket types, bundles and pools as typed values. A line of an import is read into one, and so is what staff say at the
//! command line and in the dashboard. All become rows here, by the same rules.

use taquilla_domain::{
    asked::AttendeesAsked,
    clock::Stamp,
    config::{MAX_PER_ORDER, MIN_PER_ORDER},
    count::Count,
    door_note::DoorNote,
    event::in_order,
    id,
    invalid::Invalid,
    money::{Amount, Currency},
    pool::{NewPool, are_pool_items},
    status::{Category, EventStatus, ItemKind, TypeStatus},
    terms::NewTerms,
    text::{Name, Text},
    ticket_type::{begins_before_it_ends, fewest_fit},
    time_zone::TimeZone,
};
use taquilla_store::import::staging::{Staged, Table};

use super::values::{Checked, LinePlace};

/// A new event, ticket type, bundle or pool.
#[derive(Clone, Debug)]
pub enum New {
    /// An event.
    Event(NewEvent),
    /// A ticket type or bundle.
    Item(NewItem),
    /// A pool.
    Pool(NewPool),
}

/// An event about to exist.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: Name,
    /// What buyers read about it.
    pub description: Option<Text>,
    /// Where it takes place.
    pub venue: Option<Text>,
    /// Its clocks.
    pub timezone: TimeZone,
    /// When it begins.
    pub starts_at: Option<Stamp>,
    /// When it ends: not before it begins.
    pub ends_at: Option<Stamp>,
    /// What its items are paid in.
    pub currency: Currency,
    /// Its status.
    pub status: EventStatus,
    /// Its picture.
    pub image_url: Option<Text>,
    /// What its buyers say of those who come.
    pub attendees_asked: AttendeesAsked,
    /// Terms of its own that its buyers accept.
    pub terms: Option<NewTerms>,
    /// When it was created elsewhere; `None` is now.
    pub created_at: Option<Stamp>,
}

/// A ticket type or bundle about to exist.
#[derive(Clone, Debug)]
pub struct NewItem {
    /// Its id.
    pub id: String,
    /// The event it is sold for.
    pub event_id: String,
    /// Whether it is a single item or a bundle, and of what.
    pub content: Content,
    /// What it is. A bundle's is the category of bundles; a single item is a ticket unless it is said.
    pub category: Option<Category>,
    /// Its name.
    pub name: Name,
    /// What buyers read about it.
    pub description: Option<Text>,
    /// Its picture.
    pub image_url: Option<Text>,
    /// The list price.
    pub price: Amount,
    /// What it is paid in: the event's currency, which need not be said.
    pub currency: Option<Currency>,
    /// How it is offered. A hidden one gets an access code.
    pub status: TypeStatus,
    /// Whether it was deleted elsewhere.
    pub deleted: bool,
    /// Its stock; `None` is without limit.
    pub limit: Option<Count>,
    /// How many one order may hold, if that is said.
    pub max_per_order: Option<Count>,
    /// How many one order must have, if that is said.
    pub min_per_order: Option<Count>,
    /// When its sale to the public begins.
    pub on_sale_from: Option<Stamp>,
    /// When it goes off sale.
    pub expires_at: Option<Stamp>,
    /// Its place among the event's items, if that is said.
    pub sort_order: Option<Count>,
    /// Whether people may go out with it and come in again.
    pub reentry: bool,
    /// What the scanner shows with its tickets.
    pub door_note: DoorNote,
}

/// What an item holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// One ticket or piece of merchandise.
    Single,
    /// Several items: one at least.
    Bundle(Vec<NewInclude>),
}

/// One kind of item in a new bundle.
#[derive(Clone, Debug)]
pub struct NewInclude {
    /// The included item.
    pub ticket_type_id: String,
    /// How many units of it one bundle has: one at least.
    pub quantity: i64,
}

impl New {
    /// Its rows, or what is wrong with it.
    pub(super) fn rows(self, line: LinePlace) -> Checked<Vec<Staged>> {
        match self {
            Self::Event(event) => event.rows(line),
            Self::Item(item) => item.rows(line),
            Self::Pool(pool) => pool_rows(pool, line),
        }
    }
}

impl NewEvent {
    pub(super) fn rows(self, line: LinePlace) -> Checked<Vec<Staged>> {
        line.valid("ends_at", in_order(self.starts_at, self.ends_at))?;
        let row = vec![
            ("id", line.id("id", self.id)?.into()),
            ("name", String::from(self.name).into()),
            ("description", self.description.map(String::from).into()),
            ("venue", self.venue.map(String::from).into()),
            ("timezone", String::from(self.timezone).into()),
            ("starts_at", self.starts_at.into()),
            ("ends_at", self.ends_at.into()),
            ("currency", String::from(self.currency).into()),
            ("status", self.status.as_str().into()),
            ("image_url", self.image_url.map(String::from).into()),
            ("attendees_asked", self.attendees_asked.as_str().into()),
            ("terms_id", self.terms.as_ref().map(|_| id::new_id("te", line.now)).into()),
            ("terms_text", self.terms.as_ref().and_then(|terms| terms.text().map(str::to_owned)).into()),
            ("terms_url", self.terms.as_ref().and_then(|terms| terms.url().map(str::to_owned)).into()),
            ("created_at", self.created_at.into()),
        ];
        Ok(vec![line.staged(Table::Events, row)])
    }
}

impl Content {
    /// The kind of such an item.
    pub fn kind(&self) -> ItemKind {
        match self {
            Self::Single => ItemKind::TicketType,
            Self::Bundle(_) => ItemKind::Bundle,
        }
    }
}

/// The category of an item of this kind, or that it cannot have the one that was said.
pub(super) fn category_of(kind: ItemKind, said: Option<Category>) -> Result<Category, Invalid> {
    let default = if kind == ItemKind::Bundle { Category::Bundle } else { Category::Ticket };
    let category = said.unwrap_or(default);
    match (category == Category::Bundle) == (kind == ItemKind::Bundle) {
        true => Ok(category),
        false => Err(Invalid::new("a bundle has the category bundle, and nothing else has")),
    }
}

impl NewItem {
    pub(super) fn rows(self, line: LinePlace) -> Checked<Vec<Staged>> {
        let kind = self.content.kind();
        let category = line.valid("category", category_of(kind, self.category))?;
        let most = self.max_per_order.map_or(MAX_PER_ORDER, Count::get);
        let fewest = self.min_per_order.map_or(MIN_PER_ORDER, Count::get);
        line.valid("min_per_order", fewest_fit(fewest, most))?;
        line.valid("expires_at", begins_before_it_ends(self.on_sale_from, self.expires_at))?;
        let id = line.id("id", self.id)?;
        let access_code = (self.status == TypeStatus::Hidden).then(id::new_ticket_id);
        let mut rows = vec![line.staged(
            Table::TicketTypes,
            vec![
                ("id", id.as_str().into()),
                ("event_id", line.id("event_id", self.event_id)?.into()),
                ("kind", kind.as_str().into()),
                ("category", category.as_str().into()),
                ("name", String::from(self.name).into()),
                ("description", self.description.map(String::from).into()),
                ("image_url", self.image_url.map(String::from).into()),
                ("price", self.price.get().into()),
                ("currency", self.currency.map(String::from).into()),
                ("status", self.status.as_str().into()),
                ("access_code", access_code.into()),
                ("deleted", self.deleted.into()),
                ("stock_limit", self.limit.map(Count::get).into()),
                ("max_per_order", most.into()),
                ("min_per_order", fewest.into()),
                ("on_sale_from", self.on_sale_from.into()),
                ("expires_at", self.expires_at.into()),
                ("sort_order", self.sort_order.map_or(0, Count::get).into()),
                ("reentry", self.reentry.into()),
                ("door_note", String::from(self.door_note).into()),
            ],
        )];
        let Content::Bundle(includes) = self.content else { return Ok(rows) };
        if includes.is_empty() {
            return line.fault("includes", "a bundle includes at least one item");
        }
        line.not_too_many("includes", includes.len())?;
        for (position, include) in includes.into_iter().enumerate() {
            let field = |name| format!("includes[{position}].{name}");
            rows.push(line.staged(
                Table::Includes,
                vec![
                    ("bundle_id", id.as_str().into()),
                    ("position", (position as i64).into()),
                    ("ticket_type_id", line.id(&field("ticket_type_id"), include.ticket_type_id)?.into()),
                    ("quantity", line.count(&field("quantity"), include.quantity, 1)?.into()),
                ],
            ));
        }
        Ok(rows)
    }
}

pub(super) fn pool_rows(pool: NewPool, line: LinePlace) -> Checked<Vec<Staged>> {
    line.valid("ticket_type_ids", are_pool_items(&pool.items))?;
    let id = line.id("id", pool.id)?;
    let mut rows = vec![line.staged(
        Table::Pools,
        vec![
            ("id", id.as_str().into()),
            ("event_id", line.id("event_id", pool.event_id)?.into()),
            ("name", String::from(pool.name).into()),
            ("pool_limit", pool.limit.get().into()),
        ],
    )];
    for (position, item) in pool.items.into_iter().enumerate() {
        let field = format!("ticket_type_ids[{position}]");
        let row = vec![("pool_id", id.as_str().into()), ("ticket_type_id", line.id(&field, item)?.into())];
        rows.push(line.staged(Table::PoolItems, row));
    }
    Ok(rows)
}
