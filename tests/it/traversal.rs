//! Lists against an oracle: for any rows and filters, a whole traversal equals a brute-force filter and sort.

use std::{collections::HashSet, time::Duration};

use proptest::{prelude::*, sample::subsequence};
use serde_json::{Value, json};
use taquilla_domain::{
    clock::Stamp,
    config::EXAMINED_MAX,
    status::{Facts, OrderStatus, TicketStatus},
};

use crate::harness::{self, Engine, Producer, World, event, order, ticket, ticket_type, with};

/// Few different times, so that many rows share one.
const MOMENTS: [&str; 6] = [
    "2026-08-11T00:00:00.000000Z",
    "2026-09-01T00:00:00.000000Z",
    "2026-09-01T00:00:00.000001Z",
    "2026-10-01T10:00:00.000000Z",
    "2026-10-20T23:59:59.999999Z",
    "2026-11-01T11:59:59.000000Z",
];
const EVENTS: [&str; 3] = ["ev_0", "ev_1", "ev_2"];

#[derive(Clone, Debug)]
struct MadeOrder {
    event: usize,
    status: OrderStatus,
    created: usize,
}

#[derive(Clone, Debug)]
struct MadeTicket {
    event: usize,
    order: Option<usize>,
    issued: usize,
    scanned: Option<usize>,
    cancelled: bool,
    hidden: bool,
    /// Whether it was passed on to another ticket.
    transferred: bool,
    /// The import it comes with.
    import: usize,
}

#[derive(Clone, Debug, Default)]
struct Asked {
    event: Option<usize>,
    order: Option<usize>,
    statuses: Vec<&'static str>,
    comma: bool,
    issued_after: Option<usize>,
    scanned_after: Option<usize>,
    scanned_before: Option<usize>,
    /// Only rows changed after this import's stamp.
    updated_after: Option<usize>,
    limit: usize,
}

const IMPORTS: usize = 3;

fn orders() -> impl Strategy<Value = Vec<MadeOrder>> {
    let status = prop::sample::select(OrderStatus::ALL);
    prop::collection::vec(
        (0..2_usize, status, 0..MOMENTS.len()).prop_map(|(event, status, created)| MadeOrder {
            event,
            status,
            created,
        }),
        1..12,
    )
}

fn tickets() -> impl Strategy<Value = Vec<MadeTicket>> {
    let made = (
        0..2_usize,
        prop::option::of(0..12_usize),
        0..MOMENTS.len(),
        prop::option::of(0..MOMENTS.len()),
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.2),
        0..IMPORTS,
    )
        .prop_map(|(event, order, issued, scanned, cancelled, hidden, transferred, import)| MadeTicket {
            event,
            order,
            issued,
            scanned,
            cancelled,
            hidden,
            transferred,
            import,
        });
    prop::collection::vec(made, 0..60)
}

fn asked(all: Vec<&'static str>) -> impl Strategy<Value = Asked> {
    let moment = || prop::option::weighted(0.25, 0..MOMENTS.len());
    let statuses = prop_oneof![2 => Just(vec![]), 3 => subsequence(all.clone(), 1..=all.len()).prop_shuffle()];
    (
        prop::option::weighted(0.4, 0..3_usize),
        prop::option::weighted(0.2, 0..13_usize),
        statuses,
        any::<bool>(),
        moment(),
        moment(),
        moment(),
        prop::option::weighted(0.25, 0..=IMPORTS),
        prop_oneof![1..6_usize, Just(50), Just(200)],
    )
        .prop_map(
            |(event, order, statuses, comma, issued_after, scanned_after, scanned_before, updated_after, limit)| {
                Asked {
                    event,
                    order,
                    statuses,
                    comma,
                    issued_after,
                    scanned_after,
                    scanned_before,
                    updated_after,
                    limit,
                }
            },
        )
}

