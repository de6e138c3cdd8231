//! Import: any order of lines, all or nothing, and faults that name line and field.

use std::{cell::Cell, time::Duration};

use serde_json::{Value, json};
use taquilla_domain::config::{IMPORT_BATCH, IMPORT_LINE_MAX};
use taquilla_rules::{admin::catalogue::create_event, boxoffice, import};
use taquilla_store::ChangeError;
use tokio::sync::oneshot;

use crate::harness::{Engine, Producer, World, event, new_event, order, run, ticket, ticket_type, until, with};

/// Valid lines: an event, two items, a bundle, an order and two tickets.
fn right() -> Vec<Value> {
    vec![
        event("ev"),
        ticket_type("tt", "ev"),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise"})),
        json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack", "price": 30, "currency": "EUR", "includes": [{"ticket_type_id": "tt", "quantity": 1}]}),
        order("or", "ev", "tt"),
        with(ticket("T1", "ev", "tt"), json!({"order_id": "or"})),
        with(ticket("T2", "ev", "tt"), json!({"order_id": "or", "bundle_id": "bu"})),
        event("ev_2"),
        ticket_type("tt_2", "ev_2"),
    ]
}

async fn fault(world: &World, text: &str) -> (i64, Option<String>, String) {
    let id = format!("pr_{:x}", rand::random::<u64>());
    let producer = world.producer(&id).await;
    match import::run(&world.store, producer.tenant, text.as_bytes(), &world.by(), &world.time(), |_| ()).await {
        Err(import::Error::Line(fault)) => (fault.line, fault.field, fault.message),
        other => panic!("{text}: {other:?}"),
    }
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

both_engines![
    lines_may_come_in_any_order,
    a_wrong_line_is_named_with_its_field_and_nothing_is_kept,
    text_that_is_not_json_lines_is_refused,
    transfers_that_join_or_circle_are_refused,
    more_live_tickets_than_the_limit_are_refused,
    bundles_count_by_unit,
    pollers_see_an_import_by_updated_after,
    the_same_file_again_changes_nothing,
    a_file_is_checked_while_others_write,
    an_order_refunded_in_the_last_moment_counts,
    an_id_taken_in_the_last_moment_is_named,
];

async fn lines_may_come_in_any_order(world: World) {
    let mut lines = right();
    for turn in 0..lines.len() {
        let producer = world.producer(&format!("pr_{turn}")).await;
        world.import(producer.tenant, &lines).await;
        assert_eq!(world.client.get("/api/v1/tickets", &producer.key).await.ids().len(), 2);
        assert_eq!(
            world.client.get("/api/v1/tickets/T2", &producer.key).await.json()["ticket_type"]["name"],
            "Type tt"
        );
        lines.rotate_left(1);
    }
    lines.reverse();
    let producer = world.producer("pr_reversed").await;
    let summary = world.try_import(producer.tenant, &lines).await.unwrap();
    assert_eq!(
        serde_json::to_value(summary).unwrap(),
        json!({"events": 2, "ticket_types": 3, "bundles": 1, "orders": 1, "tickets": 2, "already_imported_at": null})
    );
}

async fn a_wrong_line_is_named_with_its_field_and_nothing_is_kept(world: World) {
    let before = {
        world.producer("pr_other").await;
        world.contents(&[("clocks", "clock")]).await
    };
    let cases: Vec<(Value, &str)> = vec![
        (json!({"kind": "concert"}), "kind"),
        (json!({"id": "x"}), "kind"),
        (with(event("x"), json!({"name": ""})), "name"),
        (with(event("x"), json!({"name": 5})), "name"),
        (with(event("x"), json!({"nmae": "typo"})), "nmae"),
        (with(event("x"), json!({"currency": "euro"})), "currency"),
        (with(event("x"), json!({"status": "open"})), "status"),
        (with(event("x"), json!({"timezone": "Not a zone"})), "timezone"),
        (with(event("x"), json!({"starts_at": "soon"})), "starts_at"),
        (with(event("x"), json!({"created_at": "2999-01-01"})), "created_at"),
        (with(event("x"), json!({"description": "x".repeat(10_001)})), "description"),
        (with(event("x"), json!({"venue": "a\u{0}b"})), "venue"),
        (event(""), "id"),
        (event(&"x".repeat(129)), "id"),
        (event("ev"), "id"),
        (json!({"kind": "event", "id": "x", "name": "No currency"}), "currency"),
        (ticket_type("tt", "ev"), "id"),
        (ticket_type("x", "ev_unknown"), "event_id"),
        (with(ticket_type("x", "ev"), json!({"price": -1})), "price"),
        (with(ticket_type("x", "ev"), json!({"price": 9.5})), "price"),
        (with(ticket_type("x", "ev"), json!({"price": "9"})), "price"),
        (with(ticket_type("x", "ev"), json!({"limit": -1})), "limit"),
        (with(ticket_type("x", "ev"), json!({"category": "bundle"})), "category"),
        (with(ticket_type("x", "ev"), json!({"includes": []})), "includes"),
        (
            json!({"kind": "bundle", "id": "x", "event_id": "ev", "name": "B", "price": 1, "currency": "EUR", "includes": []}),
            "includes",
        ),
        (
            json!({"kind": "bundle", "id": "x", "event_id": "ev", "name": "B", "price": 1, "currency": "EUR", "includes": [{"ticket_type_id": "bu", "quantity": 1}]}),
            "includes",
        ),
        (
            json!({"kind": "bundle", "id": "x", "event_id": "ev", "name": "B", "price": 1, "currency": "EUR", "includes": [{"ticket_type_id": "tt_2", "quantity": 1}]}),
            "includes",
        ),
        (
            json!({"kind": "bundle", "id": "x", "event_id": "ev", "name": "B", "price": 1, "currency": "EUR", "includes": [{"ticket_type_id": "tt", "quantity": 0}]}),
            "includes[0].quantity",
        ),
        (with(order("x", "ev", "tt"), json!({"status": "paid"})), "status"),
        (with(order("x", "ev", "tt"), json!({"buyer": {"nick": "z"}})), "buyer.nick"),
        (
            with(order("x", "ev", "tt"), json!({"items": [{"ticket_type_id": "tt", "quantity": 1, "unit_price": -5}]})),
            "items[0].unit_price",
        ),
        (order("x", "ev", "tt_unknown"), "items"),
        (order("x", "ev", "tt_2"), "items"),
        (order("x", "ev_unknown", "tt"), "event_id"),
        (ticket("x", "ev_unknown", "tt"), "event_id"),
        (ticket("x", "ev", "tt_unknown"), "ticket_type_id"),
        (ticket("x", "ev", "tt_2"), "ticket_type_id"),
        (ticket("x", "ev", "bu"), "ticket_type_id"),
        (ticket("T1", "ev", "tt"), "id"),
        (with(ticket("x", "ev", "tt"), json!({"order_id": "or_unknown"})), "order_id"),
        (with(ticket("x", "ev_2", "tt_2"), json!({"order_id": "or"})), "order_id"),
        (with(ticket("x", "ev", "tt"), json!({"bundle_id": "tt"})), "bundle_id"),
        (with(ticket("x", "ev", "tt"), json!({"bundle_id": "bu", "from_bundle": false})), "from_bundle"),
        (with(ticket("x", "ev", "tt"), json!({"bundle_unit": "1"})), "bundle_unit"),
        (with(ticket("x", "ev", "tt"), json!({"checked_in_by": "Gate"})), "checked_in_by"),
        (with(ticket("x", "ev", "tt"), json!({"checked_in_at": "2999-01-01"})), "checked_in_at"),
        (with(ticket("x", "ev", "tt"), json!({"issued_at": "2026-11-01T12:00:00.000001Z"})), "issued_at"),
        (with(ticket("x", "ev", "tt"), json!({"transferred_at": "2026-10-02"})), "transferred_to_ticket_id"),
        (
            with(
                ticket("x", "ev", "tt"),
                json!({"transferred_at": "2026-10-02", "transferred_to_ticket_id": "nobody"}),
            ),
            "transferred_to_ticket_id",
        ),
        (
            with(ticket("x", "ev", "tt"), json!({"transferred_at": "2026-10-02", "transferred_to_ticket_id": "x"})),
            "transferred_to_ticket_id",
        ),
        (
            with(
                ticket("x", "ev_2", "tt_2"),
                json!({"transferred_at": "2026-10-02", "transferred_to_ticket_id": "T1"}),
            ),
            "transferred_to_ticket_id",
        ),
        (with(ticket("x", "ev", "tt"), json!({"status": "scanned"})), "status"),
        (with(ticket("x", "ev", "tt"), json!({"attendee": "Ana"})), "attendee"),
        (with(ticket("x", "ev", "tt"), json!({"attendee": {"email": "x".repeat(501)}})), "attendee.email"),
    ];
    for (wrong, field) in &cases {
        let mut lines = right();
        lines.push(wrong.clone());
        lines.push(event("ev_last"));
        let (line, named, message) = fault(&world, &text(&lines)).await;
        assert_eq!((line, named.as_deref()), (10, Some(*field)), "{wrong}: {message}");
    }
    let mut kept = world.contents(&[("clocks", "clock")]).await;
    for table in ["producers", "clocks", "api_keys", "audit"] {
        kept.insert(table.into(), before[table].clone());
    }
    assert_eq!(kept, before, "nothing of any of these files was kept");
}

async fn text_that_is_not_json_lines_is_refused(world: World) {
    for (text, line) in [
        ("nonsense\n", 1),
        ("{}\n", 1),
        ("[]\n", 1),
        ("{\"kind\":\"event\"", 1),
        ("\u{7f}\n", 1),
        ("\n\n{\"kind\":1}\n", 3),
        ("{\"kind\":\"event\",\"id\":\"a\",\"name\":\"a\",\"currency\":\"EUR\"} extra\n", 1),
    ] {
        assert_eq!(fault(&world, text).await.0, line, "{text}");
    }
    let long = format!("{}\n{}\n", event("ev"), with(event("x"), json!({"name": "x".repeat(IMPORT_LINE_MAX)})));
    assert_eq!(fault(&world, &long).await.0, 2);
    let producer = world.producer("pr_bytes").await;
    let bytes = b"{\"kind\":\"event\",\"id\":\"\xff\",\"name\":\"a\",\"currency\":\"EUR\"}\n";
    assert!(import::run(&world.store, producer.tenant, &bytes[..], &world.by(), &world.time(), |_| ()).await.is_err());
    let marked = format!("\u{feff}{}\r\n\r\n{}", event("ev"), ticket_type("tt", "ev"));
    import::run(&world.store, producer.tenant, marked.as_bytes(), &world.by(), &world.time(), |_| ()).await.unwrap();
    import::run(&world.store, producer.tenant, &b""[..], &world.by(), &world.time(), |_| ()).await.unwrap();
}

async fn transfers_that_join_or_circle_are_refused(world: World) {
    let passed = |id: &str, to: &str| {
        with(ticket(id, "ev", "tt"), json!({"transferred_at": "2026-10-02", "transferred_to_ticket_id": to}))
    };
    let base = [event("ev"), ticket_type("tt", "ev")];
    let circle = [&base[..], &[passed("A", "B"), passed("B", "C"), passed("C", "A")]].concat();
    assert_eq!(
        fault(&world, &text(&circle)).await,
        (3, Some("transferred_to_ticket_id".into()), "following the transfers leads back to this ticket".into())
    );
    let into_circle = [&base[..], &[passed("S", "A"), passed("A", "B"), passed("B", "A")]].concat();
    assert_eq!(fault(&world, &text(&into_circle)).await.0, 5, "a chain that runs into a circle ends too");
    let join = [&base[..], &[passed("A", "C"), passed("B", "C"), ticket("C", "ev", "tt")]].concat();
    assert_eq!(fault(&world, &text(&join)).await.0, 4);
    let producer = world.producer("pr_chain").await;
    let chain = [&base[..], &[ticket("D", "ev", "tt"), passed("C", "D"), passed("A", "B"), passed("B", "C")]].concat();
    world.import(producer.tenant, &chain).await;
    let mut id = "A".to_owned();
    for expected in ["B", "C", "D"] {
        let ticket = world.client.get(&format!("/api/v1/tickets/{id}"), &producer.key).await.json();
        assert_eq!(ticket["status"], "transferred");
        id = ticket["transferred_to_ticket_id"].as_str().unwrap().to_owned();
        assert_eq!(id, expected);
    }
    let later = world.try_import(producer.tenant, &[passed("E", "B")]).await;
    assert!(
        later.unwrap_err().to_string().contains("line 1, field \"transferred_to_ticket_id\""),
        "B already took A's place"
    );
}

async fn more_live_tickets_than_the_limit_are_refused(world: World) {
    let limited = with(ticket_type("tt", "ev"), json!({"limit": 2}));
    let lines =
        [event("ev"), limited.clone(), ticket("A", "ev", "tt"), ticket("B", "ev", "tt"), ticket("C", "ev", "tt")];
    assert_eq!(
        fault(&world, &text(&lines)).await,
        (2, Some("limit".into()), "tt has 3 live tickets, more than its limit of 2".into())
    );
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &lines[..4]).await;
    let types = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    assert_eq!((&types[0]["status"], &types[0]["available"]), (&json!("sold_out"), &json!(0)));
    let dead = with(ticket("D", "ev", "tt"), json!({"cancelled_at": "2026-10-03"}));
    world.import(producer.tenant, &[dead]).await;
    let over = world.try_import(producer.tenant, &[event("ev_3"), ticket("E", "ev", "tt")]).await.unwrap_err();
    assert_eq!(over.to_string(), "line 2, field \"ticket_type_id\": tt has 3 live tickets, more than its limit of 2");
}

