//! Many wait for one producer at the same time: each gets its own answer, whatever becomes of the others, of the server and
//! of the database.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use futures_util::future::join_all;
use serde_json::{Value, json};
use taquilla_domain::config::{Config, PostgresTimeouts};
use taquilla_store::{Open, Store};
use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::harness::configured;
use crate::harness::{
    Answer, Client, Cluster, Engine, PATIENCE, Producer, Raw, Server, SilentLine, World, cart,
    crowd::{answers, arrive, buy, together},
    event, problem, run, tell_of_payment, ticket_type, until, with, without_shop_limits,
};

/// How many wait.
const CROWD: usize = 60;
const ORDERS: &str = "/shop/v1/pr_a/events/ev/orders";

/// A producer who sells something free, something of which there are few, and something for money.
struct Sale {
    world: World,
    producer: Producer,
    secret: String,
}

impl Sale {
    async fn open(world: World) -> Self {
        let producer = world.producer("pr_a").await;
        let lines = [
            event("ev"),
            with(event("ev_draft"), json!({"status": "draft"})),
            with(ticket_type("tt", "ev"), json!({"price": 0})),
            with(ticket_type("tt_few", "ev"), json!({"price": 0, "limit": 7})),
            ticket_type("tt_paid", "ev"),
        ];
        world.import(producer.tenant, &lines).await;
        let connected = world.connect_processor(&producer).await;
        Self { secret: connected, world, producer }
    }

    async fn server(&self, config: Config) -> (Server, Client) {
        self.world.another_server(config).await
    }

    /// Places orders that are to be paid.
    async fn pending(&self, client: &Client, count: usize) -> Vec<Value> {
        let placed =
            join_all((0..count).map(|number| buy(client.clone(), format!("pending-{number}"), cart("tt_paid", 1))));
        placed.await.iter().map(Answer::json).collect()
    }

