//! Personal data as people see it who have no right to it.

use serde_json::Value;

use taquilla_domain::person::Person;

/// The fields of personal data, wherever they are in a message.
const FIELDS: [&str; 4] = ["name", "email", "phone", "identity_document"];
/// The objects that are people.
const PEOPLE: [&str; 2] = ["attendee", "buyer"];

/// What is shown instead.
pub const MASK: &str = "•••";

/// A text that only those may see who may see personal data. What is not known is not masked.
pub fn text(text: &str, may_see: bool) -> String {
    if may_see || text.is_empty() { text.to_owned() } else { MASK.to_owned() }
}

/// A person as somebody sees them who may or may not see personal data.
pub fn person(person: &Person, may_see: bool) -> Person {
    Person {
        name: text(&person.name, may_see),
        email: text(&person.email, may_see),
        phone: person.phone.as_deref().map(|phone| text(phone, may_see)),
        identity_document: text(&person.identity_document, may_see),
    }
}

/// The fields that hold a ticket's id, in a message about a ticket.
const TICKET_IDS: [&str; 2] = ["id", "transferred_to_ticket_id"];

/// Masks what is known of attendees and buyers in a message, and the ids of tickets: whoever has one can enter with it.
pub fn mask(message: &mut Value) {
    let is_of_ticket = message["type"].as_str().is_some_and(|kind| kind.starts_with("ticket."));
    mask_people(message);
    if let Some(ticket) = message.get_mut("data").and_then(Value::as_object_mut).filter(|_| is_of_ticket) {
        for (_, id) in ticket.iter_mut().filter(|(field, id)| TICKET_IDS.contains(&field.as_str()) && id.is_string()) {
            *id = MASK.into();
        }
    }
}

fn mask_people(message: &mut Value) {
    match message {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match value {
                    Value::Object(person) if PEOPLE.contains(&name.as_str()) => {
                        let known = person.iter_mut().filter(|(field, _)| FIELDS.contains(&field.as_str()));
                        for (_, value) in known.filter(|(_, value)| value.as_str().is_some_and(|text| !text.is_empty()))
                        {
                            *value = MASK.into();
                        }
                    }
                    other => mask_people(other),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask_people),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn people_are_masked_wherever_they_are() {
        let mut message = json!({"type": "order.created", "data": {"name": "General",
            "buyer": {"name": "Ana", "email": "a@x", "phone": null, "identity_document": ""},
            "tickets": [{"attendee": {"name": "Bea", "email": "b@x", "phone": "1", "identity_document": "X"}}]}});
        mask(&mut message);
        assert_eq!(
            message,
            json!({"type": "order.created", "data": {"name": "General",
            "buyer": {"name": MASK, "email": MASK, "phone": null, "identity_document": ""},
            "tickets": [{"attendee": {"name": MASK, "email": MASK, "phone": MASK, "identity_document": MASK}}]}})
        );
    }

    #[test]
    fn what_opens_a_door_is_masked() {
        let mut message = json!({"type": "ticket.transferred", "data": {"id": "A", "transferred_to_ticket_id": "B", "event_id": "ev"}});
        mask(&mut message);
        assert_eq!(message["data"], json!({"id": MASK, "transferred_to_ticket_id": MASK, "event_id": "ev"}));
        let mut message = json!({"type": "order.created", "data": {"id": "or_1"}});
        mask(&mut message);
        assert_eq!(message["data"]["id"], "or_1");
    }
}
