//! One payment settles one order, and every other one stays in the list that staff work through.

use futures_util::future::join_all;
use serde_json::{Value, json};
use taquilla_domain::{config::PAYMENT_SECRET_OVERLAP, count::Count, status::PaymentOutcome};
use taquilla_rules::{
    admin::catalogue::{TicketTypeChange, change_ticket_type},
    boxoffice::{PastHolds, Queue, Request},
};
use taquilla_store::{ChangeError, Open, Store, sales::payments::Payment};

use crate::harness::{
    Answer, Engine, PATIENCE, Producer, World, cart, event, pay, place, problem, run_in_one_thread, taquilla,
    ticket_type, with,
};

both_engines![
    a_staff_approval_settles_the_oldest_payment_of_its_order,
    a_payment_told_of_for_two_orders_settles_one,
    money_that_paid_for_one_order_settles_no_other_that_staff_approve,
    a_payment_for_a_rejected_order_stays_in_the_list,
    money_for_an_order_that_nobody_knows_is_kept,
    a_payment_refused_for_one_order_settles_another,
    what_was_paid_back_pays_for_nothing,
    what_needs_a_person_comes_oldest_first_and_says_why,
    a_replaced_secret_signs_for_as_long_as_said,
];

/// A shop of one item at 25 EUR, of which this many can be sold, and its processor.
pub struct Till {
    pub world: World,
    pub producer: Producer,
    pub secret: String,
}

impl Till {
    pub async fn open(world: World, limit: i64) -> Self {
        let producer = world.producer("pr_a").await;
        world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"limit": limit}))]).await;
        let connected = world.connect_processor(&producer).await;
        Self { secret: connected, world, producer }
    }

    /// Changes how many can be sold, whoever holds them.
    pub async fn limit(&self, limit: &str) {
        let change = TicketTypeChange {
            limit: Some(Some(Count::parse(limit).unwrap())),
            past_holds: PastHolds::Yes,
            ..TicketTypeChange::default()
        };
        change_ticket_type(&self.world.store, self.producer.tenant, "tt", &change, None, &self.world.by())
            .await
            .unwrap();
    }

    /// Places an order of one unit.
    pub async fn order(&self, key: &str) -> Value {
        place(&self.world, key, &cart("tt", 1)).await.json()
    }

    pub async fn tell(&self, payment: &str, status: &str, amount: i64, order: &Value) -> Answer {
        let notice = json!({"payment_id": payment, "reference": order["reference"], "status": status, "amount": amount, "currency": "EUR"});
        pay(&self.world, &notice, &self.secret, 0).await
    }

    pub async fn paid(&self, payment: &str, order: &Value) -> Answer {
        self.tell(payment, "paid", 25, order).await
    }

    pub fn command(&self, arguments: &[&str]) -> std::process::Output {
        taquilla(&self.world.address).args(arguments).args(["--producer", "pr_a", "--json"]).output().unwrap()
    }

    pub fn approve(&self, order: &Value) {
        let output = self.command(&["order", "approve", order["order"]["id"].as_str().unwrap()]);
        assert!(output.status.success(), "{output:?}");
    }

    pub fn paid_back(&self, payment: &str, note: &str) {
        let output = self.command(&["payment", "paid-back", payment, "--note", note]);
        assert!(output.status.success(), "{output:?}");
    }

    /// The payments that staff sees, as payment, order and result, sorted.
    pub fn listed(&self, flags: &[&str]) -> Vec<(String, String, String)> {
        let output = self.command(&[&["payment", "list"], flags].concat());
        let text = |row: &Value, name: &str| row[name].as_str().unwrap_or("none").to_owned();
        let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        let mut rows: Vec<_> =
            rows.iter().map(|row| (text(row, "id"), text(row, "order_id"), text(row, "result"))).collect();
        rows.sort();
        rows
    }
}

fn code(error: &ChangeError) -> &'static str {
    match error {
        ChangeError::Refused(refusal) => refusal.code(),
        ChangeError::Store(error) => panic!("{error:?}"),
    }
}

/// A row of [`Till::listed`].
pub fn row(payment: &str, order: &Value, result: &str) -> (String, String, String) {
    (payment.to_owned(), order["order"]["id"].as_str().unwrap().to_owned(), result.to_owned())
}

