//! G8: every list is read along one index, whatever is asked. No sort, no scan, on either engine.

use serde_json::json;
use taquilla::{
    domain::{
        clock::Stamp,
        status::{OrderStatus, TicketStatus},
    },
    store::{
        Conn,
        deliveries::{DUE, NEW},
        delivery_log::NEXT,
        endpoints::WITH_WORK,
        events::{self, EVENTS},
        keyset::{Filter, Position, Source, statement},
        orders::{self, ORDERS},
        prune::{NEEDED, SETTLED},
        sql::Param,
        tickets::{self, CHANGED, TICKETS},
    },
};

use crate::harness::{Engine, World, event, order, ticket, ticket_type, with};

/// The steps of a statement's plan.
async fn plan(conn: &mut Conn, engine: Engine, sql: &str, params: &[Param<'_>], index: &str) -> Vec<String> {
    let mut steps = Vec::new();
    match engine {
        Engine::Sqlite => {
            conn.query(&format!("EXPLAIN QUERY PLAN {sql}"), params, |row| {
                steps.push(row.text(3)?.to_owned());
                Ok(())
            })
            .await
            .unwrap();
        }
        Engine::Postgres => {
            // The plan that is kept for every parameter, not one made for these.
            let values: Vec<String> = params
                .iter()
                .map(|param| match param {
                    Param::Int(value) => value.unwrap().to_string(),
                    Param::Text(value) => format!("'{}'", value.unwrap()),
                })
                .collect();
            let hint = format!(" INDEXED BY {index}");
            conn.batch(&format!("PREPARE list AS {}", sql.replace('?', "$").replace(&hint, ""))).await.unwrap();
            let mut simple = |row: &taquilla::store::sql::Row<'_>| {
                steps.push(row.text(0)?.trim().to_owned());
                Ok(())
            };
            conn.query(&format!("EXPLAIN EXECUTE list({})", values.join(", ")), &[], &mut simple).await.unwrap();
            conn.batch("DEALLOCATE list").await.unwrap();
        }
    }
    steps
}

