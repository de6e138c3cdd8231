//! A server that has nothing but the specification, and keeps to it awkwardly.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
    routing::get,
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::harness::{Synced, Target};

/// What the server has, and how it misbehaves.
#[derive(Default)]
struct Awkward {
    tickets: Vec<Value>,
    orders: Vec<Value>,
    types: Vec<Value>,
    /// The present by its clock, in seconds after noon.
    clock: i64,
    /// Calls that fail before one succeeds.
    failing: usize,
    asked: Vec<String>,
}

type Shared = Arc<Mutex<Awkward>>;

fn at(seconds: i64) -> String {
    let noon: jiff::Timestamp = "2026-11-01T12:00:00Z".parse().unwrap();
    // Whole seconds: stamps are equal by the thousand.
    (noon + jiff::SignedDuration::from_secs(seconds)).to_string()
}

fn a_ticket(id: usize, issued: i64) -> Value {
    json!({
        "id": format!("K{id:05}"), "event_id": "fest", "order_id": null, "status": "valid", "invented": {"deep": [1]},
        "ticket_type": {"id": "general", "name": "General", "category": "ticket"}, "from_bundle": false,
        "attendee": {"name": "Ana", "email": null}, "issued_at": at(issued)
    })
}

/// A page of rows that are newest first. The cursor is the number of rows that were shown. Each page begins with the last row of
/// the one before, and the third is short.
fn page(rows: Vec<Value>, query: &BTreeMap<String, String>) -> Value {
    let limit: usize = query.get("limit").map_or(50, |limit| limit.parse().unwrap());
    let from: usize = query.get("cursor").map_or(0, |cursor| cursor.parse().unwrap());
    let count = if from > 2 * limit && from < 4 * limit { limit / 3 } else { limit };
    let end = (from + count).min(rows.len());
    let data = rows[from.saturating_sub(1).min(rows.len())..end].to_vec();
    let has_more = end < rows.len();
    json!({"data": data, "has_more": has_more, "next_cursor": has_more.then(|| end.to_string()), "page": "extra"})
}

fn later(rows: &[Value], stamp: &str, after: Option<&String>) -> Vec<Value> {
    let time = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let is_later =
        |row: &&Value| after.is_none_or(|after| row[stamp].as_str().is_some_and(|text| time(text) > time(after)));
    let mut found: Vec<Value> = rows.iter().filter(is_later).cloned().collect();
    found.sort_by_key(|row| std::cmp::Reverse(row[stamp].as_str().unwrap_or("").to_owned()));
    found
}

async fn answer(server: &Shared, what: &str, make: impl FnOnce(&Awkward) -> Option<Value>) -> Response {
    let mut server = server.lock();
    server.asked.push(what.to_owned());
    let date: jiff::Timestamp = at(server.clock).parse().unwrap();
    let date = [("date", date.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()), ("retry-after", "0".to_owned())];
    if server.failing > 0 {
        server.failing -= 1;
        return (StatusCode::SERVICE_UNAVAILABLE, date, "<h1>Back soon</h1>").into_response();
    }
    match make(&server) {
        Some(value) => (date, Json(value)).into_response(),
        None => (StatusCode::NOT_FOUND, date, "no").into_response(),
    }
}

fn query_of(uri: &Uri) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(uri.query().unwrap_or("").as_bytes()).into_owned().collect()
}

async fn start(server: &Shared) -> String {
    let app = Router::new()
        .route(
            "/api/v1/tickets",
            get(async |State(server): State<Shared>, uri: Uri| {
                let query = query_of(&uri);
                let what = format!("tickets {query:?}");
                answer(&server, &what, |server| {
                    // An unknown parameter is ignored, which is as good as any other reading of the specification.
                    let (stamp, after) = match query.get("scanned_after") {
                        Some(after) => ("checked_in_at", Some(after)),
                        None => ("issued_at", query.get("issued_after")),
                    };
                    let of_order = |row: &Value| query.get("order_id").is_none_or(|id| row["order_id"] == id.as_str());
                    Some(page(later(&server.tickets, stamp, after).into_iter().filter(of_order).collect(), &query))
                })
                .await
            }),
        )
        .route(
            "/api/v1/orders",
            get(async |State(server): State<Shared>, uri: Uri| {
                let query = query_of(&uri);
                answer(&server, "orders", |server| {
                    Some(page(later(&server.orders, "updated_at", query.get("updated_after")), &query))
                })
                .await
            }),
        )
        .route(
            "/api/v1/events",
            get(async |State(server): State<Shared>| {
                answer(&server, "events", |_| {
                    Some(json!({"data": [{"id": "fest"}], "has_more": false, "next_cursor": null}))
                })
                .await
            }),
        )
        .route(
            "/api/v1/events/{id}/ticket-types",
            get(async |State(server): State<Shared>, Path(id): Path<String>| {
                let make = |server: &Awkward| (id == "fest").then(|| json!({"data": server.types, "has_more": false}));
                answer(&server, "types", make).await
            }),
        )
        .with_state(Arc::clone(server));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, app).await });
    url
}

