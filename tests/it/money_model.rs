//! A model of money: random notices of payments (repeated, in any order, without ids, for other orders, after the money went
//! back), and what staff do (approve, reject, refund, refund single tickets, settle, pay back, refund all orders of an
//! event), at two servers of
//! which one after the other is killed with `kill -9`. Whatever happens, every payment is in one place: it has paid for one
//! order, is owed by a refund, was paid back, or is listed once; and it never goes back to a place where it was before.
//!
//! `TAQUILLA_LONG=1` plays many times as many rounds.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use taquilla_domain::time_source::TimeSource;
use taquilla_rules::admin;
use tokio::sync::watch;

use crate::harness::{
    Client, PATIENCE, Running, World, address_in, cart, event, rounds, seed, serve, start, taquilla, ticket_type,
    try_to_tell_of_payment, until,
};

both_engines![every_payment_is_settled_paid_back_or_listed_once];

const ROUNDS: usize = 3;
/// What happens in one round, at the same time.
const ACTS: usize = 40;
/// Orders that are placed before each round.
const PLACED: usize = 6;
/// Payments that notices are told of in one round, and that staff deal with.
const PAYMENTS: usize = 10;

struct Placed {
    id: String,
    reference: String,
}

/// Something that happens.
#[derive(Clone)]
enum Act {
    /// A server is told of a payment.
    Notice(usize, Value),
    /// Staff do something at the command line.
    Staff(Vec<String>),
    /// Staff refund a ticket of this order alone, if it has one that works.
    RefundTicket(String),
}

/// Where a payment is. It only ever goes down this list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Listed,
    Settled,
    Owed,
    PaidBack,
}

fn start_server(world: &World) -> (Running, Client) {
    let mut command = serve(&world.address);
    command.args(["--unpaid-per-buyer", "off", "--unpaid-per-address", "off"]);
    let (running, text, _log) = start(command, "listening");
    (running, Client::new(address_in(&text).parse().unwrap()))
}

async fn order(client: &Client, event: &str, key: &str) -> Placed {
    let path = format!("/shop/v1/pr_a/events/{event}/orders");
    let placed = client.post(&path, &[("idempotency-key", key)], &cart(&format!("tt_{event}"), 2)).await.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Placed { id: text(&placed["order"]["id"]), reference: text(&placed["reference"]) }
}

/// A notice: mostly of the right amount for some order, sometimes of too little, for no order, or without a good id.
fn notice(chance: &mut StdRng, orders: &[Placed], payments: std::ops::Range<usize>) -> Value {
    let payment = chance.random_range(payments);
    let reference = match chance.random_range(0..8) {
        0 => "typo".to_owned(),
        _ => orders[chance.random_range(0..orders.len())].reference.clone(),
    };
    // Which money it is follows from its id, as at a real processor.
    let amount = if payment % 5 == 0 { 49 } else { 50 };
    let status = if chance.random_range(0..12) == 0 { "failed" } else { "paid" };
    let mut notice = json!({"reference": reference, "status": status, "amount": amount, "currency": "EUR"});
    match chance.random_range(0..10) {
        0 => {}
        1 => notice["payment_id"] = json!("x".repeat(200) + &payment.to_string()),
        _ => notice["payment_id"] = json!(format!("pay_{payment}")),
    }
    notice
}

fn act(chance: &mut StdRng, orders: &[Placed], payments: &std::ops::Range<usize>) -> Act {
    let order = orders[chance.random_range(0..orders.len())].id.clone();
    let payment = format!("pay_{}", chance.random_range(payments.clone()));
    let words = |words: &[&str]| Act::Staff(words.iter().map(|word| (*word).to_owned()).collect());
    match chance.random_range(0..22) {
        0..=1 => words(&["order", "approve", &order]),
        2 => words(&["order", "reject", &order]),
        3 => words(&["order", "refund", &order]),
        4..=5 => words(&["payment", "settle", &payment, "--order", &order]),
        6 => words(&["payment", "paid-back", &payment, "--note", "by card"]),
        7 => words(&["order", "paid-back", &order, "--note", "in cash"]),
        8..=9 => Act::RefundTicket(order),
        _ => Act::Notice(chance.random_range(0..2), notice(chance, orders, payments.clone())),
    }
}