    /// Tells of the payment of an order.
    fn pay(&self, client: &Client, order: &Value) -> impl Future<Output = Answer> + Send + 'static {
        let notice = json!({"payment_id": format!("pay-{}", order["order"]["id"].as_str().unwrap()),
            "reference": order["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
        let (client, secret, now_s) = (client.clone(), self.secret.clone(), self.world.now().micros() / 1_000_000);
        async move { tell_of_payment(&client, now_s, &notice, &secret).await }
    }

    /// How many orders there are with each status, and how many are sold of what is free and of what is paid.
    async fn books(&self) -> (Vec<Vec<String>>, i64, i64) {
        let statuses = "SELECT status, count(*) FROM orders GROUP BY status ORDER BY status";
        let statuses = self.world.raw().await.rows(statuses).await;
        let types = self.world.client.get("/api/v1/events/ev/ticket-types", &self.producer.key).await.data();
        let sold = |id: &str| types.iter().find(|item| item["id"] == id).unwrap()["sold"].as_i64().unwrap();
        (statuses, sold("tt"), sold("tt_paid"))
    }
}

/// Settings without limits on how often anybody may ask.
fn open_to_all() -> Config {
    configured(without_shop_limits(), |config| config.rates.door = None)
}

/// An order of one free unit, in this name.
fn order_of(name: &str) -> Value {
    with(cart("tt", 1), json!({"buyer": {"name": name, "email": "b@example.com"}}))
}

/// Sends an order once.
async fn post(client: Client, path: &str, key: String, body: Value) -> Answer {
    client.post(path, &[("idempotency-key", &key)], &body).await
}

/// Sends an order once to the event `ev`.
async fn once(client: Client, key: String, body: Value) -> Answer {
    post(client, ORDERS, key, body).await
}

fn is_unavailable(answer: &Answer) -> bool {
    answer.problem() == problem(503, "unavailable", None) && answer.header("retry-after").is_some()
}

both_engines![
    each_in_a_crowd_gets_its_own_answer,
    what_the_database_refuses_fails_alone,
    who_was_told_to_come_back_was_not_served,
    who_leaves_while_waiting_finds_one_order,
];

async fn each_in_a_crowd_gets_its_own_answer(world: World) {
    let sale = Sale::open(world).await;
    let (_server, client) = sale.server(open_to_all()).await;
    let pending = sale.pending(&client, 10).await;
    let known = once(client.clone(), "known".into(), order_of("Known")).await;
    let unknown_item = problem(400, "invalid_body", Some("items[0].ticket_type_id"));
    let hopeless = [
        (ORDERS, cart("tt_none", 1), unknown_item),
        (ORDERS, cart("tt", 11), problem(409, "too_many", None)),
        ("/shop/v1/pr_a/events/ev_draft/orders", cart("tt", 1), problem(404, "not_found", None)),
        ("/shop/v1/pr_a/events/ev_none/orders", cart("tt", 1), problem(404, "not_found", None)),
        (
            ORDERS,
            with(cart("tt", 1), json!({"buyer": {"name": "", "email": "b@example.com"}})),
            problem(400, "invalid_body", Some("buyer.name")),
        ),
    ];

    let (world, producer) = (&sale.world, &sale.producer);
    let mut requests: Vec<std::pin::Pin<Box<dyn Future<Output = Answer> + Send>>> = Vec::new();
    let mut ask = |path: &'static str, key: String, body: Value| {
        let client = client.clone();
        requests.push(Box::pin(async move { post(client, path, key, body).await }));
    };
    // In this order: 20 for seven units, 20 with something else each, 5 without a chance, 8 with one key and one body, 2
    // with one key and two bodies, and 2 that repeat an earlier order, rightly and wrongly.
    (0..20).for_each(|number| ask(ORDERS, format!("few-{number}"), cart("tt_few", 1)));
    (0..20).for_each(|number| ask(ORDERS, format!("good-{number}"), order_of(&format!("Buyer {number}"))));
    for (number, (path, body, _)) in hopeless.iter().enumerate() {
        ask(path, format!("bad-{number}"), body.clone());
    }
    (0..8).for_each(|_| ask(ORDERS, "same".into(), order_of("Same")));
    ["One", "Other"].into_iter().for_each(|name| ask(ORDERS, "twin".into(), order_of(name)));
    ["Known", "Unknown"].into_iter().for_each(|name| ask(ORDERS, "known".into(), order_of(name)));
    // Payments come in between: the first five twice, and one for another amount.
    for order in pending.iter().chain(&pending[..5]) {
        requests.push(Box::pin(sale.pay(&client, order)));
    }
    let answers = together(world, producer, &client, requests).await;

    let (few, rest) = answers.split_at(20);
    let (good, rest) = rest.split_at(20);
    let (bad, rest) = rest.split_at(hopeless.len());
    let (same, rest) = rest.split_at(8);
    let (twins, rest) = rest.split_at(2);
    let (repeated, payments) = rest.split_at(2);
    let (sold, refused): (Vec<&Answer>, Vec<&Answer>) = few.iter().partition(|answer| answer.status == 201);
    assert_eq!(sold.len(), 7);
    assert!(refused.iter().all(|answer| answer.problem() == problem(409, "sold_out", None)), "{refused:?}");
    for (number, answer) in good.iter().enumerate() {
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["order"]["buyer"]["name"]),
            (201, &json!(format!("Buyer {number}")))
        );
    }
    for (answer, (.., expected)) in bad.iter().zip(&hopeless) {
        assert_eq!(answer.problem(), *expected);
    }
    assert_eq!(same.iter().map(|answer| (answer.status, &answer.text)).collect::<BTreeSet<_>>().len(), 1);
    let statuses: BTreeSet<u16> = twins.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses, BTreeSet::from([201, 422]), "one key is one order");
    assert_eq!((repeated[0].status.as_u16(), &repeated[0].text), (201, &known.text));
    assert_eq!(repeated[1].problem(), problem(422, "idempotency_mismatch", None));
    for (answer, order) in payments.iter().zip(pending.iter().chain(&pending[..5])) {
        assert_eq!(answer.json(), json!({"order_id": order["order"]["id"], "status": "approved"}));
    }
    // Every answer tells the order as the API shows it.
    for answer in sold.into_iter().chain(good).chain([&same[0]]) {
        let order = &answer.json()["order"];
        let id = order["id"].as_str().unwrap();
        assert_eq!(client.get(&format!("/api/v1/orders/{id}"), &producer.key).await.json(), *order);
        let tickets = client.get(&format!("/api/v1/tickets?order_id={id}"), &producer.key).await.data();
        assert_eq!(tickets.len(), 1);
        assert_eq!(tickets[0]["attendee"]["name"], order["buyer"]["name"]);
    }
    let approved = (7 + 20 + 3 + 10).to_string();
    assert_eq!(sale.books().await, (vec![vec!["approved".to_owned(), approved]], 20 + 3, 10));
    assert_eq!(world.findings().await, []);
}

