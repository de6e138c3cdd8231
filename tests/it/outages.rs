//! The database is silent, held by somebody, full, only for reading, or set in another way: what goes on, and what is
//! told to whom.

use std::{os::unix::fs::PermissionsExt, path::Path, process::Command, sync::Arc, time::Duration};

use futures_util::{future::join_all, poll};
use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{
    admit::Outcome,
    config::{Config, POSTGRES_WRITERS, PostgresTimeouts, WAITING_MAX},
    webhook::MessageKind,
};
use taquilla_rules::boxoffice::{self, Admission, Door, Queue, Request, Scan};
use taquilla_store::{ChangeError, ChangeResult, Conn, Error, Open, Store, Tenant};

use crate::harness::configured;
use crate::harness::{
    Answer, Client, Cluster, Engine, Hooks, PATIENCE, Producer, Server, SilentLine, World, address_in, event, problem,
    receiver::{Behaviour, Receiver},
    run, run_in_one_thread, serve, start, ticket, ticket_type, to_this_machine, until, with,
};

/// A producer with an event, something free to sell and two tickets.
async fn a_producer(world: &World, id: &str) -> Producer {
    let producer = world.producer(id).await;
    let item = with(ticket_type("tt", "ev"), json!({"price": 0}));
    world.import(producer.tenant, &[event("ev"), item, ticket("T1", "ev", "tt"), ticket("T2", "ev", "tt")]).await;
    producer
}

async fn order(client: &Client, producer: &str, key: &str) -> Answer {
    let items = json!([{"ticket_type_id": "tt", "quantity": 1}]);
    let order = json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": items});
    client.post(&format!("/shop/v1/{producer}/events/ev/orders"), &[("idempotency-key", key)], &order).await
}

async fn scan(client: &Client, gate: &str, code: &str) -> Answer {
    let body = json!({"code": code, "scan_id": format!("s-{code}"), "station": "Door"});
    client.post("/door/v1/scan", &[("authorization", &format!("Bearer {gate}"))], &body).await
}

async fn ready(client: &Client) -> Answer {
    client.send(Method::GET, "/readyz", &[]).await
}

/// Settings for tests that ask more often and wait longer than anybody.
fn patient() -> Config {
    configured(to_this_machine(), |config| {
        config.rates.shop = None;
        config.rates.door = None;
        config.timeouts.request = 2 * PATIENCE;
    })
}

fn patient_timeouts() -> PostgresTimeouts {
    PostgresTimeouts { turn: PATIENCE, wait: PATIENCE, ..PostgresTimeouts::default() }
}

fn is_unavailable(answer: &Answer) -> bool {
    answer.problem() == problem(503, "unavailable", None) && answer.header("retry-after").is_some()
}

/// Fills the pool: this many connections are open and idle.
async fn idle_connections(store: &Store, count: usize) {
    let taken: Vec<Conn> = join_all((0..count).map(|_| store.read())).await.into_iter().map(Result::unwrap).collect();
    drop(taken);
}

#[test]
fn silent_connections_are_closed_and_everything_goes_on() {
    run(Engine::Postgres, async |world: World| {
        let mut hooks = Hooks::with(world, patient()).await;
        hooks.world.server.stop().await;
        let world = &hooks.world;
        let line = SilentLine::to(&world.address).await;
        let second = Duration::from_secs(1);
        let timeouts = PostgresTimeouts { statement: second, margin: second, ..PostgresTimeouts::default() };
        let store = Store::open_with(&line.address, Open::Existing, timeouts, world.time()).await.unwrap();
        let server = Server::start(store.clone(), patient(), world.time()).await;
        let client = Client::new(server.address);
        let receiver = Receiver::start(Behaviour::ok()).await;
        hooks.endpoint(&receiver.url("/"), &[MessageKind::TicketScanned]).await;
        let (gate, _) = world.door(hooks.producer.tenant, "ev", &[]).await;

        let read = async || client.get("/api/v1/tickets/T100", &hooks.producer.key).await.status == 200;
        for round in 0..2_usize {
            assert!(until(async || scan(&client, &gate, &format!("T{round:03}")).await.status == 200).await);
            assert!(until(async || order(&client, "pr_a", &format!("k{round}")).await.status == 201).await);
            receiver.wait_for(round + 1).await;
            idle_connections(&store, 16).await;
            line.forget();
            let mut failed = 0;
            while !read().await {
                failed += 1;
                assert!(failed < 8, "each of the silent connections costs a deadline");
            }
        }
        assert!(until(async || scan(&client, &gate, "T002").await.status == 200).await);
        assert!(until(async || order(&client, "pr_a", "k2").await.status == 201).await);
        receiver.wait_for(3).await;

        // The connections die in the middle of work, and the queue of scans goes on.
        let busy = world.hold(&hooks.producer).await;
        let (client, gate) = (&client, &gate);
        let waiting =
            join_all((10..20).map(|number| async move { scan(client, gate, &format!("T{number:03}")).await }));
        let silence = async {
            assert!(until(async || world.waiting_for_locks().await > 0).await);
            line.forget();
        };
        let (answers, ()) = tokio::join!(waiting, silence);
        assert!(answers.iter().all(|answer| answer.status == 200 || is_unavailable(answer)), "{answers:?}");
        drop(busy);
        for number in 10..20 {
            assert!(until(async || scan(client, gate, &format!("T{number:03}")).await.status == 200).await);
        }
        receiver.wait_for(13).await;
        assert_eq!(world.findings().await, []);
    });
}