/// A row as the oracle knows it; `line` rises with every imported line.
#[derive(Clone, Debug)]
struct Known {
    id: String,
    event: String,
    order: Option<String>,
    status: &'static str,
    made: Stamp,
    scanned: Option<Stamp>,
    updated: Stamp,
    line: usize,
}

struct Stored {
    producer: Producer,
    tickets: Vec<Known>,
    orders: Vec<Known>,
    /// The stamps of the imports, and one before them.
    marks: Vec<Stamp>,
}

fn at(moment: usize) -> Stamp {
    Stamp::parse(MOMENTS[moment]).unwrap()
}

async fn store(world: &World, orders: &[MadeOrder], tickets: &[MadeTicket]) -> Stored {
    let producer = world.producer(&format!("pr_{:x}", rand::random::<u64>())).await;
    let mut stored = Stored { producer, tickets: vec![], orders: vec![], marks: vec![world.now()] };
    let mut count = 0;
    for import in 0..IMPORTS {
        world.step(Duration::from_secs(1));
        let updated = world.now();
        stored.marks.push(updated);
        let mut lines = Vec::new();
        if import == 0 {
            for id in EVENTS {
                lines.extend([event(id), ticket_type(&format!("tt_{id}"), id)]);
            }
            count += lines.len();
            for (number, made) in orders.iter().enumerate() {
                let id = format!("or_{number}");
                let line = order(&id, EVENTS[made.event], &format!("tt_{}", EVENTS[made.event]));
                lines.push(with(line, json!({"status": made.status.as_str(), "created_at": MOMENTS[made.created]})));
                count += 1;
                stored.orders.push(Known {
                    id,
                    event: EVENTS[made.event].into(),
                    order: None,
                    status: made.status.as_str(),
                    made: at(made.created),
                    scanned: None,
                    updated,
                    line: count,
                });
            }
        }
        for (number, made) in tickets.iter().enumerate().filter(|(_, made)| made.import == import) {
            // All tickets of an order are for its event.
            let order = made.order.filter(|order| orders.get(*order).is_some_and(|order| order.event == made.event));
            let id = format!("T{number}");
            let mut line = with(
                ticket(&id, EVENTS[made.event], &format!("tt_{}", EVENTS[made.event])),
                json!({"issued_at": MOMENTS[made.issued], "hidden": made.hidden}),
            );
            if let Some(order) = order {
                line["order_id"] = format!("or_{order}").into();
            }
            if let Some(scanned) = made.scanned {
                line["checked_in_at"] = MOMENTS[scanned].into();
            }
            if made.cancelled {
                line["cancelled_at"] = MOMENTS[5].into();
            }
            let facts = Facts {
                transferred: made.transferred,
                refunded: order.is_some_and(|order| orders[order].status == OrderStatus::Refunded),
                cancelled: made.cancelled,
                scanned: made.scanned.is_some(),
            };
            let known = Known {
                id: id.clone(),
                event: EVENTS[made.event].into(),
                order: order.map(|order| format!("or_{order}")),
                status: TicketStatus::of(facts).as_str(),
                made: at(made.issued),
                scanned: made.scanned.map(at),
                updated,
                line: count + 1,
            };
            count += 1;
            if made.transferred {
                let taken = format!("{id}-next");
                line["transferred_at"] = MOMENTS[5].into();
                line["transferred_to_ticket_id"] = taken.clone().into();
                let mut next = ticket(&taken, EVENTS[made.event], &format!("tt_{}", EVENTS[made.event]));
                next["issued_at"] = MOMENTS[5].into();
                lines.extend([line, next]);
                count += 1;
                stored.tickets.push(Known {
                    id: taken,
                    order: None,
                    status: "valid",
                    made: at(5),
                    scanned: None,
                    line: count,
                    ..known.clone()
                });
            } else {
                lines.push(line);
            }
            if !made.hidden {
                stored.tickets.push(known);
            }
        }
        world.import(stored.producer.tenant, &lines).await;
    }
    stored
}