/// Lets the database refuse every row of a table that has this name in a column.
async fn refuse(world: &World, table: &str, column: &str) {
    let sql = match world.engine {
        Engine::Sqlite => format!(
            "CREATE TRIGGER refuse BEFORE INSERT ON {table} WHEN NEW.{column} = 'Mallory' \
             BEGIN SELECT RAISE(ABORT, 'no'); END"
        ),
        Engine::Postgres => format!(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN IF NEW.{column} = 'Mallory' THEN RAISE EXCEPTION 'no'; END IF; RETURN NEW; END $$; \
             CREATE TRIGGER refuse BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
        ),
    };
    world.raw().await.batch(&sql).await;
}

async fn allow(world: &World) {
    let sql = if world.engine == Engine::Sqlite { "DROP TRIGGER refuse" } else { "DROP FUNCTION refuse CASCADE" };
    world.raw().await.batch(sql).await;
}

async fn what_the_database_refuses_fails_alone(world: World) {
    let sale = Sale::open(world).await;
    let (_server, client) = sale.server(open_to_all()).await;
    let (world, producer) = (&sale.world, &sale.producer);
    let name = |number: usize| if number == CROWD / 2 { "Mallory".to_owned() } else { format!("Buyer {number}") };
    let is_told = |number: usize, answer: &Answer, good: u16| {
        let expected = if name(number) == "Mallory" { 500 } else { good };
        assert_eq!(answer.status, expected, "{number}: {}", answer.text);
    };

    // A free order whose row, and one whose ticket, the database does not take.
    for (round, (table, column)) in [("orders", "buyer_name"), ("tickets", "attendee_name")].into_iter().enumerate() {
        refuse(world, table, column).await;
        let key = |number: usize| format!("{table}-{number}");
        let orders = (0..CROWD).map(|number| once(client.clone(), key(number), order_of(&name(number)))).collect();
        for (number, answer) in together(world, producer, &client, orders).await.iter().enumerate() {
            is_told(number, answer, 201);
        }
        let sold = (CROWD - 1 + round * CROWD) as i64;
        assert_eq!(sale.books().await, (vec![vec!["approved".to_owned(), sold.to_string()]], sold, 0));
        allow(world).await;
        assert_eq!(once(client.clone(), key(CROWD / 2), order_of("Mallory")).await.status, 201, "it was not placed");
    }

    // A payment whose ticket the database does not take.
    let orders = join_all((0..CROWD).map(|number| {
        let buyer = json!({"buyer": {"name": name(number), "email": "b@example.com"}});
        buy(client.clone(), format!("paid-{number}"), with(cart("tt_paid", 1), buyer))
    }));
    let orders: Vec<Value> = orders.await.iter().map(Answer::json).collect();
    refuse(world, "tickets", "attendee_name").await;
    let payments = orders.iter().map(|order| sale.pay(&client, order)).collect();
    for (number, answer) in together(world, producer, &client, payments).await.iter().enumerate() {
        is_told(number, answer, 200);
    }
    let statuses =
        [("approved", 3 * CROWD - 1), ("pending", 1)].map(|(status, count)| vec![status.to_owned(), count.to_string()]);
    assert_eq!(sale.books().await, (statuses.to_vec(), 2 * CROWD as i64, CROWD as i64 - 1));
    allow(world).await;
    assert_eq!(sale.pay(&client, &orders[CROWD / 2]).await.json()["status"], "approved");
    assert_eq!(world.findings().await, []);
}