async fn bundles_count_by_unit(world: World) {
    let producer = world.producer("pr_a").await;
    let piece = |id: &str, order: Option<&str>, unit: Option<&str>, dead: bool| {
        with(
            ticket(id, "ev", "tt"),
            json!({
                "order_id": order, "bundle_id": "bu", "bundle_unit": unit, "cancelled_at": dead.then_some("2026-10-03"),
            }),
        )
    };
    let mut lines = right();
    lines.truncate(5);
    lines.extend([
        order("or_b", "ev", "bu"),
        // One order without named units is one bundle.
        piece("A1", Some("or"), None, false),
        piece("A2", Some("or"), None, true),
        // Units of the same name in two orders are two bundles. All tickets of a third are dead.
        piece("B1", Some("or_b"), Some("1"), false),
        piece("B2", Some("or_b"), Some("1"), false),
        piece("C1", Some("or"), Some("1"), false),
        piece("D1", Some("or_b"), Some("2"), true),
        // Without an order each ticket is a bundle of its own.
        piece("E1", None, None, false),
        piece("E2", None, None, false),
    ]);
    world.import(producer.tenant, &lines).await;
    let types = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    let sold = |id: &str| types.iter().find(|item| item["id"] == id).unwrap()["sold"].clone();
    assert_eq!((sold("bu"), sold("tt")), (json!(5), json!(0)));
}

