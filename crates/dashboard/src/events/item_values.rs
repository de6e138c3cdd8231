//! What a form says of a ticket type or bundle.

use taquilla_domain::{
    clock::Stamp,
    config::{COUNT_MAX, DOOR_NOTE_MAX, ITEMS_MAX},
    count::Count,
    door_note::DoorNote,
    money::Amount,
    status::{ItemKind, TypeStatus},
    text::{Name, Text},
    ticket_type::{TicketType, begins_before_it_ends, fewest_fit},
    time_zone::TimeZone,
};
use taquilla_pages::{form::Form, texts::Texts};

use super::common::{EXPIRES_AT, ON_SALE_FROM, read_image, read_text};

/// The fields that a new item and a change have in common.
pub struct Values {
    /// Its name.
    pub name: Name,
    /// What buyers read about it.
    pub description: Option<Text>,
    /// The address of its picture.
    pub image_url: Option<Text>,
    /// Its list price.
    pub price: Amount,
    /// Its status.
    pub status: TypeStatus,
    /// Its stock.
    pub limit: Option<Count>,
    /// How many one order may hold.
    pub max_per_order: Count,
    /// How many one order must have.
    pub min_per_order: Count,
    /// When its sale to the public begins.
    pub on_sale_from: Option<Stamp>,
    /// When its sale ends.
    pub expires_at: Option<Stamp>,
    /// Its place among the event's items.
    pub sort_order: Count,
    /// Whether people may go out with it and come in again.
    pub reentry: bool,
    /// What the scanner shows with its tickets.
    pub door_note: DoorNote,
}

/// Reads them. What is wrong is said beside the fields.
pub fn read(form: &mut Form, zone: &TimeZone, t: Texts) -> Option<Values> {
    let name = form.read("name", |text| Name::parse(text.trim()), |_| t.text("wrong-name"));
    let price = form.read("price", |text| Amount::parse(text.trim()), |_| t.text("wrong-price"));
    let status = form.read("status", |text| TypeStatus::parse(text).ok_or(()), |()| t.text("wrong-item-status"));
    let read_limit = |text: &str| match text.trim() {
        "" => Ok(None),
        text => Count::parse(text).map(Some),
    };
    let limit = form.read("limit", read_limit, |_| t.text("wrong-limit"));
    let most =
        form.read("max_per_order", |text| Count::parse_at_least(1, text.trim()), |_| t.text("wrong-max_per_order"));
    let read_fewest = |text: &str| Count::parse_at_least(1, if text.trim().is_empty() { "1" } else { text.trim() });
    let fewest = form.read("min_per_order", read_fewest, |_| t.text("wrong-min_per_order"));
    if let Some((fewest, most)) = fewest.zip(most)
        && fewest_fit(fewest.get(), most.get()).is_err()
    {
        form.wrong("min_per_order", t.text("wrong-min-over-max"));
        return None;
    }
    let on_sale_from = ON_SALE_FROM.read(form, zone, t);
    let expires_at = EXPIRES_AT.read(form, zone, t);
    if begins_before_it_ends(on_sale_from.flatten(), expires_at.flatten()).is_err() {
        form.wrong("expires_at", t.text("wrong-sale-ends"));
        return None;
    }
    let description = read_text(form, "description", t);
    let image_url = read_image(form, t);
    let read_place = |text: &str| Count::parse_at_least(-COUNT_MAX, text.trim());
    let sort_order = form.read("sort_order", read_place, |_| t.text("wrong-sort_order"));
    let door_note =
        form.read("door_note", DoorNote::parse, |_| t.with("wrong-door_note", "most", DOOR_NOTE_MAX as i64));
    Some(Values {
        name: name?,
        description: description?,
        image_url: image_url?,
        price: price?,
        status: status?,
        limit: limit?,
        max_per_order: most?,
        min_per_order: fewest?,
        on_sale_from: on_sale_from?,
        expires_at: expires_at?,
        sort_order: sort_order?,
        reentry: form.has("reentry", "yes"),
        door_note: door_note?,
    })
}

/// A form with what an item has now.
pub fn filled(item: &TicketType, zone: &TimeZone) -> Form {
    let mut form = Form::filled(&[
        ("name", item.name.as_str()),
        ("price", &item.price.to_string()),
        ("status", item.status.as_str()),
        ("limit", &item.limit.map(|limit| limit.to_string()).unwrap_or_default()),
        ("max_per_order", &item.max_per_order.to_string()),
        ("min_per_order", &item.min_per_order.to_string()),
        ("description", item.description.as_deref().unwrap_or_default()),
        ("image_url", item.image_url.as_deref().unwrap_or_default()),
        ("sort_order", &item.sort_order.to_string()),
        ("reentry", if item.reentry { "yes" } else { "" }),
        ("door_note", item.door_note.as_str()),
        ("updated_at", &item.updated_at.micros().to_string()),
    ]);
    ON_SALE_FROM.fill(&mut form, item.on_sale_from, zone);
    EXPIRES_AT.fill(&mut form, item.expires_at, zone);
    form
}

/// A single item that a bundle can include, and how many of it the form says.
pub struct Part {
    /// The item's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The quantity as it was written.
    pub quantity: String,
}

/// The single items of an event, with the quantities of the form.
pub fn parts(form: &Form, items: &[TicketType]) -> Vec<Part> {
    let written: Vec<(&str, &str)> = form.values("include_id").zip(form.values("include_quantity")).collect();
    let singles = items.iter().filter(|item| item.kind == ItemKind::TicketType && !item.deleted);
    singles
        .map(|item| {
            let quantity = written.iter().find(|(id, _)| *id == item.id).map_or("", |(_, quantity)| quantity);
            Part { id: item.id.clone(), name: item.name.clone(), quantity: quantity.to_owned() }
        })
        .collect()
}

/// Reads what a bundle includes: ids and quantities. An empty quantity, or 0, is none.
pub fn read_parts(form: &mut Form, parts: &[Part], t: Texts) -> Option<Vec<(String, i64)>> {
    let mut included = Vec::new();
    for part in parts {
        let written = if part.quantity.trim().is_empty() { "0" } else { part.quantity.trim() };
        match Count::parse(written) {
            Ok(quantity) if quantity.get() > 0 => included.push((part.id.clone(), quantity.get())),
            Ok(_) => {}
            Err(_) => {
                form.wrong("includes", t.text("wrong-quantity"));
                return None;
            }
        }
    }
    if included.is_empty() || included.len() > ITEMS_MAX {
        form.wrong("includes", t.text("wrong-includes"));
        return None;
    }
    Some(included)
}
