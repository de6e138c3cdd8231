//! Orders and payments that come together are decided together: in one move, with as many statements as one alone takes,
//! and nobody waits behind all of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    pin::Pin,
};

use futures_util::future::join_all;
use serde_json::{Value, json};
use taquilla_domain::{
    config::{Config, ORDERS_TOGETHER, STAFF_TOGETHER},
    person::Person,
    status::PaymentOutcome,
    stock::Channel,
};
use taquilla_rules::boxoffice::{self, ItemRequest, OrderRequest, Placed, Queue};
use taquilla_store::{ChangeError, Open, Store, Tenant, sales::payments::Payment};

use crate::harness::configured;
use crate::harness::{
    Answer, Client, CountingLine, Engine, PATIENCE, Producer, Server, World, cart,
    crowd::{answers, arrive, buy, together},
    event, order, problem, run, run_in_one_thread, tell_of_payment, ticket, ticket_type, with, without_shop_limits,
};

/// How many come together.
const CROWD: usize = 100;
/// How often a crowd is sent before the test gives up on its members being decided together.
const TRIES: usize = 10;

/// How many are left of what a crowd wants: fewer than come, and more than half of them.
const LAST: usize = 70;

type Request = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// A producer who sells something free and something for money, at an event with a door.
struct Sale {
    world: World,
    producer: Producer,
    secret: String,
    gate: String,
}

impl Sale {
    async fn open(world: World) -> Self {
        let producer = world.producer("pr_a").await;
        let mut lines = vec![
            event("ev"),
            with(ticket_type("tt", "ev"), json!({"price": 0})),
            ticket_type("tt_paid", "ev"),
            ticket("T1", "ev", "tt"),
        ];
        let last =
            |round: usize| with(ticket_type(&format!("tt_last_{round}"), "ev"), json!({"price": 0, "limit": LAST}));
        lines.extend((0..TRIES).map(last));
        world.import(producer.tenant, &lines).await;
        let connected = world.connect_processor(&producer).await;
        let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
        Self { secret: connected, world, producer, gate }
    }