/// The query string of a request, and the ids it must return, in order.
fn expected(asked: &Asked, rows: &[Known], marks: &[Stamp], tickets: bool) -> (String, Vec<String>) {
    let mut query = Vec::new();
    let mut rows: Vec<&Known> = rows.iter().collect();
    let event = asked.event.map(|event| EVENTS.get(event).copied().unwrap_or("ev_unknown"));
    if let Some(event) = event {
        query.push(format!("event_id={event}"));
        rows.retain(|row| row.event == event);
    }
    if let Some(order) = asked.order.filter(|_| tickets) {
        query.push(format!("order_id=or_{order}"));
        rows.retain(|row| row.order.as_deref() == Some(&format!("or_{order}")));
    }
    if !asked.statuses.is_empty() {
        query.push(match asked.comma {
            true => format!("status={}", asked.statuses.join(",")),
            false => asked.statuses.iter().map(|status| format!("status={status}")).collect::<Vec<_>>().join("&"),
        });
        rows.retain(|row| asked.statuses.contains(&row.status));
    }
    if let Some(moment) = asked.issued_after {
        query.push(format!("{}={}", if tickets { "issued_after" } else { "created_after" }, MOMENTS[moment]));
        rows.retain(|row| row.made > at(moment));
    }
    if let Some(moment) = asked.scanned_after.filter(|_| tickets) {
        query.push(format!("scanned_after={}", MOMENTS[moment]));
        rows.retain(|row| row.scanned.is_some_and(|scanned| scanned > at(moment)));
    }
    if let Some(moment) = asked.scanned_before.filter(|_| tickets) {
        query.push(format!("scanned_before={}", MOMENTS[moment]));
        rows.retain(|row| row.scanned.is_some_and(|scanned| scanned <= at(moment)));
    }
    if let Some(mark) = asked.updated_after {
        query.push(format!("updated_after={}", marks[mark]));
        rows.retain(|row| row.updated > marks[mark]);
    }
    let scanned = tickets && (asked.scanned_after.is_some() || asked.scanned_before.is_some());
    rows.sort_by_key(|row| {
        let stamp = match asked.updated_after {
            Some(_) => row.updated,
            None if scanned => row.scanned.unwrap(),
            None => row.made,
        };
        std::cmp::Reverse((stamp, row.line))
    });
    (query.join("&"), rows.into_iter().map(|row| row.id.clone()).collect())
}

/// Every row of a list, page by page, and how many rows each page had.
async fn traverse(world: &World, key: &str, list: &str, query: &str, limit: usize) -> (Vec<Value>, Vec<usize>) {
    let mut rows = Vec::new();
    let mut sizes = Vec::new();
    let mut cursor = String::new();
    loop {
        let answer = world.client.get(&format!("/api/v1/{list}?limit={limit}&{query}{cursor}"), key).await;
        let page = answer.data();
        assert!(page.len() <= limit);
        sizes.push(page.len());
        rows.extend(page);
        let envelope = answer.json();
        assert_eq!(envelope["has_more"].as_bool().unwrap(), envelope["next_cursor"].is_string());
        match envelope["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return (rows, sizes),
        }
    }
}

fn ids(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["id"].as_str().unwrap()).collect()
}

