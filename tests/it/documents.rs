//! The stored document of a ticket or an order always says the same as its facts.

use serde_json::json;
use taquilla_domain::{key::Permission, person::Person, stock::Channel, text::Name};
use taquilla_rules::{
    admin::catalogue::{TicketTypeChange, change_ticket_type},
    boxoffice::{self, ItemRequest, OrderRequest},
};
use taquilla_store::{Open, Store};

use crate::harness::{Client, Server, World, event, order, ticket, ticket_type, with};

/// Texts that look like the parts that are cut out of a document or filled into it.
const TRICKY: [&str; 11] = [
    r#"","status":"valid","#,
    r#""status":"valid""#,
    r#""updated_at":"1970-01-01T00:00:00.000000Z""#,
    r#","name":"","category":"ticket"}"#,
    r#"{"id":"tt"#,
    "\u{200b}\u{200f}\u{feff}\u{fffd}",
    "\\ \" \\n \\t / é 🎫 \u{2028}",
    "%s $1 ?1 ' '' --",
    r#"","reference":"1-X","channel":null"#,
    "3000-01-01T00:00:00.000000Z",
    r#"created_at":"3000-01-01T00:00:00.000000Z""#,
];

async fn tricky_tickets(world: &World) -> crate::harness::Producer {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![
        event("ev"),
        with(ticket_type("tt", "ev"), json!({"name": TRICKY[3]})),
        ticket_type(r#"tt"{"id":"x"#, "ev"),
    ];
    for (number, text) in TRICKY.iter().enumerate() {
        let person = json!({"name": text, "email": text, "phone": text, "identity_document": text});
        lines.push(with(
            order(&format!("or{number}"), "ev", "tt"),
            json!({"status": if number % 2 == 0 { "approved" } else { "refunded" }, "buyer": person}),
        ));
        lines.push(with(ticket(&format!("T{number}"), "ev", if number % 3 == 0 { r#"tt"{"id":"x"# } else { "tt" }), json!({
            "order_id": format!("or{number}"), "attendee": person, "checked_in_at": "2026-10-05T20:00:00Z", "checked_in_by": text,
        })));
        lines.push(with(ticket(&format!("V{number}"), "ev", "tt"), json!({"attendee": person})));
    }
    world.import(producer.tenant, &lines).await;
    producer
}

both_engines![
    texts_that_look_like_json_come_back_as_they_were,
    orders_that_look_like_json_come_back_as_they_were,
    an_imported_item_takes_from_its_type_what_the_file_leaves_out,
    check_finds_a_document_that_is_not_what_the_facts_say,
    an_order_is_only_copied_when_it_is_read,
    a_renamed_type_shows_its_new_name_at_once_on_every_server,
];

async fn texts_that_look_like_json_come_back_as_they_were(world: World) {
    let producer = tricky_tickets(&world).await;
    assert_eq!(world.findings().await, []);
    for (number, text) in TRICKY.iter().enumerate() {
        let shown = world.client.get(&format!("/api/v1/tickets/T{number}"), &producer.key).await.json();
        assert_eq!(shown["attendee"]["name"], *text);
        assert_eq!(shown["attendee"]["email"], *text);
        assert_eq!(shown["checked_in_by"], *text);
        assert_eq!(shown["status"], if number % 2 == 0 { "scanned" } else { "refunded" });
        let kind = if number % 3 == 0 { (r#"tt"{"id":"x"#, r#"Type tt"{"id":"x"#) } else { ("tt", TRICKY[3]) };
        assert_eq!(shown["ticket_type"], json!({"id": kind.0, "name": kind.1, "category": "ticket"}));
    }
    let listed = world.client.get("/api/v1/tickets?limit=200", &producer.key).await.data();
    for row in listed {
        let id = row["id"].as_str().unwrap();
        assert_eq!(
            world.client.get(&format!("/api/v1/tickets/{id}"), &producer.key).await.json(),
            row,
            "a list shows what the ticket shows"
        );
    }
    let person = Person { name: TRICKY[0].into(), ..Person::default() };
    boxoffice::scan(&world.store, producer.tenant, "V0", TRICKY[1], world.now()).await.unwrap();
    let new = boxoffice::transfer(&world.store, producer.tenant, "V1", &person, world.now()).await.unwrap();
    boxoffice::hide(&world.store, producer.tenant, "V2", world.now()).await.unwrap();
    boxoffice::cancel(&world.store, producer.tenant, "V3", world.now()).await.unwrap();
    assert_eq!(world.findings().await, []);
    let shown = world.client.get("/api/v1/tickets/V0", &producer.key).await.json();
    assert_eq!((&shown["status"], &shown["checked_in_by"]), (&json!("scanned"), &json!(TRICKY[1])));
    assert_eq!(
        world.client.get(&format!("/api/v1/tickets/{new}"), &producer.key).await.json()["attendee"]["name"],
        TRICKY[0]
    );
}

async fn orders_that_look_like_json_come_back_as_they_were(world: World) {
    let producer = tricky_tickets(&world).await;
    for text in TRICKY {
        let person = Person { name: text.into(), email: text.into(), phone: None, identity_document: text.into() };
        let request = OrderRequest {
            is_paid: false,
            event_id: "ev".into(),
            buyer: person,
            items: vec![ItemRequest {
                ticket_type_id: "tt".into(),
                quantity: 1,
                unit_price: None,
                attendees: vec![],
                access_code: None,
            }],
            channel: Channel::Staff,
            hold: taquilla_domain::config::HOLD,
            past_holds: boxoffice::PastHolds::No,
            method: None,
            past_most: false,
            stranger: None,
            coupon: None,
            terms: None,
            language: None,
            promoter: None,
        };
        boxoffice::place(&world.store, producer.tenant, &request, None, world.now()).await.unwrap();
    }
    assert_eq!(world.findings().await, []);
    let (orders_only, _) = world.key(producer.tenant, &[Permission::OrdersRead], None).await;
    let with_reference = world.client.get("/api/v1/orders?limit=200", &producer.key).await.data();
    let without = world.client.get("/api/v1/orders?limit=200", &orders_only).await.data();
    assert_eq!((with_reference.len(), without.len()), (2 * TRICKY.len(), 2 * TRICKY.len()));
    for (shown, hidden) in with_reference.iter().zip(&without) {
        let path = format!("/api/v1/orders/{}", shown["id"].as_str().unwrap());
        assert_eq!(world.client.get(&path, &producer.key).await.json(), *shown);
        assert_eq!(world.client.get(&path, &orders_only).await.json(), *hidden);
        assert_eq!(shown["reference"].is_string(), shown["channel"] == "box_office");
        assert_eq!(with(shown.clone(), json!({"reference": null})), *hidden);
        assert_eq!(shown["items"][0]["name"], TRICKY[3]);
    }
    for column in ["name", "email", "identity_document"] {
        let mut texts: Vec<&str> = without.iter().map(|order| order["buyer"][column].as_str().unwrap()).collect();
        texts.sort_unstable();
        let mut expected = [TRICKY, TRICKY].concat();
        expected.sort_unstable();
        assert_eq!(texts, expected);
    }
}

/// The name and the list price of an item that names none are those of its ticket type, which may be in the file, before
/// or after the order, or in the database.
async fn an_imported_item_takes_from_its_type_what_the_file_leaves_out(world: World) {
    let producer = world.producer("pr_a").await;
    let bundle = json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack \"é\"", "price": 40,
        "includes": [{"ticket_type_id": "tt", "quantity": 2}]});
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), bundle]).await;
    let items = json!([
        {"ticket_type_id": "bu", "quantity": 1, "unit_price": 30},
        {"ticket_type_id": "tt", "quantity": 2, "unit_price": 20, "name": "Early", "list_price": 22},
        {"ticket_type_id": "later", "quantity": 1, "unit_price": 0},
    ]);
    let bought = with(order("or", "ev", "tt"), json!({"items": items}));
    let dated = with(order("old", "ev", "tt"), json!({"items": [], "created_at": "1970-01-01T00:00:00Z"}));
    let later = with(ticket_type("later", "ev"), json!({"name": "Later", "price": 7}));
    world.import(producer.tenant, &[bought, dated, later]).await;
    let shown = world.client.get("/api/v1/orders/or", &producer.key).await.json();
    let found: Vec<[&serde_json::Value; 3]> = shown["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| [&item["kind"], &item["name"], &item["list_price"]])
        .collect();
    let expected = [
        [&json!("bundle"), &json!("Pack \"é\""), &json!(40)],
        [&json!("ticket_type"), &json!("Early"), &json!(22)],
        [&json!("ticket_type"), &json!("Later"), &json!(7)],
    ];
    assert_eq!(found, expected);
    assert_eq!(shown["created_at"], shown["updated_at"], "it was placed when it came");
    let old = world.client.get("/api/v1/orders/old", &producer.key).await.json();
    assert_eq!((&old["created_at"], &old["items"]), (&json!("1970-01-01T00:00:00.000000Z"), &json!([])));
    assert_eq!(old["updated_at"], shown["updated_at"]);
    assert_eq!(world.findings().await, []);
}