    /// Tells of the payment of an order.
    fn pay(&self, client: &Client, order: &Value) -> Request {
        let notice = json!({"payment_id": format!("pay-{}", order["order"]["id"].as_str().unwrap()),
            "reference": order["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
        let (client, secret, now_s) = (client.clone(), self.secret.clone(), self.world.now().micros() / 1_000_000);
        Box::pin(async move {
            loop {
                let answer = tell_of_payment(&client, now_s, &notice, &secret).await;
                // A slow machine sends some away for a while.
                if answer.status != 503 {
                    return answer;
                }
            }
        })
    }

    fn scan(&self, client: &Client, code: &str) -> Request {
        let (client, gate) = (client.clone(), format!("Bearer {}", self.gate));
        let body = json!({"code": code, "scan_id": format!("s-{code}"), "station": "Door"});
        Box::pin(async move { client.post("/door/v1/scan", &[("authorization", &gate)], &body).await })
    }

    /// Orders of this item that come together, until most of them were decided together. Gives all answers of that crowd.
    async fn crowd(&self, client: &Client, item: &str) -> Vec<Value> {
        let mut sizes = Vec::new();
        for round in 0..TRIES {
            let key = |number: usize| format!("{item}-{round}-{number}");
            let orders = (0..CROWD).map(|number| buy(client.clone(), key(number), cart(item, 1))).collect();
            let placed: Vec<Value> =
                together(&self.world, &self.producer, client, orders).await.iter().map(Answer::json).collect();
            sizes = groups(placed.iter().map(|placed| &placed["order"]["created_at"]));
            if is_mostly_one(&sizes) {
                return placed;
            }
        }
        panic!("orders that came together were decided apart: {sizes:?}");
    }

    /// Payments of orders that come together, until most of them were decided together. Gives all orders of that crowd.
    async fn paying_crowd(&self, client: &Client) -> Vec<Value> {
        let mut sizes = Vec::new();
        for round in 0..TRIES {
            let key = |number: usize| format!("paying-{round}-{number}");
            let orders = join_all((0..CROWD).map(|number| buy(client.clone(), key(number), cart("tt_paid", 1)))).await;
            let orders: Vec<Value> = orders.iter().map(Answer::json).collect();
            let payments = orders.iter().map(|order| self.pay(client, order)).collect();
            for answer in together(&self.world, &self.producer, client, payments).await {
                assert_eq!(answer.json()["status"], "approved", "{}", answer.text);
            }
            let paid = join_all(orders.iter().map(|order| {
                let path = format!("/api/v1/orders/{}", order["order"]["id"].as_str().unwrap());
                async move { client.get(&path, &self.producer.key).await.json() }
            }));
            let paid = paid.await;
            sizes = groups(paid.iter().map(|order| &order["paid_at"]));
            if is_mostly_one(&sizes) {
                return paid;
            }
        }
        panic!("payments that came together were decided apart: {sizes:?}");
    }
}

fn open_to_all() -> Config {
    configured(without_shop_limits(), |config| config.rates.door = None)
}

/// How many have each stamp, in the order of the stamps. What one move decides has one stamp.
fn groups<'v>(stamps: impl Iterator<Item = &'v Value>) -> Vec<usize> {
    let mut sizes = BTreeMap::new();
    for stamp in stamps {
        *sizes.entry(stamp.as_str().unwrap()).or_insert(0) += 1;
    }
    sizes.into_values().collect()
}

fn is_mostly_one(sizes: &[usize]) -> bool {
    sizes.iter().any(|size| *size > CROWD / 2)
}

both_engines![
    what_comes_together_has_one_stamp_and_all_its_messages,
    a_group_that_finds_too_little_is_not_split,
    a_scan_and_a_payment_do_not_wait_behind_a_flash_sale,
];

async fn what_comes_together_has_one_stamp_and_all_its_messages(world: World) {
    let sale = Sale::open(world).await;
    let (_server, client) = sale.world.another_server(open_to_all()).await;
    let free = sale.crowd(&client, "tt").await;
    let ids: BTreeSet<&str> = free.iter().map(|placed| placed["order"]["id"].as_str().unwrap()).collect();
    let references: BTreeSet<&str> = free.iter().map(|placed| placed["reference"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), references.len()), (CROWD, CROWD));
    sale.crowd(&client, "tt_paid").await;
    let paid = sale.paying_crowd(&client).await;

    // Each order has its own messages, in the order of what happened to it, and its last one shows it as it is.
    let rows = sale.world.raw().await.rows("SELECT kind, data FROM outbox ORDER BY seq").await;
    let mut told: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    for row in rows {
        let data: Value = serde_json::from_str(&row[1]).unwrap();
        let order = if row[0].starts_with("ticket.") { &data["order_id"] } else { &data["id"] };
        told.entry(order.as_str().unwrap().to_owned()).or_default().push((row[0].clone(), data));
    }
    let orders = free.iter().map(|placed| &placed["order"]).chain(&paid);
    for order in orders {
        let messages = &told[order["id"].as_str().unwrap()];
        let kinds: Vec<&str> = messages.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds, ["order.created", "order.approved", "ticket.issued"]);
        // A free one is approved by the move that makes it, and messages of one moment show one state.
        let first = if order["total"] == 0 { "approved" } else { "pending" };
        assert_eq!((&messages[0].1["status"], &messages[1].1), (&json!(first), order));
        let id = messages[2].1["id"].as_str().unwrap();
        assert_eq!(client.get(&format!("/api/v1/tickets/{id}"), &sale.producer.key).await.json(), messages[2].1);
    }
    assert_eq!(sale.world.findings().await, []);
}

