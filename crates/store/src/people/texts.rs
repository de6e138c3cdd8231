//! People in texts that were stored as they were sent: messages, answers to orders and to scans, lines of files.
//!
//! What is replaced is cut out, and the rest stays byte for byte: such a text may be sent again.

use memchr::memmem;
use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use taquilla_domain::{
    person::{ERASED_NAME, Person},
    personal::PEOPLE,
    search_text::is_made_of,
    whom::Whom,
};
use taquilla_wire::{
    api::{Attendee, Buyer},
    covered::person_in,
};

use crate::{Error, Result};

/// What stands before the name in the answer to a scan.
const NAME_AT_THE_DOOR: &str = r#""ticket":{"name":"#;
/// What stands before the ticket's note there.
const NOTE_AT_THE_DOOR: &str = r#","door_note":"#;

/// A person as texts have one. Buyers have no id.
struct Written {
    id: Option<String>,
    person: Person,
}

impl Written {
    fn read(json: &str) -> Option<Self> {
        let fields: Map<String, Value> = serde_json::from_str(json).ok()?;
        let id = fields.get("id").and_then(Value::as_str).map(str::to_owned);
        Some(Self { id, person: person_in(&fields) })
    }
}

/// What a text is about: the resource itself, or the order in it.
#[derive(Deserialize)]
struct About {
    id: Option<String>,
    event_id: Option<String>,
    order: Option<Box<About>>,
}

impl About {
    fn event_id(text: &str) -> String {
        let about: Option<Self> = serde_json::from_str(text).ok();
        let order = |about: &Self| about.order.as_ref().and_then(|order| order.event_id.clone());
        about.and_then(|about| about.event_id.clone().or_else(|| order(&about))).unwrap_or_default()
    }
}

/// The id of the order or the ticket that a text is about.
pub(super) fn about(text: &str) -> String {
    let about: Option<About> = serde_json::from_str(text).ok();
    let id = about.and_then(|about| about.order.map_or(about.id, |order| order.id));
    id.unwrap_or_default()
}

