//! Imports of many lines: more than one batch, and more than are inserted under the producer's lock on PostgreSQL.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use taquilla_domain::config::IMPORT_AHEAD_LINES;
use taquilla_rules::boxoffice;

use crate::{
    harness::{Engine, World, event, order, ticket, ticket_type, with},
    import::import_while,
};

both_engines![a_large_file_comes_in_one_moment_while_others_write, an_id_is_named_that_stands_far_apart_twice];

/// What the producer has before.
fn catalogue() -> Vec<Value> {
    vec![
        event("ev"),
        ticket_type("tt", "ev"),
        json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack", "price": 30, "currency": "EUR", "includes": [{"ticket_type_id": "tt", "quantity": 2}]}),
        order("or", "ev", "tt"),
        with(ticket("T", "ev", "tt"), json!({"order_id": "or"})),
        with(ticket("P", "ev", "tt"), json!({"order_id": "or", "bundle_id": "bu", "bundle_unit": "1"})),
    ]
}

/// Orders with ten tickets each, of which every other pair is a bundle; and the second ticket of a bundle that was sold before.
fn large() -> Vec<Value> {
    let mut lines =
        vec![with(ticket("Q", "ev", "tt"), json!({"order_id": "or", "bundle_id": "bu", "bundle_unit": "1"}))];
    for number in 0..IMPORT_AHEAD_LINES {
        let (id, order_id) = (format!("N{number}"), format!("or_{}", number / 10));
        if number % 10 == 0 {
            lines.push(order(&order_id, "ev", "tt"));
        }
        let pair = number / 2;
        let more = match pair % 2 {
            0 => json!({"order_id": order_id}),
            _ => json!({"order_id": order_id, "bundle_id": "bu", "bundle_unit": pair.to_string()}),
        };
        lines.push(with(ticket(&id, "ev", "tt"), more));
    }
    lines
}

async fn a_large_file_comes_in_one_moment_while_others_write(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &catalogue()).await;
    // Nobody has sold anything for a while; then somebody writes in the very last moment.
    world.step(Duration::from_mins(10));
    let (imported, moves) = import_while(&world, &producer, &large(), async || {
        boxoffice::cancel(&world.store, producer.tenant, "T", world.now()).await.unwrap();
    })
    .await;
    assert_eq!(imported.unwrap().tickets, IMPORT_AHEAD_LINES as u64 + 1);
    let expected = if world.engine == Engine::Sqlite { 1 } else { 2 };
    assert_eq!(moves, expected, "on PostgreSQL the stamp of the rows was overtaken, and another was chosen");
    let cancelled = world.client.get("/api/v1/tickets/T", &producer.key).await.json();
    let mark = cancelled["updated_at"].as_str().unwrap();
    let (mut stamps, mut found, mut cursor) = (BTreeSet::new(), 0, String::new());
    loop {
        let path = format!("/api/v1/tickets?limit=200&updated_after={mark}{cursor}");
        let page = world.client.get(&path, &producer.key).await.json();
        let tickets = page["data"].as_array().unwrap();
        stamps.extend(tickets.iter().map(|ticket| ticket["updated_at"].as_str().unwrap().to_owned()));
        found += tickets.len() as i64;
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!((found, stamps.len()), (IMPORT_AHEAD_LINES + 1, 1), "{stamps:?}");
    let types = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    let bundle = types.iter().find(|item| item["id"] == "bu").unwrap();
    assert_eq!(bundle["sold"], 1 + IMPORT_AHEAD_LINES / 4, "one that was sold before counts once");
    assert_eq!(world.findings().await, []);
    // The next move is later than all of them.
    boxoffice::cancel(&world.store, producer.tenant, "N0", world.now()).await.unwrap();
    let later = world.client.get("/api/v1/tickets/N0", &producer.key).await.json();
    assert!(later["updated_at"].as_str().unwrap() > stamps.first().unwrap().as_str(), "{later}");
}

async fn an_id_is_named_that_stands_far_apart_twice(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = catalogue();
    lines.extend(large());
    let twice = lines.len() + 1;
    lines.extend([order("or_7", "ev", "tt"), ticket("N1", "ev", "tt")]);
    let refused = world.try_import(producer.tenant, &lines).await.unwrap_err().to_string();
    assert_eq!(refused, format!("line {twice}, field \"id\": this id stands in the file twice"));
    assert_eq!(world.client.get("/api/v1/events", &producer.key).await.ids(), Vec::<String>::new());
}
