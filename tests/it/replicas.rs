//! Standbys that answer lists: nobody misses a row, a revoked key stops at once, and a standby that is away or behind costs
//! nobody an answer.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use taquilla_domain::config::{PostgresTimeouts, REPLICA_LEFT_ALONE};
use taquilla_store::{Open, Store};

use crate::harness::{
    Client, Cluster, Engine, PATIENCE, Producer, Raw, Server, Watch, World, event, everything, rounds, run, seed,
    serve, taquilla, ticket, ticket_type, until, with, without_shop_limits,
};

/// A database, a standby that follows it, and two servers: one asks the standby, and the other one has the database itself
/// for a replica, so that it always answers with the present.
struct Setting {
    world: World,
    producer: Producer,
    gate: String,
    standby: Cluster,
    servers: [(Server, Client); 2],
    watch: Watch,
    sold: usize,
}

/// Replicas that may take as long as a busy machine does.
fn timeouts() -> PostgresTimeouts {
    PostgresTimeouts { replica: PATIENCE, ..PostgresTimeouts::default() }
}

impl Setting {
    async fn new(cluster: &Cluster) -> Self {
        let world = World::on(cluster).await;
        let producer = world.producer("pr_a").await;
        let free = with(ticket_type("tt", "ev"), json!({"price": 0}));
        world.import(producer.tenant, &[event("ev"), free, ticket("T1", "ev", "tt")]).await;
        let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
        let standby = cluster.standby();
        let (near, watch) = Self::server(&world, &standby).await;
        let (far, _) = Self::server(&world, cluster).await;
        Self { world, producer, gate, standby, servers: [near, far], watch, sold: 0 }
    }

    async fn server(world: &World, replica: &Cluster) -> ((Server, Client), Watch) {
        let store = Store::open_with(&world.address, Open::Existing, timeouts(), world.time()).await.unwrap();
        let store = store.with_replicas(&[replica.address()]).unwrap();
        let (server, metrics) = Server::start_watched(store, without_shop_limits(), world.time()).await;
        let client = Client::new(server.address);
        ((server, client), Watch::new(metrics))
    }

    /// The server that asks the standby.
    fn near(&self) -> &Client {
        &self.servers[0].1
    }

    /// A ticket is sold.
    async fn sell(&mut self, client: &Client) {
        self.sold += 1;
        let buyer = json!({"name": "B", "email": "b@example.com"});
        let order = json!({"buyer": buyer, "items": [{"ticket_type_id": "tt", "quantity": 1}]});
        let headers = [("idempotency-key", &*format!("k{}", self.sold))];
        assert_eq!(client.post("/shop/v1/pr_a/events/ev/orders", &headers, &order).await.status, 201);
    }

    /// Something happens: a ticket is sold, or one is shown at the door.
    async fn change(&mut self, random: &mut impl Rng) {
        let client = self.servers[random.random_range(0..2)].1.clone();
        if random.random_bool(0.5) {
            return self.sell(&client).await;
        }
        // Any ticket enters, for the first time or again; only the first time changes it.
        let tickets = everything(&self.world.client, &self.producer.key, "tickets").await;
        let code = tickets.keys().nth(random.random_range(0..tickets.len())).unwrap();
        let scan = json!({"code": code, "scan_id": format!("s{}", random.next_u64()), "station": "Door"});
        let headers = [("authorization", &*format!("Bearer {}", self.gate))];
        assert_eq!(client.post("/door/v1/scan", &headers, &scan).await.status, 200);
    }

    /// The standby stops to follow, which it does at some moment after it was told.
    async fn pause(&self) {
        let raw = Raw::open(&self.standby.address()).await;
        raw.batch("SELECT pg_wal_replay_pause()").await;
        let is_paused = async || raw.rows("SELECT pg_get_wal_replay_pause_state()").await == [["paused"]];
        assert!(until(is_paused).await);
    }

    /// The standby follows again, and has everything.
    async fn follow(&self) {
        let (here, there) = (self.world.raw().await, Raw::open(&self.standby.address()).await);
        there.batch("SELECT pg_wal_replay_resume()").await;
        let end = here.rows("SELECT pg_current_wal_lsn()").await[0][0].clone();
        let has_all = format!("SELECT pg_last_wal_replay_lsn() >= '{end}'");
        assert!(until(async || there.rows(&has_all).await == [["t"]]).await);
    }