/// Each is decided against what those before it in the group left. The database would refuse a group that sells too much,
/// and the right people would get their tickets in the end, but only after many attempts with a part of them.
async fn a_group_that_finds_too_little_is_not_split(world: World) {
    let sale = Sale::open(world).await;
    let (_server, client) = sale.world.another_server(open_to_all()).await;
    let mut sizes = Vec::new();
    for round in 0..TRIES {
        let item = format!("tt_last_{round}");
        let orders = (0..CROWD).map(|number| buy(client.clone(), format!("{item}-{number}"), cart(&item, 1))).collect();
        let told = together(&sale.world, &sale.producer, &client, orders).await;
        let (sold, refused): (Vec<_>, Vec<_>) = told.iter().partition(|answer| answer.status == 201);
        assert_eq!(sold.len(), LAST);
        assert!(refused.iter().all(|answer| answer.problem() == problem(409, "sold_out", None)), "{refused:?}");
        let sold: Vec<Value> = sold.into_iter().map(Answer::json).collect();
        sizes = groups(sold.iter().map(|placed| &placed["order"]["created_at"]));
        if sizes.iter().any(|size| *size > CROWD / 2 + 5) {
            assert_eq!(sale.world.findings().await, []);
            return;
        }
    }
    panic!("the last units were sold in the groups {sizes:?}");
}

/// Whoever comes during a flash sale waits for two groups at the most: the one under way, and one that was taken before.
async fn a_scan_and_a_payment_do_not_wait_behind_a_flash_sale(world: World) {
    let sale = Sale::open(world).await;
    let (_server, client) = sale.world.another_server(open_to_all()).await;
    let pending = buy(client.clone(), "pending".into(), cart("tt_paid", 1)).await.json();
    let busy = sale.world.hold(&sale.producer).await;
    let buyers = 3 * ORDERS_TOGETHER + 50;
    let orders = (0..buyers).map(|number| buy(client.clone(), format!("k{number}"), cart("tt", 1))).collect();
    let orders = arrive(&sale.world, &client, orders).await;
    let others = vec![sale.scan(&client, "T1"), sale.pay(&client, &pending)];
    let others = arrive(&sale.world, &client, others).await;
    drop(busy);
    let others = answers(others).await;
    assert_eq!((&others[0].json()["outcome"], &others[1].json()["status"]), (&json!("admitted"), &json!("approved")));
    let placed: Vec<Value> = answers(orders).await.iter().map(Answer::json).collect();
    let stamps: BTreeSet<&str> = placed.iter().map(|placed| placed["order"]["created_at"].as_str().unwrap()).collect();
    let sizes = groups(placed.iter().map(|placed| &placed["order"]["created_at"]));
    assert!(sizes.len() > 3 && sizes.iter().all(|size| *size <= ORDERS_TOGETHER), "{sizes:?}");

    let entered = client.get("/api/v1/tickets/T1", &sale.producer.key).await.json()["checked_in_at"].clone();
    let path = format!("/api/v1/orders/{}", pending["order"]["id"].as_str().unwrap());
    let paid = client.get(&path, &sale.producer.key).await.json()["paid_at"].clone();
    for (what, stamp) in [("the scan", entered), ("the payment", paid)] {
        let before = stamps.iter().filter(|group| **group < stamp.as_str().unwrap()).count();
        assert!(before <= 2, "{what} waited for {before} of the groups {sizes:?}");
    }
    assert_eq!(sale.world.findings().await, []);
}

/// The number of statements of a move depends neither on how many orders nor on how many payments it decides.
///
/// PostgreSQL is asked through a line that notes what passes. SQLite counts for itself; see the next test.
#[test]
fn a_group_takes_as_many_statements_as_one_order() {
    run(Engine::Postgres, async |world: World| {
        let sale = Sale::open(world).await;
        let line = CountingLine::to(&sale.world.address).await;
        let store = Store::open(&line.address, Open::Existing).await.unwrap();
        let server = Server::start(store, open_to_all(), sale.world.time()).await;
        let client = Client::new(server.address);
        for item in ["tt", "tt_paid"] {
            line.moves();
            buy(client.clone(), format!("{item}-alone"), cart(item, 1)).await;
            let alone = line.moves();
            assert_eq!(alone.len(), 1, "{alone:#?}");
            sale.crowd(&client, item).await;
            are_as_long(&line.moves(), &alone[0]);
        }
        let order = buy(client.clone(), "paid-alone".into(), cart("tt_paid", 1)).await.json();
        line.moves();
        assert_eq!(sale.pay(&client, &order).await.status, 200);
        let alone = line.moves();
        assert_eq!(alone.len(), 1, "{alone:#?}");
        sale.paying_crowd(&client).await;
        // The orders were placed before they were paid.
        let settles =
            |statements: &&Vec<String>| statements.iter().any(|statement| statement.contains("INTO payments"));
        are_as_long(&line.moves().iter().filter(settles).cloned().collect::<Vec<_>>(), &alone[0]);
    });
}