fn oracle(engine: Engine) {
    harness::run_blocking(engine, |world, runtime| {
        let all_tickets: Vec<&str> = TicketStatus::ALL.iter().map(|status| status.as_str()).collect();
        let all_orders: Vec<&str> = OrderStatus::ALL.iter().map(|status| status.as_str()).collect();
        let questions = (prop::collection::vec(asked(all_tickets), 25), prop::collection::vec(asked(all_orders), 12));
        harness::runner(file!(), 12, 60)
            .run(&(orders(), tickets(), questions), |(orders, tickets, (of_tickets, of_orders))| {
                runtime.block_on(async {
                    let stored = store(&world, &orders, &tickets).await;
                    let lists = [("tickets", &stored.tickets, of_tickets), ("orders", &stored.orders, of_orders)];
                    for (list, rows, questions) in lists {
                        for asked in questions {
                            let (query, expected) = expected(&asked, rows, &stored.marks, list == "tickets");
                            let (rows, sizes) = traverse(&world, &stored.producer.key, list, &query, asked.limit).await;
                            prop_assert_eq!(ids(&rows), expected, "{}?{} limit {}", list, query, asked.limit);
                            // There are fewer rows than one page may examine, so only the last page is short.
                            prop_assert!(sizes.iter().rev().skip(1).all(|size| *size == asked.limit), "{:?}", sizes);
                        }
                    }
                    let events = traverse(&world, &stored.producer.key, "events", "", 2).await.0;
                    prop_assert_eq!(ids(&events), ["ev_2", "ev_1", "ev_0"]);
                    let later = format!("updated_after={}", stored.marks[1]);
                    prop_assert_eq!(traverse(&world, &stored.producer.key, "events", &later, 2).await.0.len(), 0);
                    Ok(())
                })
            })
            .unwrap();
    });
}

#[test]
fn whole_traversals_equal_the_oracle_on_sqlite() {
    oracle(Engine::Sqlite);
}

#[test]
fn whole_traversals_equal_the_oracle_on_postgres() {
    oracle(Engine::Postgres);
}

both_engines![
    rows_inserted_during_a_traversal_cause_no_skip_and_no_repeat,
    thousands_of_old_tickets_with_one_date_page_correctly,
    a_filter_that_no_index_serves_gives_short_pages_and_misses_nothing,
    an_order_with_any_number_of_tickets_pages_correctly,
    an_order_that_grows_during_a_traversal_is_read_to_its_end,
];

