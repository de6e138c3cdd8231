//! One line of an import: parsed, checked by itself, and split into rows.

use serde::de::DeserializeOwned;

use super::{
    fault::Fault,
    fields::{Event, Item, Kind, Order, Ticket},
    summary::Summary,
};
use crate::{
    config::{COUNT_MAX, ITEMS_MAX, LEGACY_ISSUED_AT_MICROS},
    domain::{
        clock::Stamp,
        count::Count,
        id,
        invalid::Invalid,
        money::{Amount, Currency},
        status::{Category, EventStatus, ItemKind, OrderStatus, TicketStatus, TypeStatus},
        text::{Name, Text, imported_detail},
        time_zone::TimeZone,
    },
    store::{
        import::staging::{Staged, Table, Value},
        tickets::documents,
    },
    wire::{api, strict_json},
};

/// Parses one line into rows, and counts it in the summary.
pub fn parse(text: &[u8], number: i64, now: Stamp, summary: &mut Summary) -> Result<Vec<Staged>, Fault> {
    let line = Line { number, now };
    // Windows editors begin a file with a byte order mark.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let Kind { kind } = line.read(text)?;
    match kind.as_str() {
        "event" => {
            summary.events += 1;
            line.event(line.read(text)?)
        }
        "ticket_type" => {
            summary.ticket_types += 1;
            line.item(line.read(text)?, ItemKind::TicketType)
        }
        "bundle" => {
            summary.bundles += 1;
            line.item(line.read(text)?, ItemKind::Bundle)
        }
        "order" => {
            summary.orders += 1;
            line.order(line.read(text)?)
        }
        "ticket" => {
            summary.tickets += 1;
            line.ticket(line.read(text)?)
        }
        _ => line.fault("kind", "a line is an event, ticket_type, bundle, order or ticket"),
    }
}

/// The line being parsed, which every fault names.
#[derive(Clone, Copy)]
struct Line {
    number: i64,
    now: Stamp,
}

type Checked<T> = Result<T, Fault>;

impl Line {
    fn fault<T>(self, field: impl Into<String>, message: impl Into<String>) -> Checked<T> {
        Err(Fault { line: self.number, field: Some(field.into()), message: message.into() })
    }

    fn read<T: DeserializeOwned>(self, text: &[u8]) -> Checked<T> {
        strict_json::read(text).map_err(|fault| Fault { line: self.number, field: fault.field, message: fault.message })
    }