#[test]
fn a_request_that_gave_up_takes_its_connection_with_it() {
    run(Engine::Postgres, async |world: World| {
        let producer = a_producer(&world, "pr_a").await;
        let line = SilentLine::to(&world.address).await;
        // PostgreSQL has all the time, but requests do not.
        let timeouts = PostgresTimeouts { statement: 2 * PATIENCE, ..PostgresTimeouts::default() };
        let store = Store::open_with(&line.address, Open::Existing, timeouts, world.time()).await.unwrap();
        let config = configured(Config::default(), |config| config.timeouts.request = Duration::from_millis(500));
        let server = Server::start(store.clone(), config, world.time()).await;
        let client = Client::new(server.address);
        let read = async || client.get("/api/v1/tickets/T1", &producer.key).await.status == 200;
        assert!(until(read).await);
        idle_connections(&store, 8).await;
        line.forget();
        assert!(until(read).await, "connections with an outstanding answer were used again");
    });
}

#[test]
fn an_idle_connection_is_probed() {
    run(Engine::Postgres, async |world: World| {
        let line = SilentLine::to(&world.address).await;
        let store = Store::open(&line.address, Open::Existing).await.unwrap();
        let _reading = store.read().await.unwrap();
        let _long = store.dedicated().await.unwrap();
        let probed = async || {
            // In /proc/net/tcp, column 3 is the other end, column 5 the timer: 02 is keepalive, then hundredths.
            let sockets = std::fs::read_to_string("/proc/net/tcp").unwrap();
            let far = format!(":{:04X}", line.port);
            let timers = sockets.lines().map(|socket| socket.split_whitespace().collect::<Vec<_>>());
            let soon = timers.filter(|socket| socket[2].ends_with(&far)).filter_map(|socket| {
                let at = socket[5].strip_prefix("02:")?;
                i64::from_str_radix(at, 16).ok().filter(|hundredths| *hundredths <= 30 * 100)
            });
            soon.count() >= 2
        };
        assert!(until(probed).await, "{}", std::fs::read_to_string("/proc/net/tcp").unwrap());
    });
}

#[test]
fn a_producer_whose_clock_is_held_does_not_hold_up_the_others() {
    run(Engine::Postgres, async |world: World| {
        let (held, other) = (a_producer(&world, "pr_a").await, a_producer(&world, "pr_b").await);
        let timeouts = PostgresTimeouts { statement: 2 * PATIENCE, ..patient_timeouts() };
        let store = Store::open_with(&world.address, Open::Existing, timeouts, world.time()).await.unwrap();
        let server = Server::start(store, patient(), world.time()).await;
        let client = Client::new(server.address);
        let busy = world.hold(&held).await;
        let waiting: Vec<_> = (0..30)
            .map(|number| {
                let client = client.clone();
                tokio::spawn(async move { order(&client, "pr_a", &format!("k{number}")).await.status })
            })
            .collect();
        assert!(until(async || world.waiting_for_locks().await > 0).await);
        for number in 0..30 {
            let sold = tokio::time::timeout(PATIENCE, order(&client, "pr_b", &format!("k{number}"))).await;
            assert_eq!(sold.expect("another producer's order waits").status, 201);
            for key in [&held.key, &other.key] {
                assert_eq!(client.get("/api/v1/tickets/T1", key).await.status, 200);
            }
        }
        assert_eq!(world.waiting_for_locks().await, 1, "the others wait without a connection");
        drop(busy);
        for order in waiting {
            assert_eq!(order.await.unwrap(), 201);
        }
        assert_eq!(world.findings().await, []);
    });
}

