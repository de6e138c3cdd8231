//! Tickets as a table (CSV), for people who have a spreadsheet. Each row becomes the line of JSON that the same ticket would
//! have, so a table has the rules of every other import, and what is wrong names the line and the column.

use std::collections::BTreeSet;

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value, json};

use taquilla_domain::id;

use super::fault::Fault;

/// A table of tickets as an example. The event and the ticket type are those of the sample in `docs/import.md`.
pub const EXAMPLE: &str = include_str!("example.csv");

/// Begins a file of JSON Lines; a table begins with the names of its columns.
const JSON: u8 = b'{';

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Text,
    Number,
    TrueOrFalse,
    /// A detail of the attendee, by its name in JSON.
    OfAttendee(&'static str),
    /// Nothing that an import takes: what exports say of the event and of the ticket type.
    Ignored,
}

/// The columns of a table: those of an exported table of tickets, under the same names.
const COLUMNS: [(&str, Holds); 25] = [
    ("id", Holds::Text),
    ("status", Holds::Text),
    ("event_id", Holds::Text),
    ("event", Holds::Ignored),
    ("ticket_type_id", Holds::Text),
    ("ticket_type", Holds::Ignored),
    ("category", Holds::Ignored),
    ("order_id", Holds::Text),
    ("order_item", Holds::Number),
    ("from_bundle", Holds::TrueOrFalse),
    ("bundle_id", Holds::Text),
    ("bundle_unit", Holds::Text),
    ("attendee_id", Holds::OfAttendee("id")),
    ("attendee_name", Holds::OfAttendee("name")),
    ("attendee_email", Holds::OfAttendee("email")),
    ("attendee_phone", Holds::OfAttendee("phone")),
    ("attendee_document", Holds::OfAttendee("identity_document")),
    ("issued_at", Holds::Text),
    ("checked_in_at", Holds::Text),
    ("checked_in_by", Holds::Text),
    ("transferred_at", Holds::Text),
    ("transferred_to_ticket_id", Holds::Text),
    ("updated_at", Holds::Ignored),
    ("time_zone", Holds::Ignored),
    ("door_note", Holds::Text),
];

/// A table of tickets whose first line was read.
pub(super) struct Table {
    separator: u8,
    columns: Vec<(&'static str, Holds)>,
}

fn fault<T>(line: i64, field: Option<&str>, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { line, field: field.map(str::to_owned), message: message.into() })
}

/// Whether a row goes on in the next line: a cell in quotes has not ended.
pub(super) fn goes_on(text: &[u8]) -> bool {
    text.iter().filter(|byte| **byte == b'"').count() % 2 == 1
}

fn cells(text: &[u8], separator: u8, line: i64) -> Result<StringRecord, Fault> {
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text);
    match reader.records().next() {
        Some(Ok(record)) => Ok(record),
        None => Ok(StringRecord::new()),
        Some(Err(_)) => fault(line, None, "this is no text in UTF-8; save the table as CSV UTF-8"),
    }
}

/// A cell as it was meant. Exports put a `'` before what a spreadsheet would run as a formula.
fn meant(cell: &str) -> &str {
    let cell = cell.trim();
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@']) => rest,
        _ => cell,
    }
}

impl Table {
    /// Reads the first line. `None` if the file is no table.
    pub fn begin(text: &[u8], line: i64) -> Result<Option<Self>, Fault> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii();
        if text.first() == Some(&JSON) || !text.is_ascii() {
            return Ok(None);
        }
        // Spreadsheets write the sign of their country.
        let separator = [b';', b'\t'].into_iter().find(|sign| text.contains(sign)).unwrap_or(b',');
        let heads = cells(text, separator, line)?;
        let known = |head: &str| COLUMNS.iter().find(|(name, _)| name.eq_ignore_ascii_case(head.trim()));
        // A line without any name of ours is a broken file of JSON Lines, and is told so.
        if !heads.iter().any(|head| known(head).is_some()) {
            return Ok(None);
        }
        let (mut columns, mut seen) = (Vec::new(), BTreeSet::new());
        for head in &heads {
            let Some((name, holds)) = known(head) else {
                let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
                return fault(line, Some(head), format!("there is no such column; there are {}", names.join(", ")));
            };
            if !seen.insert(*name) {
                return fault(line, Some(name), "the column is there twice");
            }
            columns.push((*name, *holds));
        }
        for needed in ["event_id", "ticket_type_id"] {
            if !seen.contains(needed) {
                return fault(line, Some(needed), format!("the column {needed} is missing"));
            }
        }
        Ok(Some(Self { separator, columns }))
    }

    /// A row as the line of JSON that the same ticket would have. A ticket without an id gets a new one.
    pub fn row(&self, text: &[u8], line: i64) -> Result<Vec<u8>, Fault> {
        let cells = cells(text, self.separator, line)?;
        if cells.len() > self.columns.len() {
            return fault(line, None, "the row has more cells than there are columns");
        }
        let (mut ticket, mut attendee) = (Map::new(), Map::new());
        for ((name, holds), cell) in self.columns.iter().zip(&cells) {
            let cell = meant(cell);
            if cell.is_empty() {
                continue;
            }
            match holds {
                Holds::Ignored => {}
                Holds::Text => drop(ticket.insert((*name).to_owned(), Value::from(cell))),
                Holds::OfAttendee(detail) => drop(attendee.insert((*detail).to_owned(), Value::from(cell))),
                Holds::Number => match cell.parse::<i64>() {
                    Ok(number) => drop(ticket.insert((*name).to_owned(), Value::from(number))),
                    Err(_) => return fault(line, Some(name), "a whole number is expected"),
                },
                Holds::TrueOrFalse => match cell.to_ascii_lowercase().parse::<bool>() {
                    Ok(value) => drop(ticket.insert((*name).to_owned(), Value::from(value))),
                    Err(_) => return fault(line, Some(name), "true or false is expected"),
                },
            }
        }
        ticket.insert("kind".to_owned(), json!("ticket"));
        ticket.entry("id").or_insert_with(|| Value::from(id::new_ticket_id()));
        if !attendee.is_empty() {
            ticket.insert("attendee".to_owned(), Value::Object(attendee));
        }
        Ok(Value::Object(ticket).to_string().into_bytes())
    }
}

