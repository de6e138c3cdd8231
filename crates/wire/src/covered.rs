//! Tickets and orders as JSON without what is personal, by the list in the domain.

use serde_json::{Map, Value};

use taquilla_domain::{
    person::Person,
    personal::{Cover, Detail, MASK, ORDER_SECRETS, PEOPLE, TICKET_NOTES, TICKET_SECRETS},
    search_text::is_made_of,
};

/// What a JSON object is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// A ticket.
    Ticket,
    /// An order.
    Order,
    /// Something else, such as an event.
    Other,
}

/// A person as JSON has one. What is no text is not known.
pub fn person_in(fields: &Map<String, Value>) -> Person {
    Person::of(|detail| fields.get(detail.as_str()).and_then(Value::as_str).map(str::to_owned))
}

/// Covers the people in a resource, what staff wrote about them, and what opens a door. An order has no reference then, as imported ones have none.
pub fn cover(resource: Resource, value: &mut Value) {
    cover_people(value);
    let Value::Object(fields) = value else { return };
    match resource {
        Resource::Ticket => TICKET_SECRETS.iter().chain(&TICKET_NOTES).for_each(|name| cover_field(fields, name)),
        Resource::Order => {
            for (_, secret) in fields.iter_mut().filter(|(name, _)| ORDER_SECRETS.contains(&name.as_str())) {
                *secret = Value::Null;
            }
        }
        Resource::Other => {}
    }
}

fn cover_people(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match value {
                    Value::Object(person) if PEOPLE.contains(&name.as_str()) => cover_person(person),
                    other => cover_people(other),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(cover_people),
        _ => {}
    }
}

fn cover_person(fields: &mut Map<String, Value>) {
    // An import may have made ids of addresses.
    if fields.get("id").and_then(Value::as_str).is_some_and(|id| is_made_of(id, &person_in(fields))) {
        cover_field(fields, "id");
    }
    Detail::ALL.iter().for_each(|detail| cover_field(fields, detail.as_str()));
}

fn cover_field(fields: &mut Map<String, Value>, name: &str) {
    if let Some(value) = fields.get_mut(name).filter(|value| value.as_str().is_some_and(|text| !text.is_empty())) {
        *value = MASK.into();
    }
}

/// Tickets or orders, a JSON object on each line.
#[derive(Clone, Debug)]
pub struct Lines {
    resource: Resource,
    text: Vec<u8>,
}

impl Lines {
    /// The lines of this text.
    pub fn new(resource: Resource, text: Vec<u8>) -> Self {
        Self { resource, text }
    }

    /// Their text.
    pub fn into_text(self) -> Vec<u8> {
        self.text
    }
}

impl Cover for Lines {
    fn covered(self) -> Self {
        let Self { resource, text } = self;
        let mut covered = String::with_capacity(text.len());
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            // Nothing is seen of a line that cannot be read.
            let mut value = serde_json::from_slice(line).unwrap_or_else(|_| Value::from(MASK));
            cover(resource, &mut value);
            covered.push_str(&format!("{value}\n"));
        }
        Self { resource, text: covered.into_bytes() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn people_are_covered_wherever_they_are() {
        let mut order = json!({"name": "General", "reference": "1-X", "id": "or_1",
            "buyer": {"name": "Ana", "email": "a@x", "phone": null, "identity_document": ""},
            "tickets": [{"attendee": {"name": "Bea", "email": "b@x", "phone": "1", "identity_document": "X"}}]});
        cover(Resource::Order, &mut order);
        let covered = json!({"name": "General", "reference": null, "id": "or_1",
            "buyer": {"name": MASK, "email": MASK, "phone": null, "identity_document": ""},
            "tickets": [{"attendee": {"name": MASK, "email": MASK, "phone": MASK, "identity_document": MASK}}]});
        assert_eq!(order, covered);
    }

    #[test]
    fn every_detail_on_the_list_is_covered() {
        for place in PEOPLE {
            let person: Map<String, Value> =
                Detail::ALL.iter().map(|detail| (detail.as_str().to_owned(), "marker".into())).collect();
            let mut value = json!({place: person});
            cover(Resource::Other, &mut value);
            assert!(!value.to_string().contains("marker"), "{value}");
        }
    }

    #[test]
    fn what_opens_a_door_and_what_it_says_is_covered() {
        let mut ticket = json!({"id": "A", "transferred_to_ticket_id": "B", "event_id": "ev", "door_note": "VIP"});
        cover(Resource::Ticket, &mut ticket);
        assert_eq!(ticket, json!({"id": MASK, "transferred_to_ticket_id": MASK, "event_id": "ev", "door_note": MASK}));
    }

    #[test]
    fn an_id_made_of_a_detail_is_covered() {
        let mut ticket = json!({"attendee": {"id": "crm-ana@x.example", "email": "ana@x.example"}});
        cover(Resource::Ticket, &mut ticket);
        assert_eq!(ticket["attendee"]["id"], MASK);
        let mut ticket = json!({"attendee": {"id": "at_1", "email": "ana@x.example"}});
        cover(Resource::Ticket, &mut ticket);
        assert_eq!(ticket["attendee"]["id"], "at_1");
    }

    #[test]
    fn lines_stay_as_many() {
        let lines = Lines::new(Resource::Ticket, b"{\"id\":\"A\"}\nno json\n".to_vec());
        assert_eq!(lines.covered().into_text(), "{\"id\":\"•••\"}\n\"•••\"\n".as_bytes());
    }
}