#[test]
fn as_many_held_producers_as_may_write_do_not_hold_up_the_others() {
    run(Engine::Postgres, async |world: World| {
        let mut held = Vec::new();
        for number in 0..POSTGRES_WRITERS {
            held.push(a_producer(&world, &format!("pr_{number}")).await);
        }
        a_producer(&world, "pr_free").await;
        let timeouts = PostgresTimeouts { statement: 2 * PATIENCE, ..patient_timeouts() };
        let store = Store::open_with(&world.address, Open::Existing, timeouts, world.time()).await.unwrap();
        let server = Server::start(store, patient(), world.time()).await;
        let client = Client::new(server.address);
        let mut busy = Vec::new();
        for producer in &held {
            busy.push(world.hold(producer).await);
        }
        let waiting: Vec<_> = (0..POSTGRES_WRITERS)
            .map(|number| {
                let client = client.clone();
                tokio::spawn(async move { order(&client, &format!("pr_{number}"), "k").await.status })
            })
            .collect();
        assert!(until(async || world.waiting_for_locks().await == POSTGRES_WRITERS).await);
        // Every permit to write hangs. Somebody gives one up for whoever wants it, long before the end of their own wait.
        let sold = tokio::time::timeout(PATIENCE, order(&client, "pr_free", "k")).await;
        assert_eq!(sold.expect("another producer's order waits").status, 201);
        drop(busy);
        for order in waiting {
            assert!(matches!(order.await.unwrap().as_u16(), 201 | 503));
        }
        assert_eq!(world.findings().await, []);
    });
}

#[test]
fn the_wait_for_a_held_producer_has_an_end() {
    run(Engine::Postgres, async |world: World| {
        let producer = a_producer(&world, "pr_a").await;
        let turn = Duration::from_millis(100);
        let timeouts = PostgresTimeouts { turn, statement: 2 * PATIENCE, ..patient_timeouts() };
        let store = Store::open_with(&world.address, Open::Existing, timeouts, world.time()).await.unwrap();
        let server = Server::start(store.clone(), patient(), world.time()).await;
        let client = Client::new(server.address);
        let busy = world.hold(&producer).await;
        let first = tokio::spawn({
            let client = client.clone();
            async move { order(&client, "pr_a", "k1").await.status }
        });
        assert!(until(async || world.waiting_for_locks().await > 0).await);
        // A group of orders has the turn. A move that does not go through the queue waits for its own.
        let cancel = async || boxoffice::cancel(&store, producer.tenant, "T1", world.now()).await;
        let refused = cancel().await;
        assert!(matches!(refused, Err(ChangeError::Store(Error::Unavailable(_)))), "{refused:?}");
        drop(busy);
        assert_eq!(first.await.unwrap(), 201);
        assert!(until(async || cancel().await.is_ok()).await);
    });
}

#[test]
fn what_a_database_sets_by_default_breaks_no_promise() {
    run(Engine::Postgres, async |world: World| {
        let raw = world.raw().await;
        raw.batch(
            "CREATE TABLE met (isolation TEXT, durable TEXT, locks TEXT); \
             CREATE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO met VALUES \
             (current_setting('transaction_isolation'), current_setting('synchronous_commit'), \
             current_setting('lock_timeout')); RETURN NEW; END $$; \
             CREATE TRIGGER meet BEFORE INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION meet()",
        )
        .await;
        let name = raw.rows("SELECT current_database()").await[0][0].clone();
        for default in [
            "default_transaction_isolation = 'serializable'",
            "default_transaction_read_only = on",
            "synchronous_commit = off",
            "lock_timeout = 1",
            "idle_in_transaction_session_timeout = 1",
            "idle_session_timeout = 1000",
        ] {
            raw.batch(&format!("ALTER DATABASE {name} SET {default}")).await;
        }
        let world = world.reopened(patient(), patient_timeouts()).await;
        let client = &world.client;
        a_producer(&world, "pr_a").await;
        for sold in join_all((0..40).map(async |number| order(client, "pr_a", &format!("k{number}")).await)).await {
            assert_eq!(sold.status, 201, "{}", sold.text);
        }
        assert_eq!(ready(client).await.status, 200);
        let met = raw.rows("SELECT DISTINCT isolation, durable, locks FROM met").await;
        assert_eq!(met, [["read committed", "on", "0"]]);
        assert_eq!(raw.rows("SELECT count(*) FROM met").await, [["42"]]);
        assert_eq!(world.findings().await, []);
    });
}