/// A command of staff: it is done, or refused with a code.
async fn staff(address: &str, words: &[String]) {
    let mut command = taquilla(address);
    command.args(words).args(["--producer", "pr_a", "--json"]);
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || said.trim_end().ends_with(')'), "{words:?}: {said}");
}

struct Model {
    world: World,
    secret: String,
    chance: StdRng,
    orders: Vec<Placed>,
    /// What was told of and answered.
    answered: BTreeSet<String>,
    /// What may have been told of.
    sent: BTreeSet<String>,
    places: BTreeMap<String, Place>,
}

impl Model {
    async fn tell(&self, client: &Client, notice: &Value) -> Option<u16> {
        let now_s = TimeSource::System.now().micros() / 1_000_000;
        let answer = try_to_tell_of_payment(client, now_s, notice, &self.secret).await?;
        let status = answer.status.as_u16();
        assert!([200, 400, 404, 409, 503].contains(&status), "{status} for {notice}: {}", answer.text);
        Some(status).filter(|status| *status != 503)
    }

    /// Refunds a ticket of an order alone. Of two who do so at the same time, one is refused.
    async fn refund_ticket(&self, order: &str) {
        let sql = format!("SELECT id FROM tickets WHERE order_id = '{order}' AND status = 'valid' ORDER BY id LIMIT 1");
        if let Some(ticket) = self.world.raw().await.rows(&sql).await.first() {
            staff(&self.world.address, &["ticket", "cancel", &ticket[0], "--refund"].map(str::to_owned)).await;
        }
    }

    /// Two payments that no random act names, so that every run has one that has settled an order and one that is listed.
    async fn quiet_corner(&mut self) {
        let (_server, client) = start_server(&self.world);
        let quiet = order(&client, "ev_a", "quiet").await.reference;
        for (reference, id) in [(quiet.as_str(), "pay_quiet"), ("typo", "pay_unknown")] {
            let notice =
                json!({"reference": reference, "status": "paid", "amount": 50, "currency": "EUR", "payment_id": id});
            assert!(self.tell(&client, &notice).await.is_some());
            self.sent.insert(notice.to_string());
            self.answered.insert(notice.to_string());
        }
    }

    /// A round: everything at the same time, and one of the servers is killed in the middle of it. What was not answered is
    /// told again until it is, as a processor does.
    async fn round(&mut self, number: usize) {
        let mut servers = [Some(start_server(&self.world)), Some(start_server(&self.world))];
        let clients = servers.each_ref().map(|server| server.as_ref().unwrap().1.clone());
        for placed in 0..PLACED {
            let event = ["ev_a", "ev_b"][placed % 2];
            self.orders.push(order(&clients[0], event, &format!("{number}-{placed}")).await);
        }
        // Old orders and payments are told of, too.
        let from = self.orders.len().saturating_sub(3 * PLACED);
        let payments = (number * PAYMENTS).saturating_sub(PAYMENTS / 2)..(number + 1) * PAYMENTS;
        let mut acts: Vec<Act> = (0..ACTS).map(|_| act(&mut self.chance, &self.orders[from..], &payments)).collect();
        let repeated: Vec<Act> = acts.iter().filter(|_| self.chance.random_range(0..3) == 0).cloned().collect();
        acts.extend(repeated.into_iter().filter(|act| matches!(act, Act::Notice(..))));
        let (enough, victim) = (self.chance.random_range(1..acts.len()), self.chance.random_range(0..2));

        let count = watch::Sender::new(0_usize);
        let victim = servers[victim].take();
        let kill = async {
            let mut done = count.subscribe();
            tokio::time::timeout(PATIENCE, done.wait_for(|count| *count >= enough)).await.unwrap().unwrap();
            drop(victim);
        };
        let (model, clients) = (&*self, &clients);
        let all = acts.iter().map(async |act| {
            let is_answered = match act {
                Act::Notice(server, notice) => model.tell(&clients[*server], notice).await.is_some(),
                Act::Staff(words) => {
                    staff(&model.world.address, words).await;
                    true
                }
                Act::RefundTicket(order) => {
                    model.refund_ticket(order).await;
                    true
                }
            };
            count.send_modify(|count| *count += 1);
            is_answered
        });
        let answered = tokio::join!(kill, join_all(all)).1;
        let (_again, client) = start_server(&self.world);
        for (act, is_answered) in acts.iter().zip(answered) {
            let Act::Notice(_, notice) = act else { continue };
            self.sent.insert(notice.to_string());
            if is_answered || self.tell(&client, notice).await.is_some() {
                self.answered.insert(notice.to_string());
            }
        }
    }

