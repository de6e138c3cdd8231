//! The dashboard in a real browser. What happens there is in `web/tests/dashboard`.

use serde_json::json;
use taquilla::{
    admin::staff::first_start,
    config::{Config, PostgresTimeouts},
};

use crate::harness::{PATIENCE, World, event, in_browser, pictures, ticket, ticket_type, to_this_machine, with};

both_engines![the_first_day_with_the_dashboard, a_night_at_the_door_is_followed_live];

// What pages look like does not depend on where the data is.
on_sqlite![the_dashboard_is_for_everybody];

async fn the_first_day_with_the_dashboard(world: World) {
    play(world, "a-first-day").await;
}

async fn the_dashboard_is_for_everybody(world: World) {
    play(world, "for-everybody").await;
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
