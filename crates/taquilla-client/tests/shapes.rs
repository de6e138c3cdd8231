//! The shapes, parameters and paths of the client are those of the OpenAPI document: nothing is missing, and nothing is made up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use taquilla_client::{
    Attendee, Buyer, Client, Event, EventFilter, Include, KeyInfo, Me, Order, OrderFilter, OrderItem, OrderStatus,
    Producer, Promoter, Ticket, TicketFilter, TicketStatus, TicketType, TicketTypeSummary, Time,
};

fn document() -> Value {
    serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap()
}

struct Document(Value);

impl Document {
    fn schema(&self, name: &str) -> &Value {
        &self.0["components"]["schemas"][name]
    }

    /// Every value that a schema may have of the simplest kind, with every property set; null last, where it may be null.
    fn values(&self, schema: &Value) -> Vec<Value> {
        if let Some(name) = schema["$ref"].as_str() {
            return self.values(self.schema(name.rsplit('/').next().unwrap()));
        }
        if let Some(one_of) = schema["oneOf"].as_array() {
            return one_of.iter().flat_map(|schema| self.values(schema)).collect();
        }
        if let Some(values) = schema["enum"].as_array() {
            return values.clone();
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::Array(types) => types.iter().map(|one| one.as_str().unwrap()).collect(),
            one => vec![one.as_str().unwrap()],
        };
        let of = |kind: &str| match kind {
            "null" => Value::Null,
            "boolean" => json!(true),
            "integer" => json!(7),
            "array" => json!([self.values(&schema["items"])[0]]),
            "object" => self.whole(schema),
            "string" if schema == self.schema("Time") => json!("2026-11-15T02:09:44.316657Z"),
            "string" => json!("a text"),
            other => panic!("{other} is a type that the client does not know"),
        };
        types.into_iter().map(of).collect()
    }

    /// An object with every property.
    fn whole(&self, schema: &Value) -> Value {
        let properties = schema["properties"].as_object().unwrap();
        Value::Object(properties.iter().map(|(name, of)| (name.clone(), self.values(of)[0].clone())).collect())
    }

    /// What the client reads is what it would write, for every value of every property, and without those that may be absent.
    fn is_read_as<T: Serialize + DeserializeOwned>(&self, name: &str) {
        let schema = self.schema(name);
        let whole = self.whole(schema);
        let read = |value: &Value| -> Value {
            let read: T =
                serde_json::from_value(value.clone()).unwrap_or_else(|cause| panic!("{name}: {cause}: {value}"));
            serde_json::to_value(read).unwrap()
        };
        assert_eq!(read(&whole), whole, "{name}");
        let required: BTreeSet<&str> =
            schema["required"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        for (property, of) in schema["properties"].as_object().unwrap() {
            for value in self.values(of) {
                let mut object = whole.clone();
                object[property] = value;
                assert_eq!(read(&object), object, "{name}.{property}");
            }
            if !required.contains(property.as_str()) {
                let mut object = whole.as_object().unwrap().clone();
                object.remove(property);
                let shown = read(&Value::Object(object));
                assert_eq!(shown[property], Value::Null, "{name}.{property} is absent");
            }
        }
        let mut more = whole.clone();
        more["invented_later"] = json!({"a": [1]});
        assert_eq!(read(&more), whole, "{name} with a field that nobody knows");
    }
}

#[test]
fn every_shape_is_that_of_the_document() {
    let document = Document(document());
    let checked: BTreeMap<&str, fn(&Document, &str)> = BTreeMap::from([
        ("Attendee", Document::is_read_as::<Attendee> as fn(&Document, &str)),
        ("Buyer", Document::is_read_as::<Buyer>),
        ("Event", Document::is_read_as::<Event>),
        ("Include", Document::is_read_as::<Include>),
        ("KeyInfo", Document::is_read_as::<KeyInfo>),
        ("Me", Document::is_read_as::<Me>),
        ("Order", Document::is_read_as::<Order>),
        ("OrderItem", Document::is_read_as::<OrderItem>),
        ("Producer", Document::is_read_as::<Producer>),
        ("Promoter", Document::is_read_as::<Promoter>),
        ("Ticket", Document::is_read_as::<Ticket>),
        ("TicketType", Document::is_read_as::<TicketType>),
        ("TicketTypeSummary", Document::is_read_as::<TicketTypeSummary>),
    ]);
    let schemas = document.0["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        match checked.get(name.as_str()) {
            Some(check) => check(&document, name),
            // Pages are generic, and errors are read whatever they are; both are tried against a server.
            None => assert!(
                schema["type"] != "object" || name.ends_with("Page") || name == "Problem",
                "the client does not know {name}"
            ),
        }
    }
    assert!(checked.keys().all(|name| schemas.contains_key(*name)));
}

