//! A database that is spread over the workers of a Citus cluster: how it comes to be, and that each statement asks one machine.
//! What goes on while a worker is gone is in `citus_workers.rs`.

use std::{collections::BTreeMap, panic::AssertUnwindSafe};

use futures_util::FutureExt;
use reqwest::Method;
use serde_json::json;
use taquilla_domain::{
    key::Permission,
    role::BuiltInRole,
    webhook::{DeliveryStatus, MessageKind},
};
use taquilla_store::{
    Error, Open, Store, distribute::distribute, distribution::Distribution, migrate::MIGRATIONS, tables::TABLES,
};
use tokio::task::JoinSet;

use crate::{
    coupons,
    harness::{
        Answer, Client, Hooks, Producer, Raw, World, cart, citus, event, pay, place,
        receiver::{Behaviour, Receiver},
        taquilla, ticket, ticket_type, until, with, without_shop_limits,
    },
};

/// A producer with an event, something free to sell and a ticket.
async fn a_producer(world: &World, id: &str) -> Producer {
    let producer = world.producer(id).await;
    let item = with(ticket_type("tt", "ev"), json!({"price": 0}));
    world.import(producer.tenant, &[event("ev"), item, ticket("T1", "ev", "tt")]).await;
    producer
}

async fn order(client: &Client, producer: &str, key: &str) -> Answer {
    let items = json!([{"ticket_type_id": "tt", "quantity": 1}]);
    let order = json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": items});
    client.post(&format!("/shop/v1/{producer}/events/ev/orders"), &[("idempotency-key", key)], &order).await
}

