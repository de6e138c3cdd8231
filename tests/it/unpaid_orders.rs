//! Orders that nobody has paid are rejected after their time, and whoever mirrors orders learns of it.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::config::{UNPAID_DAYS, UNPAID_TOGETHER, days};
use taquilla_rules::boxoffice;

use crate::harness::configured;
use crate::harness::{
    Producer, World, cart, event, order, pay, place, problem, ticket_type, until, with, without_shop_limits,
};

both_engines![
    orders_that_nobody_has_paid_are_rejected_after_their_time,
    orders_that_wait_for_a_person_are_left_alone,
    an_order_has_its_time_after_its_hold,
];

const HOUR: Duration = Duration::from_hours(1);
/// More orders than one move rejects.
const MANY: usize = 45;

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        ticket_type("tt", "ev"),
        with(ticket_type("tt_free", "ev"), json!({"price": 0})),
        with(order("or_imported", "ev", "tt"), json!({"status": "pending", "created_at": "2020-01-01T00:00:00Z"})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

async fn with_status(world: &World, producer: &Producer, status: &str) -> Vec<String> {
    let mut ids = world.client.get(&format!("/api/v1/orders?limit=200&status={status}"), &producer.key).await.ids();
    ids.sort();
    ids
}

fn id(placed: &Value) -> String {
    placed["order"]["id"].as_str().unwrap().to_owned()
}

async fn orders_that_nobody_has_paid_are_rejected_after_their_time(world: World) {
    let producer = a_shop(&world).await;
    let (_another, other) = world.another_server(without_shop_limits()).await;
    let attendee = json!([{"name": "Guest", "email": "guest@example.com"}]);
    let body = json!({"buyer": {"name": "Ana", "email": "ana@example.com"}, "items": [{"ticket_type_id": "tt", "quantity": 2, "attendees": attendee}]});
    let mut old: Vec<String> = Vec::new();
    for number in 0..MANY {
        let key = format!("old-{number}");
        let placed = other.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", &key)], &body).await.json();
        old.push(id(&placed));
    }
    old.sort();
    let free = id(&place(&world, "free", &cart("tt_free", 1)).await.json());
    world.step(days(UNPAID_DAYS) - HOUR);
    let young = place(&world, "young", &body).await.json();
    let messages = async || {
        let sql = "SELECT data FROM outbox WHERE kind = 'order.rejected' ORDER BY seq";
        let rows = world.raw().await.rows(sql).await;
        rows.into_iter().map(|row| serde_json::from_str::<Value>(&row[0]).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(messages().await, Vec::<Value>::new());
    let mark = young["order"]["updated_at"].as_str().unwrap().to_owned();

    // Both servers find the same orders. Each order is rejected once.
    world.step(3 * HOUR);
    assert!(until(async || with_status(&world, &producer, "rejected").await.len() == MANY).await);
    assert_eq!(with_status(&world, &producer, "rejected").await, old);
    let told = messages().await;
    let mut told_of: Vec<&str> = told.iter().map(|order| order["id"].as_str().unwrap()).collect();
    told_of.sort_unstable();
    assert_eq!(told_of, old);
    assert!(told.iter().all(|order| order["status"] == "rejected"));
    // Every move has its own stamp, and no move holds up sales for long.
    let moves = "SELECT count(*) FROM orders WHERE status = 'rejected' GROUP BY updated_at";
    let sizes: Vec<i64> = world.raw().await.rows(moves).await.iter().map(|row| row[0].parse().unwrap()).collect();
    assert!(sizes.iter().all(|size| *size <= UNPAID_TOGETHER), "{sizes:?}");
    let changed = world.client.get(&format!("/api/v1/orders?limit=200&updated_after={mark}"), &producer.key).await;
    let mut changed = changed.ids();
    changed.sort();
    assert_eq!(changed, old, "whoever asks for changes gets them");
    assert_eq!(with_status(&world, &producer, "pending").await, [id(&young), "or_imported".to_owned()]);
    assert_eq!(with_status(&world, &producer, "approved").await, [free]);
    // The people who were to come with an order that is given up are nobody's business any more.
    let attendees = world.raw().await.rows("SELECT order_id FROM order_attendees").await;
    assert_eq!(attendees, [[id(&young)]]);
    // The young one's own time comes.
    world.step(days(UNPAID_DAYS));
    assert!(until(async || with_status(&world, &producer, "rejected").await.len() == MANY + 1).await);
    assert_eq!(with_status(&world, &producer, "pending").await, ["or_imported"], "the producer's own history stays");
    assert_eq!(world.findings().await, []);
}

async fn orders_that_wait_for_a_person_are_left_alone(mut world: World) {
    let producer = a_shop(&world).await;
    world.server.stop().await;
    let config = configured(without_shop_limits(), |config| config.holds.rejected_after = Some(days(5)));
    (world.server, world.client) = world.another_server(config).await;
    let secret = world.connect_processor(&producer).await;
    let tell = async |payment: &str, amount: i64, order: &Value| {
        let notice = json!({"payment_id": payment, "reference": order["reference"], "status": "paid", "amount": amount, "currency": "EUR"});
        pay(&world, &notice, &secret, 0).await.problem()
    };
    // Somebody has paid for each of these, but not what it costs.
    let mut waiting = Vec::new();
    for number in 0..MANY {
        let placed = place(&world, &format!("waits-{number}"), &cart("tt", 1)).await.json();
        let mismatch = problem(409, "payment_mismatch", None);
        assert_eq!(tell(&format!("less-{number}"), 24, &placed).await, mismatch);
        waiting.push(id(&placed));
    }
    waiting.sort();
    let unpaid = place(&world, "unpaid", &cart("tt", 1)).await.json();
    world.step(days(6));
    assert!(until(async || with_status(&world, &producer, "rejected").await == [id(&unpaid)]).await);
    // The next round passes them, too.
    let later = place(&world, "later", &cart("tt", 1)).await.json();
    world.step(days(6));
    assert!(until(async || with_status(&world, &producer, "rejected").await == [id(&unpaid), id(&later)]).await);
    waiting.push("or_imported".into());
    assert_eq!(with_status(&world, &producer, "pending").await, waiting);
    // Staff can still give the buyer what was paid for.
    boxoffice::approve(&world.store, producer.tenant, &waiting[0], boxoffice::PastHolds::No, world.now())
        .await
        .unwrap();
    // A payment that comes too late is kept, and staff finds it.
    assert_eq!(tell("late", 25, &unpaid).await, problem(409, "order_not_pending", None));
    let listed = world.raw().await.rows("SELECT result FROM payments WHERE id = 'late' AND outcome = 'paid'").await;
    assert_eq!(listed, [["order_not_pending"]]);
    assert_eq!(world.findings().await, []);
}

async fn an_order_has_its_time_after_its_hold(mut world: World) {
    let producer = a_shop(&world).await;
    world.server.stop().await;
    let config = configured(without_shop_limits(), |config| {
        config.holds.rejected_after = Some(days(5));
        config.holds.longest = days(14);
    });
    (world.server, world.client) = world.another_server(config).await;
    let placed = async |key: &str, held: Duration| {
        let mut body = cart("tt", 1);
        body["hold_seconds"] = json!(held.as_secs());
        id(&place(&world, key, &body).await.json())
    };
    let (short, long) = (placed("short", HOUR).await, placed("long", days(10)).await);
    // Both are looked at in one round, and the hold of one lasts.
    world.step(days(6));
    assert!(until(async || with_status(&world, &producer, "rejected").await == [short.clone()]).await);
    assert!(with_status(&world, &producer, "pending").await.contains(&long));
    // Its hold is over, and its time to be paid has begun.
    world.step(days(6));
    let later = placed("later", HOUR).await;
    world.step(days(4));
    assert!(until(async || with_status(&world, &producer, "rejected").await.contains(&long)).await);
    assert!(with_status(&world, &producer, "pending").await.contains(&later));
    assert_eq!(world.findings().await, []);
}