    /// Refunds all orders of an event, while its server is killed and another one goes on.
    async fn refund_all(&mut self, event: &str) {
        let world = &self.world;
        world.raw().await.batch(&format!("UPDATE events SET status = 'cancelled' WHERE id = '{event}'")).await;
        let tenant = taquilla_store::producers::find(&mut world.store.read().await.unwrap(), "pr_a").await.unwrap();
        admin::work::refund_all(&world.store, tenant.unwrap(), event, &world.by()).await.unwrap();
        let first = start_server(world);
        let begun = format!(
            "SELECT 1 FROM orders WHERE status = 'refunded' AND event_id = '{event}' \
             UNION ALL SELECT 1 FROM work WHERE state <> 'running' LIMIT 1"
        );
        assert!(until(async || !world.raw().await.rows(&begun).await.is_empty()).await);
        drop(first);
        // Nobody waits here for what belongs to a dead server.
        world.raw().await.batch("UPDATE work SET leased_until = 0").await;
        let _second = start_server(world);
        let goes_on = "SELECT 1 FROM work WHERE state = 'running'";
        assert!(until(async || world.raw().await.rows(goes_on).await.is_empty()).await);
        let left = format!("SELECT id FROM orders WHERE status = 'approved' AND event_id = '{event}'");
        assert_eq!(world.raw().await.rows(&left).await, Vec::<Vec<String>>::new());
    }