/// All rows of our tables. What Citus shows of itself is left out.
async fn rows(world: &World) -> BTreeMap<String, Vec<String>> {
    let mut rows = world.contents(&[]).await;
    rows.retain(|name, _| TABLES.iter().any(|table| table.name == name));
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filled_database_is_spread_also_by_whoever_was_interrupted() {
    if !citus::is_there() {
        return;
    }
    let address = citus::new_empty().await;
    let mut world = World::at_address(&address).await;
    for id in ["pr_a", "pr_b", "pr_c"] {
        a_producer(&world, id).await;
        assert_eq!(order(&world.client, id, "first").await.status, 201);
    }
    let before = rows(&world).await;
    let refused = distribute(&address, |_| {}).await.unwrap_err();
    assert!(matches!(&refused, Error::NotSpread(why) if why.contains("stop the servers first")), "{refused}");
    world.server.stop().await;
    drop(world);
    // The first attempt ends in the middle; those before it find connections that are still closing.
    let is_interrupted = async || {
        let attempt = AssertUnwindSafe(distribute(&address, |step| assert!(step.table != "tickets", "enough")));
        attempt.catch_unwind().await.is_err()
    };
    assert!(until(is_interrupted).await);
    let unfinished = Store::open(&address, Open::Existing).await.map(drop).unwrap_err();
    assert!(matches!(&unfinished, Error::NotSpread(why) if why.contains("tickets")), "{unfinished}");
    let told = taquilla(&address).args(["doctor", "--json"]).output().unwrap();
    assert!(!told.status.success() && String::from_utf8_lossy(&told.stdout).contains("taquilla distribute"));
    let mut steps = Vec::new();
    assert!(until(async || distribute(&address, |_| {}).await.is_ok()).await);
    assert_eq!(distribute(&address, |step| steps.push(step.table)).await.unwrap(), 2);
    assert_eq!(steps, [""; 0], "there is nothing left to do");

    let world = World::at_address(&address).await;
    assert!(rows(&world).await == before, "rows were lost or changed");
    let spread = Distribution::of(&mut world.store.read().await.unwrap()).await.unwrap();
    assert_eq!(spread, Distribution::Spread { workers: 2 });
    assert_eq!(world.client.send(Method::GET, "/readyz", &[]).await.status, 200);
    for id in ["pr_a", "pr_b", "pr_c"] {
        assert_eq!(order(&world.client, id, "second").await.status, 201);
    }
    assert_eq!(world.findings().await, []);

    // An upgrade puts new tables beside the others. Until then a server that runs is not ready.
    let raw = world.raw().await;
    raw.batch("SELECT undistribute_table('import_units')").await;
    assert_eq!(world.client.send(Method::GET, "/readyz", &[]).await.status, 503);
    undo_newest(&raw).await;
    let by_worker = Store::open(&citus::by_worker(&address), Open::Existing).await.map(drop).unwrap_err();
    assert!(matches!(&by_worker, Error::NotSpread(why) if why.contains("the coordinator's address")), "{by_worker}");
    let store = Store::open(&address, Open::Existing).await.unwrap();
    let spread = Distribution::of(&mut store.read().await.unwrap()).await.unwrap();
    assert_eq!(spread, Distribution::Spread { workers: 2 });
}

/// Takes back what the newest migration made.
async fn undo_newest(raw: &Raw) {
    let newest = MIGRATIONS.last().unwrap();
    for ending in [".sql", ".postgres.sql"] {
        let path = format!("{}/crates/store/migrations/{}{ending}", env!("CARGO_MANIFEST_DIR"), newest.name);
        let text: String = std::fs::read_to_string(path).unwrap_or_default();
        let code: String = text.lines().map(|line| line.split("--").next().unwrap().to_owned() + "\n").collect();
        for statement in code.split(';').filter(|statement| !statement.trim().is_empty()) {
            let words: Vec<&str> = statement.split_whitespace().collect();
            let undone = match words[..] {
                ["CREATE", "TABLE", table, ..] => format!("DROP TABLE {table} CASCADE"),
                ["CREATE", "INDEX", index, ..] | ["CREATE", "UNIQUE", "INDEX", index, ..] => {
                    format!("DROP INDEX IF EXISTS {index}")
                }
                ["ALTER", "TABLE", table, "ADD", "COLUMN", column, ..] => {
                    format!("ALTER TABLE {table} DROP COLUMN {column} CASCADE")
                }
                // Rows may stay as they are.
                ["UPDATE" | "INSERT" | "DELETE", ..] => continue,
                _ => panic!("say here how to take this back: {statement}"),
            };
            raw.batch(&undone).await;
        }
    }
    raw.batch(&format!("DELETE FROM schema_migrations WHERE version = {}", newest.version)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_a_workers_address_does_what_all_do() {
    if !citus::is_there() {
        return;
    }
    let address = citus::new_distributed().await;
    let by_worker = citus::by_worker(&address);
    let refused = distribute(&by_worker, |_| {}).await.unwrap_err();
    assert!(matches!(&refused, Error::NotSpread(why) if why.contains("coordinator")), "{refused}");
    let (here, there) = (World::at_address(&address).await, World::at_address(&by_worker).await);
    assert_eq!(there.client.send(Method::GET, "/readyz", &[]).await.status, 200);
    let (one, other) =
        (here.another_server(without_shop_limits()).await, there.another_server(without_shop_limits()).await);
    let clients = [one.1.clone(), other.1.clone()];
    // Some have their rows on the machine that is asked, some on the other worker.
    for id in ["pr_a", "pr_b", "pr_c", "pr_d"] {
        let producer = there.producer(id).await;
        let item = with(ticket_type("tt", "ev"), json!({"price": 0, "limit": 5}));
        there.import(producer.tenant, &[event("ev"), item, ticket("T1", "ev", "tt")]).await;
        // One is sold already; the other four are, through both.
        let mut buyers = JoinSet::new();
        for number in 0..8 {
            let client = clients[number % 2].clone();
            buyers.spawn(async move { order(&client, id, &format!("k{number}")).await.status.as_u16() });
        }
        let mut told = buyers.join_all().await;
        told.sort_unstable();
        assert_eq!(told, [201, 201, 201, 201, 409, 409, 409, 409], "{id}");
        // Who entered through one is known at the other.
        let (gate, _) = there.door(producer.tenant, "ev", &[]).await;
        let gate = [("authorization", &*format!("Bearer {gate}"))];
        for (world, outcome) in [(&there, "admitted"), (&here, "already_scanned")] {
            let scan = json!({"code": "T1", "scan_id": outcome, "station": "Door"});
            let answer = world.client.post("/door/v1/scan", &gate, &scan).await;
            assert_eq!(answer.json()["outcome"], outcome, "{id}: {}", answer.text);
        }
        // A key that is revoked through one opens nothing at either.
        let (token, key) = here.key(producer.tenant, &EVERY, None).await;
        let both = async || {
            let path = "/api/v1/tickets?updated_after=2026-01-01T00:00:00Z";
            [here.client.get(path, &token).await, there.client.get(path, &token).await]
        };
        let answers = both().await;
        assert_eq!((answers[0].ids().len(), &answers[0].text), (5, &answers[1].text), "{id}");
        there.revoke_key(producer.tenant, &key.id).await;
        assert_eq!(both().await.map(|answer| answer.status.as_u16()), [401, 401], "{id}");
        let staff = there.staff(producer.tenant, &format!("{id}@example.com"), BuiltInRole::Administrator).await;
        for page in ["", "/events/ev", "/orders", "/tickets?q=T1", "/reports", "/door", "/team", "/history"] {
            let answer = staff.get(&format!("/dashboard/p/{id}{page}")).await;
            assert_eq!(answer.status, 200, "{id}{page}");
        }
    }
    assert_eq!(there.findings().await, []);
    let folder = tempfile::tempdir().unwrap();
    for arguments in [vec!["check"], vec!["backup", folder.path().join("all.backup").to_str().unwrap()]] {
        let output = taquilla(&by_worker).args(&arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_move_is_read_after_the_wait_for_its_producer() {
    if !citus::is_there() {
        return;
    }
    let world = World::at_address(&citus::new_distributed().await).await;
    let producer = world.producer("pr_a").await;
    // By the database's clock, which a world steps otherwise.
    let store = Store::open(&world.address, Open::Existing).await.unwrap();
    let holding = world.hold(&producer).await;
    let (waiting, tenant, now) = (store.clone(), producer.tenant, world.now());
    let begun = tokio::spawn(async move {
        let tx = waiting.begin_move(tenant, now).await.unwrap();
        let now = tx.now();
        tx.end(Ok::<_, Error>(now)).await.unwrap()
    });
    // The lock is on a worker, so the coordinator is asked who waits anywhere.
    let raw = world.raw().await;
    assert!(until(async || !raw.rows("SELECT 1 FROM citus_lock_waits").await.is_empty()).await);
    let clock = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
    let waited_until: i64 = raw.rows(clock).await[0][0].parse().unwrap();
    holding.batch("COMMIT").await;
    let now = begun.await.unwrap().micros();
    assert!(now >= waited_until, "{now} is before the end of the wait, {waited_until}");
}

/// What the coordinator's log says of a transaction: its statements, each with the number of machines' parts that were asked, and
/// whether it was committed in two phases.
#[derive(Default)]
struct Transaction {
    statements: Vec<(String, usize)>,
    in_two_phases: bool,
}

/// The transactions of a database, by the coordinator's log.
fn transactions(log: &str, database: &str) -> Vec<Transaction> {
    let mut open: BTreeMap<&str, Transaction> = BTreeMap::new();
    let mut ended = Vec::new();
    for line in log.lines() {
        let Some((pid, rest)) = line.strip_prefix(database).and_then(|rest| rest.trim_start().split_once(' ')) else {
            continue;
        };
        let transaction = open.entry(pid).or_default();
        if let Some(statement) = rest.strip_prefix("LOG:  execute ").or_else(|| rest.strip_prefix("LOG:  statement: "))
        {
            transaction.statements.push((statement.to_owned(), 0));
            if statement.starts_with("START TRANSACTION") {
                ended.push(std::mem::take(transaction));
            }
        } else if let Some(sent) = rest.strip_prefix("NOTICE:  issuing ") {
            transaction.in_two_phases |= sent.starts_with("PREPARE TRANSACTION");
            let is_ours =
                ["BEGIN", "COMMIT", "ROLLBACK", "PREPARE TRANSACTION"].iter().all(|word| !sent.starts_with(word));
            if let Some((_, parts)) = transaction.statements.last_mut().filter(|_| is_ours) {
                *parts += 1;
            }
        }
    }
    ended.extend(open.into_values());
    ended
}

/// An order with a coupon, a fee, a promoter and a place of a pool, and the pages that its buyer and its promoter see.
async fn with_coupon_pool_and_promoter(world: &World) {
    let make = |args: &str| coupons::command(world, &args.split(' ').collect::<Vec<_>>());
    make("pool create --event ev --name Room --limit 500 --ticket-type tt");
    make("coupon create --event ev --code TEN --percent 10 --limit 5 --per-buyer 2");
    make("surcharge create --event ev --name Fee --per-ticket --amount 1");
    let promoter = make("promoter create --event ev --name Pia --complimentary 2 --public-url https://tickets.example");
    let token = promoter["token"].as_str().unwrap();
    let placed = place(world, "two", &with(cart("tt", 2), json!({"coupon": "TEN", "promoter": token}))).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    let order = placed.json();
    for page in [
        "/",
        "/shop/pr_a",
        "/shop/pr_a/ev",
        "/shop/v1/pr_a/events/ev?coupon=TEN",
        &format!("/shop/orders/{}", order["reference"].as_str().unwrap()),
        &format!("/promoter/{token}"),
    ] {
        let answer = world.client.get(page, "").await;
        assert_eq!(answer.status, 200, "{page}: {}", answer.text);
    }
    make(&format!("order approve {}", order["order"]["id"].as_str().unwrap()));
    make(&format!("order refund {}", order["order"]["id"].as_str().unwrap()));
}

const EVERY: [Permission; 3] = [Permission::EventsRead, Permission::OrdersRead, Permission::TicketsRead];

/// What commits in two phases: what is written on the coordinator together with a move (what staff do, a new producer), and imports.
const IN_TWO_PHASES: [&str; 3] = ["INSERT INTO audit", "INSERT INTO producers", " import_"];

#[tokio::test(flavor = "multi_thread")]
async fn every_statement_asks_one_machine() {
    if !citus::is_there() {
        return;
    }
    let address = citus::new_distributed().await;
    let database = address.rsplit('/').next().unwrap();
    let raw = Raw::open(&address).await;
    for set in ["log_statement = 'all'", "log_min_messages = 'notice'", "citus.log_remote_commands = on"] {
        raw.batch(&format!("ALTER DATABASE {database} SET {set}")).await;
    }
    let hooks = Hooks::new(World::at_address(&address).await).await;
    let world = &hooks.world;
    let receiver = Receiver::start(Behaviour::ok()).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), &[MessageKind::TicketScanned]).await;
    let secret = world.connect_processor(&hooks.producer).await;
    let placed = place(world, "one", &cart("tt", 2)).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    let reference = placed.json()["reference"].clone();
    let body =
        json!({"payment_id": "pay_1", "reference": reference, "status": "paid", "amount": 50, "currency": "EUR"});
    let paid = pay(world, &body, &secret, 0).await;
    assert!(paid.status.is_success(), "{}", paid.text);
    hooks.scan().await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 1).await;
    with_coupon_pool_and_promoter(world).await;
    let (token, _) = world.key(hooks.producer.tenant, &EVERY, None).await;
    for path in [
        "tickets",
        "tickets?status=valid",
        "tickets?updated_after=2026-01-01T00:00:00Z",
        "orders",
        "events",
        "events/ev/ticket-types",
        "tickets/T001/chain",
    ] {
        let answer = world.client.get(&format!("/api/v1/{path}"), &token).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    }
    let staff = world.staff(hooks.producer.tenant, "o@example.com", BuiltInRole::Administrator).await;
    for page in [
        "",
        "/events",
        "/events/ev",
        "/events/ev/coupons",
        "/events/ev/pools/new",
        "/events/ev/promoters",
        "/events/ev/surcharges",
        "/orders",
        "/tickets",
        "/reports",
        "/door",
    ] {
        let answer = staff.get(&format!("/dashboard/p/pr_a{page}")).await;
        assert_eq!(answer.status, 200, "{page}");
    }
    assert_eq!(world.findings().await, []);

    let log = std::fs::read(citus::log_of_coordinator()).unwrap();
    let found = transactions(&String::from_utf8_lossy(&log), database);
    let all = || found.iter().flat_map(|transaction| &transaction.statements);
    assert!(all().filter(|(_, parts)| *parts == 1).count() > 100, "the log shows what reached machines");
    // An import tells every machine's planner how many rows wait. All else of it asks one, too.
    let is_analysed = |statement: &str| statement.contains("ANALYZE import_");
    let many: Vec<_> = all().filter(|(statement, parts)| *parts > 1 && !is_analysed(statement)).collect();
    assert!(many.is_empty(), "these asked several parts: {many:#?}");
    for transaction in found.iter().filter(|transaction| transaction.in_two_phases) {
        let has = |word: &&str| transaction.statements.iter().any(|(statement, _)| statement.contains(*word));
        assert!(IN_TWO_PHASES.iter().any(has), "two phases: {:#?}", transaction.statements);
    }
}
