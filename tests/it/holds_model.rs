//! Holds and payments against a simple model: after each random move, whatever time has passed, the shop, the API and the
//! list of payments must agree with the model.

use std::{collections::BTreeMap, num::NonZeroU32, time::Duration};

use proptest::prelude::*;
use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{
    audit::By, clock::Stamp, config::HOLD, count::Count, person::Person, stock::Channel, text::Name,
};
use taquilla_rules::{
    admin::{
        catalogue::{TicketTypeChange, change_ticket_type},
        payments::mark_paid_back,
    },
    boxoffice::{self, ItemRequest, OrderRequest, PastHolds, Placed},
};
use taquilla_store::{
    ChangeError,
    sales::payment_lists::{self, Listed},
};

use crate::harness::configured;
use crate::harness::{
    self, Answer, Client, Engine, Producer, World, event, sign, ticket_type, with, without_shop_limits,
};

const ITEMS: [&str; 3] = ["tt", "tt_free", "bu"];
const PRICES: [i64; 3] = [25, 0, 30];
/// Unpaid orders that one buyer may have.
const PER_BUYER: u32 = 4;

#[derive(Clone, Debug)]
enum Step {
    /// A buyer places an order of one or two items, held for some seconds or for as long as usual.
    Place {
        buyer: usize,
        item: usize,
        quantity: i64,
        other: Option<usize>,
        hold_s: Option<i64>,
    },
    /// A buyer sends the same order again.
    Again(usize),
    /// Staff place an order.
    Staff {
        item: usize,
        quantity: i64,
        past_holds: bool,
    },
    Approve {
        order: usize,
        past_holds: bool,
    },
    Reject(usize),
    Refund(usize),
    /// The processor tells of a payment, for an order or for one that does not exist.
    Pay {
        payment: usize,
        order: Option<usize>,
        less: bool,
        failed: bool,
    },
    PaidBack(usize),
    /// Staff settle an order with a payment.
    SettleWith {
        payment: usize,
        order: usize,
        past_holds: bool,
    },
    Limit {
        item: usize,
        limit: i64,
        past_holds: bool,
    },
    /// Time passes.
    Pass {
        seconds: i64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let (any_order, any_item) = (|| 0..40_usize, || 0..3_usize);
    let hold_s = prop::option::weighted(0.5, prop::sample::select(vec![60, 600, 3_600]));
    let pay =
        (0..12_usize, prop::option::weighted(0.9, any_order()), prop::bool::weighted(0.1), prop::bool::weighted(0.15));
    prop_oneof![
        8 => (0..3_usize, any_item(), 1..3_i64, prop::option::weighted(0.3, any_item()), hold_s)
            .prop_map(|(buyer, item, quantity, other, hold_s)| Step::Place { buyer, item, quantity, other, hold_s }),
        2 => any_order().prop_map(Step::Again),
        2 => (any_item(), 1..3_i64, any::<bool>())
            .prop_map(|(item, quantity, past_holds)| Step::Staff { item, quantity, past_holds }),
        2 => (any_order(), any::<bool>()).prop_map(|(order, past_holds)| Step::Approve { order, past_holds }),
        1 => any_order().prop_map(Step::Reject),
        2 => any_order().prop_map(Step::Refund),
        8 => pay.prop_map(|(payment, order, less, failed)| Step::Pay { payment, order, less, failed }),
        2 => (0..12_usize).prop_map(Step::PaidBack),
        2 => (0..12_usize, any_order(), any::<bool>())
            .prop_map(|(payment, order, past_holds)| Step::SettleWith { payment, order, past_holds }),
        1 => (any_item(), 0..8_i64, any::<bool>())
            .prop_map(|(item, limit, past_holds)| Step::Limit { item, limit, past_holds }),
        4 => prop::sample::select(vec![15, 45, 61, 301, 605, 1_816, 3_631]).prop_map(|seconds| Step::Pass { seconds }),
    ]
}

struct ModelOrder {
    id: String,
    reference: String,
    status: &'static str,
    lines: Vec<(usize, i64)>,
    total: i64,
    held_until: Option<Stamp>,
    /// The payment that settled it.
    payment: Option<usize>,
    /// The buyer, the body of the request and its answer, if it came through the shop.
    sent: Option<(usize, Value, String)>,
}

/// What was told of a payment.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    payment: usize,
    failed: bool,
    order: Option<usize>,
    amount: i64,
    result: &'static str,
    paid_back: bool,
}