#[test]
fn what_postgres_cannot_do_just_now_is_told_as_503() {
    run(Engine::Postgres, async |world: World| {
        let producer = a_producer(&world, "pr_a").await;
        let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
        let raw = world.raw().await;
        // A full disk, no memory, only for reading, no connections, starting up, stopped by an operator, a broken disk.
        for state in ["53100", "53200", "25006", "53300", "57P03", "57P01", "58030"] {
            raw.batch(&format!(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END $$; \
                 CREATE TRIGGER refuse BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse(); \
                 CREATE TRIGGER refuse BEFORE INSERT ON scans FOR EACH ROW EXECUTE FUNCTION refuse()"
            ))
            .await;
            for answer in [order(&world.client, "pr_a", state).await, scan(&world.client, &gate, "T1").await] {
                assert!(is_unavailable(&answer), "{state}: {answer:?}");
            }
            raw.batch("DROP FUNCTION refuse CASCADE").await;
            assert_eq!(order(&world.client, "pr_a", state).await.status, 201, "{state}");
        }
        assert_eq!(scan(&world.client, &gate, "T1").await.json()["outcome"], "admitted");
    });
}

#[test]
fn a_standby_is_not_ready_until_it_is_promoted() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let cluster = Arc::new(Cluster::start());
    runtime.block_on(async {
        let world = World::on(&cluster).await;
        let producer = a_producer(&world, "pr_a").await;
        let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
        assert_eq!(order(&world.client, "pr_a", "k1").await.status, 201);
        cluster.demote();
        let read = async || world.client.get("/api/v1/tickets/T1", &producer.key).await.status == 200;
        assert!(until(read).await, "a standby reads");
        for answer in [
            ready(&world.client).await,
            order(&world.client, "pr_a", "k2").await,
            scan(&world.client, &gate, "T1").await,
        ] {
            assert!(is_unavailable(&answer), "{answer:?}");
        }
        cluster.promote();
        assert!(until(async || ready(&world.client).await.status == 200).await);
        assert_eq!(order(&world.client, "pr_a", "k2").await.status, 201);
        assert_eq!(scan(&world.client, &gate, "T1").await.json()["outcome"], "admitted");
        assert_eq!(world.findings().await, []);
    });
}

#[test]
fn a_file_that_can_only_be_read_is_not_ready() {
    run(Engine::Sqlite, async |mut world: World| {
        let producer = a_producer(&world, "pr_a").await;
        let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
        world.server.stop().await;
        let file = Path::new(world.address.strip_prefix("sqlite:").unwrap()).to_owned();
        let may_write = |yes: bool| {
            for path in ["", "-wal", "-shm"].map(|ending| format!("{}{ending}", file.display())) {
                let mode = if yes { 0o644 } else { 0o444 };
                std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
            }
        };
        may_write(false);
        let (_running, text, _log) = start(bound_by_permissions(serve(&world.address)), "listening");
        let client = Client::new(address_in(&text).parse().unwrap());
        assert_eq!(client.get("/api/v1/tickets/T1", &producer.key).await.status, 200);
        for answer in [ready(&client).await, order(&client, "pr_a", "k1").await, scan(&client, &gate, "T1").await] {
            assert!(is_unavailable(&answer), "{answer:?}");
        }
        may_write(true);
        assert_eq!(world.findings().await, []);
    });
}

/// A process that may write to a file only where the file's permissions say so, although root starts it.
fn bound_by_permissions(command: Command) -> Command {
    if std::env::var("TAQUILLA_TEST_POSTGRES_USER").unwrap_or_default().is_empty() {
        return command;
    }
    let mut bound = Command::new("setpriv");
    bound.arg("--bounding-set=-dac_override,-dac_read_search").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => bound.env(name, value),
            None => bound.env_remove(name),
        };
    }
    bound
}

