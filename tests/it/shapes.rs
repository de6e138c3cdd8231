//! Snapshots of every field of every answer.

use insta::assert_json_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Producer, World, event, order, ticket, ticket_type, until, with};

async fn a_festival(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(
            event("ev"),
            json!({
                "description": "All night", "venue": "The hall", "starts_at": "2026-12-01T20:00:00+01:00",
                "ends_at": "2026-12-02T05:00:00+01:00", "image_url": "https://example.com/e.png", "status": "draft",
                "created_at": "2026-09-01",
            }),
        ),
        with(
            ticket_type("tt_entry", "ev"),
            json!({"limit": 3, "sort_order": 1, "max_per_order": 4, "expires_at": "2026-12-01T19:00:00Z"}),
        ),
        with(
            ticket_type("tt_beer", "ev"),
            json!({"category": "merchandise", "price": 0, "sort_order": 2, "description": "Cold", "image_url": "https://example.com/b.png"}),
        ),
        with(ticket_type("tt_gone", "ev"), json!({"deleted": true, "sort_order": 3, "status": "inactive"})),
        json!({"kind": "bundle", "id": "bu_pack", "event_id": "ev", "name": "Pack", "price": 30, "currency": "EUR", "limit": 10,
            "sort_order": 0, "includes": [{"ticket_type_id": "tt_entry", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 2}]}),
        with(
            order("or_1", "ev", "tt_entry"),
            json!({
                "created_at": "2026-10-01T09:59:59.5Z",
                "buyer": {"name": "Ana", "email": "ana@example.com", "phone": "+34 600", "identity_document": "1A"},
                "items": [
                    {"ticket_type_id": "tt_entry", "quantity": 2, "unit_price": 20},
                    {"ticket_type_id": "bu_pack", "kind": "bundle", "name": "Old name", "quantity": 1, "list_price": 33, "unit_price": 31, "total": 31},
                ],
            }),
        ),
        with(order("or_back", "ev", "tt_gone"), json!({"status": "refunded", "created_at": "2026-10-02", "items": []})),
        with(
            ticket("VALID", "ev", "tt_entry"),
            json!({"order_id": "or_1", "attendee": {"id": "at_1", "name": "Ana", "email": "a@example.com", "phone": "1", "identity_document": "1A"}}),
        ),
        with(
            ticket("SCANNED", "ev", "tt_entry"),
            json!({"order_id": "or_1", "attendee": {"id": "at_2"}, "checked_in_at": "2026-10-05T20:00:00.123456Z", "checked_in_by": "Gate 1"}),
        ),
        with(
            ticket("GIVEN", "ev", "tt_entry"),
            json!({"order_id": "or_1", "attendee": {"id": "at_3"}, "transferred_at": "2026-10-04T08:00:00Z", "transferred_to_ticket_id": "TAKEN"}),
        ),
        with(
            ticket("TAKEN", "ev", "tt_entry"),
            json!({"order_id": "or_1", "attendee": {"id": "at_4"}, "issued_at": "2026-10-04T08:00:00Z"}),
        ),
        with(
            ticket("CANCELLED", "ev", "tt_entry"),
            json!({"attendee": {"id": "at_5"}, "cancelled_at": "2026-10-03", "checked_in_at": "2026-10-02"}),
        ),
        with(
            ticket("REFUNDED", "ev", "tt_gone"),
            json!({"order_id": "or_back", "attendee": {"id": "at_6"}, "cancelled_at": "2026-10-03"}),
        ),
        with(
            ticket("PACK-1", "ev", "tt_entry"),
            json!({"order_id": "or_1", "bundle_id": "bu_pack", "attendee": {"id": "at_7"}}),
        ),
        with(
            ticket("PACK-2", "ev", "tt_beer"),
            json!({"order_id": "or_1", "bundle_id": "bu_pack", "attendee": {"id": "at_7"}}),
        ),
        with(
            ticket("PACK-3", "ev", "tt_beer"),
            json!({"order_id": "or_1", "bundle_id": "bu_pack", "attendee": {"id": "at_7"}, "cancelled_at": "2026-10-03"}),
        ),
        with(ticket("HIDDEN", "ev", "tt_entry"), json!({"hidden": true, "attendee": {"id": "at_8"}})),
        with(ticket("OLD", "ev", "tt_beer"), json!({"issued_at": "2019-05-05T10:00:00Z", "attendee": {"id": "at_9"}})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

/// Both engines must print the same.
fn same(name: &str, value: &Value) {
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots"}, {
        assert_json_snapshot!(name, value);
    });
}