impl Told {
    fn is_open(&self) -> bool {
        !self.failed && !self.paid_back && !self.result.starts_with("settled")
    }
}

struct Model {
    now: Stamp,
    limits: [i64; 3],
    orders: Vec<ModelOrder>,
    /// In the order in which they were first told of.
    told: Vec<Told>,
}

type Outcome = Result<(), &'static str>;

impl Model {
    fn holds(&self, order: &ModelOrder) -> bool {
        order.status == "pending" && order.held_until.is_some_and(|until| until > self.now)
    }

    fn count(orders: impl Iterator<Item = impl std::ops::Deref<Target = ModelOrder>>, item: usize) -> i64 {
        let units = |order: &ModelOrder| -> i64 {
            order.lines.iter().filter(|(line, _)| *line == item).map(|(_, quantity)| quantity).sum()
        };
        orders.map(|order| units(&order)).sum()
    }

    fn sold(&self, item: usize) -> i64 {
        Self::count(self.orders.iter().filter(|order| order.status == "approved"), item)
    }

    fn held(&self, item: usize) -> i64 {
        Self::count(self.orders.iter().filter(|order| self.holds(order)), item)
    }

    /// Whether these can be sold to somebody who holds nothing of them.
    fn is_free(&self, lines: &[(usize, i64)], past_holds: bool) -> Outcome {
        if lines.iter().any(|(item, quantity)| self.sold(*item) + quantity > self.limits[*item]) {
            return Err("sold_out");
        }
        let is_held = |(item, quantity): &(usize, i64)| {
            self.held(*item) > 0 && self.sold(*item) + self.held(*item) + quantity > self.limits[*item]
        };
        if !past_holds && lines.iter().any(is_held) { Err("held") } else { Ok(()) }
    }

    fn approve(&mut self, order: usize, past_holds: bool) -> Outcome {
        let known = &self.orders[order];
        if known.status != "pending" {
            return Err("order_not_pending");
        }
        // What it holds itself is there for it, unless staff sold past its hold.
        let ignores_holds = past_holds || self.holds(known);
        self.is_free(&known.lines, ignores_holds).map_err(|_| "sold_out")?;
        self.orders[order].status = "approved";
        Ok(())
    }

    fn reject(&mut self, order: usize) -> Outcome {
        if self.orders[order].status != "pending" {
            return Err("order_not_pending");
        }
        self.orders[order].status = "rejected";
        Ok(())
    }

    fn approve_by_hand(&mut self, order: usize, past_holds: bool) -> Outcome {
        self.approve(order, past_holds)?;
        self.settle_with_what_fits(order);
        Ok(())
    }

    /// Money that is listed twice would be paid back twice, so a refund takes the payment that staff did without.
    fn refund(&mut self, order: usize) -> Outcome {
        if self.orders[order].status != "approved" {
            return Err("order_not_approved");
        }
        self.orders[order].status = "refunded";
        if self.orders[order].payment.is_none() {
            self.settle_with_what_fits(order);
        }
        Ok(())
    }

    fn settle_with_what_fits(&mut self, order: usize) {
        let total = self.orders[order].total;
        let is_spent = |payment| {
            let told = self.told.iter().filter(|told| told.payment == payment && !told.failed);
            told.clone().any(|told| told.result == "settled" || told.paid_back)
        };
        let fits = |told: &&Told| {
            told.order == Some(order) && told.is_open() && told.amount == total && !is_spent(told.payment)
        };
        if let Some(told) = self.told.iter().find(fits).cloned() {
            self.settle(&told);
        }
    }

