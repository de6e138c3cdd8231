//! G6: another producer's data are never read or counted, and look the same as what does not exist.

use serde_json::json;

use crate::harness::{World, event, order, problem, ticket, ticket_type, with};

both_engines![what_belongs_to_another_producer_does_not_exist,];

async fn what_belongs_to_another_producer_does_not_exist(world: World) {
    let mine = world.producer("pr_mine").await;
    let theirs = world.producer("pr_theirs").await;
    let lines = |name: &str| {
        let mut lines = vec![event(&format!("ev_{name}")), ticket_type(&format!("tt_{name}"), &format!("ev_{name}"))];
        for number in 0..5 {
            lines.push(order(&format!("or_{name}_{number}"), &format!("ev_{name}"), &format!("tt_{name}")));
            let ticket = ticket(&format!("{name}-{number}"), &format!("ev_{name}"), &format!("tt_{name}"));
            lines.push(with(ticket, json!({"order_id": format!("or_{name}_{number}")})));
        }
        // Both producers may use the same ids; the rows are still different.
        lines.extend([event("ev_both"), ticket_type("tt_both", "ev_both"), ticket("BOTH", "ev_both", "tt_both")]);
        lines.push(with(event("ev_named"), json!({"name": format!("Only {name}")})));
        lines
    };
    world.import(mine.tenant, &lines("mine")).await;
    world.import(theirs.tenant, &lines("theirs")).await;

    for path in ["tickets/theirs-0", "events/ev_theirs", "events/ev_theirs/ticket-types", "orders/or_theirs_0"] {
        let foreign = world.client.get(&format!("/api/v1/{path}"), &mine.key).await;
        assert_eq!(foreign.problem(), problem(404, "not_found", None), "{path}");
        // The answer is word for word that for an id which nobody has.
        let unknown = world.client.get(&format!("/api/v1/{}", path.replace("theirs", "nobodys")), &mine.key).await;
        assert_eq!(foreign.json()["detail"], unknown.json()["detail"], "{path}");
    }
    for filter in ["tickets?event_id=ev_theirs", "tickets?order_id=or_theirs_0", "orders?event_id=ev_theirs"] {
        let empty = world.client.get(&format!("/api/v1/{filter}"), &mine.key).await;
        assert_eq!(empty.json(), json!({"data": [], "has_more": false, "next_cursor": null}), "{filter}");
    }
    let named = world.client.get("/api/v1/events/ev_named", &mine.key).await;
    assert_eq!(named.json()["name"], "Only mine");

    for list in ["tickets", "orders", "events"] {
        for (producer, name, other) in [(&mine, "mine", "theirs"), (&theirs, "theirs", "mine")] {
            let ids = world.client.get(&format!("/api/v1/{list}?limit=200"), &producer.key).await.ids();
            assert!(ids.iter().any(|id| id.contains(name)), "{list}: {ids:?}");
            assert!(!ids.iter().any(|id| id.contains(other)), "{list}: {ids:?}");
        }
        let cursor = world.client.get(&format!("/api/v1/{list}?limit=1"), &theirs.key).await.json()["next_cursor"]
            .as_str()
            .unwrap()
            .to_owned();
        let path = format!("/api/v1/{list}?limit=1&cursor={cursor}");
        assert_eq!(world.client.get(&path, &theirs.key).await.status, 200, "{list}");
        assert_eq!(
            world.client.get(&path, &mine.key).await.problem(),
            problem(400, "invalid_cursor", Some("cursor")),
            "{list}"
        );
    }
    let me = world.client.get("/api/v1/me", &mine.key).await;
    assert_eq!(me.json()["producer"], json!({"id": "pr_mine", "name": "pr_mine Ltd"}));
    let types = world.client.get("/api/v1/events/ev_both/ticket-types", &mine.key).await.data();
    assert_eq!(types[0]["sold"], 1, "each counts its own ticket only");
}
