//! Reading changes nothing.

use std::time::Duration;

use serde_json::json;

use crate::harness::{World, event, order, ticket, ticket_type, with};

both_engines![reads_change_nothing_but_the_last_use_of_the_key,];

async fn reads_change_nothing_but_the_last_use_of_the_key(mut world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt")];
    for number in 0..120 {
        lines.push(with(
            ticket(&format!("T{number}"), "ev", "tt"),
            json!({"order_id": "or", "checked_in_at": "2026-10-05T20:00:00Z"}),
        ));
    }
    world.import(producer.tenant, &lines).await;
    let last_use = [("api_keys", "last_used_at")];
    let before = world.contents(&last_use).await;
    assert_eq!(before["tickets"].len(), 120);

    let mut paths = vec![
        "me".to_owned(),
        "orders/or".into(),
        "events/ev".into(),
        "events/ev/ticket-types?include_deleted=true".into(),
        "tickets/T1".into(),
        "tickets/NOPE".into(),
    ];
    for list in ["tickets", "orders", "events"] {
        let mut cursor = String::new();
        loop {
            let path = format!("{list}?limit=50{cursor}");
            let page = world.client.get(&format!("/api/v1/{path}"), &producer.key).await.json();
            paths.push(path);
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
    }
    for filter in [
        "event_id=ev",
        "order_id=or",
        "status=scanned,valid",
        "issued_after=2026-01-01",
        "scanned_after=2026-01-01",
        "scanned_before=2026-12-01",
        "updated_after=2026-01-01&status=valid",
    ] {
        paths.push(format!("tickets?{filter}"));
    }
    for path in &paths {
        world.step(Duration::from_secs(61));
        world.client.get(&format!("/api/v1/{path}"), &producer.key).await;
        world.client.send(reqwest::Method::DELETE, &format!("/api/v1/{path}"), &[]).await;
    }
    world.server.stop().await;
    assert_eq!(world.contents(&last_use).await, before);
    assert_ne!(world.contents(&[]).await["api_keys"], before["api_keys"], "the last use was noted");
}
