//! Orders are found by their attendees, narrowed down by channel and item, and an event's attendees are printed.

use serde_json::json;
use taquilla_domain::role::BuiltInRole;
use taquilla_rules::indexing;

use crate::{
    harness::{World, cart, place, ticket_type, with},
    payments::Till,
};

both_engines![
    an_order_is_found_by_its_attendees,
    orders_are_narrowed_down_by_channel_and_item,
    attendees_are_printed_by_name,
];

const PAGE: &str = "/dashboard/p/pr_a";

/// An order of the shop for two people, with its tickets: number 1001.
async fn party(till: &Till) -> String {
    let attendees = json!([{"name": "Quentin Guest", "email": "quentin@x.example"}, {"name": "Abel First"}]);
    let items = json!([{"ticket_type_id": "tt", "quantity": 2, "attendees": attendees}]);
    let placed = place(&till.world, "party", &with(cart("tt", 2), json!({"items": items}))).await.json();
    till.approve(&placed);
    placed["order"]["id"].as_str().unwrap().to_owned()
}

async fn an_order_is_found_by_its_attendees(world: World) {
    let till = Till::open(world, 9).await;
    let (order, tenant) = (party(&till).await, till.producer.tenant);
    till.order("other").await;
    indexing::catch_up(&till.world.store).await.unwrap();
    let code =
        till.world.raw().await.rows("SELECT id FROM tickets WHERE attendee_name LIKE 'Quentin%'").await[0][0].clone();
    let ana = till.world.staff(tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let vic = till.world.staff(tenant, "vic@x.example", BuiltInRole::Viewer).await;
    for text in ["quentin", "guest quen", "quentin@x.example", &code[..10], &code] {
        let page = ana.get(&format!("{PAGE}/orders?q={}", text.replace(' ', "+"))).await.text;
        assert!(page.contains(&order) && page.contains("No. 1001") && !page.contains("No. 1002"), "{text}: {page}");
        let covered = vic.get(&format!("{PAGE}/orders?q={}", text.replace(' ', "+"))).await.text;
        assert!(!covered.contains(&order), "whoever sees no people finds nobody: {text}: {covered}");
    }
    // Both, by a word that the buyer of one and an attendee of the other have.
    let both = with(cart("tt", 1), json!({"buyer": {"name": "Abel Buyer", "email": "abel@x.example"}}));
    place(&till.world, "both", &both).await;
    indexing::catch_up(&till.world.store).await.unwrap();
    let page = ana.get(&format!("{PAGE}/orders?q=abel")).await.text;
    assert!(page.contains("No. 1001") && page.contains("No. 1003"), "{page}");
    // Other filters hold for what is found.
    assert!(!ana.get(&format!("{PAGE}/orders?q=abel&status=pending")).await.text.contains("No. 1001"));
}

async fn orders_are_narrowed_down_by_channel_and_item(world: World) {
    let till = Till::open(world, 9).await;
    till.world.import(till.producer.tenant, &[with(ticket_type("tt_bar", "ev"), json!({"name": "Bar"}))]).await;
    till.order("a").await;
    place(&till.world, "b", &cart("tt_bar", 1)).await;
    let sold = till.command(&["order", "create", "--event", "ev", "--item", "tt=1", "--name", "Desk", "--approve"]);
    assert!(sold.status.success(), "{sold:?}");
    let ana = till.world.staff(till.producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let numbers = async |query: &str| {
        let page = ana.get(&format!("{PAGE}/orders?{query}")).await.text;
        [1001, 1002, 1003].into_iter().filter(|number| page.contains(&format!("No. {number}"))).collect::<Vec<_>>()
    };
    for (query, expected) in [
        ("", vec![1001, 1002, 1003]),
        ("channel=shop", vec![1001, 1002]),
        ("channel=box_office", vec![1003]),
        ("event=ev&type=tt", vec![1001, 1003]),
        ("event=ev&type=tt&channel=shop", vec![1001]),
        ("event=ev&type=tt_bar&status=pending", vec![1002]),
        ("type=tt_none", vec![]),
        ("channel=&type=", vec![1001, 1002, 1003]),
        ("q=1003&channel=shop", vec![]),
        ("q=1003&type=tt", vec![1003]),
    ] {
        assert_eq!(numbers(query).await, expected, "{query}");
    }
    // The items of the chosen event are offered, and what is chosen stays chosen.
    let page = ana.get(&format!("{PAGE}/orders?event=ev&type=tt_bar&channel=shop")).await.text;
    assert!(page.contains("<option value=\"tt_bar\" selected>Bar</option>"), "{page}");
    assert!(page.contains("<option value=\"shop\" selected>"), "{page}");
    assert!(!ana.get(&format!("{PAGE}/orders")).await.text.contains("name=\"type\""));
}

async fn attendees_are_printed_by_name(world: World) {
    let till = Till::open(world, 9).await;
    party(&till).await;
    till.order("waits").await;
    let tenant = till.producer.tenant;
    let ana = till.world.staff(tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let path = format!("{PAGE}/events/ev/attendees");
    assert!(ana.get(&format!("{PAGE}/events/ev")).await.text.contains(&path));
    let page = ana.get(&path).await.text;
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is in {page}"));
    assert!(place("Abel First") < place("Quentin Guest"), "by name");
    assert_eq!(page.matches("class=\"tick-box\"").count(), 2, "who has not paid is not there: {page}");
    assert_eq!(page.matches("<td data-label=\"Order\">No. 1001</td>").count(), 2, "{page}");
    let code =
        till.world.raw().await.rows("SELECT id FROM tickets WHERE attendee_name LIKE 'Quentin%'").await[0][0].clone();
    assert!(!page.contains(&code));
    assert!(till.command(&["ticket", "scan", &code, "--station", "North"]).status.success());
    assert_eq!(ana.get(&path).await.text.matches("class=\"tick-box\"").count(), 1, "who has entered needs no box");
    let vic = till.world.staff(tenant, "vic@x.example", BuiltInRole::Viewer).await;
    let covered = vic.get(&path).await.text;
    assert!(covered.contains("No. 1001") && covered.contains("•••") && !covered.contains("Quentin"), "{covered}");
    assert_eq!(ana.get(&format!("{PAGE}/events/ev_none/attendees")).await.status, 404);
}
