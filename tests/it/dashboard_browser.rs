//! The dashboard in a real browser. What happens there is in `web/tests/dashboard`.

use serde_json::json;
use taquilla::{
    admin::staff::first_start,
    config::{Config, PostgresTimeouts},
};

use crate::harness::{PATIENCE, World, in_browser, pictures, to_this_machine};

both_engines![the_first_day_with_the_dashboard, an_event_from_its_making_to_its_end];

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
