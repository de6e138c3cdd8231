//! The database's clock decides when a hold ends, whatever the servers' clocks say and wherever they jump.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use taquilla_domain::{
    clock::Stamp,
    config::{HOLD, PostgresTimeouts},
    time_source::TimeSource,
};

use crate::harness::{
    Answer, Client, Engine, Producer, Server, Watch, World, address_in, cart, event, place, problem, serve, start,
    tell_of_payment, ticket_type, with, without_shop_limits,
};

both_engines![
    servers_whose_clocks_differ_and_jump_agree_on_holds,
    a_database_whose_clock_jumps_sells_nothing_twice,
    the_real_clock_of_the_database_is_asked,
    an_item_is_sold_until_its_end_by_the_clock_of_the_database,
    a_server_with_a_wrong_clock_moves_no_producers,
    the_difference_of_clocks_is_told,
];

const HOUR: Duration = Duration::from_hours(1);

async fn the_last_one(world: &World) -> (Producer, String) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"limit": 1}))]).await;
    let secret = world.connect_processor(&producer).await;
    (producer, secret)
}

/// A server whose own clock is hours away from the database's.
struct Elsewhere {
    _server: Server,
    client: Client,
    clock: Arc<AtomicI64>,
}

impl Elsewhere {
    async fn start(world: &World, hours: i64) -> Self {
        let clock = Arc::new(AtomicI64::new(world.now().micros()));
        let time = TimeSource::Stepped(Arc::clone(&clock));
        let server = Server::start(world.store.clone(), without_shop_limits(), time).await;
        let elsewhere = Self { client: Client::new(server.address), _server: server, clock };
        elsewhere.jump(hours);
        elsewhere
    }

    fn jump(&self, hours: i64) {
        self.clock.fetch_add(hours * HOUR.as_micros() as i64, Ordering::SeqCst);
    }

    async fn place(&self, key: &str) -> Answer {
        self.client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", key)], &cart("tt", 1)).await
    }