    fn staged(self, table: Table, columns: Vec<(&'static str, Value)>) -> Staged {
        Staged { table, line: self.number, columns }
    }

    fn event(self, event: Event) -> Checked<Vec<Staged>> {
        let timezone = match event.timezone {
            Some(zone) => self.valid("timezone", TimeZone::parse(&zone))?,
            None => TimeZone::default(),
        };
        let row = vec![
            ("id", self.id("id", event.id)?.into()),
            ("name", self.name("name", event.name)?.into()),
            ("description", self.opt_text("description", event.description)?.into()),
            ("venue", self.opt_text("venue", event.venue)?.into()),
            ("timezone", String::from(timezone).into()),
            ("starts_at", self.opt_stamp("starts_at", event.starts_at)?.into()),
            ("ends_at", self.opt_stamp("ends_at", event.ends_at)?.into()),
            ("currency", self.currency(event.currency)?.into()),
            (
                "status",
                self.named("status", event.status, EventStatus::Published, EventStatus::ALL, EventStatus::as_str)?
                    .into(),
            ),
            ("image_url", self.opt_text("image_url", event.image_url)?.into()),
            ("created_at", self.opt_past("created_at", event.created_at)?.into()),
        ];
        Ok(vec![self.staged(Table::Events, row)])
    }

    fn item(self, item: Item, kind: ItemKind) -> Checked<Vec<Staged>> {
        let default = if kind == ItemKind::Bundle { Category::Bundle } else { Category::Ticket };
        let category = self.named("category", item.category, default, Category::ALL, Category::as_str)?;
        if (category == Category::Bundle.as_str()) != (kind == ItemKind::Bundle) {
            return self.fault("category", "a bundle has the category bundle, and nothing else has");
        }
        let id = self.id("id", item.id)?;
        let mut rows = vec![self.staged(
            Table::TicketTypes,
            vec![
                ("id", id.as_str().into()),
                ("event_id", self.id("event_id", item.event_id)?.into()),
                ("kind", kind.as_str().into()),
                ("category", category.into()),
                ("name", self.name("name", item.name)?.into()),
                ("description", self.opt_text("description", item.description)?.into()),
                ("image_url", self.opt_text("image_url", item.image_url)?.into()),
                ("price", self.amount("price", item.price)?.into()),
                ("currency", self.currency(item.currency)?.into()),
                (
                    "status",
                    self.named("status", item.status, TypeStatus::Active, TypeStatus::ALL, TypeStatus::as_str)?.into(),
                ),
                ("deleted", item.deleted.unwrap_or(false).into()),
                ("stock_limit", item.limit.map(|limit| self.count("limit", limit, 0)).transpose()?.into()),
                ("max_per_order", self.count("max_per_order", item.max_per_order.unwrap_or(10), 0)?.into()),
                ("expires_at", self.opt_stamp("expires_at", item.expires_at)?.into()),
                ("sort_order", self.count("sort_order", item.sort_order.unwrap_or(0), -COUNT_MAX)?.into()),
            ],
        )];
        match (kind, item.includes) {
            (ItemKind::Bundle, Some(includes)) if !includes.is_empty() => {
                self.not_too_many("includes", includes.len())?;
                for (position, include) in includes.into_iter().enumerate() {
                    let field = |name| format!("includes[{position}].{name}");
                    rows.push(self.staged(
                        Table::Includes,
                        vec![
                            ("bundle_id", id.as_str().into()),
                            ("position", (position as i64).into()),
                            ("ticket_type_id", self.id(&field("ticket_type_id"), include.ticket_type_id)?.into()),
                            ("quantity", self.count(&field("quantity"), include.quantity, 1)?.into()),
                        ],
                    ));
                }
            }
            (ItemKind::Bundle, _) => return self.fault("includes", "a bundle includes at least one item"),
            (ItemKind::TicketType, Some(_)) => return self.fault("includes", "only a bundle includes items"),
            (ItemKind::TicketType, None) => {}
        }
        Ok(rows)
    }

    fn order(self, order: Order) -> Checked<Vec<Staged>> {
        self.not_too_many("items", order.items.len())?;
        let id = self.id("id", order.id)?;
        let mut rows = Vec::with_capacity(order.items.len() + 1);
        let mut sum = 0_i64;
        for (position, item) in order.items.into_iter().enumerate() {
            let field = |name| format!("items[{position}].{name}");
            let quantity = self.count(&field("quantity"), item.quantity, 1)?;
            let unit_price = self.amount(&field("unit_price"), item.unit_price)?;
            let total = item.total.unwrap_or_else(|| quantity.saturating_mul(unit_price));
            let total = self.amount(&field("total"), total)?;
            sum += total;
            rows.push(self.staged(
                Table::Items,
                vec![
                    ("order_id", id.as_str().into()),
                    ("position", (position as i64).into()),
                    ("ticket_type_id", self.id(&field("ticket_type_id"), item.ticket_type_id)?.into()),
                    ("name", item.name.map(|name| self.name(&field("name"), name)).transpose()?.into()),
                    ("quantity", quantity.into()),
                    (
                        "list_price",
                        item.list_price.map(|price| self.amount(&field("list_price"), price)).transpose()?.into(),
                    ),
                    ("unit_price", unit_price.into()),
                    ("total", total.into()),
                ],
            ));
        }
        let buyer = order.buyer.unwrap_or_default();
        if buyer.id.is_some() {
            return self.fault("buyer.id", "a buyer has no id");
        }
        let status =
            self.named("status", Some(order.status), OrderStatus::Approved, OrderStatus::ALL, OrderStatus::as_str)?;
        rows.push(self.staged(
            Table::Orders,
            vec![
                ("id", id.into()),
                ("event_id", self.id("event_id", order.event_id)?.into()),
                ("status", status.into()),
                ("buyer_name", self.detail("buyer.name", buyer.name)?.into()),
                ("buyer_email", self.detail("buyer.email", buyer.email)?.into()),
                ("buyer_phone", self.opt_detail("buyer.phone", buyer.phone)?.into()),
                ("buyer_document", self.detail("buyer.identity_document", buyer.identity_document)?.into()),
                ("currency", self.currency(order.currency)?.into()),
                ("total", self.amount("total", order.total.unwrap_or(sum))?.into()),
                ("created_at", self.opt_past("created_at", order.created_at)?.into()),
            ],
        ));
        Ok(rows)
    }

    fn ticket(self, ticket: Ticket) -> Checked<Vec<Staged>> {
        let id = self.id("id", ticket.id)?;
        let order_id = self.opt_id("order_id", ticket.order_id)?;
        let bundle_id = self.opt_id("bundle_id", ticket.bundle_id)?;
        let from_bundle = ticket.from_bundle.unwrap_or(bundle_id.is_some());
        if bundle_id.is_some() && !from_bundle {
            return self.fault("from_bundle", "a ticket with a bundle_id came from a bundle");
        }
        if ticket.bundle_unit.is_some() && bundle_id.is_none() {
            return self.fault("bundle_unit", "a ticket with a bundle_unit has a bundle_id too");
        }
        // The tickets of one order are one bundle unless the file says otherwise. Without an order each is a bundle of
        // its own.
        let bundle_unit = match (&bundle_id, self.opt_detail("bundle_unit", ticket.bundle_unit)?, &order_id) {
            (None, _, _) => None,
            (Some(_), Some(unit), _) => Some(unit),
            (Some(_), None, Some(order)) => Some(order.clone()),
            (Some(_), None, None) => Some(id.clone()),
        };
        let checked_in_at = self.opt_past("checked_in_at", ticket.checked_in_at)?;
        if ticket.checked_in_by.is_some() && checked_in_at.is_none() {
            return self.fault("checked_in_by", "a ticket with a station has a checked_in_at too");
        }
        let transferred_at = self.opt_past("transferred_at", ticket.transferred_at)?;
        let transferred_to = self.opt_id("transferred_to_ticket_id", ticket.transferred_to_ticket_id)?;
        if transferred_at.is_some() != transferred_to.is_some() {
            return self.fault("transferred_to_ticket_id", "transferred_at and transferred_to_ticket_id go together");
        }
        let legacy = Stamp::from_micros(LEGACY_ISSUED_AT_MICROS);
        let issued_at = self.opt_past("issued_at", ticket.issued_at)?.unwrap_or(legacy).max(legacy);
        let status = match ticket.status {
            Some(status) => Some(self.named(
                "status",
                Some(status),
                TicketStatus::Valid,
                TicketStatus::ALL,
                TicketStatus::as_str,
            )?),
            None => None,
        };
        let attendee = ticket.attendee.unwrap_or_default();
        let attendee_id = match attendee.id {
            Some(id) => self.id("attendee.id", id)?,
            None => id::new_id("at", self.now),
        };
        let event_id = self.id("event_id", ticket.event_id)?;
        let ticket_type_id = self.id("ticket_type_id", ticket.ticket_type_id)?;
        let name = self.detail("attendee.name", attendee.name)?;
        let email = self.detail("attendee.email", attendee.email)?;
        let phone = self.opt_detail("attendee.phone", attendee.phone)?;
        let identity_document = self.detail("attendee.identity_document", attendee.identity_document)?;
        let checked_in_by = self.opt_detail("checked_in_by", ticket.checked_in_by)?;
        let document = documents::render_waiting(api::Ticket {
            id: &id,
            event_id: &event_id,
            order_id: order_id.as_deref(),
            status: TicketStatus::Valid,
            ticket_type: documents::nameless(&ticket_type_id),
            from_bundle,
            attendee: api::Attendee {
                id: &attendee_id,
                name: &name,
                email: &email,
                phone: phone.as_deref(),
                identity_document: &identity_document,
            },
            issued_at: issued_at.into(),
            checked_in_at: checked_in_at.map(Into::into),
            checked_in_by: checked_in_by.as_deref(),
            transferred_at: transferred_at.map(Into::into),
            transferred_to_ticket_id: transferred_to.as_deref(),
            updated_at: self.now.into(),
        });
        let Ok(document) = document else { return self.fault("id", "the ticket cannot be written as JSON") };
        let row = vec![
            ("id", id.into()),
            ("event_id", event_id.into()),
            ("order_id", order_id.into()),
            ("ticket_type_id", ticket_type_id.into()),
            ("bundle_id", bundle_id.into()),
            ("bundle_unit", bundle_unit.into()),
            ("from_bundle", from_bundle.into()),
            ("hidden", ticket.hidden.unwrap_or(false).into()),
            ("attendee_id", attendee_id.into()),
            ("attendee_name", name.into()),
            ("attendee_email", email.into()),
            ("attendee_phone", phone.into()),
            ("attendee_document", identity_document.into()),
            ("issued_at", issued_at.into()),
            ("checked_in_at", checked_in_at.into()),
            ("checked_in_by", checked_in_by.into()),
            ("transferred_at", transferred_at.into()),
            ("transferred_to", transferred_to.into()),
            ("cancelled_at", self.opt_past("cancelled_at", ticket.cancelled_at)?.into()),
            ("status", status.map(str::to_owned).into()),
            ("document", document.into()),
        ];
        Ok(vec![self.staged(Table::Tickets, row)])
    }

    fn id(self, field: &str, value: String) -> Checked<String> {
        match id::is_plausible(&value) {
            true => Ok(value),
            false => self.fault(field, id::FORM),
        }
    }

    fn opt_id(self, field: &str, value: Option<String>) -> Checked<Option<String>> {
        value.map(|value| self.id(field, value)).transpose()
    }

    /// The parsed value, or a fault in this field.
    fn valid<T>(self, field: &str, parsed: Result<T, Invalid>) -> Checked<T> {
        parsed.or_else(|invalid| self.fault(field, invalid.to_string()))
    }

    fn name(self, field: &str, value: String) -> Checked<String> {
        self.valid(field, Name::imported(&value)).map(String::from)
    }

    /// A personal detail; an unknown one is empty.
    fn detail(self, field: &str, value: Option<String>) -> Checked<String> {
        self.valid(field, imported_detail(&value.unwrap_or_default()))
    }

    fn opt_detail(self, field: &str, value: Option<String>) -> Checked<Option<String>> {
        value.map(|value| self.valid(field, imported_detail(&value))).transpose()
    }

    fn opt_text(self, field: &str, value: Option<String>) -> Checked<Option<String>> {
        value.map(|value| self.valid(field, Text::parse(&value)).map(String::from)).transpose()
    }

    fn currency(self, value: String) -> Checked<String> {
        self.valid("currency", Currency::parse(&value)).map(String::from)
    }

    fn amount(self, field: &str, value: i64) -> Checked<i64> {
        self.valid(field, Amount::new(value)).map(Amount::get)
    }

    fn count(self, field: &str, value: i64, least: i64) -> Checked<i64> {
        self.valid(field, Count::at_least(least, value)).map(Count::get)
    }

    fn not_too_many(self, field: &str, count: usize) -> Checked<()> {
        match count <= ITEMS_MAX {
            true => Ok(()),
            false => self.fault(field, format!("there are more than {ITEMS_MAX} of them")),
        }
    }

    fn opt_stamp(self, field: &str, value: Option<String>) -> Checked<Option<Stamp>> {
        let Some(value) = value else { return Ok(None) };
        match Stamp::parse(&value) {
            Some(stamp) => Ok(Some(stamp)),
            None => self.fault(field, "an RFC 3339 timestamp is expected, such as 2026-09-05T22:41:07Z"),
        }
    }

    /// A past stamp. A future stamp would hide from pollers what happens until then.
    fn opt_past(self, field: &str, value: Option<String>) -> Checked<Option<Stamp>> {
        match self.opt_stamp(field, value)? {
            Some(stamp) if stamp > self.now => self.fault(field, "this time is in the future"),
            stamp => Ok(stamp),
        }
    }

    /// A value parsed from its name.
    fn named<T: Copy>(
        self,
        field: &str,
        value: Option<String>,
        default: T,
        all: &'static [T],
        name_of: fn(T) -> &'static str,
    ) -> Checked<&'static str> {
        let Some(value) = value else { return Ok(name_of(default)) };
        match all.iter().find(|known| name_of(**known) == value) {
            Some(known) => Ok(name_of(*known)),
            None => {
                let names: Vec<&str> = all.iter().map(|known| name_of(*known)).collect();
                self.fault(field, format!("one of {} is expected", names.join(", ")))
            }
        }
    }
}
