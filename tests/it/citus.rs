//! A database that is spread over the workers of a Citus cluster: how it comes to be, that each statement asks one machine, and
//! what goes on while a worker is gone.

use std::{collections::BTreeMap, panic::AssertUnwindSafe};

use futures_util::FutureExt;
use reqwest::Method;
use serde_json::json;
use taquilla_domain::{
    config::Config,
    key::Permission,
    role::{BuiltInRole, Rights},
    webhook::{DeliveryStatus, MessageKind},
};
use taquilla_rules::admin;
use taquilla_store::{Error, Open, Store, distribute::distribute, distribution::Distribution, tables::TABLES};
use tokio::task::JoinSet;

use crate::harness::{
    Answer, Client, Cluster, Hooks, Producer, Raw, World, anywhere, cart, citus, event, pay, place,
    receiver::{Behaviour, Receiver},
    taquilla, ticket, ticket_type, to_this_machine, until, with, without_shop_limits,
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
    let told = taquilla(&address).arg("doctor").output().unwrap();
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

    // An upgrade puts new tables beside the others.
    let raw = world.raw().await;
    raw.batch("SELECT undistribute_table('import_units')").await;
    raw.batch("ALTER TABLE schema_migrations DROP COLUMN works_from; DELETE FROM schema_migrations WHERE version = 41")
        .await;
    let store = Store::open(&address, Open::Existing).await.unwrap();
    let spread = Distribution::of(&mut store.read().await.unwrap()).await.unwrap();
    assert_eq!(spread, Distribution::Spread { workers: 2 });
}

/// A coordinator and two workers of a test's own, which it can stop.
struct Machines([Cluster; 3]);

impl Machines {
    async fn start() -> Self {
        let machines = Self([Cluster::made(), Cluster::made(), Cluster::made()]);
        machines.0.iter().for_each(Self::run);
        for machine in &machines.0 {
            Raw::open(&machine.address()).await.batch("CREATE EXTENSION citus").await;
        }
        let [coordinator, workers @ ..] = &machines.0;
        let raw = Raw::open(&coordinator.address()).await;
        raw.batch(&format!("SELECT citus_set_coordinator_host('{}', 5432)", coordinator.folder().display())).await;
        for worker in workers {
            raw.batch(&format!("SELECT citus_add_node('{}', 5432)", worker.folder().display())).await;
        }
        raw.batch("ALTER DATABASE postgres SET citus.shard_count = 4").await;
        drop(raw);
        let address = coordinator.address();
        drop(Store::open(&address, Open::MayCreate).await.unwrap());
        assert!(until(async || distribute(&address, |_| {}).await.is_ok()).await);
        machines
    }

    fn run(machine: &Cluster) {
        assert!(machine.run_with(
            "-c listen_addresses='' -c shared_preload_libraries=citus -c max_prepared_transactions=100 \
             -c citus.node_conninfo=sslmode=disable"
        ));
    }

    fn address(&self) -> String {
        self.0[0].address()
    }
}

/// Which of the workers has a producer's rows.
async fn worker_of(world: &World, machines: &Machines, producer: &Producer) -> usize {
    let sql = format!(
        "SELECT nodename FROM pg_dist_shard_placement WHERE shardid = \
         get_shard_id_for_distribution_column('clocks', {})",
        producer.tenant.number()
    );
    let name = world.raw().await.rows(&sql).await[0][0].clone();
    machines.0.iter().position(|machine| machine.folder().display().to_string() == name).unwrap()
}