    async fn paid(&self, payment: &str, order: &Value, secret: &str) -> Answer {
        let notice = json!({"payment_id": payment, "reference": order["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
        tell_of_payment(&self.client, self.clock.load(Ordering::SeqCst) / 1_000_000, &notice, secret).await
    }
}

async fn servers_whose_clocks_differ_and_jump_agree_on_holds(world: World) {
    let (producer, secret) = the_last_one(&world).await;
    let (early, late) = (Elsewhere::start(&world, -1).await, Elsewhere::start(&world, 1).await);
    let ana = late.place("ana").await.json();
    assert_eq!(ana["held_until"], world.now().plus(HOLD).to_string());
    let held = |answer: &Answer, wait_s: u64| {
        assert_eq!(answer.problem(), problem(409, "held", None));
        assert_eq!(answer.header("retry-after").unwrap(), wait_s.to_string());
        assert_eq!(answer.json()["held_until"], ana["held_until"]);
    };
    for (server, key) in [(&early, "bea-early"), (&late, "bea-late")] {
        held(&server.place(key).await, 1_800);
    }
    // Each clock jumps by an hour in either direction, and some more.
    world.step(HOLD - Duration::from_secs(1));
    for hours in [2, -1, -2, 1] {
        late.jump(-hours);
        early.jump(hours);
        for (server, key) in [(&early, "bea-early"), (&late, "bea-late")] {
            held(&server.place(key).await, 1);
        }
    }
    // The hold ends for all of them in one moment.
    world.step(Duration::from_secs(1));
    let bea = early.place("bea-early").await.json();
    assert_eq!(bea["held_until"], world.now().plus(HOLD).to_string());
    assert_eq!(late.place("bea-late").await.problem(), problem(409, "held", None));
    assert_eq!(late.paid("pay_ana", &ana, &secret).await.problem(), problem(409, "sold_out", None));
    assert_eq!(late.paid("pay_bea", &bea, &secret).await.json()["status"], "approved");
    // Whoever mirrors the orders misses nothing, although the clocks went back.
    let stamps = world.client.get("/api/v1/orders", &producer.key).await.data();
    let stamps: Vec<&str> = stamps.iter().map(|order| order["created_at"].as_str().unwrap()).collect();
    assert!(stamps[0] > stamps[1], "{stamps:?}");
    assert_eq!(world.findings().await, []);
}

async fn a_database_whose_clock_jumps_sells_nothing_twice(world: World) {
    // Passed time is that of the same clock here, so a limit that was reached before it jumps back lasts for an hour.
    let world = world.reopened(without_shop_limits(), PostgresTimeouts::default()).await;
    let (producer, secret) = the_last_one(&world).await;
    let steady = Elsewhere::start(&world, 0).await;
    // Back by an hour: the hold lasts until its moment comes again, and pays as before.
    let ana = place(&world, "ana", &cart("tt", 1)).await.json();
    world.step_back(HOUR);
    let refused = place(&world, "bea", &cart("tt", 1)).await;
    assert_eq!(refused.problem(), problem(409, "held", None));
    assert_eq!(refused.header("retry-after").unwrap(), (1_800 + 3_600).to_string());
    world.step(HOUR + HOLD);
    let bea = place(&world, "bea", &cart("tt", 1)).await.json();
    // Ahead by an hour: the hold is over, and who pays first is sold the last one.
    world.step(HOUR);
    let carl = place(&world, "carl", &cart("tt", 1)).await.json();
    assert_eq!(steady.paid("pay_ana", &ana, &secret).await.problem(), problem(409, "sold_out", None));
    // Back again: two orders hold the last one now, by this clock. It is sold once.
    world.step_back(HOUR);
    assert_eq!(place(&world, "dora", &cart("tt", 1)).await.problem(), problem(409, "held", None));
    assert_eq!(steady.paid("pay_bea", &bea, &secret).await.json()["status"], "approved");
    assert_eq!(steady.paid("pay_carl", &carl, &secret).await.problem(), problem(409, "sold_out", None));
    let sold = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data()[0]["sold"].clone();
    assert_eq!(sold, 1);
    let listed = world.raw().await.rows("SELECT id, result FROM payments WHERE result <> 'settled' ORDER BY id").await;
    assert_eq!(listed, [["pay_ana", "sold_out"], ["pay_carl", "sold_out"]]);
    assert_eq!(world.findings().await, []);
}

async fn the_real_clock_of_the_database_is_asked(mut world: World) {
    world.server.stop().await;
    the_last_one(&world).await;
    let (_server, text, _log) = start(serve(&world.address), "listening");
    let client = Client::new(address_in(&text).parse().unwrap());
    let at_least = TimeSource::System.now().plus(HOLD);
    let placed = client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", "a")], &cart("tt", 1)).await;
    let at_most = TimeSource::System.now().plus(HOLD + HOLD / 120);
    let until = Stamp::parse(placed.json()["held_until"].as_str().unwrap()).unwrap();
    // SQLite's clock counts milliseconds.
    assert!(until.plus(Duration::from_millis(1)) >= at_least && until <= at_most, "{until}");
}

async fn an_item_is_sold_until_its_end_by_the_clock_of_the_database(world: World) {
    let producer = world.producer("pr_a").await;
    let ends = world.now().plus(HOUR).to_string();
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"expires_at": ends}))]).await;
    // A server that is two hours ahead does not end the sale.
    let ahead = Elsewhere::start(&world, 2).await;
    assert_eq!(ahead.place("ana").await.status, 201);
    assert_eq!(place(&world, "bea", &cart("tt", 1)).await.status, 201);
    // One that is two hours behind sells nothing after it.
    world.step(HOUR);
    let behind = Elsewhere::start(&world, -2).await;
    for answer in [behind.place("carl").await, place(&world, "dora", &cart("tt", 1)).await] {
        assert_eq!((answer.status.as_u16(), answer.problem().1), (400, "invalid_body".to_owned()));
    }
    assert_eq!(world.findings().await, []);
}

async fn a_server_with_a_wrong_clock_moves_no_producers(world: World) {
    if world.engine == Engine::Sqlite {
        // Its servers are on one machine, whose clock is the database's.
        return;
    }
    let (producer, secret) = the_last_one(&world).await;
    let late = Elsewhere::start(&world, 2).await;
    let ana = late.place("ana").await.json();
    let soon = world.now().plus(Duration::from_secs(1)).to_string();
    assert!(ana["order"]["created_at"].as_str().unwrap() < soon.as_str(), "{ana}");
    assert_eq!(late.paid("pay_ana", &ana, &secret).await.json()["status"], "approved");
    let ticket = world.client.get("/api/v1/tickets", &producer.key).await.data().remove(0);
    assert!(ticket["issued_at"].as_str().unwrap() < soon.as_str(), "{ticket}");
    let clocks = world.raw().await.rows("SELECT clock FROM clocks").await;
    assert!(Stamp::from_micros(clocks[0][0].parse().unwrap()).to_string() < soon, "{clocks:?}");
}

async fn the_difference_of_clocks_is_told(world: World) {
    let clock = Arc::new(AtomicI64::new(world.now().plus(2 * HOUR).micros()));
    let time = TimeSource::Stepped(clock);
    let (_server, address) = Server::start_watched(world.store.clone(), without_shop_limits(), time).await;
    assert_eq!(Watch::new(address).scrape().await.get("taquilla_clock_ahead_seconds"), Some(7_200.0));
    let (_server, address) = Server::start_watched(world.store.clone(), without_shop_limits(), world.time()).await;
    assert_eq!(Watch::new(address).scrape().await.get("taquilla_clock_ahead_seconds"), Some(0.0));
}