both_engines![
    a_ticket_shows_every_field_in_every_status,
    ticket_types_show_stock_and_bundles,
    orders_show_what_was_paid,
    events_show_every_field,
    me_shows_the_producer_and_the_key,
    counts_reconcile_with_the_list,
    head_answers_like_get_without_a_body,
    everything_that_is_not_a_read_is_refused,
    every_order_of_a_long_page_has_its_items_in_their_order,
];

async fn a_ticket_shows_every_field_in_every_status(world: World) {
    let producer = a_festival(&world).await;
    for id in ["VALID", "SCANNED", "GIVEN", "CANCELLED", "REFUNDED", "PACK-1", "OLD", "HIDDEN"] {
        same(&format!("ticket_{id}"), &world.client.get(&format!("/api/v1/tickets/{id}"), &producer.key).await.json());
    }
    let listed = world.client.get("/api/v1/tickets?status=scanned", &producer.key).await;
    assert_eq!(listed.data(), [world.client.get("/api/v1/tickets/SCANNED", &producer.key).await.json()]);
}

async fn ticket_types_show_stock_and_bundles(world: World) {
    let producer = a_festival(&world).await;
    same(
        "ticket_types",
        &world.client.get("/api/v1/events/ev/ticket-types?include_deleted=true", &producer.key).await.json(),
    );
    let shown = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await;
    assert_eq!(shown.ids(), ["bu_pack", "tt_entry", "tt_beer"], "deleted ones only when asked for");
    assert_eq!(
        world.client.get("/api/v1/events/ev/ticket-types?include_deleted=false", &producer.key).await.ids(),
        shown.ids()
    );
    let ignored = world.client.get("/api/v1/events/ev/ticket-types?limit=1&cursor=whatever", &producer.key).await;
    assert_eq!(ignored.json(), shown.json(), "limit and cursor are accepted and ignored");
}

async fn orders_show_what_was_paid(world: World) {
    let producer = a_festival(&world).await;
    same("orders", &world.client.get("/api/v1/orders", &producer.key).await.json());
    let one = world.client.get("/api/v1/orders/or_1", &producer.key).await;
    assert_eq!(world.client.get("/api/v1/orders?status=approved", &producer.key).await.data(), [one.json()]);
}

async fn events_show_every_field(world: World) {
    let producer = a_festival(&world).await;
    same("event", &world.client.get("/api/v1/events/ev", &producer.key).await.json());
    let listed = world.client.get("/api/v1/events", &producer.key).await;
    assert_eq!(listed.data(), [world.client.get("/api/v1/events/ev", &producer.key).await.json()]);
    world.import(producer.tenant, &[event("ev_empty")]).await;
    let types = world.client.get("/api/v1/events/ev_empty/ticket-types", &producer.key).await;
    assert_eq!(types.json(), json!({"data": [], "has_more": false, "next_cursor": null}));
}

async fn me_shows_the_producer_and_the_key(world: World) {
    let producer = a_festival(&world).await;
    let mut me = world.client.get("/api/v1/me", &producer.key).await.json();
    assert!(me["key"]["id"].as_str().unwrap().starts_with("key_"));
    me["key"]["id"] = "key_…".into();
    // This call itself is noted as a use of the key, before or after it is answered.
    assert!(me["key"]["last_used_at"].is_null() || me["key"]["last_used_at"] == world.now().to_string());
    me["key"]["last_used_at"] = Value::Null;
    same("me", &me);
}