    async fn lists_by(&self, whom: &str) -> f64 {
        self.watch.scrape().await.value(&format!("taquilla_lists_total{{by=\"{whom}\"}}"))
    }

    async fn replicas(&self, state: &str) -> f64 {
        self.watch.scrape().await.value(&format!("taquilla_replicas{{state=\"{state}\"}}"))
    }
}

/// A client that keeps to the documented rule, and that a load balancer leads to any of the servers for each page.
struct Follower {
    list: &'static str,
    filter: &'static str,
    field: &'static str,
    mark: String,
    /// Every change that came: the row, and its stamp.
    seen: BTreeSet<(String, String)>,
    rows: BTreeMap<String, Value>,
}

impl Follower {
    fn of(list: &'static str, filter: &'static str, field: &'static str) -> Self {
        let mark = "2020-01-01T00:00:00.000000Z".to_owned();
        Self { list, filter, field, mark, seen: BTreeSet::new(), rows: BTreeMap::new() }
    }

    /// One traversal, while something changes between its pages.
    async fn traverse(&mut self, setting: &mut Setting, random: &mut impl Rng) {
        let (mut highest, mut cursor) = (self.mark.clone(), String::new());
        loop {
            let client = setting.servers[random.random_range(0..2)].1.clone();
            let path = format!("/api/v1/{}?limit=2&{}={}{cursor}", self.list, self.filter, self.mark);
            let page = client.get(&path, &setting.producer.key).await;
            for row in page.data() {
                let (id, stamp) = (row["id"].as_str().unwrap(), row[self.field].as_str().unwrap());
                highest = highest.max(stamp.to_owned());
                assert!(self.seen.insert((id.to_owned(), stamp.to_owned())), "a change came twice: {row}");
                self.rows.insert(id.to_owned(), row);
            }
            match page.json()["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
            setting.change(random).await;
        }
        self.mark = highest;
    }
}

fn in_setting<F: Future<Output = ()>>(body: impl FnOnce(Setting) -> F) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let cluster = Cluster::start();
    runtime.block_on(async { body(Setting::new(&cluster).await).await });
}

#[test]
fn nobody_misses_a_row_while_a_standby_pauses_at_random() {
    in_setting(async |mut setting: Setting| {
        let random = &mut StdRng::seed_from_u64(seed());
        let mut followers = [
            Follower::of("tickets", "updated_after", "updated_at"),
            Follower::of("tickets", "scanned_after", "checked_in_at"),
            Follower::of("orders", "updated_after", "updated_at"),
            Follower::of("events", "updated_after", "updated_at"),
        ];
        for _ in 0..rounds(12) {
            match random.random_range(0..3) {
                0 => setting.pause().await,
                1 => setting.follow().await,
                _ => {}
            }
            for _ in 0..random.random_range(1..4) {
                setting.change(random).await;
            }
            for follower in &mut followers {
                follower.traverse(&mut setting, random).await;
            }
        }
        setting.follow().await;
        let by_replica = setting.lists_by("replica").await;
        assert!(by_replica > 0.0, "the standby has answered nothing");
        for follower in &mut followers {
            // A traversal in which nothing changes any more: one page, from the standby.
            let client = setting.near().clone();
            let path = format!("/api/v1/{}?limit=200&{}={}", follower.list, follower.filter, follower.mark);
            for row in client.get(&path, &setting.producer.key).await.data() {
                follower.rows.insert(row["id"].as_str().unwrap().to_owned(), row);
            }
            let mut all = everything(&setting.world.client, &setting.producer.key, follower.list).await;
            all.retain(|_, row| row[follower.field].is_string());
            // The feed of entries tells of entries only.
            if follower.filter == "updated_after" {
                assert_eq!(follower.rows, all, "{} by {}", follower.list, follower.filter);
            }
            let ids = |rows: &BTreeMap<String, Value>| rows.keys().cloned().collect::<Vec<_>>();
            assert_eq!(ids(&follower.rows), ids(&all), "{} by {}", follower.list, follower.filter);
        }
        assert!(setting.lists_by("replica").await > by_replica, "the last pages came from the standby");
        assert_eq!(setting.world.findings().await, []);
    });
}

