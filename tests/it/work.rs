//! Long work that staff begin: refunding all orders of an event, and importing a file.

use std::{collections::BTreeSet, time::Duration};

use serde_json::json;
use taquilla_domain::{
    config::{UPLOADS_BYTES, UPLOADS_WAITING, WORK_LEASE, WORK_POLL},
    role::BuiltInRole,
    work::{WorkKind, WorkState},
};
use taquilla_store::{
    Tenant, transaction,
    work::pieces::{self, Piece},
};

use crate::harness::{DAY, Page, Staff, World, event, order, ticket, ticket_type, with};

both_engines![
    all_orders_of_a_cancelled_event_are_refunded,
    a_refund_of_all_orders_is_stopped_and_goes_on,
    a_refund_of_all_orders_survives_the_end_of_its_server,
    two_servers_refund_each_order_once,
    a_file_is_checked_and_then_imported,
    a_file_with_a_mistake_says_which_line_and_field,
    what_is_no_text_file_is_refused,
    a_file_of_many_parts_arrives_as_it_is,
    files_that_wait_are_bounded,
    the_history_names_who_decided_to_import,
    producers_take_turns,
];

const ORDERS: usize = 150;
/// With the one that nobody paid.
const ALL: usize = ORDERS + 1;

/// An event with approved orders of two tickets each, and one order that is pending.
async fn an_event(world: &World, status: &str) -> (Staff, taquilla_store::Tenant) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![with(event("ev"), json!({"status": status})), ticket_type("tt", "ev")];
    for number in 0..ORDERS {
        let id = format!("or_{number:03}");
        let items = json!([{"ticket_type_id": "tt", "quantity": 2, "unit_price": 10}]);
        lines.push(with(order(&id, "ev", "tt"), json!({"status": "approved", "items": items})));
        for half in ["A", "B"] {
            lines.push(with(ticket(&format!("T{number:03}{half}"), "ev", "tt"), json!({"order_id": id})));
        }
    }
    lines.push(with(order("or_pending", "ev", "tt"), json!({"status": "pending"})));
    world.import(producer.tenant, &lines).await;
    (world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await, producer.tenant)
}