/// The people of a text: where each stands, and who it is.
fn people(text: &str) -> Vec<(std::ops::Range<usize>, Written)> {
    let mut found = Vec::new();
    for place in PEOPLE {
        // Inside a JSON string every quotation mark is escaped, so this stands nowhere else.
        let before = format!("\"{place}\":");
        for at in memmem::find_iter(text.as_bytes(), &before) {
            let start = at + before.len();
            let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<&RawValue>();
            let Some(Ok(raw)) = values.next() else { continue };
            // A line of a file may have spaces where our own texts have none.
            let Some(written) = Written::read(raw.get()) else { continue };
            let end = start + values.byte_offset();
            found.push((end - raw.get().len()..end, written));
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    found
}

/// Whether a line of a file names somebody who is meant. Lines are written by others, so they are read as JSON.
pub fn names_somebody(line: &str, whom: &Whom) -> bool {
    // A file may begin with a byte order mark.
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let Ok(line) = serde_json::from_str::<Map<String, Value>>(line) else { return false };
    let people = PEOPLE.iter().filter_map(|place| line.get(*place)?.as_object());
    people.map(person_in).any(|person| whom.means("", &person))
}

/// A text with everybody erased who is meant; `None` if nobody is.
pub(super) fn erase_people(text: &str, whom: &Whom) -> Result<Option<String>> {
    let event_id = About::event_id(text);
    let (mut erased, mut copied) = (String::new(), 0);
    for (range, Written { id, person }) in people(text) {
        if !whom.means(&event_id, &person) {
            continue;
        }
        let Person { name, email, phone, identity_document } = &Person::erased();
        let phone = phone.as_deref();
        let json = match &id {
            Some(id) => {
                let id = if is_made_of(id, &person) { ERASED_NAME } else { id };
                serde_json::to_string(&Attendee { id, name, email, phone, identity_document })
            }
            None => serde_json::to_string(&Buyer { name, email, phone, identity_document }),
        };
        erased.push_str(&text[copied..range.start]);
        erased.push_str(&json.map_err(Error::internal)?);
        copied = range.end;
    }
    Ok((copied > 0).then(|| erased + &text[copied..]))
}

/// The answer to a scan without the attendee's name and without the ticket's note; `None` if it has neither.
pub(super) fn erase_at_the_door(answer: &str) -> Option<String> {
    let nameless = replaced(answer, NAME_AT_THE_DOOR, "\"\"", &format!("\"{ERASED_NAME}\""));
    replaced(nameless.as_deref().unwrap_or(answer), NOTE_AT_THE_DOOR, "null", "null").or(nameless)
}

/// A text with another value after what stands before it; `None` if it has that value already, or nothing there.
fn replaced(text: &str, before: &str, nothing: &str, value: &str) -> Option<String> {
    let start = memmem::find(text.as_bytes(), before.as_bytes())? + before.len();
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<&RawValue>();
    let raw = values.next()?.ok()?;
    (raw.get() != nothing && raw.get() != value)
        .then(|| format!("{}{value}{}", &text[..start], &text[start + values.byte_offset()..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use taquilla_domain::whom::Named;

    fn ana() -> Whom {
        Whom::Named(Named::email("ana@x.example").unwrap())
    }

    #[test]
    fn whoever_is_meant_is_cut_out_and_the_rest_stays() {
        let text = r#"{"id":"T","event_id":"ev","attendee":{"id":"at_1","name":"A\"na","email":"ANA@x.example","phone":"1","identity_document":"X"},"z":1,"a":"\"attendee\":{}"}"#;
        let erased = erase_people(text, &ana()).unwrap().unwrap();
        let expected = r#"{"id":"T","event_id":"ev","attendee":{"id":"at_1","name":"—","email":"","phone":null,"identity_document":""},"z":1,"a":"\"attendee\":{}"}"#;
        assert_eq!(erased, expected);
        assert_eq!(erase_people(&erased, &ana()).unwrap(), None, "once is enough");
        let order = r#"{"order":{"event_id":"ev","buyer":{"name":"Bea","email":"bea@x.example","phone":null,"identity_document":""}},"reference":"1-X"}"#;
        assert_eq!(erase_people(order, &ana()).unwrap(), None);
        let of_event = |event: &str| Whom::Events(std::collections::BTreeSet::from([event.to_owned()]));
        assert_eq!(erase_people(order, &of_event("other")).unwrap(), None);
        let erased = erase_people(order, &of_event("ev")).unwrap().unwrap();
        assert!(
            erased.contains(r#""buyer":{"name":"—","email":"","phone":null,"#)
                && erased.ends_with(r#","reference":"1-X"}"#)
        );
        assert_eq!(erase_people(r#"{"id":"T","updated_at":"x"}"#, &ana()).unwrap(), None);
    }

    #[test]
    fn an_id_made_of_a_detail_is_erased_too() {
        let text = json!({"attendee": {"id": "crm-ana@x.example", "email": "ana@x.example"}}).to_string();
        let erased = erase_people(&text, &ana()).unwrap().unwrap();
        assert!(!erased.contains("ana"), "{erased}");
    }

    #[test]
    fn a_door_was_told_a_name() {
        let answer =
            r#"{"scan_id":"s","outcome":"admitted","ticket":{"name":"Ana \"A\" Ruiz","ticket_type":{"name":"x"}}}"#;
        let erased = r#"{"scan_id":"s","outcome":"admitted","ticket":{"name":"—","ticket_type":{"name":"x"}}}"#;
        assert_eq!(erase_at_the_door(answer).unwrap(), erased);
        assert_eq!(erase_at_the_door(erased), None);
        assert_eq!(erase_at_the_door(r#"{"ticket":{"name":"","x":1}}"#), None);
        assert_eq!(erase_at_the_door(r#"{"ticket":null}"#), None);
        let noted = r#"{"ticket":{"name":"","group":null,"door_note":"VIP \"A\"","ticket_type_note":"x"}}"#;
        let silent = r#"{"ticket":{"name":"","group":null,"door_note":null,"ticket_type_note":"x"}}"#;
        assert_eq!(erase_at_the_door(noted).as_deref(), Some(silent));
        assert_eq!(erase_at_the_door(silent), None);
    }

    #[test]
    fn lines_of_files_are_read_however_they_are_written() {
        assert!(names_somebody(r#"{ "kind" : "ticket", "attendee" : { "email" : "\u0061na@x.example" } }"#, &ana()));
        assert!(names_somebody(r#"{"kind":"order","buyer":{"email":"Ana@X.example"}}"#, &ana()));
        assert!(!names_somebody(r#"{"kind":"order","buyer":{"email":"bea@x.example"}}"#, &ana()));
        assert!(names_somebody("\u{feff}{\"buyer\":{\"email\":\"ana@x.example\"}}", &ana()), "a byte order mark");
        assert!(!names_somebody("no json", &ana()));
    }
}
