//! The dashboard in a real browser. What happens there is in `web/tests/dashboard`.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::config::PostgresTimeouts;
use taquilla_rules::{admin::staff::first_start, boxoffice, indexing};

use crate::harness::configured;
use crate::harness::{
    Engine, PATIENCE, World, event, in_browser, order, pictures, ticket, ticket_type, to_this_machine, with,
};

// Here a server works in the background, which each engine does in its own way.
both_engines![an_evening_at_the_box_office];

// What pages do in a browser with what the server sends. That the server sends the same on both engines, for every one of
// these pages, is what the tests without a browser say.
on_sqlite![
    the_first_day_with_the_dashboard,
    an_event_from_its_making_to_its_end,
    reports_are_read_and_files_taken_out,
    an_event_comes_as_a_file_and_all_its_orders_are_refunded,
    somebody_asks_what_is_held_of_them_and_is_erased,
    the_dashboard_is_for_everybody,
    a_night_at_the_door_is_followed_live,
];

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
    let patient = configured(to_this_machine(), |config| {
        config.timeouts.request = PATIENCE;
        config.rates.shop = None;
    });
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
    look(&world, json!({"script": "sales"})).await;
    indexing.abort();
    assert!(world.findings().await.is_empty());
}

async fn reports_are_read_and_files_taken_out(world: World) {
    let patient = configured(to_this_machine(), |config| config.timeouts.request = PATIENCE);
    let world = world.reopened(patient, PostgresTimeouts::default()).await;
    let producer = world.producer("pr_a").await;
    let named = json!({"name": "Noche de verano", "status": "published"});
    let mut lines = vec![with(event("ev"), named), with(event("other"), json!({"currency": "USD"}))];
    let long = "Entrada general anticipada con consumición y acceso preferente por la puerta norte";
    lines.push(with(ticket_type("tt", "ev"), json!({"name": long, "limit": 500})));
    lines.push(with(ticket_type("vip", "ev"), json!({"name": "VIP", "price": 120, "limit": 40})));
    lines.push(with(ticket_type("tt_other", "other"), json!({"name": "General", "currency": "USD"})));
    for number in 0..120 {
        let (event_id, item) = [("ev", "tt"), ("ev", "vip"), ("other", "tt_other")][usize::min(number % 5, 2)];
        let id = format!("o{number}");
        let at = format!("2026-10-{:02}T{:02}:00:00Z", 3 + number % 28, number % 24);
        let status = if number % 11 == 0 { "refunded" } else { "approved" };
        lines.push(with(order(&id, event_id, item), json!({"status": status, "paid_at": at, "created_at": at, "currency": if event_id == "ev" { "EUR" } else { "USD" }})));
        let mut fields = json!({"order_id": id, "issued_at": at});
        if number % 3 == 0 {
            fields["checked_in_at"] = json!(format!("2026-10-31T20:{:02}:00Z", number / 3));
            fields["checked_in_by"] = json!("North");
        }
        lines.push(with(ticket(&format!("T{number}"), event_id, item), fields));
    }
    world.import(producer.tenant, &lines).await;
    world.user(producer.tenant, "ana@example.com", "administrator").await;
    look(&world, json!({"script": "reports"})).await;
}

async fn an_event_comes_as_a_file_and_all_its_orders_are_refunded(world: World) {
    let patient = configured(to_this_machine(), |config| config.timeouts.request = PATIENCE);
    let world = world.reopened(patient, PostgresTimeouts::default()).await;
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@example.com", "administrator").await;
    look(&world, json!({"script": "season"})).await;
    assert_eq!(world.findings().await, []);
}

async fn somebody_asks_what_is_held_of_them_and_is_erased(world: World) {
    let patient = configured(to_this_machine(), |config| config.timeouts.request = PATIENCE);
    let world = world.reopened(patient, PostgresTimeouts::default()).await;
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@example.com", "administrator").await;
    let person = |name: &str, email: &str| json!({"name": name, "email": email, "identity_document": "12345678-Z"});
    let bea = person("Bea Gil", "bea@mail.example");
    let lines = [
        with(event("ev"), json!({"status": "published", "name": "Noche de verano"})),
        with(ticket_type("tt", "ev"), json!({"name": "General"})),
        with(order("or_1", "ev", "tt"), json!({"buyer": bea})),
        with(ticket("CODE-0001", "ev", "tt"), json!({"order_id": "or_1", "attendee": bea})),
        with(ticket("CODE-0002", "ev", "tt"), json!({"attendee": person("Carla Paz", "carla@mail.example")})),
    ];
    world.import(producer.tenant, &lines).await;
    look(&world, json!({"script": "personal-data"})).await;
    assert_eq!(world.findings().await, []);
}

/// Plays one of the scripts in `web/tests/dashboard` in a browser, on a server that nobody can sign in to yet.
async fn play(world: World, script: &str) {
    // This test is not about timeouts and rate limits.
    let patient = configured(to_this_machine(), |config| {
        config.timeouts.request = PATIENCE;
        config.rates.shop = None;
    });
    let world = world.reopened(patient, PostgresTimeouts::default()).await;
    let link = first_start::link(&world.store, world.now()).await.unwrap().unwrap();
    look(&world, json!({"script": script, "link": format!("/dashboard/links/{}", link.reveal())})).await;
}

/// Plays a script at the world's server, with what it asks for besides. Gives what it printed.
async fn look(world: &World, asked: Value) -> String {
    let base = json!({"url": world.client.base, "base": world.client.base, "codes": {}, "pictures": pictures()});
    // What pages look like does not depend on where the data is.
    let looks = world.engine == Engine::Sqlite;
    let more = json!({"looks": looks, "now_s": world.now().millis() / 1_000});
    in_browser("dashboard.mjs", with(with(base, more), asked)).await
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
        "script": "door", "url": here.base, "base": here.base, "other": there.base, "tickets": codes, "drink": "DRINK-1",
    });
    println!("{}", look(&world, asked).await);
    assert_eq!(world.findings().await, []);
}