/// Looks at a page until it says something. Nothing in the world waits for the machine: this only ends when it is so.
async fn until(staff: &Staff, path: &str, text: &str) -> Page {
    let started = tokio::time::Instant::now();
    loop {
        let page = staff.get(path).await;
        if page.text.contains(text) {
            return page;
        }
        assert!(started.elapsed() < Duration::from_secs(120), "{path} never says {text}: {}", page.text);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn statuses(world: &World) -> Vec<Vec<String>> {
    world.raw().await.rows("SELECT status, count(*) FROM orders GROUP BY status ORDER BY status").await
}

async fn check_refunded(world: &World) {
    assert_eq!(statuses(world).await, [["refunded", &ORDERS.to_string()], ["rejected", "1"]]);
    let tickets = world.raw().await.rows("SELECT DISTINCT status FROM tickets").await;
    assert_eq!(tickets, [["refunded"]]);
    let rows = world.raw().await.rows("SELECT order_id, result FROM work_orders").await;
    assert_eq!(rows.len(), ALL, "a row for each order");
    assert!(rows.iter().all(|row| row[1] == if row[0] == "or_pending" { "rejected" } else { "refunded" }), "{rows:?}");
    let orders: BTreeSet<&String> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(orders.len(), ALL, "each order once");
    let piece = world.raw().await.rows("SELECT state, total, done, failed FROM work").await;
    let all = ALL.to_string();
    assert_eq!(piece, [["done", &all, &all, "0"]]);
    // One message for each order: none was refunded twice.
    let messages = world.raw().await.rows("SELECT id FROM outbox WHERE kind = 'order.refunded'").await;
    assert_eq!(messages.len(), ORDERS);
    assert!(world.findings().await.is_empty(), "{:?}", world.findings().await);
}

async fn all_orders_of_a_cancelled_event_are_refunded(world: World) {
    let (ana, _) = an_event(&world, "published").await;
    // Only a cancelled event.
    assert!(ana.get("/dashboard/p/pr_a/events/ev/refund").await.text.contains("Cancel it first"));
    assert_eq!(ana.post("/dashboard/p/pr_a/events/ev/refund", &[]).await.status, 422);
    assert_eq!(ana.post("/dashboard/p/pr_a/events/no-such/refund", &[]).await.status, 404);
    world.raw().await.batch("UPDATE events SET status = 'cancelled'").await;
    let page = ana.post("/dashboard/p/pr_a/events/ev/refund", &[]).await;
    let path = page.leads_to().to_owned();
    // Who begins it again comes to the same.
    let again = ana.post("/dashboard/p/pr_a/events/ev/refund", &[]).await;
    let done = until(&ana, &path, "work-is-done").await;
    assert!(again.leads_to() == path || done.text.contains("work-is-done"));
    assert!(done.text.contains("or_000") || done.text.contains("or_149"), "{}", done.text);
    assert!(done.text.contains(&format!("{ALL} / {ALL}")), "{}", done.text);
    // The rows go on on further pages.
    let older = ana.get(&format!("{path}?before=101")).await;
    assert!(older.text.contains(">100<") && !older.text.contains(">101<"), "{}", older.text);
    world.raw().await.batch("DELETE FROM work WHERE done = 0").await;
    check_refunded(&world).await;
    let history = ana.get("/dashboard/p/pr_a/history?action=event.refund_begun").await;
    assert!(history.text.contains("ana@x.example"), "{}", history.text);
}

async fn a_refund_of_all_orders_is_stopped_and_goes_on(world: World) {
    let (ana, _) = an_event(&world, "cancelled").await;
    let path = ana.post("/dashboard/p/pr_a/events/ev/refund", &[]).await.leads_to().to_owned();
    let stopped = ana.post(&format!("{path}/stop"), &[]).await;
    assert!(stopped.leads_to().starts_with(&path));
    let before = ana.get(&path).await;
    assert!(before.text.contains("work-is-stopped") || before.text.contains("work-is-done"), "{}", before.text);
    // A server that is in the middle of a few orders ends those, gives the work back, and nobody takes it up.
    while world.raw().await.rows("SELECT leased_until FROM work").await != [["0"]] {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let refunded = statuses(&world).await;
    world.step(2 * WORK_LEASE);
    tokio::time::sleep(2 * WORK_POLL).await;
    assert_eq!(statuses(&world).await, refunded);
    ana.post(&format!("{path}/go-on"), &[]).await.leads_to();
    until(&ana, &path, "work-is-done").await;
    check_refunded(&world).await;
}

async fn a_refund_of_all_orders_survives_the_end_of_its_server(mut world: World) {
    let (ana, _) = an_event(&world, "cancelled").await;
    let path = ana.post("/dashboard/p/pr_a/events/ev/refund", &[]).await.leads_to().to_owned();
    // The server is ended in the middle: some orders are refunded, and it has no time for all of them.
    while statuses(&world).await.iter().all(|row| row[0] != "refunded") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    world.server.stop().await;
    let (_server, client) = world.another_server(taquilla_domain::config::Config::default()).await;
    let ana = ana.at(&client.base);
    world.step(2 * WORK_LEASE);
    until(&ana, &path, "work-is-done").await;
    check_refunded(&world).await;
}

async fn two_servers_refund_each_order_once(world: World) {
    let (ana, _) = an_event(&world, "cancelled").await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let (left, right) = (ana.at(&here.base), ana.at(&there.base));
    let path = "/dashboard/p/pr_a/events/ev/refund";
    let (a, b) = tokio::join!(left.post(path, &[]), right.post(path, &[]));
    assert_eq!(a.leads_to(), b.leads_to(), "one piece of work");
    // Time passes, so that leases end while servers work.
    let path = a.leads_to().to_owned();
    for _ in 0..20 {
        world.step(WORK_LEASE);
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    until(&ana, &path, "work-is-done").await;
    check_refunded(&world).await;
}

fn a_file() -> String {
    let lines = [event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt"), ticket("T2", "ev", "tt")];
    lines.iter().map(|line| format!("{line}\n")).collect()
}

async fn a_file_is_checked_and_then_imported(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let path = ana.upload("/dashboard/p/pr_a/imports", "a<b>.jsonl", a_file().as_bytes()).await.leads_to().to_owned();
    let page = until(&ana, &path, "work-is-checked").await;
    assert!(page.text.contains("<dt>Tickets</dt><dd>2</dd>"), "{}", page.text);
    assert!(page.text.contains("a&#60;b&#62;.jsonl") && !page.text.contains("<b>.jsonl"), "{}", page.text);
    assert_eq!(world.raw().await.rows("SELECT id FROM tickets").await.len(), 0, "nothing yet");
    ana.post(&format!("{path}/import"), &[]).await.leads_to();
    until(&ana, &path, "work-is-done").await;
    assert_eq!(world.raw().await.rows("SELECT id FROM tickets").await.len(), 2);
    assert_eq!(world.raw().await.rows("SELECT part FROM uploads").await.len(), 0, "the file is forgotten");
    let noted = world.raw().await.rows("SELECT actor, details FROM audit WHERE action = 'import.done'").await;
    assert_eq!(noted.len(), 1);
    assert!(noted[0][0] == "ana@x.example" && noted[0][1].contains("\"tickets\":\"2\""), "{noted:?}");
    // The same file again is recognised before anything is done.
    let path = ana.upload("/dashboard/p/pr_a/imports", "again.jsonl", a_file().as_bytes()).await.leads_to().to_owned();
    let page = until(&ana, &path, "work-is-checked").await;
    assert!(page.text.contains("The same file was imported on Sun 1 Nov, "), "{}", page.text);
    ana.post(&format!("{path}/give-up"), &[]).await.leads_to();
    assert!(ana.get(&path).await.text.contains("work-is-given_up"));
    assert_eq!(ana.get("/dashboard/p/pr_a/imports").await.status, 200);
    assert!(world.findings().await.is_empty());
    // Nobody else sees it.
    let other = world.producer("pr_b").await;
    let bea = world.staff(other.tenant, "bea@x.example", BuiltInRole::Editor).await;
    let theirs = path.replace("pr_a", "pr_b");
    assert_eq!(bea.get(&theirs).await.status, 404);
    assert_eq!(bea.post(&format!("{theirs}/import"), &[]).await.status, 404);
}

async fn a_file_with_a_mistake_says_which_line_and_field(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    for (file, line, field) in [
        (format!("{}{}\n", a_file(), json!({"kind": "ticket", "id": "T3", "event_id": "ev"})), 5, "ticket_type_id"),
        (format!("{}{}\n", a_file(), ticket("T4", "no-such", "tt")), 5, "event_id"),
    ] {
        let sent = ana.upload("/dashboard/p/pr_a/imports", "f.jsonl", file.as_bytes()).await;
        let page = until(&ana, sent.leads_to(), "work-is-faulty").await;
        assert!(page.text.contains(&format!("<dd>{line}</dd>")) && page.text.contains(field), "{}", page.text);
    }
    assert_eq!(world.raw().await.rows("SELECT id FROM events").await.len(), 0);
}

async fn what_is_no_text_file_is_refused(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    for (content, said) in
        [(&b""[..], "not empty"), (b"\xff\xfe{}", "UTF-8"), (b"{}\0{}", "UTF-8"), (b"{\"a\":\"\xc3", "UTF-8")]
    {
        let page = ana.upload("/dashboard/p/pr_a/imports", "f.jsonl", content).await;
        assert_eq!(page.status, 422, "{content:?}");
        assert!(page.text.contains(said), "{}", page.text);
    }
    // A form without a file, and one that is none.
    assert_eq!(ana.post("/dashboard/p/pr_a/imports", &[("file", "x")]).await.status, 422);
    assert_eq!(world.raw().await.rows("SELECT part FROM uploads").await.len(), 0);
}

async fn a_file_of_many_parts_arrives_as_it_is(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let mut file = a_file();
    for number in 0..4_000 {
        let attendee = json!({"name": format!("Añó 日本 {number} 🎟")});
        file += &format!("{}\n", with(ticket(&format!("X{number}"), "ev", "tt"), json!({"attendee": attendee})));
    }
    let path = ana.upload("/dashboard/p/pr_a/imports", "f.jsonl", file.as_bytes()).await.leads_to().to_owned();
    let page = until(&ana, &path, "work-is-").await;
    assert_eq!(page.status, 200);
    until(&ana, &path, "work-is-checked").await;
    assert!(world.raw().await.rows("SELECT part FROM uploads").await.len() > 1);
    ana.post(&format!("{path}/import"), &[]).await.leads_to();
    until(&ana, &path, "work-is-done").await;
    let names = world.raw().await.rows("SELECT attendee_name FROM tickets WHERE id = 'X3999'").await;
    assert_eq!(names, [["Añó 日本 3999 🎟"]]);
    assert_eq!(world.raw().await.rows("SELECT id FROM tickets").await.len(), 4_002);
}

const IMPORTS: &str = "/dashboard/p/pr_a/imports";

async fn files_that_wait_are_bounded(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let file = format!("{}\n", event("ev"));
    let mut paths = Vec::new();
    for _ in 0..UPLOADS_WAITING {
        paths.push(ana.upload(IMPORTS, "f.jsonl", file.as_bytes()).await.leads_to().to_owned());
    }
    for path in &paths {
        until(&ana, path, "work-is-checked").await;
    }
    let full = ana.upload(IMPORTS, "f.jsonl", file.as_bytes()).await;
    assert_eq!(full.status, 422);
    assert!(full.text.contains("Ten files wait already"), "{}", full.text);
    let kept = "SELECT count(*) FROM work WHERE finished_at IS NULL";
    assert_eq!(world.raw().await.rows(kept).await, [[UPLOADS_WAITING.to_string()]]);
    // Another producer has its own ten.
    let other = world.producer("pr_b").await;
    let bob = world.staff(other.tenant, "bob@x.example", BuiltInRole::Administrator).await;
    bob.upload("/dashboard/p/pr_b/imports", "f.jsonl", file.as_bytes()).await.leads_to();
    // One is given up, and there is room again, as long as all of them together are small enough.
    ana.post(&format!("{}/give-up", paths[0]), &[]).await.leads_to();
    let large =
        format!("UPDATE work SET total = {UPLOADS_BYTES} WHERE id = '{}'", paths[1].rsplit('/').next().unwrap());
    world.raw().await.batch(&large).await;
    let large = ana.upload(IMPORTS, "f.jsonl", file.as_bytes()).await;
    assert_eq!(large.status, 422);
    assert!(large.text.contains("too large together"), "{}", large.text);
    assert_eq!(world.raw().await.rows("SELECT count(*) FROM uploads").await, [["10"]], "nothing of it is kept");
    ana.post(&format!("{}/give-up", paths[1]), &[]).await.leads_to();
    ana.upload(IMPORTS, "f.jsonl", file.as_bytes()).await.leads_to();
}

async fn the_history_names_who_decided_to_import(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Editor).await;
    let path = ana.upload(IMPORTS, "f.jsonl", format!("{}\n", event("ev")).as_bytes()).await.leads_to().to_owned();
    until(&ana, &path, "work-is-checked").await;
    bea.post(&format!("{path}/import"), &[]).await.leads_to();
    let page = until(&ana, &path, "work-is-done").await;
    assert!(page.text.contains("ana@x.example") && page.text.contains("bea@x.example"), "{}", page.text);
    let done = world.raw().await.rows("SELECT DISTINCT actor FROM audit WHERE action = 'import.done'").await;
    assert_eq!(done, [["bea@x.example"]]);
}

/// Whoever has much to do does not keep others waiting: each producer has a place before one has two.
async fn producers_take_turns(world: World) {
    let mut tenants = Vec::new();
    for id in ["pr_a", "pr_b", "pr_c"] {
        tenants.push(world.producer(id).await.tenant);
    }
    let [a, b, c] = tenants[..] else { panic!("three producers") };
    // Until then it is another server's, so that the server of this world leaves it alone.
    let later = world.now().plus(DAY);
    for (tenant, id) in [(a, "wk_1"), (a, "wk_2"), (a, "wk_3"), (b, "wk_4"), (c, "wk_5")] {
        let piece = Piece::new(tenant, id.to_owned(), WorkKind::Refund, id, WorkState::Running, &world.by());
        let piece = Piece { leased_until: later, ..piece };
        let insert = async { transaction!(world.store.begin_unstamped(), |tx| pieces::insert(tx, &piece).await) };
        let inserted: taquilla_store::Result<bool> = insert.await;
        assert!(inserted.unwrap());
    }
    let next = async |after: Option<Tenant>, busy: &[Tenant]| {
        let mut conn = world.store.read().await.unwrap();
        pieces::next(&mut conn, later, after, busy).await.unwrap().map(|piece| piece.id)
    };
    assert_eq!(next(None, &[]).await.as_deref(), Some("wk_1"));
    assert_eq!(next(Some(a), &[a]).await.as_deref(), Some("wk_4"), "not the second of the first");
    assert_eq!(next(Some(b), &[a]).await.as_deref(), Some("wk_5"), "and then the third, before the second again");
    assert_eq!(next(Some(c), &[]).await.as_deref(), Some("wk_1"), "and from the beginning");
    assert_eq!(next(Some(c), &[a, b, c]).await, None);
    assert_eq!(next(Some(a), &[b, c]).await.as_deref(), Some("wk_1"), "a second place, if nobody else waits");
}