async fn pollers_see_an_import_by_updated_after(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &right()).await;
    let newest = async |list: &str| {
        world.client.get(&format!("/api/v1/{list}?limit=1&updated_after=2020-01-01"), &producer.key).await.data()[0]["updated_at"].as_str().unwrap().to_owned()
    };
    // Although time stands still, the producer's clock moves on.
    for list in ["tickets", "orders", "events"] {
        let mark = newest(list).await;
        let name = format!("{list}_late");
        let line = match list {
            "tickets" => ticket(&name, "ev", "tt"),
            "orders" => with(order(&name, "ev", "tt"), json!({"created_at": "2020-01-01"})),
            _ => with(event(&name), json!({"created_at": "2020-01-01"})),
        };
        world.import(producer.tenant, &[line]).await;
        let found = world.client.get(&format!("/api/v1/{list}?updated_after={mark}"), &producer.key).await.ids();
        assert_eq!(found, [name], "{list}");
    }
}

async fn the_same_file_again_changes_nothing(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &right()).await;
    let at = world.client.get("/api/v1/tickets/T1", &producer.key).await.json()["updated_at"].clone();
    let before = world.contents(&[("api_keys", "last_used_at")]).await;
    world.step(Duration::from_secs(60));
    let again = world.try_import(producer.tenant, &right()).await.unwrap();
    assert_eq!(serde_json::to_value(again).unwrap()["already_imported_at"], at);
    assert_eq!(world.contents(&[("api_keys", "last_used_at")]).await, before);
    // Another file with the same ids is another matter, and so is the same file for another producer.
    let other = [&right()[..], &[ticket("T9", "ev", "tt")]].concat();
    let refused = world.try_import(producer.tenant, &other).await.unwrap_err().to_string();
    assert_eq!(refused, "line 1, field \"id\": the producer already has an event ev");
    let neighbour = world.producer("pr_b").await;
    assert_eq!(world.try_import(neighbour.tenant, &right()).await.unwrap().tickets, 2);
    // What staff create twice is refused, although its line is the same.
    let create = async || create_event(&world.store, producer.tenant, new_event("ev_new"), &world.by()).await;
    create().await.unwrap();
    let twice = create().await;
    assert!(matches!(twice, Err(ChangeError::Refused(_))), "{twice:?}");
}