async fn a_staff_approval_settles_the_oldest_payment_of_its_order(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    till.limit("1").await;
    assert_eq!(till.paid("pay_a", &first).await.json()["status"], "approved");
    // The last one is gone, and the buyer of the second order pays twice. A repeated notice is the same payment, so
    // pay_1 stays the older one.
    for payment in ["pay_1", "pay_2", "pay_1"] {
        assert_eq!(till.paid(payment, &second).await.problem(), problem(409, "sold_out", None));
    }
    assert_eq!(till.paid("pay_a", &second).await.problem(), problem(409, "payment_mismatch", None));
    assert_eq!(till.tell("pay_0", "paid", 24, &second).await.problem(), problem(409, "payment_mismatch", None));
    assert_eq!(till.tell("pay_3", "failed", 25, &first).await.problem(), problem(409, "order_not_pending", None));
    till.limit("9").await;
    till.approve(&second);
    let unsettled = [row("pay_0", &second, "payment_mismatch"), row("pay_2", &second, "sold_out")];
    assert_eq!(till.listed(&["--unsettled"]), unsettled);
    let all = till.listed(&[]);
    let settled: Vec<_> = all.into_iter().filter(|(.., result)| result == "settled").collect();
    assert_eq!(settled, [row("pay_1", &second, "settled"), row("pay_a", &first, "settled")]);
    // Repeated notices of both settled payments get their orders, and the buyer's second payment is still listed.
    assert_eq!(till.paid("pay_a", &first).await.json()["order_id"], first["order"]["id"]);
    assert_eq!(till.paid("pay_1", &second).await.json()["order_id"], second["order"]["id"]);
    assert_eq!(till.paid("pay_2", &second).await.problem(), problem(409, "order_not_pending", None));
    assert_eq!(till.listed(&["--unsettled"]).len(), 2);
    assert_eq!(till.world.findings().await, []);
}

async fn a_payment_told_of_for_two_orders_settles_one(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second, third) = (till.order("a").await, till.order("b").await, till.order("c").await);
    till.limit("1").await;
    assert_eq!(till.paid("pay_a", &first).await.status, 200);
    for order in [&second, &third] {
        assert_eq!(till.paid("pay_both", order).await.problem(), problem(409, "sold_out", None));
    }
    till.limit("9").await;
    // Staff give out tickets for both orders, but there is only one payment. It has paid for the first of them.
    till.approve(&second);
    till.approve(&third);
    assert_eq!(till.listed(&["--unsettled"]), []);
    assert!(till.listed(&[]).contains(&row("pay_both", &third, "settled_elsewhere")));
    assert_eq!(till.paid("pay_both", &second).await.json()["status"], "approved");
    // A processor that insists changes nothing: the money has paid for an order.
    assert_eq!(till.paid("pay_both", &third).await.problem(), problem(409, "payment_mismatch", None));
    assert_eq!(till.listed(&["--unsettled"]), []);
    let refused = till.command(&["payment", "paid-back", "pay_both", "--note", "no"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(payment_settled)"), "{refused:?}");
    assert_eq!(till.paid("pay_both", &second).await.json()["status"], "approved");
    assert_eq!(till.world.findings().await, []);
}

async fn money_that_paid_for_one_order_settles_no_other_that_staff_approve(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    assert_eq!(till.paid("pay_a", &first).await.json()["status"], "approved");
    assert_eq!(till.paid("pay_a", &second).await.problem(), problem(409, "payment_mismatch", None));
    till.approve(&second);
    assert_eq!(till.listed(&[]), {
        let mut rows = [row("pay_a", &first, "settled"), row("pay_a", &second, "settled_elsewhere")];
        rows.sort();
        rows
    });
    assert_eq!(till.world.findings().await, []);
}

/// The same when both are decided in one move: two approvals, and an approval and a notice.
#[test]
fn money_pays_for_one_order_of_a_group() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        run_in_one_thread(engine, async |world: World| {
            let till = Till::open(world, 9).await;
            let mut orders = Vec::new();
            for key in ["a", "b", "c", "d"] {
                orders.push(till.order(key).await);
            }
            till.limit("0").await;
            for (payment, order) in [("pay_1", 0), ("pay_1", 1), ("pay_2", 2)] {
                assert_eq!(till.paid(payment, &orders[order]).await.problem(), problem(409, "sold_out", None));
            }
            till.limit("9").await;
            let store = Store::open(&till.world.address, Open::Existing).await.unwrap();
            let queue = Queue::new(store, till.world.time(), 2 * PATIENCE, Default::default());
            let id = |order: usize| orders[order]["order"]["id"].as_str().unwrap().to_owned();
            let approve = |order| Request::approve(id(order), PastHolds::No);
            let notice = Payment {
                id: "pay_2".into(),
                reference: orders[3]["reference"].as_str().unwrap().to_owned(),
                order_id: Some(id(3)),
                fault: None,
                outcome: PaymentOutcome::Paid,
                amount: 25,
                currency: "EUR".into(),
            };
            // The queue begins to work when this thread waits, so all of these are in its first group.
            let requests = [approve(0), approve(1), approve(2), Request::settle(notice)];
            let asked = requests.map(|request| queue.ask(till.producer.tenant, request));
            let answers: Vec<_> = join_all(asked)
                .await
                .into_iter()
                .map(|answer| answer.map(|_| ()).map_err(|error| code(&error)))
                .collect();
            assert_eq!(answers, [Ok(()), Ok(()), Ok(()), Err("payment_mismatch")]);
            let settled: Vec<_> = till.listed(&[]).into_iter().filter(|(.., result)| result == "settled").collect();
            assert_eq!(settled, [row("pay_1", &orders[0], "settled"), row("pay_2", &orders[2], "settled")]);
            assert_eq!(till.world.findings().await, []);
        });
    }
}

