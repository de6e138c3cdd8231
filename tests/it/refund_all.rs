//! Calling off an event: its paid orders are refunded, and those that nobody paid are rejected.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::{
    config::{Config, WORK_LEASE},
    role::BuiltInRole,
};
use taquilla_rules::{
    admin::{self, catalogue::EventChange},
    boxoffice,
};

use crate::harness::{Producer, Staff, World, cart, event, order, place, ticket, ticket_type, until, with};

both_engines![
    an_event_that_is_on_again_keeps_what_it_sold,
    an_order_that_is_too_large_for_a_group_goes_alone,
    what_nobody_paid_is_rejected_with_the_rest,
    rejecting_an_order_is_asked_about_first,
];

async fn a_producer(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, staff)
}

/// An approved order with some tickets.
fn paid(id: &str, tickets: usize) -> Vec<Value> {
    let items = json!([{"ticket_type_id": "tt", "quantity": tickets, "unit_price": 10}]);
    let placed = with(order(id, "ev", "tt"), json!({"status": "approved", "items": items}));
    let held =
        (0..tickets).map(|number| with(ticket(&format!("{id}{number:05}"), "ev", "tt"), json!({"order_id": id})));
    std::iter::once(placed).chain(held).collect()
}

/// An event with these lines, in a status.
async fn an_event(world: &World, producer: &Producer, status: &str, lines: Vec<Value>) {
    let about = vec![with(event("ev"), json!({"status": status})), ticket_type("tt", "ev")];
    world.import(producer.tenant, &[about, lines].concat()).await;
}

async fn set_status(world: &World, producer: &Producer, status: taquilla_domain::status::EventStatus) {
    let change = EventChange { status: Some(status), ..EventChange::default() };
    let changed = admin::catalogue::change_event(&world.store, producer.tenant, "ev", &change, None, &world.by()).await;
    changed.unwrap();
}

async fn until_says(staff: &Staff, path: &str, text: &str) {
    assert!(until(async || staff.get(path).await.text.contains(text)).await, "{path} never says {text}");
}

async fn statuses(world: &World) -> Vec<Vec<String>> {
    world.raw().await.rows("SELECT status, count(*) FROM orders GROUP BY status ORDER BY status").await
}

async fn an_event_that_is_on_again_keeps_what_it_sold(mut world: World) {
    use taquilla_domain::status::EventStatus::{Cancelled, Published};
    let (producer, ana) = a_producer(&world).await;
    let lines = (0..40).flat_map(|number| paid(&format!("or_{number:02}"), 1)).collect();
    an_event(&world, &producer, "cancelled", lines).await;
    // Somebody begins it, and the event is published again before a server takes it up.
    world.server.stop().await;
    let piece = admin::work::refund_all(&world.store, producer.tenant, "ev", &world.by()).await.unwrap();
    set_status(&world, &producer, Published).await;
    let (_server, client) = world.another_server(Config::default()).await;
    let (ana, path) = (ana.at(&client.base), format!("/dashboard/p/pr_a/refunds/{}", piece.id));
    world.step(2 * WORK_LEASE);
    until_says(&ana, &path, "work-is-stopped").await;
    assert_eq!(statuses(&world).await, [["approved", "40"]]);
    let page = ana.get(&path).await;
    assert!(page.text.contains("The event is on again") && !page.text.contains("/go-on"), "{}", page.text);
    // Who goes on all the same is told why not.
    let refused = ana.post(&format!("{path}/go-on"), &[]).await;
    assert!(refused.status == 422 && refused.text.contains("The event is not cancelled"), "{}", refused.text);
    let actors = world.raw().await.rows("SELECT actor FROM audit WHERE action = 'event.refund_stopped'").await;
    assert_eq!(actors, [["taquilla"]]);
    assert_eq!(statuses(&world).await, [["approved", "40"]]);
    // It is for a cancelled event, and goes on once it is one.
    set_status(&world, &producer, Cancelled).await;
    ana.post(&format!("{path}/go-on"), &[]).await.leads_to();
    until_says(&ana, &path, "work-is-done").await;
    assert_eq!(statuses(&world).await, [["refunded", "40"]]);
    assert_eq!(world.findings().await, []);
}

