//! G8: every list is read along one index, whatever the filter. No sort and no scan, on either engine.

use serde_json::json;
use taquilla_domain::{
    audit::Action,
    clock::Stamp,
    key::{Opens, Permission, Secret},
    status::{OrderStatus, TicketStatus},
};
use taquilla_rules::admin::staff::history;
use taquilla_store::{
    Conn,
    catalogue::{
        by_date,
        events::{self, EVENTS},
        on_sale, pools, ticket_counts, ticket_types,
    },
    distribute::distribute,
    distribution::Distribution,
    door::{entries, entry_curve, inside, link_scans, links, nights, scans, undone},
    engine::sql::Param,
    import::{
        checks::{CHECKS, Check},
        finish, pools as overfull, prepare,
        staging::{self, Import, Staged, Table, keyed},
    },
    keys,
    list_indexes::LISTS,
    lists::{Filter, First, Position, Source, many, statement},
    overview,
    people::{erased, find as people},
    producers,
    sales::{
        attempts, coupons, figures, holds, idempotency,
        listed::LISTED,
        numbers,
        orders::{self, ORDERS},
        overdue::OVERDUE,
        pay_backs, payment_lists, payments, promoter_sums, promoters, refunded_items, shifts,
        sold::Figure,
        surcharges, till,
    },
    search::{entries as words, find, marks},
    staff::audit,
    tickets::{
        bundles,
        chain::CHAIN,
        groups,
        listed::{self, CHANGED, TICKETS},
        rows,
        search::SEARCHED,
        staff::{self, HELD},
        whereabouts,
    },
    vitals::{ENDPOINTS, OPEN_PAYMENTS},
    webhooks::{
        deliveries::{DUE, NEW, WAITING_AGAIN},
        delivery_log::{AFTER, ATTEMPTS, BEFORE, LAST_FAILED, NEXT, WAITING},
        endpoints::WITH_WORK,
        prune::{NEEDED, SETTLED},
    },
};

use crate::harness::{Engine, World, citus, event, order, ticket, ticket_type, with};