both_engines![a_database_that_somebody_writes_to_is_ready, a_party_that_is_too_large_leaves_the_queue_open,];

async fn a_database_that_somebody_writes_to_is_ready(world: World) {
    let producer = a_producer(&world, "pr_a").await;
    let _busy = world.hold(&producer).await;
    assert_eq!(ready(&world.client).await.text, "ready\n");
    // The same while a move of this server waits for the other process.
    let waiting = tokio::spawn({
        let client = world.client.clone();
        async move { order(&client, "pr_a", "k1").await }
    });
    for _ in 0..20 {
        assert_eq!(ready(&world.client).await.text, "ready\n");
    }
    waiting.abort();
}

#[test]
fn a_stop_does_not_wait_for_another_process_that_writes() {
    run(Engine::Sqlite, async |mut world: World| {
        let producer = a_producer(&world, "pr_a").await;
        let _busy = world.hold(&producer).await;
        // Somebody has the turn to write, and waits for the other process.
        let store = world.store.clone();
        let mut waiting = Box::pin(store.begin_unstamped());
        assert!(poll!(&mut waiting).is_pending());
        tokio::time::timeout(PATIENCE, world.server.stop()).await.expect("the stop waits for the other process");
    });
}

fn a_scan(code: &str) -> Scan {
    Scan {
        scan_id: format!("s-{code}"),
        code: code.to_owned(),
        station: "Door".into(),
        scanned_at: None,
        turned_away: false,
        kept: false,
        door: Door::default(),
    }
}

async fn admit(queue: &Queue, tenant: Tenant, scans: Vec<Scan>) -> ChangeResult<Vec<Admission>> {
    queue.ask(tenant, Request::admit(scans)).await
}

async fn outcome(queue: &Queue, tenant: Tenant, code: &str) -> Outcome {
    match admit(queue, tenant, vec![a_scan(code)]).await.unwrap().pop() {
        Some(Admission::Decided(outcome, _)) => outcome,
        other => panic!("{other:?}"),
    }
}

async fn a_party_that_is_too_large_leaves_the_queue_open(world: World) {
    let producer = a_producer(&world, "pr_a").await;
    let queue = Queue::new(world.store.clone(), world.time(), PATIENCE, Default::default());
    let crowd = vec![a_scan("T1"); WAITING_MAX + 1];
    let refused = admit(&queue, producer.tenant, crowd).await;
    assert!(matches!(refused, Err(ChangeError::Store(Error::Unavailable(_)))), "{refused:?}");
    let next = tokio::time::timeout(PATIENCE, outcome(&queue, producer.tenant, "T1")).await;
    assert_eq!(next.expect("nobody works for the queue"), Outcome::Admitted);
}

mod who_leaves_while_a_group_waits_is_not_admitted {
    use super::*;

    #[test]
    fn sqlite() {
        run_in_one_thread(Engine::Sqlite, leave);
    }

    #[test]
    fn postgres() {
        run_in_one_thread(Engine::Postgres, leave);
    }
}

async fn leave(world: World) {
    let producer = a_producer(&world, "pr_a").await;
    let queue = Queue::new(world.store.clone(), world.time(), 2 * PATIENCE, Default::default());
    let busy = world.hold(&producer).await;
    let mut leaving = Box::pin(admit(&queue, producer.tenant, vec![a_scan("T1")]));
    let mut staying = Box::pin(outcome(&queue, producer.tenant, "T2"));
    // The queue begins to work when this thread waits, so both are in its first group.
    assert!(poll!(&mut leaving).is_pending() && poll!(&mut staying).is_pending());
    match world.engine {
        Engine::Sqlite => tokio::task::yield_now().await,
        Engine::Postgres => assert!(until(async || world.waiting_for_locks().await > 0).await),
    }
    drop(leaving);
    drop(busy);
    assert_eq!(staying.await, Outcome::Admitted);
    let ticket = world.client.get("/api/v1/tickets/T1", &producer.key).await.json();
    assert_eq!((&ticket["status"], &ticket["checked_in_at"]), (&json!("valid"), &Value::Null));
    assert_eq!(outcome(&queue, producer.tenant, "T1").await, Outcome::Admitted, "the same scan, sent again");
}