/// Checking takes no lock: a file's fault is found while somebody else holds the producer.
async fn a_file_is_checked_while_others_write(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &right()).await;
    let busy = world.raw().await;
    busy.batch(if world.engine == Engine::Sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" }).await;
    busy.batch("UPDATE clocks SET clock = clock + 1").await;
    let lines = [order("or_2", "ev", "tt"), with(ticket("T3", "ev", "tt"), json!({"order_id": "or_missing"}))];
    let refused = world.try_import(producer.tenant, &lines).await.unwrap_err().to_string();
    assert_eq!(refused, "line 2, field \"order_id\": there is no order or_missing at the ticket's event");
    busy.batch("ROLLBACK").await;
}

/// Imports lines, and does something in the moment between the check and the move, once.
pub async fn import_while(
    world: &World,
    producer: &Producer,
    lines: &[Value],
    meanwhile: impl AsyncFn(),
) -> (Result<import::Summary, import::Error>, usize) {
    let moves = Cell::new(0);
    let runtime = tokio::runtime::Handle::current();
    let (text, time) = (text(lines), world.time());
    let by = world.by();
    let imported = import::run(&world.store, producer.tenant, text.as_bytes(), &by, &time, |progress| {
        if matches!(progress, import::Progress::Saving) {
            moves.set(moves.get() + 1);
            if moves.get() == 1 {
                tokio::task::block_in_place(|| runtime.block_on(meanwhile()));
            }
        }
    });
    (imported.await, moves.get())
}