/// The steps of a plan. Where tables are spread over machines, they are those of the worker that is asked, by the names that the
/// tables have everywhere.
async fn explained(conn: &mut Conn, sql: &str, params: &[Param<'_>]) -> Vec<String> {
    let steps = conn.explain(sql, params).await.unwrap();
    let Some(node) = steps.iter().position(|step| step.starts_with("Node: ")) else { return steps };
    assert_eq!(steps.iter().filter(|step| step.starts_with("Node: ")).count(), 1, "{sql}: {steps:#?}");
    steps[node + 1..].iter().map(|step| without_parts(step)).collect()
}

/// A step without the numbers that Citus adds to the names of tables and indexes.
fn without_parts(step: &str) -> String {
    let is_part = |word: &str| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit());
    let words = step.split(' ').map(|word| match word.rsplit_once('_') {
        Some((name, part)) if is_part(part) => name,
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Asserts that a plan reads the table through the list's index, in order and between two bounds, and does nothing
/// else.
fn assert_flat(engine: Engine, steps: &[String], source: &Source, filter: &Filter<'_>, what: &str) {
    let index = filter.list(source.table).unwrap().index;
    let story = format!("{what}: {steps:#?}");
    let branches = filter.statuses.len().max(1) + filter.also.len();
    match engine {
        Engine::Sqlite => {
            assert!(!steps.iter().any(|step| step.contains("B-TREE") || step.starts_with("SCAN")), "{story}");
            let along: Vec<&String> =
                steps.iter().filter(|step| step.contains(&format!("USING INDEX {index} ("))).collect();
            assert_eq!(along.len(), branches, "{story}");
            for step in along {
                let bounds = match filter.first {
                    First::Newest => format!("{0}>? AND ({0},seq)<(?,?)", filter.stamp),
                    First::Oldest => format!("({0},seq)>(?,?) AND {0}<?", filter.stamp),
                };
                assert!(step.contains(&bounds), "both bounds are the index's: {story}");
                for (column, _) in &filter.equal {
                    assert!(step.contains(&format!("{column}=?")), "{story}");
                }
            }
        }
        Engine::Postgres => {
            for bad in ["Sort", "Seq Scan", "Bitmap", "Hash", "Materialize", "Filter:"] {
                // MergeAppend shows a sort key although it only merges what is sorted already.
                assert!(
                    !steps.iter().any(|step| step.contains(bad) && !step.starts_with("Sort Key")),
                    "{bad} in {story}"
                );
            }
            let along =
                steps.iter().filter(|step| step.contains(&format!("using {index} on {}", source.table))).count();
            assert_eq!(along, branches, "{story}");
            assert!(steps[0].contains("Limit"), "{story}");
        }
    }
}

/// Asserts that a plan finds the rows of one order by key, and reads no others.
fn assert_of_order(engine: Engine, steps: &[String], is_sorted: bool, what: &str) {
    let story = format!("{what}: {steps:#?}");
    let (by_key, bad, sort) = match engine {
        Engine::Sqlite => ("tickets_of_order (producer_id=? AND order_id=? AND hidden=?)", "SCAN", "B-TREE"),
        Engine::Postgres => (") AND (order_id = ", "Seq Scan", "Sort"),
    };
    assert_eq!(steps.iter().filter(|step| step.contains(by_key)).count(), 1, "{story}");
    assert!(steps.iter().any(|step| step.contains("tickets_of_order ")), "{story}");
    assert!(!steps.iter().any(|step| step.contains(bad) || step.contains("Bitmap")), "{story}");
    assert_eq!(steps.iter().any(|step| step.contains(sort)), is_sorted, "{story}");
}

async fn check(world: &World, hash: &str, source: &Source, filter: &Filter<'_>, start: Position, what: &str) {
    let mut conn = world.store.read().await.unwrap();
    let tenant = producers::find(&mut conn, "pr_a").await.unwrap().unwrap();
    let (sql, params) = statement(tenant, source, filter, start, 51).unwrap();
    let steps = explained(&mut conn, &sql, &params).await;
    if filter.list(source.table).unwrap().is_sorted_late {
        // The rows of an order are sorted where they are few. Where they are many, another list is read.
        assert_of_order(world.engine, &steps, true, what);
        let (sql, params) = many(tenant, source, filter).unwrap();
        assert_of_order(world.engine, &explained(&mut conn, &sql, &params).await, false, what);
        let wider = filter.of_any_owner();
        let (sql, params) = statement(tenant, source, &wider, start, 51).unwrap();
        return assert_flat(world.engine, &explained(&mut conn, &sql, &params).await, source, &wider, what);
    }
    assert_flat(world.engine, &steps, source, filter, what);
    // On several machines the key is checked by a statement of its own.
    if world.engine == Engine::Postgres && !is_spread(&mut conn).await {
        let steps = explain_with_a_key(world, hash, &sql, &params).await;
        let limit =
            steps.iter().position(|step| step.contains("Limit")).unwrap_or_else(|| panic!("{what}: {steps:#?}"));
        assert_flat(world.engine, &steps[limit..], source, filter, what);
    }
}

/// The plan of a statement that has the check of a key as its condition. The key is found by its hash, and the statement
/// runs once, as it is.
async fn explain_with_a_key(world: &World, hash: &str, sql: &str, params: &[Param<'_>]) -> Vec<String> {
    let mut conn = world.store.read().await.unwrap();
    let key = keys::find_by_hash(&mut conn, hash).await.unwrap().unwrap();
    keys::check_along(&mut conn, hash.to_owned(), &key, world.now(), || ()).unwrap();
    let steps = conn.explain(sql, params).await.unwrap();
    assert!(steps[0].starts_with("Nested Loop Left Join"), "{steps:#?}");
    assert!(steps.iter().any(|step| step.contains("using api_keys_hash_key on api_keys")), "{steps:#?}");
    assert!(!steps.iter().any(|step| step.starts_with("Join Filter")), "{steps:#?}");
    steps
}

async fn check_every_combination(world: &World) {
    let tenant = producers::find(&mut world.store.read().await.unwrap(), "pr_a").await.unwrap().unwrap();
    let (token, _) = world.key(tenant, Permission::ALL, None).await;
    let hash = &Secret::parse(Opens::Api, &token).unwrap().hash();
    let stamp = Stamp::parse("2026-09-01");
    let some = |bits: u32, bit: u32| (bits & (1 << bit) != 0).then_some(stamp).flatten();
    for bits in 0..64_u32 {
        for statuses in [
            vec![],
            vec![TicketStatus::Refunded],
            vec![TicketStatus::Valid, TicketStatus::Scanned, TicketStatus::Cancelled],
        ] {
            let query = listed::Query {
                event_id: (bits & 1 != 0).then(|| "ev".into()),
                order_id: (bits & 2 != 0).then(|| "or".into()),
                statuses,
                issued_after: some(bits, 2),
                scanned_after: some(bits, 3),
                scanned_before: some(bits, 4),
                updated_after: some(bits, 5),
                first: First::Newest,
            };
            let turned = listed::Query { first: First::Oldest, ..query.clone() };
            let (filter, start) = turned.filter();
            check(world, hash, &HELD, &filter, start, &format!("for staff, {turned:?}")).await;
            let (filter, start) = query.filter();
            check(world, hash, &TICKETS, &filter, start, &format!("{query:?}")).await;
            check(world, hash, &SEARCHED, &filter, start, &format!("a search, {query:?}")).await;
            check(world, hash, &HELD, &filter, start, &format!("for staff, {query:?}")).await;
        }
    }
    for bits in 0..8_u32 {
        for statuses in [vec![], vec![OrderStatus::Refunded], vec![OrderStatus::Pending, OrderStatus::Approved]] {
            let query = orders::Query {
                event_id: (bits & 1 != 0).then(|| "ev".into()),
                statuses,
                created_after: some(bits, 1),
                updated_after: some(bits, 2),
                ..orders::Query::default()
            };
            let turned = orders::Query { first: First::Oldest, ..query.clone() };
            let (filter, start) = turned.filter();
            check(world, hash, &ORDERS, &filter, start, &format!("for staff, {turned:?}")).await;
            let (filter, start) = query.filter();
            check(world, hash, &ORDERS, &filter, start, &format!("for staff, {query:?}")).await;
            check(world, hash, &LISTED, &filter, start, &format!("{query:?}")).await;
        }
    }
    for updated_after in [None, stamp] {
        let filter = events::filter(updated_after);
        check(world, hash, &EVENTS, &filter, Position::above(Stamp::END), "events").await;
        let filter = listed::changed_filter(&["ev"], updated_after);
        check(world, hash, &CHANGED, &filter, Position::above(Stamp::END), "the door's offline list").await;
        let filter = listed::changed_filter(&["ev", "ev_b", "ev_c"], updated_after);
        check(world, hash, &CHANGED, &filter, Position::above(Stamp::END), "the list of a door of several events")
            .await;
    }
}

/// Statements of requests and moves find rows by key, or read along one index from its end, however many rows there
/// are. These are the same texts that run in the service.
async fn check_lookups(world: &World) {
    let mut conn = world.store.read().await.unwrap();
    let sqlite = world.engine == Engine::Sqlite;
    let key_of = |table: &str| if sqlite { format!("sqlite_autoindex_{table}_1") } else { format!("{table}_pkey") };
    let hash_of =
        |table: &str| if sqlite { format!("sqlite_autoindex_{table}_2") } else { format!("{table}_hash_key") };
    let (one, text, some) = (Param::from(1), Param::from("a"), Param::from(50));
    let overdue = OVERDUE.replace("{now}", "0");
    let cases: Vec<(&str, Vec<Param<'_>>, String, usize)> = vec![
        // Keys and links.
        (keys::FIND_BY_HASH, vec![text], hash_of("api_keys"), 1),
        (&links::FIND_BY_HASH, vec![text], hash_of("door_links"), 1),
        // Moves.
        (&rows::FIND, vec![one, text], key_of("tickets"), 2),
        (&rows::OF_ORDER, vec![one, text], "tickets_of_order".into(), 2),
        (bundles::LIVE_OF_BUNDLE, vec![one, text, text, text], "tickets_of_bundle".into(), 4),
        (ticket_types::SUMMARY, vec![one, text], key_of("ticket_types"), 2),
        (events::NAME, vec![one, text], key_of("events"), 2),
        (ticket_types::FOR_SALE, vec![one, text], key_of("ticket_types"), 2),
        (ticket_types::CONTENTS, vec![one, text], key_of("bundle_items"), 2),
        (events::FOR_SALE, vec![one, text], key_of("events"), 2),
        (events::ANY_ORDER, vec![one, text], "orders_of_event_by_created".into(), 2),
        (&orders::FIND, vec![one, text], key_of("orders"), 2),
        (orders::ITEMS, vec![one, text], key_of("order_items"), 2),
        (orders::ATTENDEES, vec![one, text], key_of("order_attendees"), 2),
        (&attempts::OF_ORDER, vec![one, text], key_of("payment_attempts"), 2),
        (attempts::NEXT, vec![one, some], "payment_attempts_due".into(), 1),
        (&payments::EARLIER, vec![one, text, text], key_of("payments"), 3),
        (&payments::OF_ORDER, vec![one, text], "payments_of_order".into(), 2),
        (&payments::UNSETTLED, vec![one, text], "payments_of_order".into(), 2),
        // The door.
        (ticket_counts::ENTERED, vec![one, text, text], "ticket_types_by_event".into(), 2),
        (ticket_counts::ENTERED, vec![one, text, text], key_of("station_entries"), 2),
        (&groups::OF_ORDER, vec![one, text], "tickets_of_order".into(), 2),
        (scans::ANSWERED, vec![one, text], key_of("scans"), 2),
        (scans::OF_LINK, vec![one, text, some], "scans_of_link".into(), 2),
        // Staff look at orders and tickets, and search them.
        (scans::OF_TICKET, vec![one, text, some], "scans_of_ticket".into(), 2),
        (&staff::LISTED_AT, vec![one, one, one], "tickets_by_issued".into(), 3),
        (&staff::HIDDEN_AT, vec![one, one, one], "tickets_hidden".into(), 3),
        (&staff::OF_ORDER, vec![one, text, some], "tickets_of_order".into(), 2),
        (staff::ENTERED_OF_ORDER, vec![one, text], "tickets_of_order".into(), 2),
        (&find::ORDER_AT, vec![one, one, one], "orders_by_created".into(), 3),
        (&marks::ORDERS_AFTER, vec![one, one, one, one, some], "orders_by_updated".into(), 1),
        (&marks::TICKETS_AFTER, vec![one, one, one, one, some], "tickets_by_updated".into(), 1),
        // People are looked for.
        (&people::ORDERS, vec![one, one, one, some], "orders_by_updated".into(), 1),
        (&people::ORDERS_OF_EVENT, vec![one, one, one, some, text], "orders_of_event_by_updated".into(), 2),
        (&people::TICKETS, vec![one, one, one, some], "tickets_by_updated".into(), 1),
        (&people::TICKETS_OF_EVENT, vec![one, one, one, some, text], "tickets_of_event_by_updated".into(), 2),
        (&people::HIDDEN, vec![one, one, one, some], "tickets_hidden".into(), 1),
        (scans::ANSWERS_OF, vec![one, text], "scans_of_ticket".into(), 2),
        // Reports and exports.
        (entry_curve::FIRST, vec![one, text], key_of("entries"), 2),
        (entry_curve::LAST, vec![one, text], key_of("entries"), 2),
        (entry_curve::ENTERED, vec![one, text, one, one], key_of("entries"), 2),
        (Figure::Sold.sql(), vec![one, text, one, one, text, some], "orders_by_sale".into(), 2),
        (Figure::Refunded.sql(), vec![one, text, one, one, text, some], "orders_by_refund".into(), 2),
        (figures::FIRST, vec![one, text], key_of("sales"), 2),
        (figures::LAST, vec![one, text], key_of("sales"), 2),
        (figures::OF_EVENT, vec![one, text, one, one, some], key_of("sales"), 2),
        (figures::OF_ITEM, vec![one, text, one, one, text], key_of("sales"), 2),
        (figures::OF_EVENTS, vec![one, one, one, some], key_of("event_sales"), 1),
        (figures::IN_ALL, vec![one, text], key_of("event_totals"), 2),
        (promoter_sums::OF_EVENT, vec![one, text, one, one, some], "promoter_sales_of_event".into(), 2),
        (promoter_sums::OF_PROMOTER, vec![one, text], key_of("promoter_sales"), 2),
        (&promoters::FIND, vec![one, text], key_of("promoters"), 2),
        (&promoters::FIND_BY_HASH, vec![one, text], "promoters_by_hash".into(), 2),
        (&promoters::OF_EVENT, vec![one, text, some], "promoters_of_event".into(), 2),
        (ticket_counts::OF_EVENT, vec![one, text], "ticket_types_by_event".into(), 2),
        (scans::AFTER_OF_LINK, vec![one, one, one, some, text], "scans_of_link".into(), 2),
        (scans::AFTER_WITHOUT_LINK, vec![one, one, one, some], "scans_without_link".into(), 1),
        (&payment_lists::AFTER, vec![one, one, text, text, text, some], "payments_by_received".into(), 1),
        // The door, live.
        (producers::CLOCK, vec![one], key_of("clocks"), 1),
        (nights::FROM, vec![one, one, some], "events_of_producer_by_start".into(), 1),
        (nights::BEFORE, vec![one, one, some], "events_of_producer_by_start".into(), 1),
        (nights::UNDATED, vec![one, some], "events_of_producer_undated".into(), 1),
        (&by_date::COMING, vec![one, one, text, some], "events_of_producer_by_start".into(), 1),
        (&by_date::UNDATED, vec![one, text, some], "events_of_producer_undated".into(), 1),
        (&by_date::OVER, vec![one, one, text, some], "events_of_producer_by_start".into(), 1),
        (entries::BY_TYPE, vec![one, text], "ticket_types_by_event".into(), 2),
        (entries::LAST_MINUTE, vec![one, text], key_of("entries"), 2),
        (entries::BY_MINUTE, vec![one, text, one], key_of("entries"), 2),
        (link_scans::OF_LINK, vec![one, text], key_of("link_scans"), 2),
        (&links::OF_EVENT, vec![one, text, some], "door_links_of_event".into(), 2),
        (&links::ALSO_OF_EVENT, vec![one, text, some], key_of("door_link_events"), 2),
        (ticket_types::DOOR_NOTES, vec![one, text], "ticket_types_by_event".into(), 2),
        (ticket_types::AT_THE_DOOR, vec![one, text], key_of("ticket_types"), 2),
        (scans::REFUSED, vec![one, text, some], "scans_refused".into(), 2),
        (scans::IN_CONFLICT, vec![one, text, some], "scans_in_conflict".into(), 2),
        (inside::PEOPLE, vec![one, text], key_of("inside"), 2),
        (inside::LIMITS, vec![one, text], key_of("inside_limits"), 2),
        (whereabouts::OUTSIDE, vec![one, text, some], "tickets_outside".into(), 2),
        (ticket_types::WITH_REENTRY, vec![one, text], "ticket_types_by_event".into(), 2),
        (undone::LAST, vec![one, text], "scans_undone".into(), 2),
        (undone::MADE, vec![one, text], key_of("scans"), 2),
        (undone::STANDING, vec![one, text], "scans_of_ticket".into(), 2),
        // Housekeeping.
        (scans::OLDEST_OF_LINK, vec![one, text, some], "scans_of_link".into(), 2),
        (scans::OLDEST_WITHOUT_LINK, vec![one, some], "scans_without_link".into(), 1),
        (idempotency::FIND, vec![one, text], key_of("idempotency_keys"), 2),
        (&overdue, vec![one, one, one, one, some], "orders_unpaid".into(), 1),
        (idempotency::OLD, vec![one, one, some], "idempotency_keys_by_age".into(), 1),
    ];
    for (sql, values, index, key) in cases {
        let steps = explained(&mut conn, sql, &values).await;
        assert!(steps.iter().any(|step| step.contains(&format!(" {index} "))), "{index}: {sql}: {steps:#?}");
        let bad = |step: &&String| ["SCAN", "Seq Scan", "Sort", "B-TREE"].iter().any(|bad| step.contains(bad));
        assert_eq!(steps.iter().find(bad), None, "{sql}: {steps:#?}");
        if sqlite {
            assert_eq!(steps[0].matches("=?").count(), key, "every column of the key is used: {sql}: {steps:#?}");
        }
    }
    // Only the sums of the days that were asked for are read.
    for (sql, values) in [
        (figures::OF_EVENT, vec![one, text, one, one, some]),
        (figures::OF_ITEM, vec![one, text, one, one, text]),
        (figures::OF_EVENTS, vec![one, one, one, some]),
    ] {
        let steps = explained(&mut conn, sql, &values).await;
        let bounds = if sqlite { "day>? AND day<?" } else { "(day >= " };
        assert!(steps.iter().any(|step| step.contains(bounds)), "{sql}: {steps:#?}");
    }
}

/// Statements for sending webhooks look once into an index for each endpoint, and then read along an index.
async fn check_webhooks(world: &World) {
    let (one, many) = (Param::from(1), Param::from(50));
    let sqlite = world.engine == Engine::Sqlite;
    let key_of = |table: &str| if sqlite { format!("sqlite_autoindex_{table}_1") } else { format!("{table}_pkey") };
    let outbox = key_of("outbox");
    // A table without rowid is stored in its primary key.
    let own =
        |table: &str| if sqlite { "USING PRIMARY KEY (producer_id=? AND endpoint_id=?".into() } else { key_of(table) };
    let [deliveries, attempts] = ["webhook_deliveries", "webhook_attempts"].map(own);
    let (due, again) = ("webhook_deliveries_due".to_owned(), "webhook_deliveries_again".to_owned());
    let unsettled = "payments_unsettled".to_owned();
    let id = Param::from("wh_1");
    let cases: Vec<(&str, Vec<Param<'_>>, Vec<&String>)> = vec![
        (WITH_WORK, vec![one], vec![&outbox, &due]),
        (ENDPOINTS, vec![one, many, many], vec![&outbox, &due]),
        (OPEN_PAYMENTS, vec![one, many], vec![&unsettled]),
        (DUE, vec![one, id, one, many], vec![&due, &outbox]),
        (WAITING_AGAIN, vec![one, id, one, many], vec![&again, &outbox]),
        (WAITING, vec![one, id, one, many], vec![&again]),
        (NEW, vec![one, one, many], vec![&outbox]),
        (NEXT, vec![one, id, one], vec![&deliveries, &outbox]),
        (SETTLED, vec![one, id, Param::from("failed"), one, many], vec![&due]),
        (NEEDED, vec![one], vec![&deliveries]),
        (&AFTER, vec![one, id, one, many], vec![&deliveries, &outbox]),
        (&BEFORE, vec![one, id, one, many], vec![&deliveries, &outbox]),
        (&LAST_FAILED, vec![one, id, many], vec![&due, &outbox]),
        (ATTEMPTS, vec![one, id, one, one, many], vec![&attempts]),
    ];
    let mut conn = world.store.read().await.unwrap();
    for (sql, values, indexes) in cases {
        let steps = explained(&mut conn, sql, &values).await;
        for index in indexes {
            assert!(steps.iter().any(|step| step.contains(index.as_str())), "{index}: {sql}: {steps:#?}");
        }
        // There are few endpoints, so those with work may be sorted. Nothing else is sorted or read from end to end.
        let bad = |step: &&String| {
            let sorted = ["Sort", "B-TREE", "Filter:", "hashed"].iter().any(|bad| step.contains(bad))
                && (![WITH_WORK, ENDPOINTS].contains(&sql) || step.contains("hashed"));
            let scanned = ["SCAN", "Seq Scan"].iter().any(|bad| step.contains(bad));
            // What waits is counted up to a bound.
            let counted = [ENDPOINTS, OPEN_PAYMENTS].contains(&sql) && step.contains("SCAN p");
            sorted || scanned && !counted && !step.contains("webhook_endpoints") && !step.contains("SCAN e")
        };
        assert_eq!(steps.iter().find(bad), None, "{sql}: {steps:#?}");
    }
}

async fn is_spread(conn: &mut Conn) -> bool {
    matches!(Distribution::of(conn).await.unwrap(), Distribution::Spread { .. })
}

/// Citus plans anew each time, by what the tables hold then. So joins of tables that are empty here, such as those of webhooks, say
/// nothing about full ones.
#[tokio::test(flavor = "multi_thread")]
async fn workers_read_along_the_same_indexes() {
    if !citus::is_there() {
        return;
    }
    let address = citus::new_distributed().await;
    // A copy of a database does not have the settings that belong to a user in it.
    distribute(&address, |_| {}).await.unwrap();
    let world = World::at_address(&address).await;
    world.producer("pr_a").await;
    check_every_combination(&world).await;
    check_lookups(&world).await;
}

both_engines![
    what_pages_of_staff_show_is_read_along_an_index,
    a_group_finds_every_row_by_its_key,
    every_list_is_read_along_one_index,
    the_table_of_lists_is_the_schemas,
    an_import_finds_every_row_by_its_key,
    a_chain_finds_every_ticket_by_its_key,
];

/// Whether a step of a plan reads a real table otherwise than by a key with two columns or more.
fn reads_too_much(engine: Engine, step: &str) -> bool {
    let staged = |name: &str| name.starts_with("import_");
    match engine {
        Engine::Sqlite => {
            // A staged table is read from end to end under its alias or its own name.
            let name = step.split_whitespace().nth(1).unwrap_or_default();
            let scanned =
                step.starts_with("SCAN") && !["s", "k", "u", "c", "b", "r", "f", "d", "reached"].contains(&name);
            let by_less =
                step.starts_with("SEARCH") && step.contains("producer_id=?") && step.matches("=?").count() < 2;
            (scanned && !staged(name) && !name.starts_with('(')) || by_less || step.contains("AUTOMATIC")
        }
        Engine::Postgres => {
            let seq = step.split_once("Seq Scan on ").map(|(_, name)| name);
            seq.is_some_and(|name| !staged(name)) || step.contains("Hash Cond") || step.contains("Merge Cond")
        }
    }
}

/// What an import asks of the producer's rows costs the same however many orders and tickets there are.
async fn an_import_finds_every_row_by_its_key(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    for number in 0..2_000 {
        lines.extend([event(&format!("ev{number}")), ticket_type(&format!("tt{number}"), "ev")]);
        lines.push(order(&format!("or{number}"), "ev", "tt"));
        lines.push(with(ticket(&format!("T{number}"), "ev", "tt"), json!({"order_id": format!("or{number}")})));
    }
    world.import(producer.tenant, &lines).await;
    // Orders sold here, which an import once walked through for every ticket.
    world.raw().await.batch("UPDATE orders SET reference = 'R' || id").await;
    // Many rows are staged: the engines know that, and may want to begin with the producer's rows instead.
    let staged: Vec<Staged> = (0..5_000_i64)
        .map(|line| {
            let values = [("id", format!("N{line}")), ("order_id", format!("or{line}")), ("event_id", "ev".into())];
            let columns = values.into_iter().map(|(name, value)| (name, value.into())).collect();
            Staged { table: Table::Tickets, line, columns }
        })
        .collect();
    for analysed in [false, true] {
        if analysed {
            world.raw().await.batch("ANALYZE").await;
        }
        let mut conn = world.store.dedicated().await.unwrap();
        let import = Import::new(producer.tenant, world.now());
        staging::begin(&mut conn, &import, world.now()).await.unwrap();
        staging::stage(&mut conn, &import, &staged).await.unwrap();
        assert_eq!(staging::end(&mut conn, &import).await.unwrap(), None);
        let (ready, new_bundles) = (prepare::ready_tickets(&conn), finish::new_bundles());
        let of_move = [
            prepare::IMPORTED,
            prepare::KNOWN_ORDERS,
            &ready,
            prepare::FROM_TYPES,
            finish::CHANGED_ORDERS,
            finish::CHANGED_CURRENCIES,
            finish::OVERSOLD,
            overfull::FILLED,
            overfull::TOO_MANY_OF_ITEM,
            overfull::TOO_MANY_OF_EVENT,
            finish::ADD_COUNTS,
            finish::ADD_ENTRIES,
            finish::ADD_MINUTES,
            finish::ADD_INSIDE,
            &new_bundles,
        ];
        let checks: Vec<String> = CHECKS.iter().map(Check::first).collect();
        for sql in checks.iter().map(String::as_str).chain(of_move) {
            let sql = &keyed(sql);
            let values =
                [Param::from(producer.tenant.number()), Param::from(&import.id), Param::from(1), Param::from(1)];
            let count = (1..=4).filter(|number| sql.contains(&format!("?{number}"))).count();
            let steps = conn.explain(sql, &values[..count]).await.unwrap();
            let bad = steps.iter().find(|step| reads_too_much(world.engine, step));
            assert_eq!(bad, None, "analysed: {analysed}: {sql}: {steps:#?}");
        }
    }
}

async fn a_chain_finds_every_ticket_by_its_key(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    lines.extend((0..2_000).map(|number| ticket(&format!("T{number}"), "ev", "tt")));
    world.import(producer.tenant, &lines).await;
    let mut conn = world.store.read().await.unwrap();
    let values = [Param::from(1), Param::from("T1"), Param::from(9), Param::from(0), Param::from(51)];
    let steps = conn.explain(CHAIN, &values).await.unwrap();
    let bad = steps.iter().find(|step| match world.engine {
        Engine::Sqlite => step.contains("SCAN t") || step.contains("(producer_id=?)") && step.contains("SEARCH t "),
        Engine::Postgres => step.contains("Seq Scan") || step.contains("Filter: (t"),
    });
    assert_eq!(bad, None, "{steps:#?}");
}

/// A group of sales reads and writes all its rows by a few statements over many keys. Each row must be found by its key,
/// in a new database too: a server keeps the plan that it made then while the tables grow.
async fn a_group_finds_every_row_by_its_key(world: World) {
    let producer = world.producer("pr_a").await;
    let (int, text) = (Param::from(1), Param::from("a"));
    let key = vec![int, text];
    let with = |more: &[Param<'static>]| [&key, more].concat();
    let update = rows::update_statement(", checked_in_at = ?4, checked_in_by = ?6");
    let statements: Vec<(&str, Vec<Param<'_>>)> = vec![
        (ticket_types::FOR_SALE, key.clone()),
        (ticket_types::CONTENTS, key.clone()),
        (ticket_types::SUMMARY, key.clone()),
        (&staff::LISTED_AT, vec![int, int, int]),
        (&find::ORDER_AT, vec![int, int, int]),
        (events::FOR_SALE, key.clone()),
        (events::NAME, key.clone()),
        (idempotency::FIND, key.clone()),
        (&orders::FIND, key.clone()),
        (&promoters::BY_ID, key.clone()),
        (&promoters::BY_HASH, key.clone()),
        (promoters::WHO_GAVE, key.clone()),
        (promoter_sums::ADD_IN_ALL, with(&[int, int, int, int, int])),
        (orders::ITEMS, key.clone()),
        (numbers::FIND, vec![int, int]),
        (numbers::NAMED, key.clone()),
        (pay_backs::AMOUNTS, key.clone()),
        (refunded_items::OF_ORDER, key.clone()),
        (erased::FORGET_NOTES, key.clone()),
        (orders::ATTENDEES, key.clone()),
        (&attempts::OF_ORDER, key.clone()),
        (orders::HOLD_ON, with(&[int])),
        (&rows::FIND, key.clone()),
        (&rows::OF_ORDER, key.clone()),
        (&groups::OF_ORDER, key.clone()),
        (scans::ANSWERED, key.clone()),
        (&payments::EARLIER, with(&[text])),
        (&payments::UNSETTLED, key.clone()),
        (orders::UPDATE, with(&[text, int, int, int, text, text, int, text, text])),
        (holds::HELD, with(&[int])),
        (pools::TAKES, key.clone()),
        (pools::PLACES, key.clone()),
        (pools::HELD, with(&[int])),
        (holds::UNPAID, with(&[text, int])),
        (holds::GIVE_BACK, with(&[int, int])),
        (coupons::BY_CODE, with(&[text])),
        (coupons::BY_ID, key.clone()),
        (coupons::ITEMS, key.clone()),
        (coupons::OF_BUYER, with(&[text, int])),
        (coupons::USE, with(&[int, int])),
        (surcharges::CHARGED, key.clone()),
        (ticket_counts::ADD, with(&[int, int, int])),
        (&update, with(&[text, int, text, text])),
        (orders::FORGET_ATTENDEES, key.clone()),
        (payments::SETTLE, with(&[text, int, text])),
        (erased::ERASE_TICKET, with(&[text, text, int, text])),
        (erased::ERASE_ORDER, with(&[text, int, text])),
        (scans::ANSWERS_OF, key.clone()),
        (scans::ANSWER_ANEW, with(&[text])),
        (undone::MADE, key.clone()),
        (undone::TAKE_BACK, with(&[int])),
        (whereabouts::WRITE, with(&[int, int, text])),
        (words::FORGET, vec![int, int, text, int, int]),
    ];
    for filled in [false, true] {
        if filled {
            let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
            // In a table of one row, reading all and looking it up would be the same.
            lines.extend((0..100).map(|number| ticket_type(&format!("tt{number}"), "ev")));
            lines.extend((0..3_000).map(|number| order(&format!("or{number}"), "ev", "tt")));
            lines.extend((0..3_000).map(|number| ticket(&format!("T{number}"), "ev", "tt")));
            world.import(producer.tenant, &lines).await;
            for more in [
                "INSERT INTO order_attendees (producer_id, order_id, position, unit, name, email, document) \
                 SELECT producer_id, id, 0, 0, '', '', '' FROM orders",
                "INSERT INTO scans (producer_id, scan_id, seq, station, code_hash, ticket_id, outcome, accepted_at, answer) \
                 SELECT producer_id, id, seq, '', '', id, 'unknown', issued_at, '' FROM tickets",
                "INSERT INTO payments (producer_id, id, outcome, reference, order_id, amount, currency, result, received_at) \
                 SELECT producer_id, id, 'paid', id, id, 1, 'EUR', 'sold_out', created_at FROM orders",
                "INSERT INTO pay_backs (producer_id, order_id, owed_at, amount, currency) \
                 SELECT producer_id, id, 1, 1, 'EUR' FROM orders",
                "INSERT INTO refunded_items (producer_id, order_id, refunded_at, position, units, amount) \
                 SELECT producer_id, id, 1, 0, 1, 1 FROM orders",
                "INSERT INTO order_notes (producer_id, order_id, written_at, author, text) \
                 SELECT producer_id, id, 1, '', '' FROM orders",
                "INSERT INTO coupons (producer_id, id, event_id, code, folded, amount, created_at) \
                 SELECT producer_id, 'co_' || id, id, id, id, 1, 1 FROM orders",
                "INSERT INTO coupon_items (producer_id, coupon_id, ticket_type_id) \
                 SELECT producer_id, 'co_' || id, id FROM orders",
                "INSERT INTO surcharges (producer_id, id, event_id, name, per_ticket, amount, created_at) \
                 SELECT producer_id, id, id, id, 1, 1, 1 FROM orders",
                "INSERT INTO payment_attempts (producer_id, order_id, number, processor, state, created_at, expires_at) \
                 SELECT producer_id, id, 1, '', 'open', 1, 1 FROM orders",
                "UPDATE orders SET coupon_id = 'co_' || id",
                "UPDATE orders SET status = 'pending', channel = 'shop', held_until = created_at, placed_from = id",
                "INSERT INTO held_stock (producer_id, ticket_type_id, until, quantity) \
                 SELECT producer_id, id, 1, 1 FROM ticket_types",
                "INSERT INTO search_words (producer_id, kind, word, at, seq) \
                 SELECT producer_id, 1, id, issued_at, seq FROM tickets",
                "INSERT INTO promoters (producer_id, id, event_id, name, hash, last_four, complimentary, created_at) \
                 SELECT producer_id, id, event_id, '', id, '', 1, 1 FROM ticket_types",
                "INSERT INTO pools (producer_id, id, event_id, name, pool_limit, updated_at) \
                 SELECT producer_id, id, event_id, '', 1, 1 FROM ticket_types",
                "INSERT INTO pool_items (producer_id, pool_id, ticket_type_id) SELECT producer_id, id, id FROM ticket_types",
                "INSERT INTO bundle_items (producer_id, bundle_id, position, ticket_type_id, quantity) \
                 SELECT producer_id, id, 0, id, 1 FROM ticket_types",
                "ANALYZE",
            ] {
                world.raw().await.batch(more).await;
            }
        }
        let mut conn = world.store.read().await.unwrap();
        for (sql, values) in &statements {
            let steps = conn.explain_many(sql, values).await.unwrap();
            let story = format!("filled: {filled}: {sql}: {steps:#?}");
            let (by_key, bad) = match world.engine {
                Engine::Sqlite => (vec!["(producer_id=? AND "], vec!["SCAN", "B-TREE"]),
                Engine::Postgres => (
                    vec!["Index Cond: (", "producer_id = given.p1) AND (", " = given.p"],
                    vec!["Seq Scan", "Sort", "Join Filter"],
                ),
            };
            let is_by_key = |step: &String| by_key.iter().all(|part| step.contains(part));
            assert!(steps.iter().any(is_by_key), "{story}");
            assert!(!steps.iter().any(|step| bad.iter().any(|bad| step.contains(bad))), "{story}");
        }
    }
}

async fn every_list_is_read_along_one_index(world: World) {
    for id in ["pr_a", "pr_b"] {
        let producer = world.producer(id).await;
        let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
        for number in 0..3_000 {
            lines.push(order(&format!("or{number}"), "ev", "tt"));
            lines.push(with(
                ticket(&format!("T{number}"), "ev", "tt"),
                json!({"order_id": format!("or{number}"), "checked_in_at": "2026-10-05T20:00:00Z"}),
            ));
        }
        world.import(producer.tenant, &lines).await;
    }
    check_every_combination(&world).await;
    check_lookups(&world).await;
    let deliveries = [
        "INSERT INTO outbox (producer_id, seq, id, kind, occurred_at, data) \
         SELECT producer_id, seq, id, 'ticket.issued', issued_at, '{}' FROM tickets",
        "INSERT INTO webhook_deliveries (producer_id, endpoint_id, sequence, message_seq, status, due_at, rung, attempts) \
         SELECT producer_id, 'wh_1', seq, seq, 'delivered', issued_at, 1, 1 FROM tickets",
        "INSERT INTO webhook_attempts (producer_id, endpoint_id, sequence, attempt, attempted_at, duration_ms, response) \
         SELECT producer_id, 'wh_1', seq, 1, issued_at, 1, '' FROM tickets",
    ];
    for statement in deliveries {
        world.raw().await.batch(statement).await;
    }
    check_webhooks(&world).await;
    // Statistics must not change the plan.
    world.raw().await.batch("ANALYZE").await;
    check_every_combination(&world).await;
    check_webhooks(&world).await;
}

async fn the_table_of_lists_is_the_schemas(world: World) {
    let sql = match world.engine {
        Engine::Sqlite => "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
        Engine::Postgres => "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()",
    };
    // An index's columns and condition, without what the engines write differently.
    let plain = |text: &str| text.replace(['(', ')'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let indexes: Vec<(String, String)> =
        world.raw().await.rows(sql).await.into_iter().map(|row| (row[0].clone(), plain(&row[1]))).collect();
    let with_number: Vec<&String> =
        indexes.iter().filter(|(_, definition)| definition.contains("seq +")).map(|(name, _)| name).collect();
    for list in LISTS {
        let (_, definition) = indexes.iter().find(|(name, _)| name == list.index).expect(list.index);
        // The index of an order's tickets has the hidden ones too, apart from the others.
        let (between, condition) = match list.number {
            Some(number) => (list.by_status.then_some("status"), format!("seq + {number} <> {number}")),
            None => (Some("hidden"), "order_id IS NOT NULL".to_owned()),
        };
        let stamp = if list.is_sorted_late { "issued_at" } else { list.stamp };
        let columns: Vec<&str> =
            ["producer_id"].into_iter().chain(list.owner).chain(between).chain([stamp, "seq"]).collect();
        assert!(definition.contains(&format!(" {} WHERE ", columns.join(", "))), "{list:?}: {definition}");
        assert!(definition.contains(&format!("{} ", list.table)), "{list:?}: {definition}");
        assert!(definition.ends_with(&condition), "{list:?}: {definition}");
    }
    let numbers = LISTS.iter().filter(|list| list.number.is_some()).count();
    assert_eq!(with_number.len(), numbers, "an index for a list that is not in the table: {with_number:?}");
}

async fn what_pages_of_staff_show_is_read_along_an_index(world: World) {
    let producer = world.producer("pr_a").await;
    // PostgreSQL prefers an index only where there are rows enough to make a difference.
    for number in 0..40 {
        for (actor, subject) in [("ana", "key_1"), ("bea", "key_2"), ("carl", "key_3")] {
            let by = taquilla_domain::audit::By::command_line(
                actor,
                world.now().plus(std::time::Duration::from_secs(number)),
            );
            history::note(&world.store, Some(producer.tenant), &by, Action::KeyCreated, subject, &[]).await.unwrap();
        }
    }
    let mut conn = world.store.read().await.unwrap();
    let named = |actor: Option<&str>, action: Option<Action>, subject: Option<&str>| audit::Filter {
        actor: actor.map(str::to_owned),
        action,
        subject: subject.map(str::to_owned),
        ..audit::Filter::default()
    };
    let at = |seconds| Some(audit::id_at(world.now().plus(std::time::Duration::from_secs(seconds))));
    let of_work = audit::Filter { work: Some("wk_1".to_owned()), ..audit::Filter::default() };
    for filter in [
        audit::Filter { from: at(1), until: at(9), ..named(Some("ana"), None, None) },
        audit::Filter { from: at(1), until: at(9), ..audit::Filter::default() },
        of_work,
        named(None, None, None),
        named(Some("ana"), None, None),
        named(None, Some(Action::KeyCreated), None),
        named(None, None, Some("key_1")),
        named(Some("ana"), Some(Action::KeyCreated), Some("key_1")),
    ] {
        let (sql, values) = audit::statement(Some(producer.tenant), &filter, Some("au_9"), 10);
        let steps = conn.explain(&sql, &values).await.unwrap();
        let bad = ["Seq Scan", "SCAN audit", "B-TREE", "Sort"];
        assert!(!steps.iter().any(|step| bad.iter().any(|bad| step.contains(bad))), "{filter:?}: {steps:#?}");
    }
    let text = Param::from("ana");
    let values = [Param::from(1), Param::from(1), text, text, Param::from(10)];
    let steps = conn.explain(find::BEGINNING_WITH, &values).await.unwrap();
    let along = if world.engine == Engine::Sqlite {
        "PRIMARY KEY (producer_id=? AND kind=? AND word>? AND word<?)"
    } else {
        "search_words_pkey"
    };
    assert!(steps.iter().any(|step| step.contains(along)), "{steps:#?}");
    assert!(
        !steps.iter().any(|step| step.contains("Sort") || step.contains("B-TREE") || step.contains("Bitmap")),
        "{steps:#?}"
    );
    let values = [Param::from(1), Param::from(1), Param::from(1), text, Param::from(1), Param::from(10)];
    let steps = conn.explain(on_sale::SOONEST, &values).await.unwrap();
    assert!(steps.iter().any(|step| step.contains("events_of_producer_by_start")), "{steps:#?}");
    assert!(!steps.iter().any(|step| step.contains("SCAN e") || step.contains("Seq Scan on events")), "{steps:#?}");
    let values = [Param::from(1), Param::from(1), text, Param::from(10)];
    let steps = conn.explain(on_sale::UNDATED, &values).await.unwrap();
    assert!(steps.iter().any(|step| step.contains("events_of_producer_undated")), "{steps:#?}");
    // What the overview counts.
    for (sql, index) in [
        (overview::PENDING_SINCE, "orders_by_status"),
        (overview::KEYS_THAT_END, "api_keys_ending"),
        (overview::INVITATIONS_THAT_END, "invitations_ending"),
        (overview::DOOR_LINKS_THAT_END, "door_links_ending"),
        (payment_lists::OPEN_PAGE.as_str(), "payments_unsettled"),
        (pay_backs::PAGE.as_str(), "pay_backs_owed"),
    ] {
        let is_of_money = [payment_lists::OPEN_PAGE.as_str(), pay_backs::PAGE.as_str()].contains(&sql);
        let third = if is_of_money { Param::from("p") } else { Param::from(2) };
        let steps = conn.explain(sql, &[Param::from(1), Param::from(1), third, Param::from(10)]).await.unwrap();
        assert!(steps.iter().any(|step| step.contains(index)), "{sql}: {steps:#?}");
    }
    // What somebody took and paid back in a span of time, their shifts, and how many orders a refund of all is about.
    let span = [Param::from(1), Param::from("ana"), Param::from(1), Param::from(2)];
    let of_event = [Param::from(1), Param::from("ev"), Param::from("approved"), Param::from(10)];
    for (sql, index, values) in [
        (till::TAKEN, "orders_by_seller", &span[..]),
        (till::PAID_BACK, "pay_backs_by_payer", &span),
        (till::NEXT_SELLER, "orders_by_seller", &span[..2]),
        (till::NEXT_PAYER, "pay_backs_by_payer", &span[..2]),
        (shifts::OPEN.as_str(), "shifts_", &span[..2]),
        (taquilla_store::work::orders::COUNT_SOME, "orders_of_event_by_status", &of_event),
    ] {
        let steps = conn.explain(sql, values).await.unwrap();
        assert!(steps.iter().any(|step| step.contains(index)), "{sql}: {steps:#?}");
    }
    for (sql, index) in
        [(payment_lists::COUNT_OPEN.as_str(), "payments_unsettled"), (pay_backs::COUNT, "pay_backs_owed")]
    {
        let steps = conn.explain(sql, &[Param::from(1), Param::from(10)]).await.unwrap();
        assert!(steps.iter().any(|step| step.contains(index)), "{steps:#?}");
    }
}