async fn rows_inserted_during_a_traversal_cause_no_skip_and_no_repeat(world: World) {
    for (round, query) in [
        "",
        "event_id=ev",
        "status=valid",
        "event_id=ev&status=valid,scanned",
        "scanned_after=2026-01-01",
        "scanned_after=2026-01-01&status=scanned",
        "updated_after=2026-01-01",
        "order_id=or",
    ]
    .into_iter()
    .enumerate()
    {
        let producer = world.producer(&format!("pr_{round}")).await;
        let make = |name: &str, number: usize| {
            with(
                ticket(&format!("{name}{number}"), "ev", "tt"),
                json!({
                    "order_id": "or", "issued_at": MOMENTS[number % 6],
                    "checked_in_at": if number.is_multiple_of(2) || query.contains("scanned_after") { Value::from(MOMENTS[number % 5 + 1]) } else { Value::Null },
                }),
            )
        };
        let mut lines = vec![event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt")];
        lines.extend((0..40).map(|number| make("A", number)));
        world.import(producer.tenant, &lines).await;
        let mut wanted: HashSet<String> = traverse(&world, &producer.key, "tickets", query, 200)
            .await
            .0
            .iter()
            .map(|row| row["id"].as_str().unwrap().to_owned())
            .collect();
        assert!(wanted.len() >= 20, "{query}");

        let mut seen = HashSet::new();
        let mut cursor = String::new();
        let mut page_number = 0;
        loop {
            let answer = world.client.get(&format!("/api/v1/tickets?limit=7&{query}{cursor}"), &producer.key).await;
            for id in answer.ids() {
                assert!(seen.insert(id.clone()), "{query}: {id} came twice");
            }
            match answer.json()["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
            // New rows are added above, below and among those already read.
            page_number += 1;
            world.step(Duration::from_secs(1));
            let new: Vec<Value> = (0..12).map(|number| make(&format!("B{page_number}-"), number)).collect();
            world.import(producer.tenant, &new).await;
            assert!(page_number < 100, "{query}: the traversal never ends");
        }
        wanted.retain(|id| !seen.contains(id));
        assert_eq!(wanted, HashSet::new(), "{query}: these were skipped");
    }
}

async fn thousands_of_old_tickets_with_one_date_page_correctly(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    lines.extend((0..3_500).map(|number| {
        let mut line = ticket(&format!("OLD-{number:04}"), "ev", "tt");
        line["issued_at"] = if number % 2 == 0 { Value::Null } else { "2019-03-04T05:06:07Z".into() };
        line
    }));
    world.import(producer.tenant, &lines).await;
    for (query, limit) in [("", 200), ("event_id=ev", 199), ("status=valid", 200), ("updated_after=2026-01-01", 200)] {
        let (rows, _) = traverse(&world, &producer.key, "tickets", query, limit).await;
        let expected: Vec<String> = (0..3_500).rev().map(|number| format!("OLD-{number:04}")).collect();
        assert_eq!(ids(&rows), expected, "{query}");
        assert!(rows.iter().all(|row| row["issued_at"] == "2026-08-11T00:00:00.000000Z" && row["order_id"].is_null()));
    }
    let after = traverse(&world, &producer.key, "tickets", "issued_after=2026-08-11", 200).await;
    assert_eq!(after.0.len(), 0, "after does not include the date itself");
}

async fn a_filter_that_no_index_serves_gives_short_pages_and_misses_nothing(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    let total = EXAMINED_MAX * 3 + 10;
    lines.extend((0..total).map(|number| {
        // A few cancelled tickets, far apart, among those that entered.
        let cancelled = if number % 700 == 5 { "2026-10-30".into() } else { Value::Null };
        with(
            ticket(&format!("T{number:04}"), "ev", "tt"),
            json!({"checked_in_at": "2026-10-05T20:00:00Z", "cancelled_at": cancelled}),
        )
    }));
    world.import(producer.tenant, &lines).await;
    let (rows, sizes) =
        traverse(&world, &producer.key, "tickets", "scanned_after=2026-01-01&status=cancelled", 50).await;
    let expected: Vec<String> =
        (0..total).rev().filter(|number| number % 700 == 5).map(|number| format!("T{number:04}")).collect();
    assert_eq!(ids(&rows), expected);
    assert_eq!(sizes.len(), 4, "each page examines a bounded number of rows: {sizes:?}");
    let (rows, sizes) =
        traverse(&world, &producer.key, "tickets", "updated_after=2026-01-01&scanned_after=2026-10-31", 50).await;
    assert_eq!((rows.len(), sizes.len()), (0, 4), "empty pages still lead to the end");
}

/// An order with so many visible tickets; every tenth ticket is hidden besides, every other has entered.
fn order_of(visible: usize) -> Vec<Value> {
    let mut lines = vec![event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt"), order("other", "ev", "tt")];
    for number in 0..visible + visible / 9 {
        let scanned = if number % 2 == 0 { Value::from(MOMENTS[number % 5 + 1]) } else { Value::Null };
        let facts = json!({"issued_at": MOMENTS[number % 6], "checked_in_at": scanned, "hidden": number % 10 == 9});
        lines.push(with(with(ticket(&format!("T{number}"), "ev", "tt"), facts), json!({"order_id": "or"})));
    }
    lines
}

/// Up to some number, an order's tickets are sorted for each page; beyond it, the list of all tickets is read, in which
/// those of another order come first here.
async fn an_order_with_any_number_of_tickets_pages_correctly(world: World) {
    for (round, visible) in [3, EXAMINED_MAX, EXAMINED_MAX + 1, EXAMINED_MAX + 700].into_iter().enumerate() {
        let producer = world.producer(&format!("pr_{round}")).await;
        let lines = order_of(visible);
        world.import(producer.tenant, &lines).await;
        world.step(Duration::from_secs(1));
        let other = |number: usize| {
            with(ticket(&format!("X{number}"), "ev", "tt"), json!({"order_id": "other", "checked_in_at": MOMENTS[5]}))
        };
        world.import(producer.tenant, &(0..EXAMINED_MAX + 100).map(other).collect::<Vec<_>>()).await;
        let mut known: Vec<(Option<Stamp>, Stamp, usize, &str)> = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line["order_id"] == "or" && line["hidden"] == false)
            .map(|(at, line)| {
                let stamp = |name: &str| line[name].as_str().and_then(Stamp::parse);
                (stamp("checked_in_at"), stamp("issued_at").unwrap(), at, line["id"].as_str().unwrap())
            })
            .collect();
        assert_eq!(known.len(), visible);
        let bound = Stamp::parse(MOMENTS[2]).unwrap();
        // All have one `updated_at`, so the line decides.
        known.sort_by_key(|(.., line, _)| std::cmp::Reverse(*line));
        let updated: Vec<&str> = known.iter().map(|(.., id)| *id).collect();
        known.sort_by_key(|(_, issued, line, _)| std::cmp::Reverse((*issued, *line)));
        let issued: Vec<&str> = known.iter().map(|(.., id)| *id).collect();
        known.sort_by_key(|(scanned, _, line, _)| std::cmp::Reverse((*scanned, *line)));
        let of = |keep: &dyn Fn(Stamp) -> bool| -> Vec<&str> {
            known.iter().filter(|(scanned, ..)| scanned.is_some_and(keep)).map(|(.., id)| *id).collect()
        };
        for (query, expected, is_short) in [
            ("", issued, false),
            ("&updated_after=2026-01-01", updated, true),
            ("&scanned_after=2026-01-01", of(&|_| true), true),
            (&format!("&scanned_before={}", MOMENTS[2]), of(&|scanned| scanned <= bound), false),
            (&format!("&scanned_after={}&event_id=ev", MOMENTS[2]), of(&|scanned| scanned > bound), true),
            ("&scanned_after=2026-01-01&event_id=elsewhere", vec![], false),
        ] {
            for limit in [70, 200] {
                let query = format!("order_id=or{query}");
                let (rows, sizes) = traverse(&world, &producer.key, "tickets", &query, limit).await;
                assert_eq!(ids(&rows), expected, "{visible}: {query}");
                if visible > EXAMINED_MAX && is_short {
                    assert_eq!(sizes[0], 0, "no page examines more: {visible}: {query}: {sizes:?}");
                } else if visible <= EXAMINED_MAX {
                    assert!(sizes.iter().rev().skip(1).all(|size| *size == limit), "{visible}: {query}: {sizes:?}");
                }
            }
        }
    }
}

/// A cursor that was given out while the order had few tickets is good when it has many.
async fn an_order_that_grows_during_a_traversal_is_read_to_its_end(world: World) {
    for (round, query) in ["updated_after=2026-01-01", "scanned_after=2026-01-01"].into_iter().enumerate() {
        let producer = world.producer(&format!("pr_{round}")).await;
        world.import(producer.tenant, &order_of(EXAMINED_MAX)).await;
        let query = format!("order_id=or&{query}");
        let (before, _) = traverse(&world, &producer.key, "tickets", &query, 200).await;
        let first = world.client.get(&format!("/api/v1/tickets?limit=120&{query}"), &producer.key).await;
        world.step(Duration::from_secs(1));
        let late = |number: usize| {
            with(ticket(&format!("N{number}"), "ev", "tt"), json!({"order_id": "or", "checked_in_at": MOMENTS[5]}))
        };
        world.import(producer.tenant, &(0..5).map(late).collect::<Vec<_>>()).await;
        let (mut rows, mut next) = (first.data(), first.json()["next_cursor"].as_str().map(str::to_owned));
        while let Some(cursor) = next {
            let path = format!("/api/v1/tickets?limit=120&{query}&cursor={cursor}");
            let answer = world.client.get(&path, &producer.key).await;
            rows.extend(answer.data());
            next = answer.json()["next_cursor"].as_str().map(str::to_owned);
        }
        assert_eq!(ids(&rows), ids(&before), "{query}");
        let (now, _) = traverse(&world, &producer.key, "tickets", &query, 200).await;
        assert_eq!(now.len(), before.len() + 5);
    }
}