async fn an_order_refunded_in_the_last_moment_counts(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &right()).await;
    let late = with(ticket("T3", "ev", "tt"), json!({"order_id": "or"}));
    let (imported, moves) = import_while(&world, &producer, &[late], async || {
        boxoffice::refund(&world.store, producer.tenant, "or", world.now()).await.unwrap();
    })
    .await;
    imported.unwrap();
    assert_eq!(moves, 2, "the rows were prepared anew");
    let ticket = world.client.get("/api/v1/tickets/T3", &producer.key).await.json();
    assert_eq!(ticket["status"], "refunded");
    assert_eq!(world.findings().await, []);
}

async fn an_id_taken_in_the_last_moment_is_named(world: World) {
    let producer = world.producer("pr_a").await;
    let (imported, moves) = import_while(&world, &producer, &[event("ev"), event("ev_taken")], async || {
        create_event(&world.store, producer.tenant, new_event("ev_taken"), &world.by()).await.unwrap();
    })
    .await;
    assert_eq!(imported.unwrap_err().to_string(), "line 2, field \"id\": the producer already has an event ev_taken");
    assert_eq!(moves, 1);
    assert_eq!(world.client.get("/api/v1/events", &producer.key).await.ids(), ["ev_taken"], "nothing of it is kept");
}

