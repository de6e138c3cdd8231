//! While a worker of a Citus cluster is gone or silent, the producers of the others sell, scan and are told as before, and nothing
//! that was acknowledged is lost.

use std::time::Instant;

use serde_json::json;
use taquilla_domain::{config::Config, key::Permission, role::Rights, webhook::MessageKind};
use taquilla_rules::admin;
use taquilla_store::{Open, Store, distribute::distribute};
use tokio::task::JoinSet;

use crate::harness::{
    Answer, Client, Cluster, Producer, Raw, World, anywhere, cart, citus, event,
    receiver::{Behaviour, Receiver},
    ticket, ticket_type, to_this_machine, until, with, without_shop_limits,
};

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

    /// Which of the workers has a producer's rows.
    async fn worker_of(&self, world: &World, producer: &Producer) -> usize {
        let sql = format!(
            "SELECT nodename FROM pg_dist_shard_placement WHERE shardid = \
             get_shard_id_for_distribution_column('clocks', {})",
            producer.tenant.number()
        );
        let name = world.raw().await.rows(&sql).await[0][0].clone();
        self.0.iter().position(|machine| machine.folder().display().to_string() == name).unwrap()
    }
}

/// How many tickets each producer has for its door.
const TICKETS: usize = 10;

/// A producer that sells, scans and is told of both.
struct Stand {
    worker: usize,
    id: String,
    producer: Producer,
    gate: String,
    /// What was acknowledged.
    orders: Vec<String>,
    scanned: Vec<String>,
}

impl Stand {
    async fn open(world: &World, machines: &Machines, number: usize, told: &Receiver) -> Self {
        let id = format!("pr_{number}");
        let producer = world.producer(&id).await;
        let mut lines = vec![event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))];
        lines.extend((0..TICKETS).map(|code| ticket(&format!("T{code}"), "ev", "tt")));
        world.import(producer.tenant, &lines).await;
        let (url, kinds) =
            (anywhere(&told.url(&format!("/{id}"))), [MessageKind::OrderApproved, MessageKind::TicketScanned]);
        let tenant = producer.tenant;
        admin::endpoints::create(&world.store, tenant, &url, &kinds, false, Rights::all(), &world.by()).await.unwrap();
        let (gate, _) = world.door(tenant, "ev", &[]).await;
        let worker = machines.worker_of(world, &producer).await;
        Self { worker, id, producer, gate, orders: Vec::new(), scanned: Vec::new() }
    }

    async fn order(&mut self, client: &Client, key: &str) -> Answer {
        let answer = order(client, &self.id, key).await;
        if answer.status == 201 {
            self.orders.push(answer.json()["order"]["id"].as_str().unwrap().to_owned());
        }
        answer
    }

    async fn scan(&mut self, client: &Client) -> Answer {
        let code = format!("T{}", self.scanned.len());
        let scan = json!({"code": code, "scan_id": code, "station": "Door"});
        let answer = client.post("/door/v1/scan", &[("authorization", &format!("Bearer {}", self.gate))], &scan).await;
        if answer.status == 200 {
            assert_eq!(answer.json()["outcome"], "admitted", "{}: {}", self.id, answer.text);
            self.scanned.push(code);
        }
        answer
    }

    /// Everything that was acknowledged is there.
    async fn lost_nothing(&self, client: &Client) {
        for order in &self.orders {
            let answer = client.get(&format!("/api/v1/orders/{order}"), &self.producer.key).await;
            assert_eq!(answer.status, 200, "{}: {}", self.id, answer.text);
        }
        for code in &self.scanned {
            let ticket = client.get(&format!("/api/v1/tickets/{code}"), &self.producer.key).await;
            assert_eq!(ticket.json()["status"], "scanned", "{}: {}", self.id, ticket.text);
        }
    }
}

async fn order(client: &Client, producer: &str, key: &str) -> Answer {
    client.post(&format!("/shop/v1/{producer}/events/ev/orders"), &[("idempotency-key", key)], &cart("tt", 1)).await
}

/// Producers on both workers, of which one is in trouble.
struct Evening {
    world: World,
    client: Client,
    receiver: Receiver,
    stands: Vec<Stand>,
    troubled: usize,
}