#[test]
fn a_standby_that_is_behind_is_not_asked_for_what_the_client_has_seen() {
    in_setting(async |mut setting: Setting| {
        let (client, key) = (setting.near().clone(), setting.producer.key.clone());
        for _ in 0..6 {
            setting.sell(&client).await;
        }
        setting.follow().await;
        let read = async |query: &str| client.get(&format!("/api/v1/tickets{query}"), &key).await;
        // Without a mark, and by its id, a ticket comes from the database itself.
        let first = read("?limit=2").await;
        assert_eq!(read("/T1").await.status, 200);
        assert_eq!((setting.lists_by("replica").await, setting.lists_by("database").await), (0.0, 1.0));
        // The next page, and a mark, may come from the standby.
        let next = first.json()["next_cursor"].as_str().unwrap().to_owned();
        assert_eq!(read(&format!("?limit=2&cursor={next}")).await.status, 200);
        assert_eq!(read("?updated_after=2020-01-01T00:00:00Z").await.status, 200);
        assert_eq!(setting.lists_by("replica").await, 2.0);
        // It stops, and something changes: whoever has seen that is not led to it, whoever has not may be.
        setting.pause().await;
        setting.sell(&client).await;
        let newest = read("?limit=2").await;
        let seen = newest.data()[0]["updated_at"].as_str().unwrap().to_owned();
        for query in [
            format!("?updated_after={seen}"),
            format!("?issued_after={seen}"),
            format!("?scanned_after={seen}"),
            format!("?limit=2&cursor={}", newest.json()["next_cursor"].as_str().unwrap()),
        ] {
            assert_eq!(read(&query).await.status, 200, "{query}");
            assert_eq!((setting.lists_by("replica").await, setting.replicas("behind").await), (2.0, 1.0), "{query}");
        }
        assert_eq!(read(&format!("?limit=2&cursor={next}")).await.status, 200);
        assert_eq!((setting.lists_by("replica").await, setting.replicas("answering").await), (3.0, 1.0));
        // A cursor of a server without replicas does not say what was shown.
        let page = setting.world.client.get("/api/v1/tickets?limit=2", &key).await;
        let short = page.json()["next_cursor"].as_str().unwrap().to_owned();
        setting.follow().await;
        assert_eq!(read(&format!("?limit=2&cursor={short}")).await.status, 200);
        assert_eq!(setting.lists_by("replica").await, 3.0);
        // And the other way round.
        let long = setting.world.client.get(&format!("/api/v1/tickets?limit=2&cursor={next}"), &key).await;
        assert_eq!(long.status, 200);
    });
}

#[test]
fn a_traversal_misses_nothing_that_changed_before_it_began() {
    in_setting(async |mut setting: Setting| {
        let (client, key) = (setting.near().clone(), setting.producer.key.clone());
        for _ in 0..2 {
            setting.sell(&client).await;
        }
        let scan = async |code: &str| {
            let scan = json!({"code": code, "scan_id": format!("s-{code}"), "station": "Door"});
            let headers = [("authorization", &*format!("Bearer {}", setting.gate))];
            assert_eq!(client.post("/door/v1/scan", &headers, &scan).await.status, 200);
        };
        let sold = client.get("/api/v1/tickets", &key).await.ids();
        for code in &sold[..2] {
            scan(code).await;
        }
        setting.follow().await;
        setting.pause().await;
        // The oldest ticket, the last of the list, enters after the standby stopped and before anybody reads.
        scan(&sold[2]).await;
        let read = async |more: &str| client.get(&format!("/api/v1/tickets?status=scanned&limit=1{more}"), &key).await;
        let (mut page, mut ids) = (read("").await, Vec::new());
        loop {
            ids.extend(page.ids());
            let Some(next) = page.json()["next_cursor"].as_str().map(str::to_owned) else { break };
            page = read(&format!("&cursor={next}")).await;
        }
        assert_eq!(ids, sold);
        setting.follow().await;
    });
}