    /// A payment has paid for its order.
    fn settle(&mut self, paid: &Told) {
        if let Some(order) = paid.order.filter(|_| !paid.failed) {
            self.orders[order].payment = Some(paid.payment);
        }
        let same = |told: &&mut Told| (told.payment, told.failed) == (paid.payment, paid.failed);
        for told in self.told.iter_mut().filter(same) {
            if told.order == paid.order {
                told.result = "settled";
            } else if !told.failed && told.amount == paid.amount {
                told.result = "settled_elsewhere";
            }
        }
    }

    fn pay(&mut self, notice: Told) -> Outcome {
        let outcome = self.try_to_pay(&notice);
        if notice.failed && notice.order.is_none() {
            return outcome;
        }
        let same =
            |told: &&mut Told| (told.payment, told.failed, told.order) == (notice.payment, notice.failed, notice.order);
        let known =
            |told: &&Told| (told.payment, told.failed, told.amount) == (notice.payment, notice.failed, notice.amount);
        let is_spent = !notice.failed && self.told.iter().filter(known).any(|told| told.result == "settled");
        let paid_back = !is_spent && self.told.iter().filter(known).any(|told| told.paid_back);
        let result = match outcome {
            Ok(()) => "settled",
            Err(_) if is_spent => "settled_elsewhere",
            Err(code) => code,
        };
        match self.told.iter_mut().find(same) {
            Some(told) if told.result.starts_with("settled") || told.paid_back => return outcome,
            // What became of one amount says nothing about another one that is open.
            Some(told) if told.amount != notice.amount && (paid_back || result == "settled_elsewhere") => {
                return outcome;
            }
            Some(told) => (told.amount, told.result, told.paid_back) = (notice.amount, result, paid_back),
            None => self.told.push(Told { result, paid_back, ..notice.clone() }),
        }
        if outcome.is_ok() {
            self.settle(&notice);
        }
        outcome
    }

    fn try_to_pay(&mut self, notice: &Told) -> Outcome {
        let order = notice.order.ok_or("not_found")?;
        let before = |told: &&Told| (told.payment, told.failed) == (notice.payment, notice.failed);
        let mut settled = self.told.iter().filter(before).filter(|told| told.result == "settled");
        if let Some(told) = settled.next() {
            let is_same = (told.order, told.amount) == (notice.order, notice.amount);
            return if is_same { Ok(()) } else { Err("payment_mismatch") };
        }
        if self.told.iter().filter(before).any(|told| told.paid_back) {
            return Err("payment_paid_back");
        }
        if notice.failed {
            return self.reject(order);
        }
        if notice.amount != self.orders[order].total {
            return Err("payment_mismatch");
        }
        self.approve(order, false)
    }

    fn settle_with(&mut self, payment: usize, order: usize, past_holds: bool) -> Outcome {
        let told = || self.told.iter().filter(|told| told.payment == payment && !told.failed);
        if told().any(|told| told.result == "settled") {
            return Err("payment_settled");
        }
        if told().any(|told| told.paid_back) {
            return Err("payment_paid_back");
        }
        let meant = told().find(|told| told.is_open() && told.order == Some(order));
        let known = meant.or_else(|| told().rfind(|told| told.is_open())).ok_or("not_found")?;
        let paid = Told { order: Some(order), result: "settled", ..known.clone() };
        let is_told = meant.is_some();
        match &self.orders[order] {
            ModelOrder { status: "pending", .. } => self.approve(order, past_holds)?,
            ModelOrder { status: "approved", payment: Some(_), .. } => return Err("order_paid"),
            ModelOrder { status: "approved", total: 1.., .. } => {}
            _ => return Err("order_not_pending"),
        }
        if !is_told {
            self.told.push(paid.clone());
        }
        self.settle(&paid);
        Ok(())
    }