/// Producers on both workers, each with its worker and its id.
async fn producers_everywhere(world: &World, machines: &Machines) -> Vec<(usize, String, Producer)> {
    let mut producers = Vec::new();
    for number in 0..6 {
        let producer = a_producer(world, &format!("pr_{number}")).await;
        producers.push((worker_of(world, machines, &producer).await, format!("pr_{number}"), producer));
    }
    assert!(producers.iter().any(|(worker, ..)| *worker != producers[0].0), "all six are on one worker");
    producers
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_silent_keeps_nobody_else_waiting() {
    if !citus::is_there() {
        return;
    }
    let machines = Machines::start().await;
    let world = World::at_address(&machines.address()).await;
    let (_server, client) = world.another_server(without_shop_limits()).await;
    let producers = producers_everywhere(&world, &machines).await;
    let silent = producers[0].0;
    for (_, id, _) in &producers {
        assert_eq!(order(&client, id, "before").await.status, 201);
    }
    let stopped = machines.0[silent].stop_processes();
    let mut waiting = JoinSet::new();
    for (_, id, _) in producers.iter().filter(|(worker, ..)| *worker == silent) {
        for buyer in 0..4 {
            let (client, id) = (client.clone(), id.clone());
            waiting.spawn(async move { order(&client, &id, &format!("waiting {buyer}")).await.status });
        }
    }
    for round in 0..20 {
        for (_, id, _) in producers.iter().filter(|(worker, ..)| *worker != silent) {
            let answer = order(&client, id, &format!("meanwhile {round}")).await;
            assert_eq!(answer.status, 201, "{id}: {}", answer.text);
        }
    }
    drop(stopped);
    // Those who waited got a ticket, or were told to come again.
    for status in waiting.join_all().await {
        assert!(status == 201 || status == 503, "{status}");
    }
    assert!(until(async || order(&client, &producers[0].1, "after").await.status == 201).await);
    assert_eq!(world.findings().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_gone_stops_its_own_producers_only() {
    if !citus::is_there() {
        return;
    }
    let machines = Machines::start().await;
    let mut world = World::at_address(&machines.address()).await;
    let config = Config { webhooks: to_this_machine().webhooks, ..without_shop_limits() };
    world.server.stop().await;
    (world.server, world.client) = world.another_server(config).await;
    let client = world.client.clone();
    let producers = producers_everywhere(&world, &machines).await;
    let gone = producers[0].0;
    // One of those that go on is told of its orders.
    let (_, told, Producer { tenant, .. }) = producers.iter().find(|(worker, ..)| *worker != gone).unwrap();
    let receiver = Receiver::start(Behaviour::ok()).await;
    let (url, kinds) = (anywhere(&receiver.url("/")), [MessageKind::OrderApproved]);
    admin::endpoints::create(&world.store, *tenant, &url, &kinds, false, Rights::all(), &world.by()).await.unwrap();
    let (token, key) = world.key(producers[0].2.tenant, &[Permission::OrdersRead, Permission::TicketsRead], None).await;
    let mut sold = Vec::new();
    for (_, id, _) in &producers {
        let answer = order(&client, id, "before").await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        sold.push((id.clone(), answer.json()["order"]["id"].as_str().unwrap().to_owned()));
    }

    machines.0[gone].crash();
    for round in 0..4 {
        for (worker, id, _) in &producers {
            let answer = order(&client, id, &format!("meanwhile {round}")).await;
            assert_eq!(answer.status, if *worker == gone { 503 } else { 201 }, "{id}: {}", answer.text);
            if answer.status == 201 {
                sold.push((id.clone(), answer.json()["order"]["id"].as_str().unwrap().to_owned()));
            }
        }
    }
    // Each of the living one's orders is told of, although rounds come to the others in between.
    let orders = sold.iter().filter(|(id, _)| id == told).count();
    assert!(until(async || receiver.received().len() >= orders).await);
    // Whose machine is gone can still be kept from reading once it is back.
    world.revoke_key(producers[0].2.tenant, &key.id).await;

    Machines::run(&machines.0[gone]);
    assert!(until(async || order(&client, &producers[0].1, "after").await.status == 201).await);
    assert_eq!(client.get("/api/v1/tickets", &token).await.status, 401);
    for (id, order_id) in &sold {
        let tenant = producers.iter().find(|(_, name, _)| name == id).unwrap().2.tenant;
        let (token, _) = world.key(tenant, &[Permission::OrdersRead, Permission::TicketsRead], None).await;
        assert_eq!(client.get(&format!("/api/v1/orders/{order_id}"), &token).await.status, 200, "{id}");
    }
    assert_eq!(world.findings().await, []);
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
    for page in ["", "/events", "/events/ev", "/orders", "/tickets", "/reports", "/door"] {
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