/// What is wrong with a row, with the name of its column.
pub(super) fn in_column(fault: Fault) -> Fault {
    let detail = fault.field.as_deref().and_then(|field| field.strip_prefix("attendee."));
    let is_meant = |holds: &Holds| matches!(holds, Holds::OfAttendee(name) if Some(*name) == detail);
    match COLUMNS.iter().find(|(_, holds)| is_meant(holds)) {
        Some((column, _)) => Fault { field: Some((*column).to_owned()), ..fault },
        None => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fault: Fault) -> String {
        fault.to_string()
    }

    #[test]
    fn a_table_is_told_from_lines_of_json() {
        for json in ["{\"kind\": \"event\"}", "\u{feff}{}", "nonsense", "[1,2]"] {
            assert!(Table::begin(json.as_bytes(), 1).ok().flatten().is_none(), "{json}");
        }
        for (head, separator) in [
            ("event_id,ticket_type_id", b','),
            ("\u{feff}Event_ID;ticket_type_id;id\r\n", b';'),
            ("id\tevent_id\tticket_type_id", b'\t'),
        ] {
            assert_eq!(Table::begin(head.as_bytes(), 1).ok().flatten().unwrap().separator, separator, "{head}");
        }
    }

    #[test]
    fn a_row_is_the_line_of_its_ticket() {
        let table = Table::begin(b"id,event_id,ticket_type_id,attendee_name,attendee_phone,order_item,event", 1);
        let table = table.ok().flatten().unwrap();
        let row = table.row(b"T1, ev ,tt,\"Gil, Bea\",'+34 600,2,Whatever\r\n", 2).ok().unwrap();
        let row: Value = serde_json::from_slice(&row).unwrap();
        let expected = json!({"kind": "ticket", "id": "T1", "event_id": "ev", "ticket_type_id": "tt", "order_item": 2,
            "attendee": {"name": "Gil, Bea", "phone": "+34 600"}});
        assert_eq!(row, expected);
        let made: Value = serde_json::from_slice(&table.row(b",ev,tt", 3).ok().unwrap()).unwrap();
        assert_eq!(made["id"].as_str().unwrap().len(), 26);
        assert!(goes_on(b"T1,\"two") && !goes_on(b"T1,\"two\nlines\""));
    }

    #[test]
    fn what_is_wrong_names_its_line_and_column() {
        let begin = |head: &str| Table::begin(head.as_bytes(), 1).map(drop).map_err(told);
        assert!(
            begin("event_id,ticket_type_id,nmae")
                .unwrap_err()
                .starts_with("line 1, field \"nmae\": there is no such column")
        );
        assert_eq!(
            begin("event_id").unwrap_err(),
            "line 1, field \"ticket_type_id\": the column ticket_type_id is missing"
        );
        assert_eq!(
            begin("event_id,event_id,ticket_type_id").unwrap_err(),
            "line 1, field \"event_id\": the column is there twice"
        );
        let table = Table::begin(b"event_id,ticket_type_id,order_item,from_bundle", 1).ok().flatten().unwrap();
        let row = |text: &str| table.row(text.as_bytes(), 7).map(drop).map_err(told);
        assert_eq!(row("ev,tt,one").unwrap_err(), "line 7, field \"order_item\": a whole number is expected");
        assert_eq!(row("ev,tt,1,maybe").unwrap_err(), "line 7, field \"from_bundle\": true or false is expected");
        assert_eq!(row("ev,tt,1,true,x").unwrap_err(), "line 7: the row has more cells than there are columns");
        let fault = Fault { line: 2, field: Some("attendee.identity_document".into()), message: "x".into() };
        assert_eq!(in_column(fault).field.as_deref(), Some("attendee_document"));
    }
}
