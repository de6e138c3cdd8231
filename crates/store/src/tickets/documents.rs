//! Tickets as the API sends them: rendered when a row changes, stored with the row, and only copied when the row is
//! read.
//!
//! A stored document is the whole ticket except the name and category of its ticket type. In their place is a hole, a
//! byte that no JSON text contains; [`super::type_names`] knows what fills it.
//!
//! The name and category may change under a million tickets at once, so they stay out. `rows::insert`, `rows::update`
//! and the import alone write tickets, and each writes the facts and the document.

use serde_json::Value;

use taquilla_domain::{
    clock::Stamp,
    status::{Category, TicketStatus},
};
use taquilla_wire::{
    Time,
    api::{Ticket, TicketTypeSummary},
};

use crate::{Error, Result};

/// Marks the place of the ticket type's name and category. JSON escapes this character everywhere else.
const HOLE: char = '\u{1}';

/// The text that the hole replaces: the end of the summary of a [`nameless`] ticket type.
const NAMELESS: &str = r#","name":"","category":"ticket"}"#;

/// The placeholders for status and stamp in a document of [`render_waiting`].
const WAITING: (TicketStatus, Stamp) = (TicketStatus::Valid, Stamp::from_micros(0));

/// What fills the hole: a ticket type's summary from its name on.
pub fn ending(name: &str, category: Category) -> String {
    format!(r#","name":{},"category":"{}"}}"#, Value::from(name), category.as_str())
}

/// A ticket type's summary as stored documents have it: only the id counts.
pub fn nameless(id: &str) -> TicketTypeSummary<'_> {
    TicketTypeSummary { id, name: "", category: Category::Ticket.into() }
}

/// Renders a ticket for storing. Its ticket type must be [`nameless`].
pub fn render(ticket: Ticket<'_>) -> Result<String> {
    let json = serde_json::to_string(&ticket).map_err(Error::internal)?;
    // The ticket's own texts cannot contain these bytes, because inside a JSON string every quotation mark is escaped.
    Ok(json.replacen(NAMELESS, HOLE.encode_utf8(&mut [0; 4]), 1))
}

/// Renders a ticket whose status, item and stamp only the database will know. SQL replaces [`ORDER_ITEM_WAITS`] and the
/// placeholders of [`waiting`].
pub fn render_waiting(ticket: Ticket<'_>) -> Result<String> {
    let (status, stamp) = WAITING;
    render(Ticket { status: status.into(), order_item: None, updated_at: Time(stamp), ..ticket })
}

/// The placeholders `"status":"…"` and `"updated_at":"…"` as they stand in a document of [`render_waiting`]. Each
/// stands there once, because quotation marks in texts are escaped.
pub fn waiting() -> (String, String) {
    let (status, stamp) = WAITING;
    (status_part(status.as_str()), stamp_part(stamp))
}

