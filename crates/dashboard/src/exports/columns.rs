//! The columns of a table of rows.

use std::collections::{BTreeSet, HashMap};

use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;

use taquilla_domain::{clock::Stamp, config::EXPORT_EVENTS, days, personal::Sees};
use taquilla_http::app::App;
use taquilla_store as store;
use taquilla_store::{
    Tenant,
    catalogue::events,
    sales::{notes, terms},
};

use super::query::{Clocks, ExportQuery, Kind};
use crate::csv::{self, Cell, Separator};

/// Where a cell comes from.
enum Column {
    /// A value of the row, by its JSON pointer.
    Value(&'static str),
    /// A time of the row, by the clocks that were asked for.
    Time(&'static str),
    /// The name of the row's event.
    Event,
    /// The time zone of the row's times.
    Zone,
    /// An order's items, in words.
    Items,
    /// How many units they are.
    Units,
    /// What staff wrote about an order.
    Notes,
    /// The id of the terms that an order's buyer accepted.
    Terms,
}

use Column::{Event, Items, Notes, Terms, Time, Units, Value as At, Zone};

const TICKETS: &[(&str, Column)] = &[
    ("id", At("/id")),
    ("status", At("/status")),
    ("event_id", At("/event_id")),
    ("event", Event),
    ("ticket_type_id", At("/ticket_type/id")),
    ("ticket_type", At("/ticket_type/name")),
    ("category", At("/ticket_type/category")),
    ("order_id", At("/order_id")),
    ("order_item", At("/order_item")),
    ("from_bundle", At("/from_bundle")),
    ("bundle_id", At("/bundle_id")),
    ("attendee_id", At("/attendee/id")),
    ("attendee_name", At("/attendee/name")),
    ("attendee_email", At("/attendee/email")),
    ("attendee_phone", At("/attendee/phone")),
    ("attendee_document", At("/attendee/identity_document")),
    ("issued_at", Time("/issued_at")),
    ("checked_in_at", Time("/checked_in_at")),
    ("checked_in_by", At("/checked_in_by")),
    ("transferred_at", Time("/transferred_at")),
    ("transferred_to_ticket_id", At("/transferred_to_ticket_id")),
    ("updated_at", Time("/updated_at")),
    ("time_zone", Zone),
    ("door_note", At("/door_note")),
];

const ORDERS: &[(&str, Column)] = &[
    ("id", At("/id")),
    ("status", At("/status")),
    ("event_id", At("/event_id")),
    ("event", Event),
    ("channel", At("/channel")),
    ("buyer_name", At("/buyer/name")),
    ("buyer_email", At("/buyer/email")),
    ("buyer_phone", At("/buyer/phone")),
    ("buyer_document", At("/buyer/identity_document")),
    ("items", Items),
    ("units", Units),
    ("currency", At("/currency")),
    ("total", At("/total")),
    ("reference", At("/reference")),
    ("payment_id", At("/payment_id")),
    ("created_at", Time("/created_at")),
    ("paid_at", Time("/paid_at")),
    ("refunded_at", Time("/refunded_at")),
    ("updated_at", Time("/updated_at")),
    ("time_zone", Zone),
    ("number", At("/number")),
    ("payment_method", At("/payment_method")),
    ("notes", Notes),
    ("coupon", At("/coupon")),
    ("promoter", At("/promoter/name")),
    ("discount", At("/discount")),
    ("surcharge", At("/surcharge")),
    ("terms", Terms),
];

const SCANS: &[(&str, Column)] = &[
    ("scan_id", At("/scan_id")),
    ("event_id", At("/event_id")),
    ("event", Event),
    ("door_link_id", At("/door_link_id")),
    ("door_link", At("/door_link")),
    ("station", At("/station")),
    ("outcome", At("/outcome")),
    ("ticket_id", At("/ticket_id")),
    ("scanned_at", Time("/scanned_at")),
    ("accepted_at", Time("/accepted_at")),
    ("time_zone", Zone),
];

const PAYMENTS: &[(&str, Column)] = &[
    ("id", At("/id")),
    ("outcome", At("/outcome")),
    ("reference", At("/reference")),
    ("order_id", At("/order_id")),
    ("event_id", At("/event_id")),
    ("event", Event),
    ("amount", At("/amount")),
    ("currency", At("/currency")),
    ("result", At("/result")),
    ("received_at", Time("/received_at")),
    ("paid_back_at", Time("/paid_back_at")),
    ("note", At("/note")),
    ("time_zone", Zone),
];

fn columns(kind: Kind) -> &'static [(&'static str, Column)] {
    match kind {
        Kind::Tickets => TICKETS,
        Kind::Orders => ORDERS,
        Kind::Scans => SCANS,
        Kind::Payments => PAYMENTS,
    }
}

/// What a table says of an event.
struct OfEvent {
    name: String,
    zone: TimeZone,
    zone_name: String,
}

/// Writes rows as lines of a table. It remembers the events that it has met.
pub struct Table {
    kind: Kind,
    clocks: Clocks,
    separator: Separator,
    events: HashMap<String, OfEvent>,
    zone: TimeZone,
    zone_name: String,
    sees: Sees,
    /// What staff wrote about the orders of the page, by their ids.
    notes: HashMap<String, String>,
    /// The ids of the terms that the buyers of the page's orders accepted, by the orders' ids.
    terms: HashMap<String, String>,
}

