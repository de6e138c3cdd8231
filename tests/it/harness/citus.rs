//! Databases on the Citus cluster that `tests/with-services` starts where the extension is installed: a coordinator and two
//! workers. Each test has databases of its own on all three, copies of one that is distributed already.

use std::env;

use taquilla_store::{Open, Store, distribute::distribute};

/// The coordinator first.
pub const PORTS: [u16; 3] = [6001, 6002, 6003];

/// Where a node of the cluster is, without a database.
fn node(port: u16) -> String {
    format!("{}:{port}", env::var("TAQUILLA_TEST_CITUS").unwrap())
}

/// Whether there is a cluster. A test that needs one says so and ends if there is none.
pub fn is_there() -> bool {
    let is_there = env::var_os("TAQUILLA_TEST_CITUS").is_some();
    if !is_there {
        eprintln!("SKIPPED: Citus is not installed beside PostgreSQL");
    }
    is_there
}

/// Where the coordinator writes what it is asked, in databases that want it.
pub fn log_of_coordinator() -> String {
    format!("{}/{}.log", env::var("TAQUILLA_TEST_CITUS_FOLDER").unwrap(), PORTS[0])
}

async fn admin(port: u16, database: &str) -> tokio_postgres::Client {
    let (client, connection) =
        tokio_postgres::connect(&format!("{}/{database}", node(port)), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// The address of a database of this name on the coordinator.
fn address(name: &str) -> String {
    format!("{}/{name}", node(PORTS[0]))
}

/// The address of the same database by a worker.
pub fn by_worker(address: &str) -> String {
    let [coordinator, worker, _] = PORTS;
    address.replace(&node(coordinator), &node(worker))
}

/// Databases of this name on all nodes that know one another, with nothing of ours.
async fn connected(name: &str) {
    // One at a time: several at once were seen to fail.
    let turn = admin(PORTS[0], "postgres").await;
    turn.batch_execute("SELECT pg_advisory_lock(2)").await.unwrap();
    for port in PORTS {
        admin(port, "postgres").await.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        admin(port, name).await.batch_execute("CREATE EXTENSION citus").await.unwrap();
    }
    let folder = env::var("TAQUILLA_TEST_CITUS_FOLDER").unwrap();
    let [coordinator, workers @ ..] = PORTS;
    let mut add = format!("SELECT citus_set_coordinator_host('{folder}', {coordinator});");
    for worker in workers {
        add.push_str(&format!("SELECT citus_add_node('{folder}', {worker});"));
    }
    // Few parts for each table: a test has few producers.
    add.push_str(&format!("ALTER DATABASE {name} SET citus.shard_count = 4;"));
    admin(coordinator, name).await.batch_execute(&add).await.unwrap();
}

/// An empty database on a cluster that knows its workers, not distributed.
pub async fn new_empty() -> String {
    let name = format!("empty_{:032x}", rand::random::<u128>());
    connected(&name).await;
    address(&name)
}

const TEMPLATE: &str = "template_distributed";

/// A database that is distributed.
pub async fn new_distributed() -> String {
    let coordinator = admin(PORTS[0], "postgres").await;
    // Each test runs in its own process: the first one makes the template, and the others wait for it.
    coordinator.batch_execute("SELECT pg_advisory_lock(1)").await.unwrap();
    let made = format!("SELECT 1 FROM pg_database WHERE datname = '{TEMPLATE}' AND NOT datallowconn");
    if coordinator.query_opt(&made, &[]).await.unwrap().is_none() {
        connected(TEMPLATE).await;
        drop(Store::open(&address(TEMPLATE), Open::MayCreate).await.unwrap());
        while distribute(&address(TEMPLATE), |_| {}).await.is_err() {
            // The connections of the line above are still closing.
            tokio::task::yield_now().await;
        }
        for port in PORTS {
            // Citus looks after each database by a process of its own, which would keep it from being copied.
            let close = format!(
                "ALTER DATABASE {TEMPLATE} ALLOW_CONNECTIONS false; \
                 SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{TEMPLATE}'"
            );
            admin(port, "postgres").await.batch_execute(&close).await.unwrap();
        }
    }
    coordinator.batch_execute("SELECT pg_advisory_unlock(1)").await.unwrap();
    let name = format!("test_{:032x}", rand::random::<u128>());
    for port in PORTS {
        let copy = format!("CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY");
        admin(port, "postgres").await.batch_execute(&copy).await.unwrap();
    }
    address(&name)
}
