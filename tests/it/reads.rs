//! Reading changes nothing.

use std::{slice, time::Duration};

use serde_json::json;
use taquilla_store::tickets::type_names::TypeNames;

use crate::harness::{World, event, order, ticket, ticket_type, with};

both_engines![reads_change_nothing_but_the_last_use_of_the_key, a_reader_forgets_no_name_that_it_knew];

/// A list is read again until the names of all its ticket types are known. If a reader forgot one while it learnt
/// another, because somebody else had just read a newer catalogue, it would read for ever.
async fn a_reader_forgets_no_name_that_it_knew(world: World) {
    let tenant = world.producer("pr_a").await.tenant;
    world.import(tenant, &[event("ev"), ticket_type("tt_a", "ev"), ticket_type("tt_b", "ev")]).await;
    let mut conn = world.store.read().await.unwrap();
    let [a, b]: [Box<[u8]>; 2] = ["\"tt_a\"", "\"tt_b\""].map(|id| id.as_bytes().into());
    let (names, older, newer) = (TypeNames::default(), 1, 2);

    let known = names.learn(&mut conn, tenant, &names.of(tenant, older), slice::from_ref(&a)).await.unwrap();
    names.learn(&mut conn, tenant, &names.of(tenant, newer), slice::from_ref(&b)).await.unwrap();
    let known = names.learn(&mut conn, tenant, &known, slice::from_ref(&b)).await.unwrap();
    assert!(known.ending(&a, &mut 0).is_some() && known.ending(&b, &mut 0).is_some(), "both are known");
    assert!(names.of(tenant, newer).ending(&b, &mut 0).is_some(), "and the newer ones are still shared");
}

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