fn begin() -> Shared {
    let server = Awkward {
        // A thousand and more with one stamp.
        tickets: (0..1500).map(|id| a_ticket(id, i64::from(id > 1200))).collect(),
        orders: vec![json!({"id": "o1", "created_at": at(0), "updated_at": at(0), "items": [{"unit_price": 25.0}]})],
        types: vec![
            json!({"id": "general", "kind": "ticket_type", "event_id": "fest", "category": "ticket", "name": "General",
                "price": 25.0, "currency": "EUR", "status": "sold_too_well", "limit": null, "sold": 1500, "available": null,
                "deleted": false, "includes": null}),
            // A bundle with the guaranteed fields only.
            json!({"id": "pack", "kind": "bundle", "event_id": "fest", "category": "bundle", "name": "Pack", "price": 40,
                "currency": "EUR", "status": "active", "limit": 10, "sold": 0, "available": 10, "includes":
                [{"ticket_type_id": "general", "name": "General", "category": "ticket", "quantity": 2}]}),
        ],
        clock: 600,
        ..Awkward::default()
    };
    Arc::new(Mutex::new(server))
}

#[tokio::test]
async fn a_server_with_nothing_but_the_specification_is_mirrored_without_loss() {
    let (server, folder) = (begin(), tempfile::tempdir().unwrap());
    let url = start(&server).await;
    let mirror = Synced::new(Target::Sqlite, folder.path()).await;
    server.lock().failing = 3;
    let said = mirror.run(&url, "key", &[]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.error.contains("does not tell when tickets change") && said.error.contains("--full-every"),
        "{said:?}"
    );
    let tickets = mirror.rows("tickets", &["id"]).await;
    assert_eq!(tickets.len(), 1500, "rows that came twice are there once");
    assert_eq!(mirror.rows("ticket_types", &["id"]).await["general"]["status"], "sold_too_well");
    assert_eq!(mirror.rows("bundle_items", &["bundle_id"]).await["pack"]["quantity"], "2");
    assert_eq!(mirror.rows("order_items", &["order_id"]).await["o1"]["unit_price"], "25");

    // A thousand more with a stamp that was seen already, and one that comes a little late.
    {
        let mut server = server.lock();
        server.clock = 605;
        server.tickets.extend((1500..2500).map(|id| a_ticket(id, 590)));
    }
    mirror.bring_up(&url, "key", &[]).await;
    server.lock().tickets.extend((2500..3500).map(|id| a_ticket(id, 590 - i64::from(id == 2500))));
    mirror.bring_up(&url, "key", &[]).await;
    assert_eq!(mirror.rows("tickets", &["id"]).await.len(), 3500);

    // An entry, a refund that only the order tells, and a transfer that only the new ticket tells.
    {
        let mut server = server.lock();
        server.clock = 3_700;
        server.tickets[0] =
            crate::harness::with(server.tickets[0].clone(), json!({"status": "scanned", "checked_in_at": at(3_650)}));
        for id in [1, 2] {
            server.tickets[id]["order_id"] = json!("o1");
        }
        server.tickets[1]["status"] = json!("refunded");
        server.orders[0]["updated_at"] = json!(at(3_651));
        server.tickets[3]["order_id"] = json!("o2");
        server.tickets[3]["status"] = json!("transferred");
        server.tickets.push(crate::harness::with(a_ticket(9_000, 3_652), json!({"order_id": "o2"})));
        server.types[0]["name"] = json!("Balcony");
    }
    mirror.bring_up(&url, "key", &[]).await;
    let tickets = mirror.rows("tickets", &["id"]).await;
    let status = |id: usize| tickets[&format!("K{id:05}")]["status"].clone();
    assert_eq!([status(0), status(1), status(3), status(9_000)], ["scanned", "refunded", "transferred", "valid"]);
    assert_eq!(mirror.rows("ticket_types", &["id"]).await["general"]["name"], "Balcony");

    // What nobody tells is seen by comparing, and by loading everything.
    server.lock().tickets[4]["status"] = json!("cancelled");
    mirror.bring_up(&url, "key", &[]).await;
    let said = mirror.run(&url, "key", &["--verify"]).await;
    assert!(said.code == Some(1) && said.output.contains("K00004"), "{said:?}");
    mirror.bring_up(&url, "key", &["--full-every", "0"]).await;
    mirror.bring_up(&url, "key", &["--verify"]).await;
}

#[tokio::test]
async fn a_wrong_clock_loses_nothing_and_what_cannot_be_right_is_said() {
    let (server, folder) = (begin(), tempfile::tempdir().unwrap());
    let url = start(&server).await;
    let mirror = Synced::new(Target::Sqlite, folder.path()).await;
    // The clock is an hour fast, and tickets are issued by it. Then it is mended.
    {
        let mut server = server.lock();
        server.clock = 4_200;
        server.tickets.push(a_ticket(5_000, 4_190));
    }
    mirror.bring_up(&url, "key", &[]).await;
    mirror.bring_up(&url, "key", &[]).await;
    {
        let mut server = server.lock();
        server.clock = 610;
        server.tickets.push(a_ticket(5_001, 605));
    }
    let said = mirror.run(&url, "key", &[]).await;
    assert!(said.code == Some(0) && said.error.contains("clock was set back"), "{said:?}");
    assert!(mirror.rows("tickets", &["id"]).await.contains_key("K05001"), "behind the highest stamp, and there");

    // A row that cannot be understood stops the list, names the field, and moves nothing.
    let whole = server.lock().tickets.clone();
    server
        .lock()
        .tickets
        .push(crate::harness::with(a_ticket(6_000, 620), json!({"issued_at": at(620), "from_bundle": "perhaps"})));
    mirror.run(&url, "key", &[]).await.failed(1, &["from_bundle", "/tickets"]);
    server.lock().tickets = whole;
    server.lock().tickets.push(a_ticket(6_000, 619));
    mirror.bring_up(&url, "key", &[]).await;
    assert!(mirror.rows("tickets", &["id"]).await.contains_key("K06000"));
}