/// The names of states are known one by one: none of them is read as one of another version.
#[test]
fn every_state_of_the_document_is_known() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let Some(values) = schema["enum"].as_array() else { continue };
        for value in values {
            let value = value.as_str().unwrap();
            let debug = match name.as_str() {
                "AttendeesAsked" => format!("{:?}", taquilla_client::AttendeesAsked::from(value)),
                "Category" => format!("{:?}", taquilla_client::Category::from(value)),
                "EventStatus" => format!("{:?}", taquilla_client::EventStatus::from(value)),
                "ItemKind" => format!("{:?}", taquilla_client::ItemKind::from(value)),
                "OrderChannel" => format!("{:?}", taquilla_client::OrderChannel::from(value)),
                "OrderStatus" => format!("{:?}", OrderStatus::from(value)),
                "PaymentMethod" => format!("{:?}", taquilla_client::PaymentMethod::from(value)),
                "Permission" => format!("{:?}", taquilla_client::Permission::from(value)),
                "TicketStatus" => format!("{:?}", TicketStatus::from(value)),
                "TypeStatus" => format!("{:?}", taquilla_client::TypeStatus::from(value)),
                other => panic!("the client does not know {other}"),
            };
            assert!(!debug.starts_with("Other("), "{name} {value} is read as {debug}");
        }
    }
    assert_eq!(TicketStatus::from("invented").to_string(), "invented");
    assert_eq!(serde_json::to_value(TicketStatus::from("invented")).unwrap(), "invented");
}

/// Every call of the client is one of the document, with all of its parameters, and the other way round.
#[tokio::test]
async fn every_path_and_parameter_is_that_of_the_document() {
    let asked: Arc<Mutex<BTreeMap<String, BTreeSet<String>>>> = Arc::default();
    let noted = Arc::clone(&asked);
    let app = axum::Router::new().fallback(async move |uri: axum::http::Uri| {
        let names: BTreeSet<String> =
            uri.query().unwrap_or("").split('&').filter_map(|pair| Some(pair.split_once('=')?.0.to_owned())).collect();
        let is_first = !names.contains("cursor");
        noted.lock().unwrap().entry(uri.path().to_owned()).or_default().extend(names);
        // One more page, so that a cursor is passed.
        axum::Json(match is_first {
            true => json!({"data": [], "has_more": true, "next_cursor": "c1"}),
            false => json!({"data": [], "has_more": false, "next_cursor": null}),
        })
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(&format!("http://{}", listener.local_addr().unwrap()), "key").unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });

    let at = Some(Time::BEGINNING);
    let tickets = TicketFilter {
        event_id: Some("e".into()),
        order_id: Some("o".into()),
        status: vec![TicketStatus::Valid],
        issued_after: at,
        scanned_after: at,
        scanned_before: at,
        updated_after: at,
    };
    let orders = OrderFilter {
        event_id: Some("e".into()),
        status: vec![OrderStatus::Approved],
        updated_after: at,
        created_after: at,
    };
    assert!(client.tickets(&tickets).next().await.unwrap().is_none());
    assert!(client.orders(&orders).next().await.unwrap().is_none());
    assert!(client.events(&EventFilter { updated_after: at }).next().await.unwrap().is_none());
    assert!(client.chain("{ticket_id}").next().await.unwrap().is_none());
    assert!(client.ticket_types("{event_id}", true).await.unwrap().is_empty());
    client.me().await.unwrap();
    client.event("{event_id}").await.unwrap_err();
    client.order("{order_id}").await.unwrap_err();
    client.ticket("{ticket_id}").await.unwrap_err();

    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, calls) in document()["paths"].as_object().unwrap() {
        let parameters: &Vec<Value> = calls["get"]["parameters"].as_array().unwrap();
        let names =
            parameters.iter().filter(|one| one["in"] == "query").map(|one| one["name"].as_str().unwrap().to_owned());
        expected.insert(path.replace('{', "%7B").replace('}', "%7D"), names.collect());
    }
    // The list of ticket types comes at once, whatever is asked.
    let at_once = expected.get_mut("/api/v1/events/%7Bevent_id%7D/ticket-types").unwrap();
    assert!(at_once.remove("limit") && at_once.remove("cursor"));
    assert_eq!(*asked.lock().unwrap(), expected);
}
