//! G7 for holds and money: a server killed with `kill -9` between a hold and its payment loses neither.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use taquilla_domain::time_source::TimeSource;
use tokio::sync::watch;

use crate::harness::{
    Answer, Client, PATIENCE, Producer, Running, World, address_in, event, problem, seed, serve, start, taquilla,
    ticket_type, try_to_tell_of_payment, until, with,
};

both_engines![holds_and_payments_survive_kills, a_hold_ends_although_its_server_is_dead,];

const ROUNDS: usize = 4;
const BUYERS: usize = 30;
/// Enough for some of the buyers of the last round.
const LIMIT: usize = 100;

const ORDERS: &str = "/shop/v1/pr_a/events/ev/orders";

fn start_server(world: &World) -> (Running, Client) {
    let mut command = serve(&world.address);
    command.args(["--unpaid-per-buyer", "off", "--unpaid-per-address", "off"]);
    let (running, text, _log) = start(command, "listening");
    (running, Client::new(address_in(&text).parse().unwrap()))
}

fn order(hold_s: u64) -> Value {
    json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": [{"ticket_type_id": "tt", "quantity": 1}], "hold_seconds": hold_s})
}

async fn the_last(world: &World, limit: usize) -> (Producer, String) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"limit": limit}))]).await;
    let secret = world.connect_processor(&producer).await;
    (producer, secret)
}

async fn try_to_pay(client: &Client, placed: &Value, secret: &str) -> Option<Answer> {
    let id = placed["order"]["id"].as_str().unwrap();
    let notice = json!({"payment_id": format!("pay-{id}"), "reference": placed["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
    try_to_tell_of_payment(client, TimeSource::System.now().micros() / 1_000_000, &notice, secret).await
}

/// Runs all of these, and kills the server once this many have been answered. Gives the answers that came.
pub async fn kill_within<T>(
    server: Running,
    asked: Vec<impl Future<Output = Option<T>>>,
    enough: usize,
) -> Vec<Option<T>> {
    let count = watch::Sender::new(0_usize);
    let kill = async {
        let mut answered = count.subscribe();
        let reached = answered.wait_for(|count| *count >= enough);
        tokio::time::timeout(PATIENCE, reached).await.expect("hardly anything was answered").unwrap();
        drop(server);
    };
    let asked = asked.into_iter().map(async |asked| {
        let answer = asked.await;
        count.send_modify(|count| *count += 1);
        answer
    });
    tokio::join!(kill, join_all(asked)).1
}

async fn holds_and_payments_survive_kills(mut world: World) {
    let mut chance = StdRng::seed_from_u64(seed());
    world.server.stop().await;
    let (producer, secret) = the_last(&world, LIMIT).await;
    let mut placed: BTreeMap<String, Value> = BTreeMap::new();
    let mut paid = 0;
    for round in 0..ROUNDS {
        // Killed while buyers are given their holds.
        let (server, client) = start_server(&world);
        let keys: Vec<String> = (0..BUYERS).map(|buyer| format!("{round}-{buyer}")).collect();
        let asked =
            keys.iter().map(async |key| client.try_post(ORDERS, &[("idempotency-key", key)], &order(3_600)).await);
        let told = kill_within(server, asked.collect(), chance.random_range(1..BUYERS)).await;
        is_whole(&world.address);
        // Killed between hold and payment, and while payments are told of.
        let (server, client) = start_server(&world);
        let mut new = Vec::new();
        for (key, told) in keys.iter().zip(told) {
            let again = client.post(ORDERS, &[("idempotency-key", key)], &order(3_600)).await;
            match told.filter(|told| told.status == 201) {
                Some(told) => assert_eq!(again.text, told.text, "a hold that was told of is gone"),
                None if again.status != 201 => {
                    assert_eq!(again.problem(), problem(409, "held", None));
                    continue;
                }
                None => {}
            }
            placed.insert(key.clone(), again.json());
            new.push(again.json());
        }
        new.truncate(new.len() * 2 / 3);
        let asked: Vec<_> = new.iter().map(|order| try_to_pay(&client, order, &secret)).collect();
        kill_within(server, asked, chance.random_range(1..=new.len())).await;
        is_whole(&world.address);
        // The processor tells of them until it is answered. Who holds does not pay in vain.
        let (_server, client) = start_server(&world);
        for order in &new {
            let answer = try_to_pay(&client, order, &secret).await.unwrap();
            assert_eq!((answer.status.as_u16(), &answer.json()["status"]), (200, &json!("approved")));
        }
        paid += new.len();
        let types = client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
        assert_eq!(types[0]["sold"], paid);
        let held = world.raw().await.rows("SELECT coalesce(sum(quantity), 0) FROM holds").await;
        assert_eq!(held, [[(placed.len() - paid).to_string()]], "what is not paid is held once");
        is_whole(&world.address);
    }
    assert_eq!(placed.len(), LIMIT, "everything is sold or held");
    let unsettled = world.raw().await.rows("SELECT id FROM payments WHERE result <> 'settled'").await;
    assert_eq!(unsettled, Vec::<Vec<String>>::new());
}

async fn a_hold_ends_although_its_server_is_dead(mut world: World) {
    world.server.stop().await;
    let (_, secret) = the_last(&world, 1).await;
    let (server, client) = start_server(&world);
    let ana = client.post(ORDERS, &[("idempotency-key", "ana")], &order(1)).await.json();
    drop(server);
    let (_server, client) = start_server(&world);
    // Nobody ends it. Its time is over, and the stock is free.
    let bea = async || client.post(ORDERS, &[("idempotency-key", "bea")], &order(3_600)).await;
    assert!(until(async || bea().await.status == 201).await);
    let late = try_to_pay(&client, &ana, &secret).await.unwrap();
    assert_eq!(late.problem(), problem(409, "sold_out", None));
    assert_eq!(try_to_pay(&client, &bea().await.json(), &secret).await.unwrap().status, 200);
    is_whole(&world.address);
}

fn is_whole(address: &str) {
    let checked = taquilla(address).arg("check").output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}