/// SQLite is inside the server, which counts its statements: one that runs for many rows is one. Orders, payments and
/// refunds of a group go the same way.
#[test]
fn on_sqlite_a_group_takes_as_many_statements_as_one_order() {
    run_in_one_thread(Engine::Sqlite, async |world: World| {
        let sale = Sale::open(world).await;
        let store = Store::open(&sale.world.address, Open::Existing).await.unwrap();
        let queue = Queue::new(store.clone(), sale.world.time(), 2 * PATIENCE, Default::default());
        let tenant = sale.producer.tenant;
        let mut costs = Vec::new();
        for crowd in [1, CROWD] {
            let place = |item: &str| {
                let item = ItemRequest {
                    ticket_type_id: item.into(),
                    quantity: 1,
                    unit_price: None,
                    attendees: vec![],
                    access_code: None,
                };
                let (buyer, channel) = (Person::default(), Channel::Staff);
                let order = OrderRequest::new("ev".into(), buyer, vec![item], channel);
                boxoffice::Request::place(order, None).unwrap()
            };
            let (free, _) = decided(&store, &queue, tenant, (0..crowd).map(|_| place("tt"))).await;
            let (pending, placed) = decided(&store, &queue, tenant, (0..crowd).map(|_| place("tt_paid"))).await;
            let ids: Vec<String> = placed
                .into_iter()
                .map(|placed| match placed {
                    Placed::New(new) => new.order.id,
                    Placed::Before(_) => panic!("an order without a key was placed before"),
                })
                .collect();
            let pay = |id: &String| Payment {
                id: format!("pay-{id}"),
                reference: format!("reference of {id}"),
                order_id: Some(id.clone()),
                fault: None,
                outcome: PaymentOutcome::Paid,
                amount: 25,
                currency: "EUR".into(),
            };
            let (paid, _) =
                decided(&store, &queue, tenant, ids.iter().map(|id| boxoffice::Request::settle(pay(id)))).await;
            let some = ids.iter().take(STAFF_TOGETHER);
            let (refunded, _) = decided(&store, &queue, tenant, some.map(boxoffice::Request::refund)).await;
            costs.push([free, pending, paid, refunded]);
        }
        assert!(costs[0].iter().all(|cost| *cost > 0), "{costs:?}");
        assert_eq!(costs[0], costs[1], "free, pending, paid and refunded orders: one of each, and a crowd");
        assert_eq!(sale.world.findings().await, []);
    });
}