#[test]
fn a_key_that_a_standby_still_takes_for_good_is_refused_at_once() {
    in_setting(async |setting: Setting| {
        let tenant = setting.producer.tenant;
        let (secret, key) = setting.world.key(tenant, taquilla_domain::key::Permission::ALL, None).await;
        setting.follow().await;
        let client = setting.near().clone();
        let read = async || client.get("/api/v1/tickets?updated_after=2020-01-01T00:00:00Z", &secret).await;
        assert_eq!((read().await.status.as_u16(), read().await.status.as_u16()), (200, 200));
        assert_eq!(setting.lists_by("replica").await, 2.0);
        setting.pause().await;
        setting.world.revoke_key(tenant, &key.id).await;
        let there = Raw::open(&setting.standby.address()).await;
        let kept = there.rows(&format!("SELECT revoked_at FROM api_keys WHERE id = '{}'", key.id)).await;
        assert_eq!(kept, [["NULL"]], "the standby does not know yet");
        assert_eq!(read().await.problem().0, 401);
        assert_eq!(setting.lists_by("replica").await, 2.0);
    });
}

#[test]
fn a_standby_that_is_gone_is_left_alone_for_a_while() {
    in_setting(async |setting: Setting| {
        setting.follow().await;
        let (client, key) = (setting.near().clone(), setting.producer.key.clone());
        let read = async || client.get("/api/v1/tickets?updated_after=2020-01-01T00:00:00Z", &key).await.status == 200;
        assert!(read().await);
        assert_eq!(setting.lists_by("replica").await, 1.0);
        setting.standby.crash();
        for _ in 0..3 {
            assert!(read().await, "the database itself answers");
        }
        assert_eq!((setting.lists_by("replica").await, setting.replicas("away").await), (1.0, 1.0));
        setting.standby.run();
        assert!(read().await);
        assert_eq!(setting.lists_by("replica").await, 1.0, "it is not asked yet");
        setting.world.step(REPLICA_LEFT_ALONE + Duration::from_secs(1));
        assert!(read().await);
        assert_eq!((setting.lists_by("replica").await, setting.replicas("answering").await), (2.0, 1.0));
        assert_eq!(setting.world.client.send(reqwest::Method::GET, "/readyz", &[]).await.status, 200);
    });
}

#[test]
fn a_copy_of_something_else_is_not_asked() {
    in_setting(async |setting: Setting| {
        let other = Cluster::start();
        drop(World::on(&other).await);
        let ((_server, client), watch) = Setting::server(&setting.world, &other).await;
        let path = "/api/v1/tickets?updated_after=2020-01-01T00:00:00Z";
        assert_eq!(client.get(path, &setting.producer.key).await.data().len(), 1);
        let told = watch.scrape().await;
        assert_eq!(told.value("taquilla_lists_total{by=\"database\"}"), 1.0);
        assert_eq!(told.value("taquilla_replicas{state=\"away\"}"), 1.0);
    });
}

#[test]
fn the_doctor_tells_how_far_a_standby_has_followed() {
    in_setting(async |mut setting: Setting| {
        setting.follow().await;
        let (address, standby) = (setting.world.address.clone(), setting.standby.address());
        let finding = || {
            let mut doctor = taquilla(&address);
            doctor.args(["doctor", "--json"]).env("TAQUILLA_READ_REPLICA", &standby);
            let said: Value = serde_json::from_slice(&doctor.output().unwrap().stdout).unwrap();
            let found = said["findings"].as_array().unwrap().iter().find(|found| found["about"] == "replica").cloned();
            found
                .map(|found| format!("{}: {}", found["state"].as_str().unwrap(), found["found"].as_str().unwrap()))
                .unwrap()
        };
        let good = finding();
        assert!(good.starts_with("good: ") && good.ends_with("has every change"), "{good}");
        setting.pause().await;
        setting.sell(&setting.near().clone()).await;
        let behind = finding();
        assert!(behind.starts_with("doubtful: ") && behind.contains("is behind: it has changes up to"), "{behind}");
        setting.standby.crash();
        let gone = finding();
        assert!(gone.starts_with("doubtful: ") && gone.contains("there is no connection"), "{gone}");
    });
}

#[test]
fn a_file_has_no_replicas() {
    run(Engine::Sqlite, async |world: World| {
        for (replica, words) in [
            ("postgres://taquilla@db2.internal/taquilla", "a SQLite file has no replicas"),
            ("sqlite:copy.db", "a SQLite file has no replicas"),
        ] {
            let refused = serve(&world.address).args(["--read-replica", replica]).output().unwrap();
            let said = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(!refused.status.success() && said.contains("--read-replica") && said.contains(words), "{said}");
        }
    });
}
