//! The dashboard in a real browser. What happens there is in `web/tests/dashboard`.

use std::time::Duration;

use serde_json::json;
use taquilla::{
    admin::staff::first_start,
    boxoffice,
    config::{Config, PostgresTimeouts},
    indexing,
};

use crate::harness::{PATIENCE, World, event, in_browser, order, pictures, ticket, ticket_type, to_this_machine, with};

both_engines![
    the_first_day_with_the_dashboard,
    an_event_from_its_making_to_its_end,
    an_evening_at_the_box_office,
    a_night_at_the_door_is_followed_live
];

// What pages look like does not depend on where the data is.
on_sqlite![the_dashboard_is_for_everybody];

async fn the_first_day_with_the_dashboard(world: World) {
    play(world, "a-first-day").await;
}

async fn an_event_from_its_making_to_its_end(world: World) {
    play(world, "events").await;
}

async fn the_dashboard_is_for_everybody(world: World) {
    play(world, "for-everybody").await;
}

/// The box office sells and finds what it sold, while a server makes it findable in the background.
async fn an_evening_at_the_box_office(world: World) {
    let patient = Config { request_timeout: PATIENCE, shop_rate_limit: None, ..to_this_machine() };
    let world = world.reopened(patient, PostgresTimeouts::default()).await;
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@example.com", "administrator").await;
    let starts =
        json!({"status": "published", "name": "Concert", "venue": "Main hall", "starts_at": "2026-11-20T20:00:00Z"});
    let attendee =
        |name: &str| json!({"attendee": {"name": name, "email": "someone@example.com", "phone": "+34 600 000 001"}});
    let lines = [
        with(event("ev"), starts),
        with(ticket_type("tt", "ev"), json!({"name": "General", "limit": 100, "sort_order": 1})),
        with(ticket_type("tt_team", "ev"), json!({"name": "Backstage", "status": "exclusive", "sort_order": 2})),
        with(order("or_1", "ev", "tt"), json!({"buyer": {"name": "Ana López"}})),
        with(with(ticket("CODE-0001", "ev", "tt"), attendee("Ana López")), json!({"order_id": "or_1"})),
        with(ticket("CODE-0002", "ev", "tt"), attendee("Bea Gil")),
    ];
    world.import(producer.tenant, &lines).await;
    boxoffice::scan(&world.store, producer.tenant, "CODE-0001", "North", world.now()).await.unwrap();
    boxoffice::scan(&world.store, producer.tenant, "CODE-0001", "South", world.now()).await.unwrap_err();
    let store = world.store.clone();
    let indexing = tokio::spawn(async move {
        loop {
            indexing::catch_up(&store).await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let asked = json!({
        "script": "sales", "url": world.client.base, "base": world.client.base, "codes": {},
        "now_s": world.now().millis() / 1_000, "pictures": pictures(),
    });
    in_browser("dashboard.mjs", asked).await;
    indexing.abort();
    assert!(world.findings().await.is_empty());
}

/// Plays one of the scripts in `web/tests/dashboard` in a browser, on a server that nobody can sign in to yet.
async fn play(world: World, script: &str) {
    // This test is not about timeouts and rate limits.
    let patient = Config { request_timeout: PATIENCE, shop_rate_limit: None, ..to_this_machine() };
    let world = world.reopened(patient, PostgresTimeouts::default()).await;
    let link = first_start::link(&world.store, world.now()).await.unwrap().unwrap();
    let asked = json!({
        "script": script, "url": world.client.base, "base": world.client.base, "codes": {},
        "link": format!("/dashboard/links/{}", link.reveal()), "now_s": world.now().millis() / 1_000,
        "pictures": pictures(),
    });
    in_browser("dashboard.mjs", asked).await;
}

/// A night at the door: pages are open on one server, and people enter at another.
async fn a_night_at_the_door_is_followed_live(world: World) {
    let producer = world.producer("pr_a").await;
    let codes: Vec<String> = (0..40).map(|number| format!("CODE-{number:04}")).collect();
    let mut lines = vec![
        with(
            event("ev"),
            json!({"name": "Aurora Nights", "venue": "Sala Aurora", "status": "published", "starts_at": "2026-11-01T20:00:00Z"}),
        ),
        with(ticket_type("tt", "ev"), json!({"name": "General admission"})),
        with(ticket_type("tt_vip", "ev"), json!({"name": "VIP"})),
        with(ticket_type("tt_beer", "ev"), json!({"name": "Beer", "category": "merchandise"})),
        ticket("DRINK-1", "ev", "tt_beer"),
        ticket("DRINK-2", "ev", "tt_beer"),
    ];
    for (number, code) in codes.iter().enumerate() {
        let kind = if number % 4 == 3 { "tt_vip" } else { "tt" };
        lines.push(with(ticket(code, "ev", kind), json!({"attendee": {"name": format!("Guest {number}")}})));
    }
    world.import(producer.tenant, &lines).await;
    world.user(producer.tenant, "ana@example.com", "administrator").await;
    world.user(producer.tenant, "vera@example.com", "viewer").await;
    let [(_one, here), (_two, there)] = world.two_servers().await;
    let asked = json!({
        "script": "door", "url": here.base, "base": here.base, "other": there.base, "codes": {}, "tickets": codes,
        "drink": "DRINK-1", "now_s": world.now().millis() / 1_000, "pictures": pictures(),
    });
    println!("{}", in_browser("dashboard.mjs", asked).await);
    assert_eq!(world.findings().await, []);
}