async fn counts_reconcile_with_the_list(world: World) {
    let producer = a_festival(&world).await;
    let tickets = world.client.get("/api/v1/tickets?limit=200", &producer.key).await.data();
    let live = |ticket: &&Value| ["valid", "scanned"].contains(&ticket["status"].as_str().unwrap());
    for item in world.client.get("/api/v1/events/ev/ticket-types?include_deleted=true", &producer.key).await.data() {
        let counted = tickets
            .iter()
            .filter(live)
            .filter(|ticket| ticket["ticket_type"]["id"] == item["id"] && ticket["from_bundle"] == false)
            .count();
        let expected = if item["kind"] == "bundle" { 1 } else { counted };
        assert_eq!(item["sold"], expected, "{item}");
        assert_eq!(
            item["available"],
            item["limit"].as_i64().map_or(Value::Null, |limit| (limit - expected as i64).into())
        );
    }
}

async fn head_answers_like_get_without_a_body(world: World) {
    let producer = a_festival(&world).await;
    let bearer = format!("Bearer {}", producer.key);
    // The first use of the key is noted in the background, and `/me` shows it. After that nothing changes, because time
    // stands still.
    let me = async || world.client.get("/api/v1/me", &producer.key).await.json();
    assert!(until(async || me().await["key"]["last_used_at"].is_string()).await);
    for path in ["/api/v1/tickets", "/api/v1/tickets/VALID", "/api/v1/events/ev/ticket-types", "/api/v1/me", "/healthz"]
    {
        let got = world.client.send(Method::GET, path, &[("authorization", &bearer)]).await;
        let head = world.client.send(Method::HEAD, path, &[("authorization", &bearer)]).await;
        assert_eq!(head.status, 200, "{path}");
        assert_eq!(head.text, "");
        assert_eq!(head.header("content-length"), Some(got.text.len().to_string().as_str()), "{path}");
        assert_eq!(head.header("content-type"), got.header("content-type"), "{path}");
    }
    assert_eq!(
        world.client.send(Method::HEAD, "/api/v1/tickets/NOPE", &[("authorization", &bearer)]).await.status,
        404
    );
}

async fn everything_that_is_not_a_read_is_refused(world: World) {
    let producer = a_festival(&world).await;
    let bearer = format!("Bearer {}", producer.key);
    for path in ["/api/v1/tickets", "/api/v1/tickets/VALID", "/api/v1/orders", "/api/v1/me", "/api/v1/openapi.json"] {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS, Method::TRACE] {
            let answer = world.client.send(method.clone(), path, &[("authorization", &bearer)]).await;
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.json()["code"], "method_not_allowed");
            assert_eq!(answer.header("allow"), Some("GET,HEAD"), "{method} {path}");
        }
    }
}

async fn every_order_of_a_long_page_has_its_items_in_their_order(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt_a", "ev"), ticket_type("tt_b", "ev")];
    for number in 0..130 {
        let item = |id: &str, quantity: i64| json!({"ticket_type_id": id, "quantity": quantity, "unit_price": 1});
        let items = if number % 2 == 0 {
            json!([item("tt_b", number + 1), item("tt_a", 1)])
        } else {
            json!([item("tt_a", number + 1)])
        };
        lines.push(with(order(&format!("or{number}"), "ev", "tt_a"), json!({"items": items})));
    }
    world.import(producer.tenant, &lines).await;
    for limit in [1, 7, 50, 51, 200] {
        let page = world.client.get(&format!("/api/v1/orders?limit={limit}"), &producer.key).await.data();
        assert_eq!(page.len(), limit.min(130));
        for row in page {
            let number: i64 = row["id"].as_str().unwrap()[2..].parse().unwrap();
            let items: Vec<(&str, i64)> = row["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|item| (item["ticket_type_id"].as_str().unwrap(), item["quantity"].as_i64().unwrap()))
                .collect();
            let expected =
                if number % 2 == 0 { vec![("tt_b", number + 1), ("tt_a", 1)] } else { vec![("tt_a", number + 1)] };
            assert_eq!(items, expected);
        }
    }
}
