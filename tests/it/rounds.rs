//! A server looks after its producers one by one: it knows from its own commits whose turn it is, finds what other processes
//! left by going through all of them, and whoever cannot be reached keeps nobody else waiting.

use std::time::Duration;

use serde_json::json;
use taquilla_domain::{
    config::{POSTGRES_POOL, POSTGRES_SHARE, PostgresTimeouts, SEARCH_POLL},
    role::{BuiltInRole, Rights},
    webhook::MessageKind,
};
use taquilla_rules::{admin, boxoffice};
use taquilla_store::{Open, Store, Tenant};

use crate::harness::{
    Engine, Hooks, Producer, Raw, World, anywhere, event,
    receiver::{Behaviour, Receiver},
    run, ticket, ticket_type, until, with,
};

both_engines![
    everybody_is_served_whoever_committed,
    what_another_process_sold_is_found,
    what_is_due_later_is_sent_then,
];

/// A producer with a ticket for each name, and an endpoint that hears of scans.
async fn producer(world: &World, number: usize, receiver: &Receiver) -> Producer {
    let producer = world.producer(&format!("pr_{number}")).await;
    let tickets = ["ONE", "TWO"].map(|name| ticket(&format!("{name}{number:03}"), "ev", "tt"));
    let lines: Vec<_> = [event("ev"), ticket_type("tt", "ev")].into_iter().chain(tickets).collect();
    world.import(producer.tenant, &lines).await;
    let (url, kinds) = (anywhere(&receiver.url(&format!("/{number}"))), [MessageKind::TicketScanned]);
    let by = world.by();
    admin::endpoints::create(&world.store, producer.tenant, &url, &kinds, false, Rights::all(), &by).await.unwrap();
    producer
}

/// The same database through connections of another process: the server hears nothing of its commits.
async fn elsewhere(world: &World) -> Store {
    Store::open_with(&world.address, Open::Existing, PostgresTimeouts::default(), world.time()).await.unwrap()
}

async fn scan(world: &World, store: &Store, tenant: Tenant, id: &str) {
    boxoffice::scan(store, tenant, id, "Gate", world.now()).await.unwrap();
}

async fn everybody_is_served_whoever_committed(world: World) {
    let hooks = Hooks::new(world).await;
    let (world, other) = (&hooks.world, elsewhere(&hooks.world).await);
    let receiver = Receiver::start(Behaviour::ok()).await;
    let mut producers = Vec::new();
    for number in 0..12 {
        producers.push(producer(world, number, &receiver).await);
    }
    for (number, producer) in producers.iter().enumerate() {
        scan(world, &world.store, producer.tenant, &format!("ONE{number:03}")).await;
        scan(world, &other, producer.tenant, &format!("TWO{number:03}")).await;
    }
    // No time passes: what the server committed is known, and all others have their turn.
    receiver.wait_for(2 * producers.len()).await;
    for number in 0..producers.len() {
        let path = format!("/{number}");
        assert_eq!(receiver.received().iter().filter(|request| request.path == path).count(), 2, "{number}");
    }
}

async fn what_another_process_sold_is_found(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    for number in 0..5 {
        world.producer(&format!("pr_{number}")).await;
    }
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let other = elsewhere(&world).await;
    let named = with(ticket("T1", "ev", "tt"), json!({"attendee": {"name": "Zoe Quick", "email": "zoe@example.com"}}));
    let lines = format!("{named}\n");
    taquilla_rules::import::run(&other, producer.tenant, lines.as_bytes(), &world.by(), &world.time(), |_| ())
        .await
        .unwrap();
    let is_found = async || {
        world.step(SEARCH_POLL);
        ana.get("/dashboard/p/pr_a/tickets?q=quick").await.text.contains("Zoe Quick")
    };
    assert!(until(is_found).await, "each round asks some of the six");
}

async fn what_is_due_later_is_sent_then(world: World) {
    let hooks = Hooks::new(world).await;
    let receiver = Receiver::start(Behaviour::status(500)).await;
    let producer = producer(&hooks.world, 0, &receiver).await;
    scan(&hooks.world, &hooks.world.store, producer.tenant, "ONE000").await;
    receiver.wait_for(1).await;
    receiver.behave(Behaviour::ok());
    // The next attempt is due five seconds after the answer to the first one came, which may be after the first step.
    let is_sent = async || {
        hooks.world.step(Duration::from_secs(1));
        receiver.received().len() == 2
    };
    assert!(until(is_sent).await);
}

/// A place that does not answer: whoever reads this producer's rows of a table waits until the frost is over.
struct Frost(Raw);

impl Frost {
    /// Freezes a producer's rows of a table.
    async fn over(world: &World, table: &str, frozen: &[Tenant]) -> Self {
        let raw = world.raw().await;
        let numbers: Vec<String> = frozen.iter().map(|tenant| tenant.number().to_string()).collect();
        raw.batch(&format!(
            "SELECT pg_advisory_lock(77); \
             CREATE FUNCTION answers_{table}(producer BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$ BEGIN \
             IF producer IN ({}) THEN PERFORM pg_advisory_xact_lock_shared(77); END IF; RETURN true; END $$; \
             BEGIN; ALTER TABLE {table} RENAME TO {table}_rows; \
             CREATE VIEW {table} AS SELECT * FROM {table}_rows WHERE answers_{table}(producer_id); COMMIT",
            numbers.join(", ")
        ))
        .await;
        Self(raw)
    }