/// `"status":"…"`.
pub fn status_part(status: &str) -> String {
    format!(r#""status":"{status}""#)
}

/// `"order_item":null`, which stands once in a document of [`render_waiting`] until the position is known.
pub const ORDER_ITEM_WAITS: &str = r#""order_item":null"#;

/// `"order_item":…`.
pub fn order_item_part(position: &str) -> String {
    format!(r#""order_item":{position}"#)
}

/// `"updated_at":"…"`.
pub fn stamp_part(stamp: Stamp) -> String {
    format!(r#""updated_at":"{stamp}""#)
}

/// A stored document, cut at its hole.
#[derive(Clone, Copy, Debug)]
pub struct Document<'d> {
    /// Everything before the hole. It ends with the ticket type's id.
    pub head: &'d [u8],
    /// The ticket type's id, as JSON.
    pub type_id: &'d [u8],
    /// Everything after the hole.
    pub tail: &'d [u8],
}

impl<'d> Document<'d> {
    /// Finds the hole and the ticket type's id before it.
    pub fn parse(stored: &'d [u8]) -> Result<Self> {
        let hole =
            memchr::memchr(HOLE as u8, stored).ok_or_else(|| Error::internal("a ticket without its document"))?;
        let (head, tail) = (&stored[..hole], &stored[hole + 1..]);
        let opening = br#"{"id":"#;
        let type_at = memchr::memrchr_iter(b'{', head)
            .find(|at| head[*at..].starts_with(opening))
            .ok_or_else(|| Error::internal("a ticket's document without its type"))?;
        Ok(Self { head, type_id: &head[type_at + opening.len()..], tail })
    }

    /// Appends the document with its hole filled by `ending`.
    pub fn write(&self, ending: &[u8], into: &mut Vec<u8>) {
        into.reserve(self.head.len() + ending.len() + self.tail.len());
        into.extend_from_slice(self.head);
        into.extend_from_slice(ending);
        into.extend_from_slice(self.tail);
    }
}

/// A ticket as the API shows it, from its stored document and the name and category of its ticket type.
pub fn completed(stored: &str, name: &str, category: Category) -> Result<String> {
    let mut json = Vec::new();
    Document::parse(stored.as_bytes())?.write(ending(name, category).as_bytes(), &mut json);
    String::from_utf8(json).map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use taquilla_wire::api::Attendee;

    fn ticket<'a>(texts: &'a [String], stamps: &[i64], summary: TicketTypeSummary<'a>) -> Ticket<'a> {
        let time = |at: usize| Time(Stamp::from_micros(stamps[at]));
        Ticket {
            id: &texts[0],
            event_id: &texts[1],
            order_id: Some(&texts[2]).filter(|text| text.len() > 3).map(String::as_str),
            order_item: Some(stamps[1] % 7).filter(|item| *item > 0),
            status: TicketStatus::ALL[stamps[0].unsigned_abs() as usize % TicketStatus::ALL.len()].into(),
            ticket_type: summary,
            from_bundle: stamps[0] % 2 == 0,
            bundle_id: Some(texts[4].as_str()).filter(|_| stamps[0] % 2 == 0),
            attendee: Attendee {
                id: &texts[3],
                name: &texts[4],
                email: &texts[5],
                phone: Some(&texts[6]).filter(|text| !text.is_empty()).map(String::as_str),
                identity_document: &texts[7],
            },
            issued_at: time(1),
            checked_in_at: Some(time(2)).filter(|_| stamps[2] % 2 == 0),
            checked_in_by: Some(texts[4].as_str()).filter(|_| stamps[2] % 2 == 0),
            transferred_at: None,
            transferred_to_ticket_id: Some(texts[0].as_str()).filter(|_| stamps[1] % 2 == 0),
            updated_at: time(3),
        }
    }

    /// Arbitrary texts, and texts made of the byte sequences that documents are cut at.
    fn text() -> impl Strategy<Value = String> {
        let parts = prop::sample::select(vec![
            "\u{1}",
            "\"",
            "\\",
            "{",
            "}",
            "{\"id\":",
            ",\"name\":\"\",\"category\":\"ticket\"}",
            "\"status\":\"valid\"",
            "\"order_item\":null",
            "a",
            "é",
        ]);
        prop_oneof![".{0,12}", prop::collection::vec(parts, 0..6).prop_map(|parts| parts.concat())]
    }

    proptest! {
        #[test]
        fn a_stored_document_completed_is_the_ticket_itself(
            texts in prop::collection::vec(text(), 10), stamps in prop::collection::vec(0..2_000_000_000_000_000_i64, 4),
        ) {
            let named = TicketTypeSummary { id: &texts[8], name: &texts[9], category: Category::Merchandise.into() };
            let whole = serde_json::to_string(&ticket(&texts, &stamps, named)).unwrap();
            let stored = render(ticket(&texts, &stamps, nameless(&texts[8]))).unwrap();
            let document = Document::parse(stored.as_bytes()).unwrap();
            prop_assert_eq!(serde_json::from_slice::<String>(document.type_id).unwrap(), texts[8].as_str());
            let mut written = Vec::new();
            document.write(ending(&texts[9], Category::Merchandise).as_bytes(), &mut written);
            prop_assert_eq!(String::from_utf8(written).unwrap(), whole);
        }

        #[test]
        fn filling_in_status_and_stamp_is_as_good_as_knowing_them(
            texts in prop::collection::vec(text(), 10), stamps in prop::collection::vec(0..2_000_000_000_000_000_i64, 4),
        ) {
            let known = ticket(&texts, &stamps, nameless(&texts[8]));
            let (status, item, updated_at) = (known.status.0, known.order_item, known.updated_at.0);
            let known = render(known).unwrap();
            let (status_waits, stamp_waits) = waiting();
            let filled = render_waiting(ticket(&texts, &stamps, nameless(&texts[8]))).unwrap()
                .replace(&status_waits, &status_part(status.as_str()))
                .replace(ORDER_ITEM_WAITS, &item.map_or(ORDER_ITEM_WAITS.into(), |item| order_item_part(&item.to_string())))
                .replace(&stamp_waits, &stamp_part(updated_at));
            prop_assert_eq!(filled, known);
        }
    }
}