async fn an_order_that_is_too_large_for_a_group_goes_alone(world: World) {
    let (producer, ana) = a_producer(&world).await;
    let lines =
        [paid("or_large", 15_000), paid("or_second", 1_500), paid("or_third", 1_500), paid("or_a", 1), paid("or_b", 2)];
    an_event(&world, &producer, "cancelled", lines.concat()).await;
    // By hand, on its page and at the command line.
    let page = "/dashboard/p/pr_a/orders/or_second";
    assert_eq!(ana.post(&format!("{page}/refund"), &[]).await.leads_to(), format!("{page}?done=order-refunded"));
    boxoffice::refund(&world.store, producer.tenant, "or_third", &world.by()).await.unwrap();
    // With all others.
    let path = ana.post("/dashboard/p/pr_a/events/ev/refund", &[]).await.leads_to().to_owned();
    let started = tokio::time::Instant::now();
    while !ana.get(&path).await.text.contains("work-is-done") {
        assert!(started.elapsed() < Duration::from_secs(240), "{}", ana.get(&path).await.text);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(statuses(&world).await, [["refunded", "5"]]);
    let tickets = world.raw().await.rows("SELECT status, count(*) FROM tickets GROUP BY status").await;
    assert_eq!(tickets, [["refunded", "18003"]]);
    let history = world.raw().await.rows("SELECT subject FROM audit WHERE action = 'order.refunded'").await;
    assert_eq!(history.len(), 5);
    assert_eq!(world.findings().await, []);
}

async fn what_nobody_paid_is_rejected_with_the_rest(world: World) {
    let (producer, ana) = a_producer(&world).await;
    let waiting = with(order("or_waits", "ev", "tt"), json!({"status": "pending"}));
    an_event(&world, &producer, "published", [paid("or_paid", 2), vec![waiting]].concat()).await;
    let held = place(&world, "k", &cart("tt", 1)).await.json();
    let held = format!("/dashboard/p/pr_a/orders/{}", held["order"]["id"].as_str().unwrap());
    assert!(ana.get(&held).await.text.contains("/approve"));
    set_status(&world, &producer, taquilla_domain::status::EventStatus::Cancelled).await;
    // Nothing is offered that would be refused.
    let page = ana.get(&held).await;
    assert!(page.text.contains("The event is cancelled, so") && !page.text.contains("/approve"), "{}", page.text);
    // Before the button it is said what it is about.
    boxoffice::scan(&world.store, producer.tenant, "or_paid00000", "North", world.now()).await.unwrap();
    let ahead = ana.get("/dashboard/p/pr_a/events/ev/refund").await;
    let said = |name: &str| ahead.between(&format!("<dt>{name}</dt><dd>"), "</dd>").to_owned();
    assert_eq!(said("Paid orders that are refunded"), "1");
    assert!(said("What was paid for them").contains("€20"), "{}", ahead.text);
    assert_eq!(
        (said("Unpaid orders that are rejected"), said("People who have entered already")),
        ("2".into(), "1".into())
    );
    let path = ana.post("/dashboard/p/pr_a/events/ev/refund", &[]).await.leads_to().to_owned();
    until_says(&ana, &path, "work-is-done").await;
    assert_eq!(statuses(&world).await, [["refunded", "1"], ["rejected", "2"]]);
    let page = ana.get(&path).await;
    assert!(page.text.contains("3 / 3") && page.text.contains("rejected: it was not paid"), "{}", page.text);
    let sql = "SELECT action, count(*) FROM audit WHERE action LIKE 'order.%' GROUP BY action ORDER BY action";
    assert_eq!(world.raw().await.rows(sql).await, [["order.refunded", "1"], ["order.rejected", "2"]]);
    let told = world.raw().await.rows("SELECT kind FROM outbox WHERE kind = 'order.rejected'").await;
    assert_eq!(told.len(), 2);
    assert_eq!(world.findings().await, []);
}

async fn rejecting_an_order_is_asked_about_first(world: World) {
    let (producer, ana) = a_producer(&world).await;
    an_event(&world, &producer, "published", vec![]).await;
    let placed = place(&world, "k", &cart("tt", 1)).await.json();
    let base = format!("/dashboard/p/pr_a/orders/{}", placed["order"]["id"].as_str().unwrap());
    let page = ana.get(&base).await;
    assert!(page.text.contains(&format!("href=\"{base}/reject\"")), "{}", page.text);
    assert!(!page.text.contains(&format!("action=\"{base}/reject\"")), "{}", page.text);
    let asked = ana.get(&format!("{base}/reject")).await;
    assert!(asked.text.contains("Reject this order?") && asked.text.contains("cannot be undone"), "{}", asked.text);
    assert_eq!(statuses(&world).await, [["pending", "1"]]);
    let done = ana.post(&format!("{base}/reject"), &[]).await;
    assert_eq!(done.leads_to(), format!("{base}?done=order-rejected"));
    assert_eq!(statuses(&world).await, [["rejected", "1"]]);
}