    async fn end(self) {
        self.0.batch("SELECT pg_advisory_unlock(77)").await;
    }
}

#[test]
fn who_is_frozen_keeps_no_others_webhooks_waiting() {
    run(Engine::Postgres, async |world: World| {
        let hooks = Hooks::new(world).await;
        let world = &hooks.world;
        let receiver = Receiver::start(Behaviour::ok()).await;
        let mut producers = Vec::new();
        for number in 0..6 {
            producers.push(producer(world, number, &receiver).await);
        }
        let frozen: Vec<Tenant> = producers[..3].iter().map(|producer| producer.tenant).collect();
        let frost = Frost::over(world, "webhook_endpoints", &frozen).await;
        for (number, producer) in producers.iter().enumerate() {
            scan(world, &world.store, producer.tenant, &format!("ONE{number:03}")).await;
        }
        receiver.wait_for(3).await;
        for (number, producer) in producers.iter().enumerate() {
            scan(world, &world.store, producer.tenant, &format!("TWO{number:03}")).await;
        }
        let received = receiver.wait_for(6).await;
        assert!(received.iter().all(|request| ["/3", "/4", "/5"].contains(&request.path.as_str())), "{received:?}");
        frost.end().await;
        receiver.wait_for(12).await;
    });
}

#[test]
fn who_is_frozen_keeps_nobody_else_from_being_found() {
    run(Engine::Postgres, async |world: World| {
        let (cold, warm) = (world.producer("pr_cold").await, world.producer("pr_warm").await);
        let frost = Frost::over(&world, "search_marks", &[cold.tenant]).await;
        for producer in [&cold, &warm] {
            let named =
                with(ticket("T1", "ev", "tt"), json!({"attendee": {"name": "Zoe Quick", "email": "z@x.example"}}));
            world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), named]).await;
        }
        let staff = world.staff(warm.tenant, "ana@x.example", BuiltInRole::Administrator).await;
        let is_found = async || {
            world.step(SEARCH_POLL);
            staff.get("/dashboard/p/pr_warm/tickets?q=quick").await.text.contains("Zoe Quick")
        };
        assert!(until(is_found).await);
        frost.end().await;
        let staff = world.staff(cold.tenant, "bea@x.example", BuiltInRole::Administrator).await;
        let is_found = async || {
            world.step(SEARCH_POLL);
            staff.get("/dashboard/p/pr_cold/tickets?q=quick").await.text.contains("Zoe Quick")
        };
        assert!(until(is_found).await);
    });
}

/// Some producers with a ticket each, whose keys the server knows.
async fn readers(world: &World, count: usize) -> Vec<Producer> {
    let mut producers = Vec::new();
    for number in 0..count {
        let producer = world.producer(&format!("pr_{number}")).await;
        world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt")]).await;
        assert_eq!(world.client.get("/api/v1/tickets", &producer.key).await.status, 200);
        producers.push(producer);
    }
    producers
}

#[test]
fn the_readers_of_one_producer_leave_connections_to_others() {
    run(Engine::Postgres, async |world: World| {
        let producers = readers(&world, 2).await;
        let [cold, warm] = &producers[..] else { panic!("two producers") };
        let frost = Frost::over(&world, "tickets", &[cold.tenant]).await;
        let asking: Vec<_> = (0..2 * POSTGRES_POOL)
            .map(|_| {
                let (client, key) = (world.client.clone(), cold.key.clone());
                tokio::spawn(async move { client.get("/api/v1/tickets", &key).await.status })
            })
            .collect();
        assert!(until(async || world.waiting_for_locks().await == POSTGRES_SHARE).await);
        for _ in 0..POSTGRES_POOL {
            assert_eq!(world.client.get("/api/v1/tickets", &warm.key).await.status, 200);
        }
        assert_eq!(world.waiting_for_locks().await, POSTGRES_SHARE, "a quarter of the connections, and no more");
        frost.end().await;
        for asked in asking {
            assert!([200, 503].contains(&asked.await.unwrap().as_u16()));
        }
        assert_eq!(world.client.get("/api/v1/tickets", &cold.key).await.status, 200);
    });
}

#[test]
fn many_that_hang_leave_connections_to_others() {
    run(Engine::Postgres, async |world: World| {
        let mut producers = readers(&world, 6).await;
        let warm = producers.pop().unwrap();
        let frozen: Vec<Tenant> = producers.iter().map(|producer| producer.tenant).collect();
        let frost = Frost::over(&world, "tickets", &frozen).await;
        let asking: Vec<_> = producers
            .iter()
            .flat_map(|producer| (0..POSTGRES_SHARE).map(|_| producer.key.clone()))
            .map(|key| {
                let client = world.client.clone();
                tokio::spawn(async move { client.get("/api/v1/tickets", &key).await.status })
            })
            .collect();
        // Together they want more connections than there are.
        assert!(until(async || world.waiting_for_locks().await > POSTGRES_SHARE).await);
        for _ in 0..POSTGRES_POOL {
            assert_eq!(world.client.get("/api/v1/tickets", &warm.key).await.status, 200);
        }
        frost.end().await;
        for asked in asking {
            assert!([200, 503].contains(&asked.await.unwrap().as_u16()));
        }
        for producer in &producers {
            assert_eq!(world.client.get("/api/v1/tickets", &producer.key).await.status, 200);
        }
    });
}