/// A plan that reads `table` through `index` from one bound to the other, in order, and nothing else.
fn assert_flat(engine: Engine, steps: &[String], source: &Source, filter: &Filter<'_>, what: &str) {
    let index = filter.index(source.table);
    let story = format!("{what}: {steps:#?}");
    let branches = filter.statuses.len().max(1);
    match engine {
        Engine::Sqlite => {
            assert!(!steps.iter().any(|step| step.contains("B-TREE") || step.starts_with("SCAN")), "{story}");
            let along: Vec<&String> =
                steps.iter().filter(|step| step.contains(&format!("USING INDEX {index} ("))).collect();
            assert_eq!(along.len(), branches, "{story}");
            for step in along {
                let bounds = format!("{0}>? AND ({0},seq)<(?,?)", filter.stamp);
                assert!(step.contains(&bounds), "both bounds are the index's: {story}");
                for (column, _) in &filter.equal {
                    assert!(step.contains(&format!("{column}=?")), "{story}");
                }
            }
        }
        Engine::Postgres => {
            for bad in ["Sort", "Seq Scan", "Bitmap", "Hash", "Materialize", "Filter:"] {
                // MergeAppend names its sort key, and merges what is already in order.
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

async fn check(world: &World, source: &Source, filter: &Filter<'_>, start: Position, what: &str) {
    let mut conn = world.store.read().await.unwrap();
    let tenant = taquilla::store::producers::find(&mut conn, "pr_a").await.unwrap().unwrap();
    let (sql, params) = statement(tenant, source, filter, start, 51);
    let steps = plan(&mut conn, world.engine, &sql, &params, &filter.index(source.table)).await;
    assert_flat(world.engine, &steps, source, filter, what);
}

async fn check_every_combination(world: &World) {
    let stamp = Stamp::parse("2026-09-01");
    let some = |bits: u32, bit: u32| (bits & (1 << bit) != 0).then_some(stamp).flatten();
    for bits in 0..64_u32 {
        for statuses in [
            vec![],
            vec![TicketStatus::Refunded],
            vec![TicketStatus::Valid, TicketStatus::Scanned, TicketStatus::Cancelled],
        ] {
            let query = tickets::Query {
                event_id: (bits & 1 != 0).then(|| "ev".into()),
                order_id: (bits & 2 != 0).then(|| "or".into()),
                statuses,
                issued_after: some(bits, 2),
                scanned_after: some(bits, 3),
                scanned_before: some(bits, 4),
                updated_after: some(bits, 5),
            };
            let (filter, start) = query.filter();
            check(world, &TICKETS, &filter, start, &format!("{query:?}")).await;
        }
    }
    for bits in 0..8_u32 {
        for statuses in [vec![], vec![OrderStatus::Refunded], vec![OrderStatus::Pending, OrderStatus::Approved]] {
            let query = orders::Query {
                event_id: (bits & 1 != 0).then(|| "ev".into()),
                statuses,
                created_after: some(bits, 1),
                updated_after: some(bits, 2),
            };
            let (filter, start) = query.filter();
            check(world, &ORDERS, &filter, start, &format!("{query:?}")).await;
        }
    }
    for updated_after in [None, stamp] {
        let filter = events::filter(updated_after);
        check(world, &EVENTS, &filter, Position::above(Stamp::END), "events").await;
        let filter = tickets::changed_filter("ev", updated_after);
        check(world, &CHANGED, &filter, Position::above(Stamp::END), "the door's offline list").await;
    }
}

/// The items of a page of orders are found by key, order by order.
async fn check_items(world: &World) {
    let mut conn = world.store.read().await.unwrap();
    let mut values = vec![Param::from(1)];
    values.resize(51, Param::from("or1"));
    let steps = plan(&mut conn, world.engine, &orders::items_statement(50), &values, "").await;
    let (by_key, bad) = match world.engine {
        Engine::Sqlite => ("(producer_id=? AND order_id=?)", "SCAN"),
        Engine::Postgres => ("Index Cond: ((producer_id = $1) AND (order_id = $", "Filter"),
    };
    assert_eq!(steps.iter().filter(|step| step.contains(by_key)).count(), 50, "{steps:#?}");
    assert!(!steps.iter().any(|step| step.contains(bad)), "{steps:#?}");
}

/// What a move asks of the tickets is found by key, however many there are.
async fn check_moves(world: &World) {
    let mut conn = world.store.read().await.unwrap();
    let sqlite = world.engine == Engine::Sqlite;
    let hash_index = if sqlite { "sqlite_autoindex_door_links_2" } else { "door_links_hash_key" };
    let key_of = |table: &str| if sqlite { format!("sqlite_autoindex_{table}_1") } else { format!("{table}_pkey") };
    let [scans, tickets, types, events] = ["scans", "tickets", "ticket_types", "events"].map(key_of);
    for (sql, index, key) in [
        (
            "SELECT count(*) FROM tickets WHERE producer_id = ?1 AND bundle_id = ?2 AND bundle_unit = ?3 \
             AND coalesce(order_id, '') = ?4 AND hidden = 0 AND status IN ('valid', 'scanned')",
            "tickets_of_bundle",
            4,
        ),
        (
            "SELECT t.id FROM tickets t INDEXED BY tickets_of_order WHERE t.producer_id = ?1 AND t.order_id = ?2",
            "tickets_of_order",
            2,
        ),
        // What a door asks: the link, the answers that scans got before, what has entered, and the log.
        ("SELECT id FROM door_links WHERE ?1 > 0 AND hash = ?2", hash_index, 2),
        ("SELECT answer FROM scans WHERE producer_id = ?1 AND scan_id = ?2", &scans, 2),
        ("SELECT status FROM tickets WHERE producer_id = ?1 AND id = ?2", &tickets, 2),
        ("SELECT name FROM ticket_types WHERE producer_id = ?1 AND id = ?2", &types, 2),
        ("SELECT name FROM events WHERE producer_id = ?1 AND id = ?2", &events, 2),
        ("SELECT valid_tickets FROM ticket_types WHERE producer_id = ?1 AND event_id = ?2", "ticket_types_by_event", 2),
        (
            "SELECT outcome FROM scans WHERE producer_id = ?1 AND door_link_id = ?2 ORDER BY seq DESC LIMIT 50",
            "scans_of_link",
            2,
        ),
    ] {
        let values = [Param::from(1), Param::from("a"), Param::from("b"), Param::from("c")];
        let steps = plan(&mut conn, world.engine, sql, &values[..key], index).await;
        assert!(steps.iter().any(|step| step.contains(&format!(" {index} "))), "{steps:#?}");
        assert!(
            !steps.iter().any(|step| ["SCAN", "Seq Scan", "Sort", "B-TREE"].iter().any(|bad| step.contains(bad))),
            "{steps:#?}"
        );
        if world.engine == Engine::Sqlite {
            let key = if index == hash_index { 1 } else { key };
            assert_eq!(steps[0].matches("=?").count(), key, "every column of the key is used: {steps:#?}");
        }
    }
}

/// What sending webhooks asks: one look into an index for each endpoint, and then along an index.
async fn check_webhooks(world: &World) {
    let (one, many) = (Param::from(1), Param::from(50));
    let sqlite = world.engine == Engine::Sqlite;
    let key_of = |table: &str| if sqlite { format!("sqlite_autoindex_{table}_1") } else { format!("{table}_pkey") };
    let outbox = key_of("outbox");
    // Without a rowid the table is its key.
    let own =
        |table: &str| if sqlite { "USING PRIMARY KEY (producer_id=? AND endpoint_id=?".into() } else { key_of(table) };
    let [deliveries, attempts] = ["webhook_deliveries", "webhook_attempts"].map(own);
    let due = "webhook_deliveries_due".to_owned();
    let of_endpoint = "FROM webhook_deliveries WHERE producer_id = ?1 AND endpoint_id = ?2";
    let id = Param::from("wh_1");
    let cases: Vec<(String, Vec<Param<'_>>, Vec<&String>)> = vec![
        (WITH_WORK.into(), vec![one, one, many], vec![&outbox, &due]),
        (DUE.into(), vec![one, id, one, many], vec![&due, &outbox]),
        (NEW.into(), vec![one, one, many], vec![&outbox]),
        (NEXT.into(), vec![one, id, one], vec![&deliveries, &outbox]),
        (SETTLED.into(), vec![one, id, Param::from("failed"), one, many], vec![&due]),
        (NEEDED.into(), vec![one], vec![&deliveries]),
        (format!("SELECT attempts {of_endpoint} AND number = ?3"), vec![one, id, one], vec![&deliveries]),
        (
            format!("SELECT status {of_endpoint} AND number > ?3 ORDER BY number LIMIT ?4"),
            vec![one, id, one, many],
            vec![&deliveries],
        ),
        (
            format!(
                "SELECT number {of_endpoint} AND status = 'failed' AND due_at > 0 ORDER BY due_at, number LIMIT ?3"
            ),
            vec![one, id, many],
            vec![&due],
        ),
        (
            "SELECT response FROM webhook_attempts WHERE producer_id = ?1 AND endpoint_id = ?2 AND number >= ?3 \
             AND number <= ?4 ORDER BY number DESC, attempt DESC LIMIT ?5"
                .into(),
            vec![one, id, one, one, many],
            vec![&attempts],
        ),
    ];
    let mut conn = world.store.read().await.unwrap();
    for (sql, values, indexes) in cases {
        let steps = plan(&mut conn, world.engine, &sql, &values, "").await;
        for index in indexes {
            assert!(steps.iter().any(|step| step.contains(index.as_str())), "{index}: {sql}: {steps:#?}");
        }
        // Endpoints are few, and those with work are put in order; nothing else is sorted or read from end to end.
        let bad = |step: &&String| {
            let sorted = ["Sort", "B-TREE", "Filter:", "hashed"].iter().any(|bad| step.contains(bad))
                && (sql != WITH_WORK || step.contains("hashed"));
            let scanned = ["SCAN", "Seq Scan"].iter().any(|bad| step.contains(bad));
            sorted || scanned && !step.contains("webhook_endpoints") && !step.contains("SCAN e")
        };
        assert_eq!(steps.iter().find(bad), None, "{sql}: {steps:#?}");
    }
}

both_engines![every_list_is_read_along_one_index,];

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
    check_moves(&world).await;
    check_items(&world).await;
    let deliveries = [
        "INSERT INTO outbox (producer_id, seq, id, kind, occurred_at, data) \
         SELECT producer_id, seq, id, 'ticket.issued', issued_at, '{}' FROM tickets",
        "INSERT INTO webhook_deliveries (producer_id, endpoint_id, number, event_seq, status, due_at, rung, attempts) \
         SELECT producer_id, 'wh_1', seq, seq, 'delivered', issued_at, 1, 1 FROM tickets",
        "INSERT INTO webhook_attempts (producer_id, endpoint_id, number, attempt, attempted_at, duration_ms, response) \
         SELECT producer_id, 'wh_1', seq, 1, issued_at, 1, '' FROM tickets",
    ];
    for statement in deliveries {
        world.store.dedicated().await.unwrap().batch(statement).await.unwrap();
    }
    check_webhooks(&world).await;
    // Statistics must not change the plan.
    world.store.dedicated().await.unwrap().batch("ANALYZE").await.unwrap();
    check_every_combination(&world).await;
    check_webhooks(&world).await;
}