/// A file whose end waits for somebody.
struct Halted {
    lines: std::vec::IntoIter<String>,
    at_end: Option<oneshot::Sender<()>>,
    go_on: oneshot::Receiver<()>,
}

impl import::Lines for Halted {
    async fn next(&mut self, line: &mut Vec<u8>) -> Result<usize, import::Error> {
        let Some(next) = self.lines.next() else {
            if let Some(at_end) = self.at_end.take() {
                at_end.send(()).unwrap();
                (&mut self.go_on).await.unwrap();
            }
            return Ok(0);
        };
        line.extend_from_slice(next.as_bytes());
        Ok(next.len())
    }
}

#[test]
fn a_file_whose_staged_rows_are_lost_is_not_half_imported() {
    run(Engine::Postgres, async |world: World| {
        let producer = world.producer("pr_a").await;
        let many = (0..IMPORT_BATCH).map(|number| ticket(&format!("T{number}"), "ev", "tt"));
        let lines = [event("ev"), ticket_type("tt", "ev")].into_iter().chain(many).map(|line| format!("{line}\n"));
        let lines = lines.collect::<Vec<_>>();
        let (by, time) = (world.by(), world.time());
        let (at_end, is_at_end) = oneshot::channel();
        let (go, go_on) = oneshot::channel();
        let file = Halted { lines: lines.clone().into_iter(), at_end: Some(at_end), go_on };
        // The database loses what it does not log, as it does when it crashes or a standby takes over.
        let lose = async {
            is_at_end.await.unwrap();
            let staged = async || world.raw().await.rows("SELECT 1 FROM import_tickets LIMIT 1").await.len() == 1;
            assert!(until(staged).await);
            world.raw().await.batch("TRUNCATE import_runs, import_events, import_types, import_tickets").await;
            go.send(()).unwrap();
        };
        let (outcome, ()) = tokio::join!(import::run(&world.store, producer.tenant, file, &by, &time, |_| ()), lose);
        assert!(outcome.is_err(), "{outcome:?}");
        assert_eq!(world.contents(&[]).await["events"].len(), 0, "nothing was kept");
        // The same file again is a new one.
        let again = import::run(&world.store, producer.tenant, lines.concat().as_bytes(), &by, &time, |_| ()).await;
        assert!(again.unwrap().already_imported_at.is_none());
        assert_eq!(world.contents(&[]).await["tickets"].len(), IMPORT_BATCH);
    });
}

#[test]
fn nothing_stays_of_a_file_with_a_fault_after_its_first_batch() {
    run(Engine::Postgres, async |world: World| {
        let producer = world.producer("pr_a").await;
        let many = (0..2 * IMPORT_BATCH).map(|number| ticket(&format!("T{number}"), "ev", "tt"));
        let lines = many.map(|line| format!("{line}\n")).collect::<Vec<_>>().concat() + "no line\n";
        let (by, time) = (world.by(), world.time());
        let outcome = import::run(&world.store, producer.tenant, lines.as_bytes(), &by, &time, |_| ()).await;
        assert!(matches!(outcome, Err(import::Error::Line(_))), "{outcome:?}");
        let left = "SELECT (SELECT count(*) FROM import_tickets) + (SELECT count(*) FROM import_runs)";
        assert_eq!(world.raw().await.rows(left).await, [["0"]]);
    });
}