    fn pay_back(&mut self, payment: usize) -> Outcome {
        let told: Vec<usize> =
            (0..self.told.len()).filter(|at| self.told[*at].payment == payment && !self.told[*at].failed).collect();
        if told.is_empty() {
            return Err("not_found");
        }
        let has_open = told.iter().any(|at| self.told[*at].is_open());
        for at in told.iter().filter(|at| self.told[**at].is_open() || !has_open) {
            let told = &self.told[*at];
            if told.result == "settled" && told.order.is_some_and(|order| self.orders[order].status == "approved") {
                return Err("payment_settled");
            }
        }
        for at in told {
            if self.told[at].is_open() || !has_open {
                self.told[at].paid_back = true;
            }
        }
        Ok(())
    }
}

/// A producer of its own for each run, with its processor, at a server with a limit of unpaid orders.
struct Case<'w> {
    world: &'w World,
    client: &'w Client,
    id: String,
    producer: Producer,
    secret: String,
}

fn payment_id(payment: usize) -> String {
    format!("pay_{payment}")
}

fn past(past_holds: bool) -> PastHolds {
    if past_holds { PastHolds::Yes } else { PastHolds::No }
}

/// The code of a refusal by the box office.
fn code<T>(changed: Result<T, ChangeError>) -> Result<T, &'static str> {
    changed.map_err(|error| match error {
        ChangeError::Refused(refusal) => refusal.code(),
        ChangeError::Store(error) => panic!("{error:?}"),
    })
}

/// The code of a refusal by the server.
fn refused(answer: &Answer) -> Result<(), String> {
    if answer.status.is_success() { Ok(()) } else { Err(answer.problem().1) }
}