async fn check_finds_a_document_that_is_not_what_the_facts_say(world: World) {
    tricky_tickets(&world).await;
    for (damage, kind, id) in [
        ("UPDATE tickets SET attendee_name = 'Somebody else' WHERE id = 'T1'", "ticket", "T1"),
        ("UPDATE orders SET buyer_name = 'Somebody else' WHERE id = 'or2'", "order", "or2"),
        ("UPDATE order_items SET name = 'Something else' WHERE order_id = 'or3'", "order", "or3"),
    ] {
        let before = world.findings().await;
        world.raw().await.batch(damage).await;
        let mut findings = world.findings().await;
        findings.retain(|finding| !before.contains(finding));
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!((findings[0].kind, findings[0].id.as_str()), (kind, id));
        assert_eq!(findings[0].problem, "what is sent of it differs from its facts");
    }
}

/// Neither a page nor a single order asks for the order's items or anything else but the document.
async fn an_order_is_only_copied_when_it_is_read(world: World) {
    let producer = tricky_tickets(&world).await;
    let read = async || {
        let page = world.client.get("/api/v1/orders?limit=200", &producer.key).await.text;
        (page, world.client.get("/api/v1/orders/or1", &producer.key).await.text)
    };
    let before = read().await;
    world.raw().await.batch("DELETE FROM order_items; UPDATE orders SET buyer_name = '', total = 0").await;
    assert_eq!(read().await, before);
    assert!(before.1.contains(r#""items":[{"ticket_type_id":"tt""#), "{}", before.1);
}

async fn a_renamed_type_shows_its_new_name_at_once_on_every_server(world: World) {
    let producer = tricky_tickets(&world).await;
    // As on another machine, this server shares only the database with the first.
    let store = Store::open(&world.address, Open::Existing).await.unwrap();
    let server = Server::start(store, taquilla_domain::config::Config::default(), world.time()).await;
    let elsewhere = Client::new(server.address);
    for round in 0..3 {
        for client in [&world.client, &elsewhere] {
            for path in ["/api/v1/tickets?limit=200", "/api/v1/tickets?event_id=ev&status=refunded"] {
                for row in client.get(path, &producer.key).await.data() {
                    if row["ticket_type"]["id"] == "tt" {
                        let name = if round == 0 { TRICKY[3].to_owned() } else { format!("Name {round}") };
                        assert_eq!(row["ticket_type"]["name"], name);
                    }
                }
            }
        }
        let change = TicketTypeChange {
            name: Some(Name::parse(&format!("Name {}", round + 1)).unwrap()),
            ..TicketTypeChange::default()
        };
        change_ticket_type(&world.store, producer.tenant, "tt", &change, None, &world.by()).await.unwrap();
        for client in [&world.client, &elsewhere] {
            let shown = client.get("/api/v1/tickets/T1", &producer.key).await.json();
            assert_eq!(shown["ticket_type"]["name"], format!("Name {}", round + 1));
        }
    }
}
