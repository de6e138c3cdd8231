//! G7: what was acknowledged survives `kill -9` of a server, a crash of the database and a full disk, at any moment,
//! and nothing is half written.

use std::{
    process::{Child, Command, Stdio},
    sync::Arc,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::harness::{
    Answer, Client, Cluster, Engine, PATIENCE, Producer, Running, World, address_in, crowd, event, rounds, run, seed,
    serve, start, taquilla, ticket_type, with,
};

/// How many times the server or the database is killed; many more in a long run.
const KILLS: usize = 6;
/// How many buy at the same time.
const BUYERS: usize = 50;

mod acknowledged_sales_and_scans_survive_kills {
    use super::*;

    #[test]
    fn sqlite() {
        run(Engine::Sqlite, |world| survive(world, Victim::Server));
    }

    #[test]
    fn postgres() {
        on_a_cluster(|world, _| survive(world, Victim::Server));
    }
}

#[test]
fn acknowledged_sales_and_scans_survive_crashes_of_the_database() {
    on_a_cluster(|world, cluster| survive(world, Victim::Database(cluster)));
}

/// Runs a body in a world on a PostgreSQL cluster that waits for the disk.
fn on_a_cluster<F: Future<Output = ()>>(body: impl FnOnce(World, Arc<Cluster>) -> F) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let cluster = Arc::new(Cluster::start());
    runtime.block_on(async { body(World::on(&cluster).await, Arc::clone(&cluster)).await });
}

/// What is killed.
enum Victim {
    Server,
    Database(Arc<Cluster>),
}

/// Everything that was acknowledged and must stay true for ever.
#[derive(Default)]
struct Acknowledged {
    /// Orders: idempotency key and reference.
    sold: Vec<(String, String)>,
    /// Scans at the door: code, request and answer.
    entered: Vec<(String, Value, Value)>,
    /// Tickets that were scanned from the command line.
    scanned: Vec<String>,
}

/// How much was acknowledged so far.
#[derive(Clone, Default)]
struct Count(Arc<watch::Sender<usize>>);

