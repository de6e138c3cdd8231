//! G1: a client that follows the rule never misses a row, whatever is written meanwhile and however many servers write.

use std::{
    collections::BTreeMap,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use rand::{RngExt, seq::IndexedRandom};
use serde_json::{Value, json};
use taquilla::{
    boxoffice::{self, ItemRequest, OrderRequest},
    domain::{clock::Stamp, person::Person, stock::Channel},
    store::{Store, Tenant},
};

use crate::harness::{Client, Running, World, address_in, event, serve, start, ticket, ticket_type, with};

/// A client that keeps to the documented rule: finish a traversal, then pass the highest stamp it saw.
struct Poller {
    client: Client,
    key: String,
    list: &'static str,
    filter: &'static str,
    stamp: &'static str,
    mark: String,
    rows: BTreeMap<String, Value>,
}

impl Poller {
    async fn poll(&mut self) {
        let mut highest = self.mark.clone();
        let mut cursor = String::new();
        loop {
            // Small pages: much happens between them.
            let path = format!("/api/v1/{}?limit=1&{}={}{cursor}", self.list, self.filter, self.mark);
            let page = self.client.get(&path, &self.key).await;
            for row in page.data() {
                highest = highest.max(row[self.stamp].as_str().unwrap().to_owned());
                self.rows.insert(row["id"].as_str().unwrap().to_owned(), row);
            }
            match page.json()["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        self.mark = highest;
    }
}

/// A moment on a clock that is a little off, as the clocks of servers are.
fn about_now() -> Stamp {
    let off_ms = rand::rng().random_range(-40..40_i64);
    Stamp::from_micros(jiff::Timestamp::now().as_microsecond() + off_ms * 1_000)
}

async fn write(store: Store, tenant: Tenant, client: Client, key: String, writers: Arc<AtomicUsize>) {
    let person = Person { name: "Ana".into(), ..Person::default() };
    for round in 0..25 {
        let request = OrderRequest {
            event_id: "ev".into(),
            buyer: person.clone(),
            items: vec![ItemRequest {
                ticket_type_id: "tt".into(),
                quantity: 2,
                unit_price: None,
                attendees: vec![],
                access_code: None,
            }],
            channel: Channel::Staff,
        };
        boxoffice::place(&store, tenant, &request, None, about_now()).await.unwrap();
        // Some tickets, old and new, and some order; whatever the rules refuse is refused.
        let tickets = client.get("/api/v1/tickets?limit=200&status=valid", &key).await.ids();
        let orders = client.get("/api/v1/orders?limit=20&status=approved", &key).await.ids();
        let pick = |ids: &[String]| ids.choose(&mut rand::rng()).cloned();
        if let (Some(first), Some(second), Some(third)) = (pick(&tickets), pick(&tickets), pick(&tickets)) {
            let _ = boxoffice::scan(&store, tenant, &first, "Gate", about_now()).await;
            let _ = boxoffice::transfer(&store, tenant, &second, &person, about_now()).await;
            let _ = boxoffice::cancel(&store, tenant, &third, about_now()).await;
        }
        if let Some(order) = pick(&orders).filter(|_| round % 4 == 0) {
            let _ = boxoffice::refund(&store, tenant, &order, about_now()).await;
        }
    }
    writers.fetch_sub(1, Ordering::SeqCst);
}

async fn everything(client: &Client, key: &str, list: &str) -> BTreeMap<String, Value> {
    let mut rows = BTreeMap::new();
    let mut cursor = String::new();
    loop {
        let page = client.get(&format!("/api/v1/{list}?limit=200{cursor}"), key).await;
        rows.extend(page.data().into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)));
        match page.json()["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return rows,
        }
    }
}

both_engines![
    pollers_that_follow_the_rule_end_with_exactly_the_final_state,
    what_changes_behind_the_reader_is_seen_by_the_next_poll,
];

async fn pollers_that_follow_the_rule_end_with_exactly_the_final_state(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    // A second server, in a process of its own: the shop sells through it, and half the pollers read from it.
    let mut listening = serve(&world.address);
    listening.stdin(Stdio::null());
    let (_running, text, _log): (Running, String, _) = start(listening, "listening");
    let other = Client::new(address_in(&text).parse().unwrap());

    let writers = Arc::new(AtomicUsize::new(4));
    let mut writing = Vec::new();
    for _ in 0..4 {
        // Each with its own connections, as on its own machine.
        let store = Store::open(&world.address).await.unwrap();
        writing.push(tokio::spawn(write(
            store,
            producer.tenant,
            world.client.clone(),
            producer.key.clone(),
            Arc::clone(&writers),
        )));
    }
    let done = Arc::new(AtomicBool::new(false));
    let selling = {
        let (done, other) = (Arc::clone(&done), other.clone());
        tokio::spawn(async move {
            let mut number = 0;
            while !done.load(Ordering::SeqCst) {
                number += 1;
                let body = json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": [{"ticket_type_id": "tt", "quantity": 1}]});
                let answer = other
                    .post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", &format!("n{number}"))], &body)
                    .await;
                assert_eq!(answer.status, 201, "{}", answer.text);
            }
            number
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
            let mut poller = Poller {
                client,
                key: producer.key.clone(),
                list,
                filter,
                stamp,
                mark: "2020-01-01T00:00:00.000000Z".into(),
                rows: BTreeMap::new(),
            };
            let done = Arc::clone(&done);
            tokio::spawn(async move {
                let mut polls = 0;
                while !done.load(Ordering::SeqCst) {
                    poller.poll().await;
                    polls += 1;
                }
                poller.poll().await;
                (poller, polls)
            })
        })
        .collect();
    for writer in writing {
        writer.await.unwrap();
    }
    assert_eq!(writers.load(Ordering::SeqCst), 0);
    // Pollers see the flag only after the last sale: what is written before it must be seen by one more poll.
    let sold = {
        done.store(true, Ordering::SeqCst);
        selling.await.unwrap()
    };
    assert!(sold > 5, "the other process sold {sold}");
    let tickets = everything(&world.client, &producer.key, "tickets").await;
    let orders = everything(&world.client, &producer.key, "orders").await;
    assert!(tickets.len() > 200 && orders.len() > 100);
    for poller in polling {
        let (mut poller, polls) = poller.await.unwrap();
        assert!(polls > 3, "it polled while rows were written: {polls}");
        poller.poll().await;
        match (poller.list, poller.filter) {
            ("orders", _) => assert_eq!(poller.rows, orders),
            (_, "updated_after") => assert_eq!(poller.rows, tickets),
            (_, "scanned_after") => {
                let scanned: Vec<&String> =
                    tickets.iter().filter(|(_, row)| !row["checked_in_at"].is_null()).map(|(id, _)| id).collect();
                assert!(scanned.len() > 15);
                assert_eq!(poller.rows.keys().collect::<Vec<_>>(), scanned);
            }
            _ => assert_eq!(poller.rows.keys().collect::<Vec<_>>(), tickets.keys().collect::<Vec<_>>()),
        }
    }
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
        // T3 is newer and T0 older than what was read, whichever way one counts; both change now, T0 last.
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
            // Make T2 the last change again for the second round.
            touch(&world, producer.tenant).await;
        }
    }
}

/// Moves T1 and T2 to the top of what was changed.
async fn touch(world: &crate::harness::World, tenant: Tenant) {
    for id in ["T1", "T2"] {
        boxoffice::cancel(&world.store, tenant, id, world.now()).await.unwrap();
    }
}
