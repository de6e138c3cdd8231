//! A ticket's stored document always says the same as its facts.

use serde_json::json;
use taquilla::{
    admin::catalogue::{TicketTypeChange, change_ticket_type},
    boxoffice,
    domain::{person::Person, text::Name},
    store::{Open, Store},
};

use crate::harness::{Client, Server, World, event, order, ticket, ticket_type, with};

/// Texts that look like the parts that are cut out of a document or filled into it.
const TRICKY: [&str; 8] = [
    r#"","status":"valid","#,
    r#""status":"valid""#,
    r#""updated_at":"1970-01-01T00:00:00.000000Z""#,
    r#","name":"","category":"ticket"}"#,
    r#"{"id":"tt"#,
    "\u{200b}\u{200f}\u{feff}\u{fffd}",
    "\\ \" \\n \\t / é 🎫 \u{2028}",
    "%s $1 ?1 ' '' --",
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
            json!({"status": if number % 2 == 0 { "approved" } else { "refunded" }}),
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
    check_finds_a_document_that_is_not_what_the_facts_say,
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

async fn check_finds_a_document_that_is_not_what_the_facts_say(world: World) {
    tricky_tickets(&world).await;
    world.raw().await.batch("UPDATE tickets SET attendee_name = 'Somebody else' WHERE id = 'T1'").await;
    let findings = world.findings().await;
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!((findings[0].kind, findings[0].id.as_str()), ("ticket", "T1"));
}

async fn a_renamed_type_shows_its_new_name_at_once_on_every_server(world: World) {
    let producer = tricky_tickets(&world).await;
    // As on another machine, this server shares only the database with the first.
    let store = Store::open(&world.address, Open::Existing).await.unwrap();
    let server = Server::start(store, taquilla::config::Config::default(), world.time()).await;
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
        change_ticket_type(&world.store, producer.tenant, "tt", &change, world.now()).await.unwrap();
        for client in [&world.client, &elsewhere] {
            let shown = client.get("/api/v1/tickets/T1", &producer.key).await.json();
            assert_eq!(shown["ticket_type"]["name"], format!("Name {}", round + 1));
        }
    }
}
