//! Old rows are deleted, and newer ones stay.

use std::time::Duration;

use serde_json::json;
use taquilla_domain::config::{ORDER_ANSWERS_KEPT_DAYS, SCANS_KEPT_DAYS, days};
use taquilla_rules::{admin, boxoffice};

use crate::harness::{Answer, Producer, World, event, ticket, ticket_type, until, with};

both_engines![
    answers_to_orders_are_forgotten_after_their_time,
    scans_are_forgotten_after_their_time_and_nobody_enters_twice
];

/// More rows than one transaction deletes.
const MANY: usize = 250;
const HOUR: Duration = Duration::from_hours(1);

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let item = with(ticket_type("tt", "ev"), json!({"price": 0}));
    let tickets = (0..3).map(|number| ticket(&format!("T{number}"), "ev", "tt"));
    let lines: Vec<_> = [event("ev"), item].into_iter().chain(tickets).collect();
    world.import(producer.tenant, &lines).await;
    producer
}

async fn buy(world: &World, key: &str) -> Answer {
    let items = json!([{"ticket_type_id": "tt", "quantity": 1}]);
    let order = json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": items});
    world.client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", key)], &order).await
}

/// Waits until a table has this many rows.
async fn reach(world: &World, table: &str, rows: usize) {
    let reached = until(async || world.contents(&[]).await[table].len() == rows).await;
    assert!(reached, "{table}: {:?}", world.contents(&[]).await[table]);
}

async fn answers_to_orders_are_forgotten_after_their_time(world: World) {
    let producer = a_shop(&world).await;
    let first = buy(&world, "first").await.json();
    world.step(days(ORDER_ANSWERS_KEPT_DAYS) - HOUR);
    assert_eq!(buy(&world, "first").await.json(), first, "a repetition within the time gets the same answer");
    let second = buy(&world, "second").await.json();
    let old = world.now().minus(days(ORDER_ANSWERS_KEPT_DAYS)).micros();
    let number = producer.tenant.number();
    let rows: Vec<String> = (0..MANY).map(|key| format!("({number}, 'old-{key}', 'h', '{{}}', {old})")).collect();
    world.raw().await.batch(&format!("INSERT INTO idempotency_keys VALUES {}", rows.join(", "))).await;
    // From now on the first answer is old. The second is still kept.
    world.step(3 * HOUR);
    reach(&world, "idempotency_keys", 1).await;
    assert_eq!(buy(&world, "second").await.json(), second);
    assert_eq!(buy(&world, "first").await.status, 201, "a new order, because nobody knows the key any more");
    let orders = world.client.get("/api/v1/orders", &producer.key).await.ids();
    assert_eq!(orders.len(), 3, "no order is ever forgotten");
    assert_eq!(world.findings().await, []);
}

async fn scans_are_forgotten_after_their_time_and_nobody_enters_twice(world: World) {
    let producer = a_shop(&world).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let bearer = format!("Bearer {gate}");
    let scan = async |code: &str, id: &str| {
        let body = json!({"code": code, "scan_id": id});
        world.client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await.json()
    };
    let first = scan("T0", "s0").await;
    boxoffice::scan(&world.store, producer.tenant, "T1", "Gate", world.now()).await.unwrap();
    world.step(days(SCANS_KEPT_DAYS) - HOUR);
    assert_eq!(scan("T0", "s0").await, first, "the same scan_id within the time gets the same answer");
    let late = scan("T2", "s2").await;
    let (_, revoked) = world.door(producer.tenant, "ev", &[]).await;
    let (number, old) = (producer.tenant.number(), world.now().minus(days(SCANS_KEPT_DAYS)).micros());
    let row = |seq: usize| {
        format!(
            "({number}, 'old-{seq}', {seq}, '{}', 'Gate', 'x', NULL, 'unknown', NULL, {old}, '{{}}', 0, NULL)",
            revoked.id
        )
    };
    let rows: Vec<String> = (1..=MANY).map(row).collect();
    world.raw().await.batch(&format!("INSERT INTO scans VALUES {}", rows.join(", "))).await;
    admin::door_links::revoke(&world.store, producer.tenant, &revoked.id, &world.by()).await.unwrap();
    world.step(3 * HOUR);
    // Both old scans are deleted: the one through a link and the one from the command line.
    reach(&world, "scans", 1).await;
    assert_eq!(scan("T2", "s2").await, late);
    let again = scan("T0", "s0").await;
    assert_eq!((&first["outcome"], &again["outcome"]), (&json!("admitted"), &json!("already_scanned")));
    assert_eq!(again["first_scan"]["station"], "Gate", "that it entered stays with the ticket");
    assert_eq!(world.findings().await, []);
}