async fn who_was_told_to_come_back_was_not_served(world: World) {
    let sale = Sale::open(world).await;
    let (_patient, patient) = sale.server(open_to_all()).await;
    let pending = sale.pending(&patient, CROWD / 2).await;
    let hasty = configured(open_to_all(), |config| config.timeouts.request = Duration::from_secs(1));
    let (_server, client) = sale.server(hasty).await;
    let key = |number: usize| format!("k{number}");

    let busy = sale.world.hold(&sale.producer).await;
    let orders = join_all((0..CROWD).map(|number| once(client.clone(), key(number), order_of("Ana"))));
    let payments = join_all(pending.iter().map(|order| sale.pay(&client, order)));
    let (orders, payments) = tokio::join!(orders, payments);
    assert!(orders.iter().chain(&payments).all(is_unavailable), "{orders:?} {payments:?}");
    drop(busy);
    // Whoever comes next is served, after those who came before, if these were served after all.
    assert_eq!(buy(client.clone(), "next".into(), order_of("Next")).await.status, 201);
    let statuses =
        [("approved", 1), ("pending", pending.len())].map(|(status, count)| vec![status.to_owned(), count.to_string()]);
    assert_eq!(sale.books().await, (statuses.to_vec(), 1, 0));
    assert_eq!(sale.world.raw().await.rows("SELECT id FROM payments").await, Vec::<Vec<String>>::new());

    // They come back, and each is served once.
    let again = join_all((0..CROWD).map(|number| buy(patient.clone(), key(number), order_of("Ana"))));
    assert!(again.await.iter().all(|answer| answer.status == 201));
    for order in &pending {
        assert_eq!(sale.pay(&patient, order).await.json()["status"], "approved");
    }
    let all = vec![vec!["approved".to_owned(), (1 + CROWD + pending.len()).to_string()]];
    assert_eq!(sale.books().await, (all, 1 + CROWD as i64, pending.len() as i64));
    assert_eq!(sale.world.findings().await, []);
}