impl<'w> Case<'w> {
    async fn open(world: &'w World, client: &'w Client) -> Self {
        let id = format!("pr_{:x}", rand::random::<u64>());
        let producer = world.producer(&id).await;
        let secret = world.connect_processor(&producer).await;
        let inside = json!([{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt_free", "quantity": 1}]);
        let lines = [
            event("ev"),
            with(ticket_type("tt", "ev"), json!({"price": PRICES[0], "limit": 5})),
            with(ticket_type("tt_free", "ev"), json!({"price": PRICES[1], "limit": 5})),
            with(
                ticket_type("bu", "ev"),
                json!({"kind": "bundle", "includes": inside, "price": PRICES[2], "limit": 3}),
            ),
        ];
        world.import(producer.tenant, &lines).await;
        Self { world, client, id, producer, secret }
    }

    async fn send(&self, key: &str, body: &Value) -> Answer {
        let path = format!("/shop/v1/{}/events/ev/orders", self.id);
        self.client.post(&path, &[("idempotency-key", key)], body).await
    }

    async fn tell(&self, notice: &Value) -> Answer {
        let now_s = self.world.now().micros() / 1_000_000;
        let signature = sign(&self.secret, "msg_1", now_s, &notice.to_string());
        let headers =
            [("webhook-id", "msg_1"), ("webhook-timestamp", &now_s.to_string()), ("webhook-signature", &signature)];
        self.client.post(&format!("/shop/v1/{}/payments", self.id), &headers, notice).await
    }

    /// Runs a step on the service and on the model, and compares what both say.
    async fn run(&self, model: &mut Model, step: &Step) {
        let (store, tenant, now) = (&self.world.store, self.producer.tenant, self.world.now());
        let at = |order: usize, model: &Model| order.checked_rem(model.orders.len());
        let (expected, got): (Outcome, Result<(), String>) = match *step {
            Step::Place { buyer, item, quantity, other, hold_s } => {
                let expected = self.place(model, buyer, item, quantity, other, hold_s).await;
                return assert_eq!(expected.0, expected.1, "{step:?}");
            }
            Step::Again(order) => {
                let sent =
                    at(order, model).and_then(|order| model.orders[order].sent.clone().map(|sent| (order, sent)));
                let Some((order, (_, body, first))) = sent else { return };
                let again = self.send(&format!("key-{order}"), &body).await;
                assert_eq!((again.status.as_u16(), again.text), (201, first), "{step:?}");
                return;
            }
            Step::Staff { item, quantity, past_holds } => {
                let lines = vec![(item, quantity)];
                let expected = model.is_free(&lines, past_holds);
                let items = vec![ItemRequest {
                    ticket_type_id: ITEMS[item].into(),
                    quantity,
                    unit_price: None,
                    attendees: vec![],
                    access_code: None,
                }];
                let buyer = Person { name: "Ana".into(), ..Person::default() };
                let request = OrderRequest::new("ev".into(), buyer, items, Channel::Staff);
                let request = OrderRequest { past_holds: past(past_holds), ..request };
                let got = code(boxoffice::place(store, tenant, &request, None, now).await);
                if let Ok(Placed::New(placed)) = &got {
                    let shown = json!({"order": {"id": placed.order.id}, "reference": placed.reference,
                        "held_until": placed.order.held_until.map(|until| until.to_string())});
                    model.add(lines, &shown, HOLD, None);
                }
                (expected, got.map(|_| ()).map_err(str::to_owned))
            }
            Step::Pay { payment, order, less, failed } => {
                let order = order.and_then(|order| at(order, model));
                let known = order.map(|order| &model.orders[order]);
                let amount = known.map_or(25, |order| order.total) + i64::from(less);
                let reference = known.map_or("1-00000000000000000000000000", |order| &order.reference);
                let notice = json!({"payment_id": payment_id(payment), "reference": reference, "amount": amount,
                    "status": if failed { "failed" } else { "paid" }, "currency": "EUR"});
                let expected = model.pay(Told { payment, failed, order, amount, result: "", paid_back: false });
                (expected, refused(&self.tell(&notice).await))
            }
            Step::PaidBack(payment) => {
                let note = Name::parse("by hand").unwrap();
                let got = code(
                    mark_paid_back(store, tenant, &payment_id(payment), &note, &By::command_line("tester", now)).await,
                );
                (model.pay_back(payment), got.map(|_| ()).map_err(str::to_owned))
            }
            Step::SettleWith { payment, order, past_holds } => {
                let Some(order) = at(order, model) else { return };
                let (id, payment_id) = (model.orders[order].id.clone(), payment_id(payment));
                let by = By::command_line("tester", now);
                let got = boxoffice::settle_with(store, tenant, &id, &payment_id, past(past_holds), &by).await;
                let expected = model.settle_with(payment, order, past_holds);
                (expected, code(got).map(|_| ()).map_err(str::to_owned))
            }
            Step::Limit { item, limit, past_holds } => {
                let before = model.limits[item];
                let expected = match (model.sold(item), model.held(item)) {
                    (sold, _) if limit < sold => Err("limit_below_sold"),
                    (sold, held) if limit < before && !past_holds && held > 0 && limit < sold + held => Err("held"),
                    _ => Ok(()),
                };
                if expected.is_ok() {
                    model.limits[item] = limit;
                }
                let limit = Some(Some(Count::at_least(0, limit).unwrap()));
                let change = TicketTypeChange { limit, past_holds: past(past_holds), ..TicketTypeChange::default() };
                let got = code(
                    change_ticket_type(store, tenant, ITEMS[item], &change, None, &By::command_line("tester", now))
                        .await,
                );
                (expected, got.map(|_| ()).map_err(str::to_owned))
            }
            Step::Pass { seconds } => {
                self.world.step(Duration::from_secs(seconds as u64));
                model.now = self.world.now();
                return;
            }
            Step::Approve { order, .. } | Step::Reject(order) | Step::Refund(order) => {
                let Some(order) = at(order, model) else { return };
                let id = model.orders[order].id.clone();
                let (expected, got) = match *step {
                    Step::Approve { past_holds, .. } => (
                        model.approve_by_hand(order, past_holds),
                        boxoffice::approve(store, tenant, &id, past(past_holds), now).await,
                    ),
                    Step::Reject(_) => (model.reject(order), boxoffice::reject(store, tenant, &id, now).await),
                    _ => (model.refund(order), boxoffice::refund(store, tenant, &id, now).await),
                };
                (expected, code(got).map(|_| ()).map_err(str::to_owned))
            }
        };
        assert_eq!(got, expected.map_err(str::to_owned), "{step:?}");
    }

    /// Places an order through the shop, and returns what the model expects and what happened.
    async fn place(
        &self,
        model: &mut Model,
        buyer: usize,
        item: usize,
        quantity: i64,
        other: Option<usize>,
        hold_s: Option<i64>,
    ) -> (Result<(), String>, Result<(), String>) {
        let mut lines = vec![(item, quantity)];
        lines.extend(other.filter(|other| *other != item).map(|other| (other, 1)));
        let costs = lines.iter().any(|(item, _)| PRICES[*item] > 0);
        let unpaid = model.orders.iter().filter(|order| model.holds(order)).filter_map(|order| order.sent.as_ref());
        let is_full = unpaid.filter(|(other, ..)| *other == buyer).count() >= PER_BUYER as usize;
        let expected = model.is_free(&lines, false).and(match costs && is_full {
            true => Err("too_many_unpaid"),
            false => Ok(()),
        });
        let items: Vec<Value> = lines
            .iter()
            .map(|(item, quantity)| json!({"ticket_type_id": ITEMS[*item], "quantity": quantity}))
            .collect();
        // E-mail addresses are one whatever the case of their letters.
        let email = format!("{}{buyer}@example.com", if quantity == 1 { "ana" } else { "Ana" });
        let mut body = json!({"buyer": {"name": "Ana", "email": email}, "items": items});
        if let Some(hold_s) = hold_s {
            body["hold_seconds"] = json!(hold_s);
        }
        let answer = self.send(&format!("key-{}", model.orders.len()), &body).await;
        if answer.status.is_success() {
            let hold = hold_s.map_or(HOLD, |hold_s| Duration::from_secs(hold_s as u64));
            model.add(lines, &answer.json(), hold, Some((buyer, body, answer.text.clone())));
        } else if ["held", "too_many_unpaid"].contains(&answer.problem().1.as_str()) {
            let until = Stamp::parse(answer.json()["held_until"].as_str().unwrap()).unwrap();
            let wait_s: i64 = answer.header("retry-after").unwrap().parse().unwrap();
            assert!(until > model.now && model.orders.iter().any(|order| order.held_until == Some(until)));
            assert_eq!(wait_s, (until.micros() - model.now.micros() + 999_999) / 1_000_000);
        }
        (expected.map_err(str::to_owned), refused(&answer))
    }

    async fn compare(&self, model: &Model) {
        let key = &self.producer.key;
        let types = self.client.get("/api/v1/events/ev/ticket-types", key).await.data();
        let shop = self.client.send(Method::GET, &format!("/shop/v1/{}/events/ev", self.id), &[]).await.json();
        for (item, id) in ITEMS.iter().enumerate() {
            let find = |list: &[Value]| list.iter().find(|shown| shown["id"] == **id).unwrap().clone();
            let (shown, offered) = (find(&types), find(shop["items"].as_array().unwrap()));
            let (sold, limit, held) = (model.sold(item), model.limits[item], model.held(item));
            assert_eq!((&shown["sold"], &shown["available"]), (&json!(sold), &json!(limit - sold)), "{id}");
            let mut ends: Vec<Stamp> = (model.orders.iter())
                .filter(|order| model.holds(order) && order.lines.iter().any(|(line, _)| *line == item))
                .filter_map(|order| order.held_until)
                .collect();
            ends.sort();
            let until = ends.first().filter(|_| sold < limit && sold + held >= limit);
            assert_eq!(offered["held_until"], json!(until.map(Stamp::to_string)), "{id}");
        }
        let listed: BTreeMap<String, String> = (self.client.get("/api/v1/orders?limit=200", key).await.data().iter())
            .map(|order| (order["id"].as_str().unwrap().to_owned(), order["status"].as_str().unwrap().to_owned()))
            .collect();
        let orders = model.orders.iter().map(|order| (order.id.clone(), order.status.to_owned())).collect();
        assert_eq!(listed, orders);

        let mut conn = self.world.store.read().await.unwrap();
        let tenant = self.producer.tenant;
        let row = |told: &Told| {
            let order = told.order.map(|order| model.orders[order].id.clone());
            let outcome = if told.failed { "failed" } else { "paid" };
            (payment_id(told.payment), outcome, order, told.amount, told.result.to_owned(), told.paid_back)
        };
        for which in [Listed::All, Listed::Unsettled] {
            let kept = payment_lists::list(&mut conn, tenant, which).await.unwrap();
            let kept: Vec<_> = (kept.into_iter())
                .map(|(kept, _)| {
                    let is_paid_back = kept.paid_back_at.is_some();
                    (kept.id, kept.outcome.as_str(), kept.order_id, kept.amount, kept.result, is_paid_back)
                })
                .collect();
            // Money is listed once, as it was told of last.
            let is_last = |at: usize, told: &Told| {
                let same = |later: &&Told| (later.payment, later.amount) == (told.payment, told.amount);
                !model.told[at + 1..].iter().filter(same).any(Told::is_open)
            };
            let told = model.told.iter().enumerate();
            let told = told.filter(|(at, told)| which == Listed::All || (told.is_open() && is_last(*at, told)));
            assert_eq!(kept, told.map(|(_, told)| row(told)).collect::<Vec<_>>(), "{which:?}");
        }
    }
}

impl Model {
    /// A placed order, as the shop shows it.
    fn add(&mut self, lines: Vec<(usize, i64)>, shown: &Value, hold: Duration, sent: Option<(usize, Value, String)>) {
        let total = lines.iter().map(|(item, quantity)| PRICES[*item] * quantity).sum();
        let held_until = shown["held_until"].as_str().map(|until| Stamp::parse(until).unwrap());
        match held_until {
            None => assert_eq!(total, 0),
            Some(until) => {
                let exact = self.now.plus(hold);
                let latest = exact.plus((hold / 120).max(Duration::from_secs(1)));
                assert!(total > 0 && until >= exact && until < latest, "{until} for {hold:?}");
            }
        }
        self.orders.push(ModelOrder {
            id: shown["order"]["id"].as_str().unwrap().to_owned(),
            reference: shown["reference"].as_str().unwrap().to_owned(),
            status: if total == 0 { "approved" } else { "pending" },
            lines,
            total,
            held_until,
            payment: None,
            sent,
        });
    }
}

fn agree(engine: Engine) {
    harness::run_blocking(engine, |world, runtime| {
        let config = configured(without_shop_limits(), |config| config.holds.per_buyer = NonZeroU32::new(PER_BUYER));
        let (_server, client) = runtime.block_on(world.another_server(config));
        harness::runner(file!(), 8, 40)
            .run(&prop::collection::vec(step(), 35..60), |steps| {
                runtime.block_on(async {
                    let case = Case::open(&world, &client).await;
                    let mut model = Model { now: world.now(), limits: [5, 5, 3], orders: vec![], told: vec![] };
                    for step in &steps {
                        case.run(&mut model, step).await;
                        case.compare(&model).await;
                    }
                    assert_eq!(world.findings().await, []);
                });
                Ok(())
            })
            .unwrap();
    });
}

#[test]
fn holds_and_payments_agree_with_the_model_on_sqlite() {
    agree(Engine::Sqlite);
}

#[test]
fn holds_and_payments_agree_with_the_model_on_postgres() {
    agree(Engine::Postgres);
}