async fn a_payment_for_a_rejected_order_stays_in_the_list(world: World) {
    let till = Till::open(world, 9).await;
    let order = till.order("a").await;
    assert_eq!(till.tell("pay_1", "failed", 25, &order).await.json()["status"], "rejected");
    assert_eq!(till.paid("pay_1", &order).await.problem(), problem(409, "order_not_pending", None));
    let refused = till.command(&["order", "approve", order["order"]["id"].as_str().unwrap()]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(order_not_pending)"), "{refused:?}");
    assert_eq!(till.listed(&["--unsettled"]), [row("pay_1", &order, "order_not_pending")]);
    assert_eq!(till.world.findings().await, []);
}

/// A payment as `payment list --unsettled --json` shows it.
pub fn needing(till: &Till) -> Vec<Value> {
    serde_json::from_slice(&till.command(&["payment", "list", "--unsettled"]).stdout).unwrap()
}

async fn money_for_an_order_that_nobody_knows_is_kept(world: World) {
    let till = Till::open(world, 9).await;
    let other = till.world.producer("pr_b").await;
    till.world.import(other.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let body = cart("tt", 1);
    let foreign = till.world.client.post("/shop/v1/pr_b/events/ev/orders", &[("idempotency-key", "b")], &body).await;
    let references = [
        foreign.json()["reference"].as_str().unwrap().to_owned(),
        "1-00000000000000000000000000".to_owned(),
        "invoice 7".to_owned(),
        "\u{1b}[2J\u{202e}".to_owned() + &"x".repeat(500),
        String::new(),
    ];
    for (number, reference) in references.iter().enumerate() {
        let told = json!({"reference": reference});
        let id = format!("pay_{number}");
        for _ in 0..2 {
            assert_eq!(till.paid(&id, &told).await.problem(), problem(404, "not_found", None), "{reference}");
        }
        // Money that was not paid is nobody's business.
        assert_eq!(
            till.tell(&format!("no_{id}"), "failed", 25, &told).await.problem(),
            problem(404, "not_found", None)
        );
    }
    let kept = needing(&till);
    assert_eq!(kept.len(), references.len());
    for (kept, (number, reference)) in kept.iter().zip(references.iter().enumerate()) {
        assert_eq!((&kept["id"], &kept["result"]), (&json!(format!("pay_{number}")), &json!("not_found")));
        assert_eq!((&kept["amount"], &kept["currency"], &kept["order_id"]), (&json!(25), &json!("EUR"), &Value::Null));
        let shown = kept["reference"].as_str().unwrap();
        assert!(number == 3 || shown == reference, "{shown}");
        assert!(shown.chars().count() <= 128 && !shown.chars().any(char::is_control), "{shown}");
    }
    // A notice that is itself wrong is money all the same.
    let order = till.order("a").await;
    for (id, currency) in [("", "EUR"), ("pay\n9", "EUR"), ("pay_x", "Euro"), (&"y".repeat(300), "EUR")] {
        let notice = json!({"payment_id": id, "reference": order["reference"], "status": "paid", "amount": 25, "currency": currency});
        let refused = pay(&till.world, &notice, &till.secret, 0).await;
        assert_eq!((refused.status.as_u16(), refused.problem().1), (400, "invalid_body".to_owned()), "{id}");
    }
    for wrong in [
        json!({"amount": 25.5}),
        json!({"amount": -25}),
        json!({"amount": "25"}),
        json!({"extra": 1}),
        json!({"payment_id": 7}),
    ] {
        let number = wrong.to_string();
        let notice = json!({"payment_id": number, "reference": order["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
        let refused = pay(&till.world, &with(notice, wrong), &till.secret, 0).await;
        assert_eq!((refused.status.as_u16(), refused.problem().1), (400, "invalid_body".to_owned()), "{number}");
    }
    for nothing in [json!({"status": "failed", "amount": 25.5}), json!({"status": 1}), json!({})] {
        assert_eq!(pay(&till.world, &nothing, &till.secret, 0).await.status, 400);
    }
    let kept = needing(&till);
    let faulty: Vec<&Value> = kept.iter().filter(|kept| kept["result"] == "invalid_body").collect();
    assert_eq!(faulty.len(), 9, "{kept:?}");
    assert!(faulty.iter().any(|kept| kept["id"] == "7" && kept["amount"] == 25));
    // An approval by hand settles none of them: their ids, amounts and currencies cannot be relied on.
    till.approve(&order);
    assert_eq!(needing(&till).len(), kept.len());
    // Nothing of this was the other producer's.
    let theirs =
        taquilla(&till.world.address).args(["payment", "list", "--producer", "pr_b", "--json"]).output().unwrap();
    assert_eq!(theirs.stdout, b"[]\n");
    assert_eq!(till.world.findings().await, []);
}

async fn a_payment_refused_for_one_order_settles_another(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    assert_eq!(till.paid("pay_1", &json!({"reference": "typo"})).await.problem(), problem(404, "not_found", None));
    till.command(&["order", "reject", first["order"]["id"].as_str().unwrap()]);
    assert_eq!(till.paid("pay_1", &first).await.problem(), problem(409, "order_not_pending", None));
    // Another amount with this id is other money: somebody has to look.
    assert_eq!(till.tell("pay_1", "paid", 99, &json!({"reference": "other"})).await.status, 404);
    // Each is listed once, as it was told of last.
    let listed = till.listed(&["--unsettled"]);
    assert!(listed.len() == 2 && listed.contains(&row("pay_1", &first, "order_not_pending")), "{listed:?}");
    assert_eq!(till.paid("pay_1", &second).await.json()["status"], "approved");
    let left = needing(&till);
    assert_eq!((left.len(), &left[0]["amount"]), (1, &json!(99)), "{left:?}");
    assert_eq!(till.world.findings().await, []);
}

async fn what_was_paid_back_pays_for_nothing(world: World) {
    let till = Till::open(world, 9).await;
    let order = till.order("a").await;
    till.limit("0").await;
    assert_eq!(till.paid("pay_1", &order).await.problem(), problem(409, "sold_out", None));
    till.paid_back("pay_1", "by bank transfer, 2 November");
    assert_eq!(till.listed(&["--unsettled"]), []);
    let all: Vec<Value> = serde_json::from_slice(&till.command(&["payment", "list"]).stdout).unwrap();
    assert_eq!((&all[0]["note"], all[0]["paid_back_at"].is_string()), (&json!("by bank transfer, 2 November"), true));
    assert_eq!((&all[0]["result"], &all[0]["needs"]), (&json!("sold_out"), &Value::Null));
    // The processor repeats itself, and there is stock again: no tickets for money that the buyer has back.
    till.limit("9").await;
    assert_eq!(till.paid("pay_1", &order).await.problem(), problem(409, "payment_paid_back", None));
    assert_eq!(till.listed(&["--unsettled"]), []);
    till.approve(&order);
    let shown = till.command(&["order", "show", order["order"]["id"].as_str().unwrap()]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["payment_id"], Value::Null, "staff gave it for nothing");
    // What has paid for an order is refunded with it.
    let other = till.order("b").await;
    assert_eq!(till.paid("pay_2", &other).await.status, 200);
    let refused = till.command(&["payment", "paid-back", "pay_2", "--note", "no"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(payment_settled)"), "{refused:?}");
    till.command(&["order", "refund", other["order"]["id"].as_str().unwrap()]);
    till.paid_back("pay_2", "refunded");
    let unknown = till.command(&["payment", "paid-back", "pay_9", "--note", "no"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("(not_found)"), "{unknown:?}");
    for note in ["", " ", "a\nb"] {
        assert_eq!(till.command(&["payment", "paid-back", "pay_1", "--note", note]).status.code(), Some(2), "{note:?}");
    }
    assert_eq!(till.world.findings().await, []);
}

async fn what_needs_a_person_comes_oldest_first_and_says_why(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    assert_eq!(till.tell("z_less", "paid", 24, &first).await.status, 409);
    assert_eq!(till.paid("y_fine", &first).await.status, 200);
    assert_eq!(till.paid("x_again", &first).await.status, 409);
    till.limit("1").await;
    assert_eq!(till.paid("w_gone", &second).await.status, 409);
    assert_eq!(till.paid("a_lost", &json!({"reference": "typo"})).await.status, 404);
    let kept = needing(&till);
    let shown: Vec<(&str, &str)> =
        kept.iter().map(|kept| (kept["id"].as_str().unwrap(), kept["needs"].as_str().unwrap())).collect();
    let expected = [
        ("z_less", "not what the order costs: pay back"),
        ("x_again", "order already decided: pay back"),
        ("w_gone", "sold out: pay back, or add stock and approve"),
        ("a_lost", "no order has its reference: pay back"),
    ];
    assert_eq!(shown, expected);
    let table = taquilla(&till.world.address).args(["payment", "list", "--producer", "pr_a"]).output().unwrap();
    let table = String::from_utf8(table.stdout).unwrap();
    let lines: Vec<&str> = table.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(lines, ["payment", "z_less", "y_fine", "x_again", "w_gone", "a_lost"]);
    assert!(table.contains("y_fine   25 EUR  nothing: settled"), "{table}");
}

async fn a_replaced_secret_signs_for_as_long_as_said(world: World) {
    let till = Till::open(world, 99).await;
    let orders = [till.order("a").await, till.order("b").await, till.order("c").await, till.order("d").await];
    let mut number = 0;
    let mut tell = async |secret: &str, order: &Value| {
        number += 1;
        let notice = json!({"payment_id": format!("pay_{number}"), "reference": order["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
        pay(&till.world, &notice, secret, 0).await.status.as_u16()
    };
    let new = till.world.connect_processor(&till.producer).await;
    assert_eq!(tell(&till.secret, &orders[0]).await, 200, "the one before");
    assert_eq!(tell(&new, &orders[1]).await, 200);
    till.world.step(PAYMENT_SECRET_OVERLAP - std::time::Duration::from_secs(1));
    assert_eq!(tell(&till.secret, &orders[2]).await, 200);
    till.world.step(std::time::Duration::from_secs(1));
    assert_eq!(tell(&till.secret, &orders[3]).await, 401, "its time is over");
    assert_eq!(tell(&new, &orders[3]).await, 200);
    // The command says until when, and ends them at once if it must.
    let connected = till.command(&["payment", "connect"]);
    let connected: Value = serde_json::from_slice(&connected.stdout).unwrap();
    assert!(connected["previous_valid_until"].is_string(), "{connected}");
    let connected = till.command(&["payment", "connect", "--at-once"]);
    let connected: Value = serde_json::from_slice(&connected.stdout).unwrap();
    assert_eq!(connected["previous_valid_until"], Value::Null);
    assert_eq!(tell(&new, &orders[3]).await, 401);
    assert_eq!(tell(connected["secret"].as_str().unwrap(), &orders[3]).await, 409, "signed, and the order is decided");
}
