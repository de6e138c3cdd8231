//! Random gifts, sales, refunds and cancellations: no contingent is ever given away twice, whoever asks at once, and what a
//! promoter may still give is what a plain model says.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use taquilla_rules::boxoffice::{self, PastHolds};

use crate::{
    harness::{Client, Producer, World, cart, event, place, rounds, seed, ticket_type, with},
    promoters::{gift, promoter, standing},
};

both_engines![contingents_are_never_given_away_twice, what_is_left_is_what_a_plain_model_says];

async fn house(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [event("ev"), with(ticket_type("tt", "ev"), json!({"limit": 500, "max_per_order": 9}))];
    world.import(producer.tenant, &lines).await;
    producer
}

const CONTINGENT: i64 = 10;

/// Gives one ticket away, and tells the status of the answer.
async fn ask(client: Client, key: String, token: String) -> u16 {
    let path = "/shop/v1/pr_a/events/ev/orders";
    client.post(path, &[("idempotency-key", &key)], &gift(&token, "tt", 1)).await.status.as_u16()
}

async fn contingents_are_never_given_away_twice(world: World) {
    let producer = house(&world).await;
    let [(_one, first), (_other, second)] = world.two_servers().await;
    let mut tokens = Vec::new();
    for _ in 0..2 {
        tokens.push(promoter(&world, &producer, "ev", CONTINGENT).await);
    }
    let mut asked = Vec::new();
    for number in 0..4 * CONTINGENT {
        let client = [&first, &second][number as usize % 2].clone();
        let (promoter, token) = &tokens[(number / 2) as usize % 2];
        let (key, token) = (format!("{}-{number}", promoter.id), token.clone());
        asked.push(tokio::spawn(ask(client, key, token)));
    }
    let mut answers = Vec::new();
    for asked in asked {
        answers.push(asked.await.unwrap());
    }
    let given = answers.iter().filter(|status| **status == 201).count() as i64;
    assert_eq!(given, 2 * CONTINGENT, "all of it, and no more: {answers:?}");
    assert!(answers.iter().all(|status| [201, 409].contains(status)), "{answers:?}");
    for (promoter, _) in &tokens {
        assert_eq!(standing(&world, &producer, &promoter.id).await.1, 0);
    }
    assert_eq!(world.findings().await, []);
}

/// An order of the model: whose contingent it is from, and its tickets that work.
struct Given {
    order: String,
    promoter: Option<usize>,
    tickets: Vec<String>,
}

async fn what_is_left_is_what_a_plain_model_says(world: World) {
    let mut chance = StdRng::seed_from_u64(seed());
    let producer = house(&world).await;
    let (store, tenant) = (&world.store, producer.tenant);
    let mut promoters = Vec::new();
    for _ in 0..3 {
        promoters.push(promoter(&world, &producer, "ev", 6).await);
    }
    let mut left = vec![6_i64; promoters.len()];
    let mut orders: Vec<Given> = Vec::new();
    let raw = world.raw().await;
    for step in 0..rounds(40) {
        let (who, quantity) = (chance.random_range(0..promoters.len()), chance.random_range(1..=4_i64));
        let (promoter, token) = &promoters[who];
        match chance.random_range(0..6) {
            kind @ 0..=2 => {
                let is_gift = kind < 2;
                let sale = with(cart("tt", quantity), json!({"promoter": promoter.id}));
                let body = if is_gift { gift(token, "tt", quantity) } else { sale };
                let placed = place(&world, &format!("step-{step}"), &body).await;
                let fits = !is_gift || quantity <= left[who];
                assert_eq!(placed.status.as_u16(), if fits { 201 } else { 409 }, "step {step}: {}", placed.text);
                if !fits {
                    continue;
                }
                let order = placed.json()["order"]["id"].as_str().unwrap().to_owned();
                if is_gift {
                    left[who] -= quantity;
                } else {
                    boxoffice::approve(store, tenant, &order, PastHolds::Yes, world.now()).await.unwrap();
                }
                let rows = raw.rows(&format!("SELECT id FROM tickets WHERE order_id = '{order}'")).await;
                let tickets = rows.into_iter().map(|row| row[0].clone()).collect();
                orders.push(Given { order, promoter: is_gift.then_some(who), tickets });
            }
            kind => {
                let Some(at) = (0..orders.len()).collect::<Vec<_>>().choose(&mut chance).copied() else { continue };
                let whole = kind == 3;
                let Given { order, promoter, tickets } = &mut orders[at];
                let gone = if whole { std::mem::take(tickets) } else { tickets.pop().into_iter().collect() };
                match (kind, gone.first()) {
                    (_, None) => {}
                    (3, _) => drop(boxoffice::refund(store, tenant, order, world.now()).await.unwrap()),
                    (4, Some(ticket)) => boxoffice::cancel(store, tenant, ticket, world.now()).await.unwrap(),
                    (_, Some(ticket)) => {
                        let chosen = vec![ticket.clone()];
                        boxoffice::refund_tickets(store, tenant, order, chosen, world.now()).await.unwrap();
                    }
                }
                if let Some(who) = promoter {
                    left[*who] += gone.len() as i64;
                }
            }
        }
        for ((promoter, _), left) in promoters.iter().zip(&left) {
            assert_eq!(standing(&world, &producer, &promoter.id).await.1, *left, "step {step}");
        }
    }
    assert_eq!(world.findings().await, []);
}