async fn who_leaves_while_waiting_finds_one_order(world: World) {
    let sale = Sale::open(world).await;
    let (server, client) = sale.server(open_to_all()).await;
    let (world, producer) = (&sale.world, &sale.producer);
    let key = |number: usize| format!("k{number}");
    let body = order_of("Ana");
    let text = body.to_string();
    let busy = world.hold(producer).await;
    let mut leaving = Vec::new();
    for number in 0..CROWD {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let request = format!(
            "POST {ORDERS} HTTP/1.1\r\nhost: a\r\nidempotency-key: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{text}",
            key(number),
            text.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        leaving.push(stream);
    }
    let staying = (CROWD..2 * CROWD).map(|number| once(client.clone(), key(number), body.clone())).collect();
    let staying = arrive(world, &client, staying).await;
    // Half of them close their connection, and half of them vanish.
    for stream in leaving.iter().step_by(2) {
        stream.set_zero_linger().unwrap();
    }
    drop(leaving);
    drop(busy);
    let stayed = answers(staying).await;
    assert!(stayed.iter().all(|answer| answer.status == 201), "{stayed:?}");
    // Who left cannot know. The same key tells, and makes no second order.
    let (statuses, sold, _) = sale.books().await;
    let placed: i64 = statuses[0][1].parse().unwrap();
    assert!(
        statuses.len() == 1 && sold == placed && (CROWD as i64..=2 * CROWD as i64).contains(&placed),
        "{statuses:?} {sold}"
    );
    let mut orders = BTreeSet::new();
    for number in 0..2 * CROWD {
        let answer = buy(client.clone(), key(number), body.clone()).await;
        assert_eq!(answer.status, 201);
        orders.insert(answer.json()["order"]["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(orders.len(), 2 * CROWD);
    let all = vec![vec!["approved".to_owned(), (2 * CROWD).to_string()]];
    assert_eq!(sale.books().await, (all, 2 * CROWD as i64, 0));
    assert_eq!(world.findings().await, []);
}

/// What happens to PostgreSQL while a group is being written.
enum Fault {
    /// The line forgets its connections: nobody answers any more.
    Silence,
    /// An administrator ends all connections.
    Termination,
    /// The database crashes, and is started again.
    Crash(Arc<Cluster>),
}

#[test]
fn a_crowd_gets_answers_when_postgres_falls_silent() {
    run(Engine::Postgres, |world| outlive(world, Fault::Silence));
}

#[test]
fn a_crowd_gets_answers_when_its_connections_are_ended() {
    run(Engine::Postgres, |world| outlive(world, Fault::Termination));
}

#[test]
fn a_crowd_gets_answers_when_postgres_crashes() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let cluster = Arc::new(Cluster::start());
    runtime.block_on(async { outlive(World::on(&cluster).await, Fault::Crash(Arc::clone(&cluster))).await });
}

async fn outlive(world: World, fault: Fault) {
    let sale = Sale::open(world).await;
    let world = &sale.world;
    let pending = sale.pending(&sale.server(open_to_all()).await.1, CROWD / 2).await;
    let line = SilentLine::to(&world.address).await;
    let second = Duration::from_secs(1);
    let timeouts = PostgresTimeouts { statement: second, margin: second, ..PostgresTimeouts::default() };
    let store = Store::open_with(&line.address, Open::Existing, timeouts, world.time()).await.unwrap();
    let server =
        Server::start(store, configured(open_to_all(), |config| config.timeouts.request = PATIENCE), world.time())
            .await;
    let client = Client::new(server.address);
    let key = |number: usize| format!("k{number}");

    // The producer's lock can be had, but no ticket can be written: the first group stops in the middle.
    let busy = Raw::open(&world.address).await;
    busy.batch("BEGIN; LOCK TABLE tickets IN SHARE MODE").await;
    let mut requests: Vec<std::pin::Pin<Box<dyn Future<Output = Answer> + Send>>> = Vec::new();
    for number in 0..CROWD {
        requests.push(Box::pin(once(client.clone(), key(number), order_of("Ana"))));
        if let Some(order) = pending.get(number) {
            requests.push(Box::pin(sale.pay(&client, order)));
        }
    }
    let waiting: Vec<_> = requests.into_iter().map(tokio::spawn).collect();
    assert!(until(async || world.waiting_for_locks().await > 0).await);
    match &fault {
        Fault::Silence => line.forget(),
        Fault::Termination => {
            let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                       WHERE datname = current_database() AND application_name = 'taquilla'";
            assert!(!world.raw().await.rows(sql).await.is_empty());
        }
        Fault::Crash(cluster) => cluster.crash(),
    }
    drop(busy);
    if let Fault::Crash(cluster) = &fault {
        // Those who wait are told, also while there is no database.
        tokio::task::block_in_place(|| cluster.run());
    }
    let told = answers(waiting).await;
    let is_answer = |answer: &Answer| [200, 201].contains(&answer.status.as_u16()) || is_unavailable(answer);
    assert!(told.iter().all(is_answer), "{told:?}");

    // Sales go on. Who was told to come back comes back, and each has one order in the end.
    let mut orders = BTreeSet::new();
    for number in 0..CROWD {
        assert!(until(async || once(client.clone(), key(number), order_of("Ana")).await.status == 201).await);
        let answer = once(client.clone(), key(number), order_of("Ana")).await;
        orders.insert(answer.text);
    }
    let placed: Vec<&Answer> = told.iter().filter(|answer| answer.status == 201).collect();
    assert!(placed.iter().all(|answer| orders.contains(&answer.text)), "an order that was told of is gone");
    for order in &pending {
        assert!(until(async || sale.pay(&client, order).await.status == 200).await);
    }
    assert_eq!(orders.len(), CROWD);
    let all = vec![vec!["approved".to_owned(), (CROWD + pending.len()).to_string()]];
    assert_eq!(sale.books().await, (all, CROWD as i64, pending.len() as i64));
    assert_eq!(world.findings().await, []);
}
