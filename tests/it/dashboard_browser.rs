//! The dashboard in a real browser. What happens there is in `web/tests/dashboard`.

use std::process::Command;

use serde_json::json;
use taquilla::{
    admin::staff::first_start,
    config::{Config, PostgresTimeouts},
};

use crate::harness::{PATIENCE, World, to_this_machine};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

both_engines![the_first_day_with_the_dashboard];

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
    let pictures = std::env::var_os("TAQUILLA_WRITE_PICTURES").map(|_| format!("{ROOT}/docs/pictures"));
    let asked = json!({
        "script": script, "url": world.client.base, "base": world.client.base, "codes": {},
        "link": format!("/dashboard/links/{}", link.reveal()), "now_s": world.now().millis() / 1_000,
        "pictures": pictures, "screens": std::env::var("TAQUILLA_SCREENS").ok(),
        "chromium": std::env::var("TAQUILLA_TEST_CHROMIUM").unwrap(),
    });
    let run = tokio::task::spawn_blocking(move || {
        Command::new("node")
            .arg(format!("{ROOT}/web/tests/dashboard.mjs"))
            .env("DOOR_TEST", asked.to_string())
            .output()
            .unwrap()
    });
    let output = run.await.unwrap();
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}");
}
