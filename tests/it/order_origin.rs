//! What led to an order, its coupon and its promoter: seen by those who see tickets, and by staff.

use serde_json::{Value, json};
use taquilla_domain::{key::Permission, role::BuiltInRole};

use crate::harness::{World, event, order, ticket_type, with};

both_engines![coupon_and_promoter_are_seen_by_those_who_see_tickets, what_is_no_name_is_refused];

async fn coupon_and_promoter_are_seen_by_those_who_see_tickets(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        ticket_type("tt", "ev"),
        order("or_plain", "ev", "tt"),
        with(order("or_named", "ev", "tt"), json!({"coupon": "SUMMER \"10\"", "promoter": "Gil, Bea"})),
        // A promoter as the API of another server shows it.
        with(order("or_shown", "ev", "tt"), json!({"coupon": null, "promoter": {"id": "pm_1", "name": "Lou"}})),
    ];
    world.import(producer.tenant, &lines).await;
    let origin = |order: &Value| (order.get("coupon").cloned(), order.get("promoter").cloned());
    let (coupon, promoter) = (Some(json!("SUMMER \"10\"")), Some(json!({"id": null, "name": "Gil, Bea"})));
    let (key, _) = world.key(producer.tenant, &[Permission::OrdersRead], None).await;
    for (id, expected) in [
        ("or_plain", (None, None)),
        ("or_named", (coupon, promoter)),
        ("or_shown", (None, Some(json!({"id": null, "name": "Lou"})))),
    ] {
        let shown = world.client.get(&format!("/api/v1/orders/{id}"), &producer.key).await.json();
        assert_eq!(origin(&shown), expected, "{id}");
        let covered = world.client.get(&format!("/api/v1/orders/{id}"), &key).await.json();
        assert_eq!((origin(&covered), &covered["reference"]), ((None, None), &Value::Null), "{id}");
        assert_eq!((&covered["channel"], &covered["total"]), (&json!("import"), &json!(25)), "{id}");
    }
    for row in world.client.get("/api/v1/orders", &key).await.data() {
        assert_eq!(origin(&row), (None, None));
    }
    // Staff see both, also those who see no people.
    for role in [BuiltInRole::Administrator, BuiltInRole::Accountant] {
        let staff = world.staff(producer.tenant, &format!("{}@x.example", role.as_str()), role).await;
        let page = staff.get("/dashboard/p/pr_a/orders/or_named").await.text;
        assert!(page.contains("SUMMER &#34;10&#34;") && page.contains("Gil, Bea"), "{page}");
        let file = staff.get("/dashboard/p/pr_a/exports/orders.csv").await.text;
        let line = file.lines().find(|line| line.starts_with("or_named")).unwrap();
        assert!(line.ends_with(",\"SUMMER \"\"10\"\"\",\"Gil, Bea\",,,"), "{line}");
        assert!(file.lines().find(|line| line.starts_with("or_plain")).unwrap().ends_with(",,,"), "{file}");
        let rows = staff.get("/dashboard/p/pr_a/exports/orders.jsonl").await.text;
        assert!(rows.contains(r#""promoter":{"id":null,"name":"Lou"}"#), "{rows}");
    }
    assert_eq!(world.findings().await, []);
}

async fn what_is_no_name_is_refused(world: World) {
    let producer = world.producer("pr_a").await;
    for (field, value) in [
        ("coupon", json!(" ")),
        ("coupon", json!(10)),
        ("promoter", json!("")),
        ("promoter", json!({"name": "Lou", "nick": "L"})),
        ("promoter", json!(["Lou"])),
    ] {
        let lines = [event("ev"), ticket_type("tt", "ev"), with(order("or", "ev", "tt"), json!({field: value}))];
        let error = world.try_import(producer.tenant, &lines).await.unwrap_err().to_string();
        assert!(error.starts_with(&format!("line 3, field \"{field}\"")), "{value}: {error}");
    }
}