/// What staff do with single tickets takes the same way as orders, and is decided with them. A bundle is given back once,
/// whoever ends its tickets, and nobody loses what another of the group changes.
#[test]
fn changes_of_single_tickets_are_decided_with_orders() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        run_in_one_thread(engine, async |world: World| {
            let producer = world.producer("pr_a").await;
            let tenant = producer.tenant;
            let bundle = json!({"kind": "bundle", "id": "tt_two", "event_id": "ev", "name": "Two", "price": 0, "currency": "EUR", "limit": 1,
                "includes": [{"ticket_type_id": "tt", "quantity": 2}]});
            let in_bundle = |id| with(ticket(id, "ev", "tt"), json!({"bundle_id": "tt_two", "bundle_unit": "1"}));
            let of_order = |id| with(ticket(id, "ev", "tt"), json!({"order_id": "or"}));
            let mut lines = vec![event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0, "limit": 5})), bundle];
            lines.push(with(
                order("or", "ev", "tt"),
                json!({"items": [{"ticket_type_id": "tt", "quantity": 2, "unit_price": 25}]}),
            ));
            lines.extend([in_bundle("B1"), in_bundle("B2"), of_order("O1"), of_order("O2")]);
            lines.extend(["T1", "T2", "T3"].map(|id| ticket(id, "ev", "tt")));
            world.import(tenant, &lines).await;
            let store = Store::open(&world.address, Open::Existing).await.unwrap();
            let queue = Queue::new(store, world.time(), 2 * PATIENCE, Default::default());
            let ask = |request| queue.ask(tenant, request);
            let bea = Person { name: "Bea".into(), ..Person::default() };
            let pass_on = |id| boxoffice::Request::transfer(id, bea.clone()).unwrap();
            let by = world.by();
            let sell = |id: &str, quantity| {
                let item = ItemRequest {
                    ticket_type_id: id.into(),
                    quantity,
                    unit_price: None,
                    attendees: vec![],
                    access_code: None,
                };
                let order = OrderRequest::new("ev".into(), Person::default(), vec![item], Channel::Staff);
                queue.ask(tenant, boxoffice::Request::place(order, None).unwrap())
            };
            // All of tt is sold, and so is the bundle. What is given back is sold in the same group.
            let changes = join_all([
                ask(boxoffice::Request::cancel("B1").by(&by)),
                ask(boxoffice::Request::cancel("B2")),
                ask(boxoffice::Request::cancel("T1")),
                ask(boxoffice::Request::hide("T2").by(&by)),
                ask(pass_on("T3").by(&by)),
                ask(boxoffice::Request::cancel("T3")),
                ask(boxoffice::Request::cancel("O1")),
                ask(boxoffice::Request::hide("none")),
            ]);
            let refund = queue.ask(tenant, boxoffice::Request::refund("or"));
            let (changes, refunded, bundle) = tokio::join!(changes, refund, sell("tt_two", 1));
            // A refund looks first how large its order is, so it may have come with a later group.
            let singles = sell("tt", 4).await;
            assert!(refunded.is_ok() && bundle.is_ok() && singles.is_ok());
            let changes: Vec<_> = changes.into_iter().map(|change| change.map_err(|error| code(&error))).collect();
            let codes: Vec<_> =
                changes.iter().map(|change| change.as_ref().map_or_else(|code| *code, |_| "ok")).collect();
            assert_eq!(codes, ["ok", "ok", "ok", "ok", "ok", "ticket_transferred", "ok", "not_found"]);
            let new = &changes[4].as_ref().unwrap();
            assert_eq!((new.attendee.name.as_str(), new.id.as_str() != "T3"), ("Bea", true));
            let rows = world.raw().await;
            let sold = rows.rows("SELECT id, sold FROM ticket_types ORDER BY id").await;
            assert_eq!(sold, [["tt", "5"], ["tt_two", "1"]]);
            let statuses = rows.rows("SELECT id, status FROM tickets WHERE id IN ('O1', 'O2') ORDER BY id").await;
            assert_eq!(statuses, [["O1", "refunded"], ["O2", "refunded"]]);
            let history = rows.rows("SELECT action FROM audit WHERE action LIKE 'ticket.%' ORDER BY action").await;
            assert_eq!(history, [["ticket.cancelled"], ["ticket.hidden"], ["ticket.transferred"]]);
            assert_eq!(world.findings().await, []);
        });
    }
}

fn code(error: &ChangeError) -> &'static str {
    match error {
        ChangeError::Refused(refusal) => refusal.code(),
        ChangeError::Store(cause) => panic!("{cause}"),
    }
}

/// Has requests decided, which must be in one group, and tells how many statements that took and what was answered. The queue
/// begins to work when this thread waits, so all of them are in its first group.
async fn decided<A>(
    store: &Store,
    queue: &Queue,
    tenant: Tenant,
    requests: impl Iterator<Item = boxoffice::Request<A>>,
) -> (u64, Vec<A>) {
    let before = store.write_counts().unwrap();
    let answers: Vec<A> =
        join_all(requests.map(|request| queue.ask(tenant, request))).await.into_iter().map(Result::unwrap).collect();
    let after = store.write_counts().unwrap();
    assert_eq!(after.transactions - before.transactions, 1, "one group");
    (after.statements - before.statements, answers)
}

/// Checks that no move takes more statements than this one.
fn are_as_long(moves: &[Vec<String>], alone: &[String]) {
    assert!(!moves.is_empty());
    for statements in moves {
        assert_eq!(statements.len(), alone.len(), "alone: {alone:#?}\nin a group: {statements:#?}");
    }
}
