//! The pages of a shop in a real browser. What happens there is in `web/tests/dashboard/shop.mjs`.

use serde_json::json;
use taquilla_domain::{
    config::{HOLD, PostgresTimeouts},
    status::TypeStatus,
};
use taquilla_rules::{
    admin::catalogue::{TicketTypeChange, change_ticket_type},
    boxoffice::{self, PastHolds},
};

use crate::harness::{
    Engine, PATIENCE, World, cart, configured, event, in_browser, place, ticket_type, to_this_machine, with,
};

both_engines![buyers_with_their_browsers];

async fn buyers_with_their_browsers(world: World) {
    let patient = configured(to_this_machine(), |config| {
        config.timeouts.request = PATIENCE;
        config.rates.shop = None;
        config.is_demo = true;
    });
    let world = world.reopened(patient, PostgresTimeouts::default()).await;
    let producer = world.producer("pr_a").await;
    let about = json!({
        "name": "Aurora Nights", "venue": "Sala Aurora, Calle Mayor 1", "starts_at": "2026-11-20T20:00:00Z",
        "description": "Doors open at 20:00.\nThe concert begins an hour later.",
    });
    let there = json!({"name": "Noche larga", "starts_at": "2026-11-21T01:00:00Z", "timezone": "America/New_York"});
    let item = |id: &str, fields: serde_json::Value| with(ticket_type(id, "ev"), fields);
    let lines = [
        with(event("ev"), about),
        item(
            "tt",
            json!({"name": "General", "max_per_order": 6, "sort_order": 1, "description": "Standing, all night."}),
        ),
        item("balcony", json!({"name": "Balcony", "price": 40, "limit": 2, "sort_order": 2})),
        item("beer", json!({"name": "Beer", "price": 4, "category": "merchandise", "sort_order": 3})),
        item(
            "pack",
            json!({
                "kind": "bundle", "category": "bundle", "name": "Pack", "price": 30, "sort_order": 4,
                "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "beer", "quantity": 2}],
            }),
        ),
        item("talk", json!({"name": "Talk", "price": 0, "sort_order": 5})),
        item("early", json!({"name": "Early bird", "expires_at": "2026-10-01T10:00:00Z", "sort_order": 6})),
        item("gone", json!({"name": "Front row", "status": "sold_out", "sort_order": 7})),
        item("guests", json!({"name": "Guest list", "price": 0, "sort_order": 8})),
        with(event("ev_ny"), there),
        with(ticket_type("tt_ny", "ev_ny"), json!({"name": "General", "limit": 4})),
    ];
    world.import(producer.tenant, &lines).await;
    let hidden = TicketTypeChange { status: Some(TypeStatus::Hidden), ..TicketTypeChange::default() };
    change_ticket_type(&world.store, producer.tenant, "guests", &hidden, None, &world.by()).await.unwrap();
    let code = world.raw().await.rows("SELECT access_code FROM ticket_types WHERE id = 'guests'").await[0][0].clone();
    // An order whose time is over, and one that was paid.
    let unpaid = place(&world, "unpaid", &cart("tt", 2)).await.json();
    let paid = place(&world, "paid", &cart("pack", 1)).await.json();
    let id = paid["order"]["id"].as_str().unwrap();
    boxoffice::approve(&world.store, producer.tenant, id, PastHolds::No, &world.by()).await.unwrap();
    world.step(2 * HOLD);
    let page = |order: &serde_json::Value| format!("/shop/orders/{}", order["reference"].as_str().unwrap());
    let asked = json!({
        "url": world.client.base, "base": world.client.base, "codes": {}, "script": "shop", "code": code,
        "looks": world.engine == Engine::Sqlite, "unpaid": page(&unpaid), "paid": page(&paid),
    });
    in_browser("dashboard.mjs", asked).await;
    assert_eq!(world.findings().await, []);
}
