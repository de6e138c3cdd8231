//! G1: a client that follows the rule never misses a row, whatever is written meanwhile and however many servers write.

use std::{
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use taquilla_domain::{clock::Stamp, person::Person, stock::Channel};
use taquilla_rules::boxoffice::{self, ItemRequest, OrderRequest};
use taquilla_store::{ChangeError, ChangeResult, Open, Store, Tenant};

use crate::harness::{
    Client, PATIENCE, Poller, World, address_in, cart,
    crowd::{buy, group_sizes},
    event, everything, seed, serve, start, ticket, ticket_type, with,
};

/// What must have happened before a busy evening may end, so that the machine's speed does not matter: rounds of each
/// writer, rushes of buyers at the other process, and polls of each feed.
const ROUNDS: usize = 25;
const RUSHES: usize = 10;
const POLLS: usize = 5;
/// How many buy at the same time in a rush.
const RUSH: usize = 24;

/// How far an evening has come.
#[derive(Default)]
struct Evening {
    rushes: AtomicUsize,
    polls: [AtomicUsize; 4],
}

impl Evening {
    /// Whether enough was sold and polled while others wrote.
    fn is_full(&self) -> bool {
        let polls = self.polls.iter().all(|polls| polls.load(Ordering::SeqCst) >= POLLS);
        polls && self.rushes.load(Ordering::SeqCst) >= RUSHES
    }
}

/// A writer, as on a machine of its own whose clock is a little off.
struct Writer {
    store: Store,
    tenant: Tenant,
    client: Client,
    key: String,
    chance: StdRng,
}

impl Writer {
    fn about_now(&mut self) -> Stamp {
        let off_ms = self.chance.random_range(-40..40_i64);
        Stamp::from_micros(jiff::Timestamp::now().as_microsecond() + off_ms * 1_000)
    }

    async fn work(mut self, evening: Arc<Evening>) {
        let person = Person { name: "Ana".into(), ..Person::default() };
        let mut round = 0;
        while round < ROUNDS || !evening.is_full() {
            round += 1;
            if round > ROUNDS {
                // Enough is written. Were this writer to go on as fast as it can, a slow poller would never come to an end.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let item = ItemRequest {
                ticket_type_id: "tt".into(),
                quantity: 2,
                unit_price: None,
                attendees: vec![],
                access_code: None,
            };
            let (event_id, buyer) = ("ev".into(), person.clone());
            let request = OrderRequest::new(event_id, buyer, vec![item], Channel::Staff);
            let now = self.about_now();
            boxoffice::place(&self.store, self.tenant, &request, None, now).await.unwrap();
            // Moves some tickets, old and new, and an order. The rules may refuse some of these moves.
            let tickets = self.client.get("/api/v1/tickets?limit=200&status=valid", &self.key).await.ids();
            let orders = self.client.get("/api/v1/orders?limit=20&status=approved", &self.key).await.ids();
            for step in 0..3 {
                let Some(id) = tickets.choose(&mut self.chance) else { break };
                let (store, tenant, now) = (self.store.clone(), self.tenant, self.about_now());
                may_be_refused(match step {
                    0 => boxoffice::scan(&store, tenant, id, "Gate", now).await,
                    1 => boxoffice::transfer(&store, tenant, id, &person, now).await.map(|_| ()),
                    _ => boxoffice::cancel(&store, tenant, id, now).await,
                });
            }
            if let Some(id) = orders.choose(&mut self.chance).filter(|_| round % 4 == 0) {
                let now = self.about_now();
                may_be_refused(boxoffice::refund(&self.store, self.tenant, id, now).await.map(|_| ()));
            }
        }
    }
}

/// Accepts a refusal, because another writer may have been faster, and no other error.
fn may_be_refused(outcome: ChangeResult<()>) {
    if let Err(ChangeError::Store(cause)) = outcome {
        panic!("{cause}");
    }
}

both_engines![
    pollers_that_follow_the_rule_end_with_exactly_the_final_state,
    what_changes_behind_the_reader_is_seen_by_the_next_poll,
];

async fn pollers_that_follow_the_rule_end_with_exactly_the_final_state(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    // A second server, in its own process: the shop sells through it, and half of the pollers read from it.
    let (_running, text, _log) = start(serve(&world.address), "listening");
    let other = Client::new(address_in(&text).parse().unwrap());
    let (seed, evening) = (seed(), Arc::new(Evening::default()));

    let mut writing = Vec::new();
    for number in 0..4 {
        let writer = Writer {
            // Each writer has its own connections, as on its own machine.
            store: Store::open(&world.address, Open::Existing).await.unwrap(),
            tenant: producer.tenant,
            client: world.client.clone(),
            key: producer.key.clone(),
            chance: StdRng::seed_from_u64(seed.wrapping_add(number)),
        };
        writing.push(tokio::spawn(writer.work(Arc::clone(&evening))));
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let selling = {
        let (is_over, other, evening) = (Arc::clone(&is_over), other.clone(), Arc::clone(&evening));
        tokio::spawn(async move {
            while !is_over.load(Ordering::SeqCst) {
                let rush = evening.rushes.load(Ordering::SeqCst);
                // After enough of them single buyers come, so that the pollers come to an end.
                let buyers = if rush < RUSHES { RUSH } else { 1 };
                let orders = (0..buyers).map(async |buyer| {
                    let answer = buy(other.clone(), format!("{rush}-{buyer}"), cart("tt", 1)).await;
                    assert_eq!(answer.status, 201, "{}", answer.text);
                });
                join_all(orders).await;
                evening.rushes.fetch_add(1, Ordering::SeqCst);
            }
        })
    };
    let feeds = [
        ("tickets", "issued_after", "issued_at"),
        ("tickets", "scanned_after", "checked_in_at"),
        ("tickets", "updated_after", "updated_at"),
        ("orders", "updated_after", "updated_at"),
    ];
    let polling: Vec<_> = feeds
        .into_iter()
        .enumerate()
        .map(|(at, (list, filter, stamp))| {
            let client = if at % 2 == 0 { world.client.clone() } else { other.clone() };
            // Small pages leave much time for changes between them.
            let mut poller = Poller::new(client, &producer.key, (list, filter, stamp), 1);
            let (is_over, evening) = (Arc::clone(&is_over), Arc::clone(&evening));
            tokio::spawn(async move {
                while !is_over.load(Ordering::SeqCst) {
                    poller.poll().await;
                    evening.polls[at].fetch_add(1, Ordering::SeqCst);
                }
                poller
            })
        })
        .collect();
    for writer in writing {
        tokio::time::timeout(PATIENCE, writer).await.expect("an evening without end").unwrap();
    }
    is_over.store(true, Ordering::SeqCst);
    selling.await.unwrap();
    let tickets = everything(&world.client, &producer.key, "tickets").await;
    let orders = everything(&world.client, &producer.key, "orders").await;
    assert!(tickets.len() > 4 * ROUNDS && orders.len() > 4 * ROUNDS);
    for poller in polling {
        let mut poller = poller.await.unwrap();
        // One more poll sees what was written after the last.
        poller.poll().await;
        let (list, filter, _) = poller.feed;
        match (list, filter) {
            ("orders", _) => assert_eq!(poller.rows, orders),
            (_, "updated_after") => assert_eq!(poller.rows, tickets),
            (_, "scanned_after") => {
                let scanned: Vec<&String> =
                    tickets.iter().filter(|(_, row)| !row["checked_in_at"].is_null()).map(|(id, _)| id).collect();
                assert!(!scanned.is_empty());
                assert_eq!(poller.rows.keys().collect::<Vec<_>>(), scanned);
            }
            _ => assert_eq!(poller.rows.keys().collect::<Vec<_>>(), tickets.keys().collect::<Vec<_>>()),
        }
    }
    assert!(group_sizes(&world).await.into_iter().max() > Some(4), "nobody was served together");
    assert_eq!(world.findings().await, []);
    let checked =
        Command::new(env!("CARGO_BIN_EXE_taquilla")).args(["check", "--database", &world.address]).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

async fn what_changes_behind_the_reader_is_seen_by_the_next_poll(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    lines.extend((0..4).map(|number| {
        with(
            ticket(&format!("T{number}"), "ev", "tt"),
            json!({"issued_at": format!("2026-10-0{}T10:00:00Z", number + 1)}),
        )
    }));
    world.import(producer.tenant, &lines).await;
    let scan = async |id: &str| boxoffice::scan(&world.store, producer.tenant, id, "Gate", world.now()).await.unwrap();
    for id in ["T1", "T2"] {
        scan(id).await;
    }
    for (filter, stamp, before) in [("scanned_after", "checked_in_at", 2), ("updated_after", "updated_at", 4)] {
        let start = "2020-01-01T00:00:00.000000Z";
        let first = world.client.get(&format!("/api/v1/tickets?limit=1&{filter}={start}"), &producer.key).await;
        assert_eq!(first.ids(), ["T2"]);
        // T3 was issued after the ticket just read and T0 before it. Both change now, T0 last.
        match filter {
            "scanned_after" => {
                scan("T3").await;
                scan("T0").await;
            }
            _ => {
                for id in ["T3", "T0"] {
                    boxoffice::cancel(&world.store, producer.tenant, id, world.now()).await.unwrap();
                }
            }
        }
        let mut seen = first.data();
        let mut page = first.json();
        while let Some(cursor) = page["next_cursor"].as_str() {
            let next = world
                .client
                .get(&format!("/api/v1/tickets?limit=1&{filter}={start}&cursor={cursor}"), &producer.key)
                .await;
            seen.extend(next.data());
            page = next.json();
        }
        assert!(seen.len() <= before, "{filter}");
        let mark = seen.iter().map(|row| row[stamp].as_str().unwrap()).max().unwrap();
        let next = world.client.get(&format!("/api/v1/tickets?{filter}={mark}"), &producer.key).await;
        assert_eq!(next.ids(), ["T0", "T3"], "{filter}");
        if filter == "scanned_after" {
            // Makes T2 the last change again, for the second round.
            touch(&world, producer.tenant).await;
        }
    }
}

/// Changes T1 and then T2, so that they are the last changes.
async fn touch(world: &crate::harness::World, tenant: Tenant) {
    for id in ["T1", "T2"] {
        boxoffice::cancel(&world.store, tenant, id, world.now()).await.unwrap();
    }
}