impl Count {
    fn up(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    async fn reach(&self, enough: usize) {
        let mut counted = self.0.subscribe();
        let reached = counted.wait_for(|count| *count >= enough);
        tokio::time::timeout(PATIENCE, reached).await.expect("hardly anything was acknowledged").unwrap();
    }
}

async fn survive(mut world: World, victim: Victim) {
    let mut chance = StdRng::seed_from_u64(seed());
    // Only other processes write here, and they do not see the harness's stepped clock.
    world.server.stop().await;
    let producer = a_free_item(&world).await;
    let gate = format!("Bearer {}", world.door(producer.tenant, "ev", &[]).await.0);
    let mut told = Acknowledged::default();
    let (mut server, mut client) = start_server(&world);
    let kills = rounds(KILLS);
    for kill in 0..kills {
        let mut new = Acknowledged::default();
        let codes = client.get("/api/v1/tickets?status=valid&limit=200", &producer.key).await.ids();
        let (sales, scans) = (Count::default(), Count::default());
        let buyers: Vec<_> = (0..BUYERS)
            .map(|buyer| tokio::spawn(buy(client.clone(), format!("{kill}-{buyer}"), sales.clone())))
            .collect();
        let stations: Vec<_> = (0..2)
            .map(|station| {
                // The first code is for the command line below.
                let own: Vec<String> = codes.iter().skip(1 + station).step_by(2).cloned().collect();
                tokio::spawn(enter(client.clone(), gate.clone(), kill, own, scans.clone()))
            })
            .collect();
        let mut scanning = codes.first().map(|id| (id.clone(), scan_in_a_process(&world.address, id)));
        // The kill comes at a random moment after some acknowledgements, counted and not timed, so that the machine's
        // speed does not matter.
        let (enough_sales, enough_scans) =
            (chance.random_range(4..2 * BUYERS), chance.random_range(1..4).min(codes.len() / 4));
        sales.reach(enough_sales).await;
        scans.reach(enough_scans).await;
        match &victim {
            Victim::Server => server.0.kill().unwrap(),
            Victim::Database(cluster) => cluster.crash(),
        }
        if let Some((id, process)) = scanning.as_mut() {
            if kill % 2 == 0 {
                let _ = process.kill();
            }
            if process.wait().unwrap().success() {
                new.scanned.push(id.clone());
            }
        }
        for station in stations {
            new.entered.extend(station.await.unwrap());
        }
        for buyer in buyers {
            new.sold.extend(buyer.await.unwrap().0);
        }
        match &victim {
            Victim::Server => (server, client) = start_server(&world),
            // The server keeps running, and finds the database again.
            Victim::Database(cluster) => cluster.run(),
        }
        is_whole(&world.address);
        new.is_still_there(&client, &producer, &gate).await;
        told.sold.extend(new.sold);
        told.entered.extend(new.entered);
        told.scanned.extend(new.scanned);
    }
    told.is_still_there(&client, &producer, &gate).await;
    assert!(crowd::group_sizes(&world).await.into_iter().max() > Some(4), "nobody was served together");
    assert!(told.sold.len() >= 4 * kills && told.entered.len() >= kills / 2, "each round waited for some of both");
}

async fn a_free_item(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let item = with(ticket_type("tt", "ev"), json!({"price": 0, "max_per_order": 4}));
    world.import(producer.tenant, &[event("ev"), item]).await;
    producer
}

fn start_server(world: &World) -> (Running, Client) {
    let (running, text, _log) = start(serve(&world.address), "listening");
    (running, Client::new(address_in(&text).parse().unwrap()))
}

fn order() -> Value {
    json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": [{"ticket_type_id": "tt", "quantity": 2}]})
}

const ORDERS: &str = "/shop/v1/pr_a/events/ev/orders";

/// Buys until no sale is acknowledged any more. Also gives the answer to the last try, if there was one.
async fn buy(client: Client, name: String, count: Count) -> (Vec<(String, String)>, Option<Answer>) {
    let mut sold = Vec::new();
    for number in 0.. {
        let key = format!("{name}-{number}");
        let answer = client.try_post(ORDERS, &[("idempotency-key", &key)], &order()).await;
        match answer {
            Some(answer) if answer.status == 201 => {
                sold.push((key, answer.json()["reference"].as_str().unwrap().to_owned()));
                count.up();
            }
            last => return (sold, last),
        }
    }
    unreachable!("numbers do not end")
}

/// Scans until the server stops answering.
async fn enter(
    client: Client,
    gate: String,
    round: usize,
    codes: Vec<String>,
    count: Count,
) -> Vec<(String, Value, Value)> {
    let mut entered = Vec::new();
    for code in codes {
        let body = json!({"code": code, "scan_id": format!("{round}-{code}"), "station": "Door"});
        match client.try_post("/door/v1/scan", &[("authorization", &gate)], &body).await {
            Some(answer) if answer.status == 200 => {
                entered.push((code, body, answer.json()));
                count.up();
            }
            _ => break,
        }
    }
    entered
}

fn scan_in_a_process(address: &str, id: &str) -> Child {
    let mut command = taquilla(address);
    command.args(["ticket", "scan", id, "--producer", "pr_a", "--station", "Gate"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn is_whole(address: &str) {
    let checked = Command::new(env!("CARGO_BIN_EXE_taquilla")).args(["check", "--database", address]).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

impl Acknowledged {
    async fn is_still_there(&self, client: &Client, producer: &Producer, gate: &str) {
        for (key, reference) in &self.sold {
            let order = client.send(reqwest::Method::GET, &format!("/shop/v1/orders/{reference}"), &[]).await;
            assert_eq!((order.status.as_u16(), &order.json()["order"]["status"]), (200, &json!("approved")), "{key}");
            assert_eq!(order.json()["tickets"].as_array().unwrap().len(), 2, "{key}");
        }
        if let Some((key, reference)) = self.sold.last() {
            let again = client.post(ORDERS, &[("idempotency-key", key)], &order()).await;
            assert_eq!(again.json()["reference"], reference.as_str(), "the same key gets the same answer again");
        }
        for (code, body, answer) in &self.entered {
            assert_eq!(answer["outcome"], "admitted", "{code}");
            assert_eq!(client.get(&format!("/api/v1/tickets/{code}"), &producer.key).await.json()["status"], "scanned");
            let again = client.post("/door/v1/scan", &[("authorization", gate)], body).await;
            assert_eq!(again.json(), *answer, "the same scan gets the same answer again");
        }
        for id in &self.scanned {
            assert_eq!(client.get(&format!("/api/v1/tickets/{id}"), &producer.key).await.json()["status"], "scanned");
        }
    }
}

both_engines![a_crowd_that_a_kill_cuts_off_is_served_once];

async fn a_crowd_that_a_kill_cuts_off_is_served_once(mut world: World) {
    let mut chance = StdRng::seed_from_u64(seed());
    world.server.stop().await;
    let producer = a_free_item(&world).await;
    for round in 0..4 {
        let (server, client) = start_server(&world);
        // In the last round nobody has been served when the server is killed: all of them wait for another process.
        let busy = if round == 3 { Some(world.hold(&producer).await) } else { None };
        let served = Count::default();
        let key = |number: usize| format!("{round}-{number}");
        let once = |number: usize| {
            let (client, key, served) = (client.clone(), key(number), served.clone());
            async move {
                let answer = client.try_post(ORDERS, &[("idempotency-key", &key)], &order()).await;
                let placed = answer.filter(|answer| answer.status == 201);
                placed.inspect(|_| served.up())
            }
        };
        let crowd: Vec<_> = (0..BUYERS).map(once).collect();
        let crowd = match busy {
            Some(_) => crowd::arrive(&world, &client, crowd).await,
            None => {
                let crowd = crowd.into_iter().map(tokio::spawn).collect();
                served.reach(chance.random_range(1..BUYERS / 2)).await;
                crowd
            }
        };
        drop(server);
        drop(busy);
        let told = crowd::answers(crowd).await;
        is_whole(&world.address);

        let (_server, client) = start_server(&world);
        for (number, told) in told.into_iter().enumerate() {
            let again = client.post(ORDERS, &[("idempotency-key", &key(number))], &order()).await;
            assert_eq!(again.status, 201, "{}", again.text);
            if let Some(told) = told {
                assert_eq!(again.text, told.text, "an order that was told of is gone");
            }
        }
        let orders = world.raw().await.rows("SELECT count(*) FROM orders").await;
        assert_eq!(orders, [[((round + 1) * BUYERS).to_string()]], "each has one order");
        let sold = client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data()[0]["sold"].clone();
        assert_eq!(sold, (round + 1) * BUYERS * 2);
        is_whole(&world.address);
    }
}

#[test]
fn a_full_disk_refuses_sales_and_loses_none() {
    run(Engine::Sqlite, async |mut world: World| {
        world.server.stop().await;
        let producer = a_free_item(&world).await;
        let gate = format!("Bearer {}", world.door(producer.tenant, "ev", &[]).await.0);
        // No file of this server may grow larger than this, as if the disk were full.
        let mut limited = Command::new("bash");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 3000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_taquilla")]);
        limited.args(["serve", "--listen", "127.0.0.1:0", "--shop-rate-limit", "off", "--database", &world.address]);
        let (mut server, text, _log) = start(limited, "listening");
        let client = Client::new(address_in(&text).parse().unwrap());
        let buyers: Vec<_> =
            (0..8).map(|buyer| tokio::spawn(buy(client.clone(), format!("full-{buyer}"), Count::default()))).collect();
        let mut told = Acknowledged::default();
        for buyer in buyers {
            let ended = tokio::time::timeout(PATIENCE, buyer).await.expect("the disk has no end");
            let (sold, refused) = ended.unwrap();
            told.sold.extend(sold);
            assert_eq!(refused.unwrap().json()["code"], "unavailable");
        }
        assert!(told.sold.len() > 8, "{} sales came through", told.sold.len());
        // Reading works on the full disk and after it.
        told.is_still_there_to_read(&client).await;
        server.0.kill().unwrap();
        let (_server, client) = start_server(&world);
        told.is_still_there(&client, &producer, &gate).await;
        let sold = client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data()[0]["sold"].clone();
        assert_eq!(sold, told.sold.len() * 2, "what was refused was not sold");
        assert_eq!(client.post(ORDERS, &[("idempotency-key", "one-more")], &order()).await.status, 201);
        is_whole(&world.address);
    });
}

impl Acknowledged {
    async fn is_still_there_to_read(&self, client: &Client) {
        for (key, reference) in &self.sold {
            let order = client.send(reqwest::Method::GET, &format!("/shop/v1/orders/{reference}"), &[]).await;
            assert_eq!(order.status, 200, "{key}");
        }
    }
}