impl Table {
    /// A table, and the line with the names of its columns.
    pub fn new(wanted: &ExportQuery) -> (Self, Vec<u8>) {
        let head = csv::Lines::begin(wanted.separator, columns(wanted.kind).iter().map(|(name, _)| *name)).into_bytes();
        let (zone, zone_name) = match wanted.clocks {
            Clocks::Event => (days::zone(&wanted.zone), wanted.zone.clone()),
            Clocks::Utc => (TimeZone::UTC, "UTC".to_owned()),
        };
        let (kind, clocks, separator, sees) = (wanted.kind, wanted.clocks, wanted.separator, wanted.sees);
        let (events, notes, terms) = (HashMap::new(), HashMap::new(), HashMap::new());
        (Self { kind, clocks, separator, events, zone, zone_name, sees, notes, terms }, head)
    }

    /// Some rows as lines of the table.
    pub async fn lines(&mut self, app: &App, tenant: Tenant, rows: &[Value]) -> store::Result<Vec<u8>> {
        let mut lines = csv::Lines::further(self.separator);
        self.meet(app, tenant, rows).await?;
        if self.kind == Kind::Orders {
            self.read_notes(app, tenant, rows).await?;
            let ids: Vec<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
            let accepted = terms::accepted(&mut app.store.read().await?, tenant, &ids).await?;
            self.terms = accepted.into_iter().map(|(order_id, terms)| (order_id, terms.id)).collect();
        }
        for row in rows {
            let event = row["event_id"].as_str().and_then(|id| self.events.get(id));
            let texts: Vec<Option<String>> =
                columns(self.kind).iter().map(|(_, column)| self.computed(column, row, event)).collect();
            let cells = columns(self.kind).iter().zip(&texts).map(|((_, column), text)| match column {
                At(pointer) => cell(row.pointer(pointer)),
                Units => Cell::Number(items(row).map(|item| item["quantity"].as_i64().unwrap_or(0)).sum()),
                _ => Cell::from(text.as_deref()),
            });
            lines.write(cells);
        }
        Ok(lines.into_bytes())
    }

    /// Looks up the events of some rows that are not known yet.
    async fn meet(&mut self, app: &App, tenant: Tenant, rows: &[Value]) -> store::Result<()> {
        let ids: BTreeSet<&str> = rows.iter().filter_map(|row| row["event_id"].as_str()).collect();
        if self.events.len() > EXPORT_EVENTS {
            self.events.clear();
        }
        let unknown: Vec<&str> = ids.into_iter().filter(|id| !self.events.contains_key(*id)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let mut conn = app.store.read().await?;
        for id in unknown {
            let found = events::find(&mut conn, tenant, id, |event| (event.name.to_owned(), event.timezone.to_owned()));
            if let Some((name, zone_name)) = found.await? {
                self.events.insert(id.to_owned(), OfEvent { name, zone: days::zone(&zone_name), zone_name });
            }
        }
        Ok(())
    }

    /// Reads the notes about some orders.
    async fn read_notes(&mut self, app: &App, tenant: Tenant, rows: &[Value]) -> store::Result<()> {
        let ids: Vec<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
        let found = notes::of_orders(&mut app.store.read().await?, tenant, &ids).await?;
        self.notes.clear();
        for (id, note) in found {
            let note = note.seen_by(self.sees);
            let of_order = self.notes.entry(id).or_default();
            if !of_order.is_empty() {
                of_order.push_str("; ");
            }
            *of_order += &format!("{}: {}", note.author, note.text);
        }
        Ok(())
    }

    /// The text of a cell that is not simply a value of the row.
    fn computed(&self, column: &Column, row: &Value, event: Option<&OfEvent>) -> Option<String> {
        let local = event.filter(|_| self.clocks == Clocks::Event);
        match column {
            At(_) | Units => None,
            Notes => row["id"].as_str().and_then(|id| self.notes.get(id)).cloned(),
            Terms => row["id"].as_str().and_then(|id| self.terms.get(id)).cloned(),
            Event => event.map(|event| event.name.clone()),
            Zone => Some(local.map_or(&self.zone_name, |event| &event.zone_name).clone()),
            Items => {
                let words = items(row).map(|item| {
                    format!(
                        "{} × {}",
                        item["quantity"].as_i64().unwrap_or(0),
                        item["name"].as_str().unwrap_or_default()
                    )
                });
                Some(words.collect::<Vec<_>>().join("; "))
            }
            Time(pointer) => {
                let text = row.pointer(pointer)?.as_str()?;
                match self.clocks {
                    Clocks::Utc => Some(text.to_owned()),
                    Clocks::Event => Some(local_time(text, local.map_or(&self.zone, |event| &event.zone))),
                }
            }
        }
    }
}

/// A time by the clocks of a zone, as spreadsheets read it.
fn local_time(text: &str, zone: &TimeZone) -> String {
    let timestamp = Stamp::parse(text).and_then(|stamp| Timestamp::from_microsecond(stamp.micros()).ok());
    let local = timestamp.map(|timestamp| zone.to_datetime(timestamp));
    local.map_or_else(|| text.to_owned(), |local| local.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

fn items(row: &Value) -> impl Iterator<Item = &Value> {
    row["items"].as_array().into_iter().flatten()
}

fn cell(value: Option<&Value>) -> Cell<'_> {
    match value {
        Some(Value::String(text)) => Cell::Text(text),
        Some(Value::Bool(true)) => Cell::Text("true"),
        Some(Value::Bool(false)) => Cell::Text("false"),
        Some(Value::Number(number)) => Cell::from(number.as_i64()),
        _ => Cell::Empty,
    }
}