impl Evening {
    async fn begin(machines: &Machines) -> Self {
        let mut world = World::at_address(&machines.address()).await;
        let config = Config { webhooks: to_this_machine().webhooks, ..without_shop_limits() };
        world.server.stop().await;
        (world.server, world.client) = world.another_server(config).await;
        let client = world.client.clone();
        let receiver = Receiver::start(Behaviour::ok()).await;
        let mut stands = Vec::new();
        for number in 0..6 {
            stands.push(Stand::open(&world, machines, number, &receiver).await);
        }
        let troubled = stands[0].worker;
        assert!(stands.iter().any(|stand| stand.worker != troubled), "all six are on one worker");
        let mut evening = Self { world, client, receiver, stands, troubled };
        evening.goes_on("before", |_| true).await;
        evening
    }

    /// Some sell and scan, each of them with success.
    async fn goes_on(&mut self, key: &str, who: impl Fn(&Stand) -> bool) {
        for stand in self.stands.iter_mut().filter(|stand| who(stand)) {
            let answer = stand.order(&self.client, key).await;
            assert_eq!(answer.status, 201, "{}: {}", stand.id, answer.text);
            let answer = stand.scan(&self.client).await;
            assert_eq!(answer.status, 200, "{}: {}", stand.id, answer.text);
        }
    }

    /// Those on the other worker sell and scan.
    async fn others_go_on(&mut self, key: &str) {
        let troubled = self.troubled;
        self.goes_on(key, |stand| stand.worker != troubled).await;
    }

    /// Each of the others' sales and scans is told of.
    async fn others_are_told(&self) {
        let of = |stand: &Stand| {
            let path = format!("/{}", stand.id);
            self.receiver.received().iter().filter(|told| told.path == path).count()
        };
        for stand in self.stands.iter().filter(|stand| stand.worker != self.troubled) {
            let happened = stand.orders.len() + stand.scanned.len();
            assert!(until(async || of(stand) >= happened).await, "{}: {} of {happened}", stand.id, of(stand));
        }
    }

    /// The worker is back: its producers go on at once, and nobody has lost anything.
    async fn ends(mut self) {
        let began = Instant::now();
        let client = self.client.clone();
        for stand in self.stands.iter().filter(|stand| stand.worker == self.troubled) {
            assert!(until(async || order(&client, &stand.id, "after").await.status == 201).await, "{}", stand.id);
        }
        eprintln!("the worker's producers sold again after {:?}", began.elapsed());
        self.goes_on("at the end", |_| true).await;
        for stand in &self.stands {
            stand.lost_nothing(&self.client).await;
        }
        assert_eq!(self.world.findings().await, []);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_silent_keeps_nobody_else_waiting() {
    if !citus::is_there() {
        return;
    }
    let machines = Machines::start().await;
    let mut evening = Evening::begin(&machines).await;
    let stopped = machines.0[evening.troubled].stop_processes();
    let mut waiting = JoinSet::new();
    for stand in evening.stands.iter().filter(|stand| stand.worker == evening.troubled) {
        for buyer in 0..4 {
            let (client, id) = (evening.client.clone(), stand.id.clone());
            waiting.spawn(async move { order(&client, &id, &format!("waiting {buyer}")).await.status });
        }
    }
    for round in 0..TICKETS - 2 {
        evening.others_go_on(&format!("meanwhile {round}")).await;
    }
    evening.others_are_told().await;
    drop(stopped);
    // Those who waited got a ticket, or were told to come again.
    for status in waiting.join_all().await {
        assert!(status == 201 || status == 503, "{status}");
    }
    evening.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_gone_stops_its_own_producers_only() {
    if !citus::is_there() {
        return;
    }
    let machines = Machines::start().await;
    let mut evening = Evening::begin(&machines).await;
    let (gone, client) = (evening.troubled, evening.client.clone());
    let tenant = evening.stands[0].producer.tenant;
    let (token, key) = evening.world.key(tenant, &[Permission::OrdersRead, Permission::TicketsRead], None).await;
    machines.0[gone].crash();
    for round in 0..4 {
        evening.others_go_on(&format!("meanwhile {round}")).await;
        for stand in evening.stands.iter_mut().filter(|stand| stand.worker == gone) {
            let refused = [stand.order(&client, &format!("in vain {round}")).await, stand.scan(&client).await];
            for answer in refused {
                assert_eq!(answer.status, 503, "{}: {}", stand.id, answer.text);
            }
        }
    }
    // Although rounds come to those of the other worker in between.
    evening.others_are_told().await;
    // Whose machine is gone can still be kept from reading once it is back.
    evening.world.revoke_key(tenant, &key.id).await;
    Machines::run(&machines.0[gone]);
    assert_eq!(client.get("/api/v1/tickets", &token).await.status, 401);
    evening.ends().await;
}
