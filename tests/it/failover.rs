//! A standby takes over: under load, with an old primary that was not stopped, and how the address says which one is meant.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::json;
use taquilla_domain::config::PostgresTimeouts;
use taquilla_store::{Open, Store};

use crate::harness::{
    Client, Cluster, Producer, Raw, Server, World, event, everything, serve, start, taquilla, ticket_type, until, with,
    without_shop_limits,
};

/// A database with something free to sell, and a standby of it.
async fn a_pair(primary: &Cluster) -> (World, Producer, Cluster) {
    let world = World::on(primary).await;
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    let standby = primary.standby();
    (world, producer, standby)
}

/// A server on whichever of two clusters can be written to.
async fn a_server(world: &mut World, address: String) -> (Server, Client) {
    world.store = Store::open_with(&address, Open::Existing, PostgresTimeouts::default(), world.time()).await.unwrap();
    world.address = address;
    world.another_server(without_shop_limits()).await
}

/// Places an order. `None` if it is not known whether it was placed.
async fn order(client: &Client, key: &str) -> Option<String> {
    let items = json!([{"ticket_type_id": "tt", "quantity": 1}]);
    let order = json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": items});
    let answer = client.try_post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", key)], &order).await?;
    (answer.status == 201).then(|| answer.json()["order"]["id"].as_str().unwrap().to_owned())
}

async fn sold(client: &Client, key: &str) -> bool {
    until(async || order(client, key).await.is_some()).await
}

async fn orders_at(cluster: &Cluster) -> String {
    Raw::open(&cluster.address()).await.rows("SELECT count(*) FROM orders").await[0][0].clone()
}

fn in_runtime(body: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(body);
}

#[test]
fn a_promotion_under_load_loses_nothing_that_was_acknowledged() {
    in_runtime(async {
        let primary = Cluster::start();
        let (mut world, producer, standby) = a_pair(&primary).await;
        // From here on a commit is acknowledged once the standby has it. The standby itself must not wait for another one.
        let raw = world.raw().await;
        raw.batch("ALTER SYSTEM SET synchronous_standby_names = '*'").await;
        raw.batch("SELECT pg_reload_conf()").await;
        let is_synchronous = async || raw.rows("SELECT sync_state FROM pg_stat_replication").await == [["sync"]];
        assert!(until(is_synchronous).await);
        world.server.stop().await;
        let (_server, client) = a_server(&mut world, primary.address_with(&standby, "read-write")).await;
        let (acknowledged, stop) = (Arc::new(Mutex::new(BTreeSet::new())), Arc::new(AtomicBool::new(false)));
        let buyers: Vec<_> = (0..4)
            .map(|buyer| {
                let (client, acknowledged, stop) = (client.clone(), Arc::clone(&acknowledged), Arc::clone(&stop));
                tokio::spawn(async move {
                    for number in 0.. {
                        if stop.load(Ordering::SeqCst) {
                            return;
                        }
                        if let Some(id) = order(&client, &format!("b{buyer}-{number}")).await {
                            acknowledged.lock().unwrap().insert(id);
                        }
                    }
                })
            })
            .collect();
        let count = || acknowledged.lock().unwrap().len();
        assert!(until(async || count() >= 20).await);
        let cluster = Arc::new((primary, standby));
        let promoted = Arc::clone(&cluster);
        tokio::task::spawn_blocking(move || {
            promoted.0.crash();
            promoted.1.promote();
        })
        .await
        .unwrap();
        let before = count();
        assert!(until(async || count() >= before + 20).await, "sales go on");
        stop.store(true, Ordering::SeqCst);
        for buyer in buyers {
            buyer.await.unwrap();
        }
        let there: BTreeSet<String> = everything(&client, &producer.key, "orders").await.into_keys().collect();
        let lost: Vec<_> = acknowledged.lock().unwrap().difference(&there).cloned().collect();
        assert_eq!(lost, [] as [String; 0]);
        assert_eq!(world.findings().await, []);
    });
}

#[test]
fn an_old_primary_that_comes_back_is_not_written_to() {
    in_runtime(async {
        let primary = Cluster::start();
        let (mut world, _, standby) = a_pair(&primary).await;
        world.server.stop().await;
        let address = primary.address_with(&standby, "read-write");
        let (_server, client) = a_server(&mut world, address.clone()).await;
        assert!(sold(&client, "k1").await);
        // What was sold has reached the standby.
        assert!(until(async || orders_at(&standby).await == "1").await);
        primary.crash();
        standby.promote();
        assert!(sold(&client, "k2").await);
        // The old one is there again, it stands first in the address, and every connection has to be made anew.
        primary.run();
        let raw = Raw::open(&standby.address()).await;
        raw.batch("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'taquilla'").await;
        assert!(sold(&client, "k3").await);
        // A server that starts now has seen nothing before.
        let (_another, client) = a_server(&mut world, address.clone()).await;
        assert!(sold(&client, "k4").await);
        let (_running, _, _) = start(serve(&address), "an old primary still runs");
        assert_eq!((orders_at(&primary).await, orders_at(&standby).await), ("1".to_owned(), "4".to_owned()));
        assert_eq!(world.findings().await, []);
    });
}

#[test]
fn an_address_says_which_of_its_servers_is_meant() {
    in_runtime(async {
        let primary = Cluster::start();
        let (mut world, _, standby) = a_pair(&primary).await;
        world.server.stop().await;
        // The standby stands first.
        let (_server, client) = a_server(&mut world, standby.address_with(&primary, "primary")).await;
        assert!(sold(&client, "k1").await);
        assert!(until(async || orders_at(&standby).await == "1").await);
        let ran = |target: &str, command: &[&str]| {
            let output = taquilla(&standby.address_with(&primary, target)).args(command).output().unwrap();
            let said =
                format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            (output.status.success(), said)
        };
        for target in ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"] {
            let (good, said) = ran(target, &["check"]);
            assert!(good, "{target}: {said}");
        }
        for target in ["read-only", "standby", "prefer-standby"] {
            let (good, said) = ran(target, &["serve", "--listen", "127.0.0.1:0"]);
            let words = format!("target_session_attrs={target} leads to a server that cannot be written to");
            assert!(!good && said.contains(&words), "{said}");
        }
        let (good, said) = ran("master", &["check"]);
        assert!(
            !good && said.contains("is one of any, read-write, read-only, primary, standby, prefer-standby"),
            "{said}"
        );
        // Without the standby, one that is preferred is not missed; one that is demanded is.
        standby.stop();
        let (good, said) = ran("prefer-standby", &["check"]);
        assert!(good, "{said}");
        let (good, said) = ran("standby", &["check"]);
        assert!(!good && said.contains("is no standby, and target_session_attrs=standby asks for another"), "{said}");
        // Several servers, and no word on which one: that is told.
        let address = standby.address_with(&primary, "any").replace("?target_session_attrs=any", "");
        let (_running, said, _) = start(serve(&address), "listening");
        assert!(said.contains("names several servers and no target_session_attrs"), "{said}");
    });
}
