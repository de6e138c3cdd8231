//! Lines of an import, which tests change as they need.

use serde_json::{Value, json};

pub fn event(id: &str) -> Value {
    json!({"kind": "event", "id": id, "name": format!("Event {id}"), "currency": "EUR", "timezone": "Europe/Madrid"})
}

pub fn ticket_type(id: &str, event_id: &str) -> Value {
    json!({"kind": "ticket_type", "id": id, "event_id": event_id, "name": format!("Type {id}"), "price": 25, "currency": "EUR"})
}

pub fn order(id: &str, event_id: &str, ticket_type_id: &str) -> Value {
    json!({
        "kind": "order", "id": id, "event_id": event_id, "status": "approved", "currency": "EUR",
        "items": [{"ticket_type_id": ticket_type_id, "quantity": 1, "unit_price": 25}],
    })
}

pub fn ticket(id: &str, event_id: &str, ticket_type_id: &str) -> Value {
    json!({"kind": "ticket", "id": id, "event_id": event_id, "ticket_type_id": ticket_type_id, "issued_at": "2026-10-01T10:00:00Z"})
}

/// A line with some fields set or replaced.
pub fn with(mut line: Value, fields: Value) -> Value {
    for (name, value) in fields.as_object().unwrap() {
        line[name] = value.clone();
    }
    line
}