    /// Looks where every payment is, while no server runs.
    async fn look(&mut self) {
        let raw = self.world.raw().await;
        let told = raw
            .rows("SELECT id, coalesce(order_id, ''), result, CASE WHEN paid_back_at IS NULL THEN 0 ELSE 1 END, amount FROM payments WHERE outcome = 'paid'")
            .await;
        let orders: BTreeMap<String, (String, String, String)> = raw
            .rows("SELECT id, status, coalesce(payment_id, ''), total FROM orders")
            .await
            .into_iter()
            .map(|row| (row[0].clone(), (row[1].clone(), row[2].clone(), row[3].clone())))
            .collect();
        // What is owed for each order in all, and whether all of it was paid back.
        let mut owed: BTreeMap<String, (i64, bool)> = BTreeMap::new();
        for row in
            raw.rows("SELECT order_id, amount, CASE WHEN paid_back_at IS NULL THEN 0 ELSE 1 END FROM pay_backs").await
        {
            let (sum, is_paid_back) = owed.entry(row[0].clone()).or_insert((0, true));
            (*sum, *is_paid_back) = (*sum + row[1].parse::<i64>().unwrap(), *is_paid_back && row[2] == "1");
        }
        let listed = taquilla(&self.world.address)
            .args(["payment", "list", "--unsettled", "--producer", "pr_a", "--json"])
            .output()
            .unwrap();
        let listed: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
        let listed: Vec<&str> = listed.iter().map(|row| row["id"].as_str().unwrap()).collect();

        let mut by_id: BTreeMap<&str, Vec<&Vec<String>>> = BTreeMap::new();
        for row in &told {
            by_id.entry(&row[0]).or_default().push(row);
        }
        let mut paid_with: BTreeSet<&str> = BTreeSet::new();
        for (id, rows) in by_id {
            let settled: Vec<&&Vec<String>> = rows.iter().filter(|row| row[2] == "settled").collect();
            let times_listed = listed.iter().filter(|listed| **listed == id).count();
            let place = match settled.as_slice() {
                [] if times_listed == 1 => {
                    assert!(rows.iter().all(|row| row[3] == "0"), "listed and paid back: {rows:?}");
                    Place::Listed
                }
                [] => {
                    assert!(rows.iter().all(|row| row[3] == "1"), "nowhere, or listed twice: {rows:?} in {listed:?}");
                    Place::PaidBack
                }
                [row] => {
                    assert!(rows.iter().all(|other| other[2].starts_with("settled")), "settled, and more: {rows:?}");
                    assert_eq!(times_listed, 0, "settled and listed: {rows:?}");
                    assert!(paid_with.insert(row[1].as_str()), "two payments have paid for {}", row[1]);
                    let (status, payment, _) = &orders[&row[1]];
                    assert_eq!(payment, id, "the order says so");
                    match (status.as_str(), owed.get(&row[1])) {
                        ("approved", owed) => {
                            assert_eq!(row[3], "0", "paid back, and the order is approved: {rows:?}");
                            let paid: i64 = row[4].parse().unwrap();
                            assert!(owed.is_none_or(|(sum, _)| *sum < paid), "{owed:?} is owed of {rows:?}");
                            Place::Settled
                        }
                        ("refunded", Some((sum, is_paid_back))) => {
                            assert_eq!(sum.to_string(), row[4], "what is owed is what was paid");
                            assert_eq!(row[3] == "1", *is_paid_back, "{rows:?}");
                            if *is_paid_back { Place::PaidBack } else { Place::Owed }
                        }
                        other => panic!("{id} has settled an order that is {other:?}"),
                    }
                }
                _ => panic!("settled twice: {rows:?}"),
            };
            let before = self.places.insert(id.to_owned(), place);
            assert!(before.is_none_or(|before| before <= place), "{id} was {before:?} and is {place:?} again");
        }
        // Every refund of money is owed once, and nothing else is.
        for (id, (status, payment, total)) in &orders {
            let (sum, total): (i64, i64) = (owed.get(id).map_or(0, |(sum, _)| *sum), total.parse().unwrap());
            match status.as_str() {
                "refunded" if payment.is_empty() => assert_eq!(sum, total, "{id}"),
                "refunded" => assert!(sum > 0, "{id}"),
                "approved" => assert!(sum < total, "{sum} is owed for {id}, which is approved"),
                _ => assert_eq!(sum, 0, "{id} is {status}"),
            }
            assert!(payment.is_empty() || paid_with.contains(id.as_str()), "{id} says {payment}");
        }
        // Nothing that was answered is lost from sight.
        let known: BTreeSet<&str> = self.places.keys().map(String::as_str).collect();
        let bare = |notice: &&String| {
            let notice: Value = serde_json::from_str(notice).unwrap();
            notice["status"] == "paid" && notice["payment_id"].as_str().is_none_or(|id| id.len() > 128)
        };
        for notice in &self.answered {
            let told: Value = serde_json::from_str(notice).unwrap();
            let id = told["payment_id"].as_str().filter(|id| id.len() <= 128 && told["status"] == "paid");
            assert!(id.is_none_or(|id| known.contains(id)), "{notice} is lost");
        }
        let kept = known.iter().filter(|id| !id.starts_with("pay_")).count();
        let (least, most) = (self.answered.iter().filter(bare).count(), self.sent.iter().filter(bare).count());
        assert!((least..=most).contains(&kept), "{kept} of {least} to {most} notices without an id are kept");
        let checked = taquilla(&self.world.address).arg("check").output().unwrap();
        assert!(checked.status.success(), "{checked:?}");
    }
}

async fn every_payment_is_settled_paid_back_or_listed_once(mut world: World) {
    let chance = StdRng::seed_from_u64(seed());
    world.server.stop().await;
    let producer = world.producer("pr_a").await;
    let lines = ["ev_a", "ev_b"].map(|id| [event(id), ticket_type(&format!("tt_{id}"), id)]).concat();
    world.import(producer.tenant, &lines).await;
    let secret = world.connect_processor(&producer).await;
    let (answered, sent) = (BTreeSet::new(), BTreeSet::new());
    let mut model = Model { world, secret, chance, orders: Vec::new(), answered, sent, places: BTreeMap::new() };
    model.quiet_corner().await;
    for number in 0..rounds(ROUNDS) {
        model.round(number).await;
        model.look().await;
    }
    model.refund_all("ev_b").await;
    model.look().await;
    assert_eq!(model.places["pay_quiet"], Place::Settled, "what nobody touched is where it was");
    assert_eq!(model.places["pay_unknown"], Place::Listed, "what nobody touched is where it was");
}
