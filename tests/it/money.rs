//! Money is in one place: it has paid for one order, was paid back, or is listed once. And what a refund owes is listed
//! until it is paid back.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::role::BuiltInRole;

use crate::{
    harness::{Staff, World, order, pay, problem, ticket, until, with},
    payments::{Till, needing, row},
};

both_engines![
    a_repeated_notice_never_reopens_money,
    money_that_was_paid_back_settles_no_order_that_staff_approve,
    notices_that_cannot_be_kept_whole_are_kept_apart,
    a_payment_after_an_approval_by_hand_settles_the_order,
    the_page_of_a_payment_offers_what_fits,
    a_payment_settles_an_order_once_whoever_asks,
    what_a_refund_owes_is_listed_until_it_is_paid_back,
    money_that_came_after_an_approval_by_hand_is_owed_once,
    refunding_all_orders_lists_what_each_has_paid,
];

const PAGE: &str = "/dashboard/p/pr_a";

fn id(order: &Value) -> &str {
    order["order"]["id"].as_str().unwrap()
}

/// The code that a command was refused with.
fn refused(till: &Till, arguments: &[&str]) -> String {
    let output = till.command(arguments);
    assert!(!output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    text.rsplit_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or(text.clone(), |(code, _)| code.to_owned())
}

fn done(till: &Till, arguments: &[&str]) -> Value {
    let output = till.command(arguments);
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn ana(till: &Till) -> Staff {
    till.world.staff(till.producer.tenant, "ana@x.example", BuiltInRole::Administrator).await
}

async fn a_repeated_notice_never_reopens_money(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second, third) = (till.order("a").await, till.order("b").await, till.order("c").await);
    done(&till, &["order", "reject", id(&first)]);
    assert_eq!(till.paid("pay_1", &first).await.problem(), problem(409, "order_not_pending", None));
    assert_eq!(till.paid("pay_1", &second).await.json()["status"], "approved");
    // The processor repeats the notice that was refused, and tells of the money for an order that it never named.
    for order in [&first, &third, &first] {
        till.paid("pay_1", order).await;
        assert_eq!(till.listed(&["--unsettled"]), []);
    }
    assert!(till.listed(&[]).contains(&row("pay_1", &third, "settled_elsewhere")));
    assert_eq!(refused(&till, &["payment", "paid-back", "pay_1", "--note", "no"]), "payment_settled");
    // The order that it never paid for is not approved with it either.
    till.approve(&third);
    assert_eq!(done(&till, &["order", "show", id(&third)])["payment_id"], Value::Null);
    assert_eq!(till.world.findings().await, []);
}

async fn money_that_was_paid_back_settles_no_order_that_staff_approve(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    done(&till, &["order", "reject", id(&first)]);
    assert_eq!(till.paid("pay_1", &first).await.status, 409);
    till.paid_back("pay_1", "by card");
    assert_eq!(till.paid("pay_1", &second).await.problem(), problem(409, "payment_paid_back", None));
    // It went back, so nobody has to look at it again, whatever it is told of for.
    assert_eq!(till.listed(&["--unsettled"]), []);
    till.approve(&second);
    assert_eq!(done(&till, &["order", "show", id(&second)])["payment_id"], Value::Null);
    assert!(!till.listed(&[]).iter().any(|(.., result)| result == "settled"), "{:?}", till.listed(&[]));
    assert_eq!(refused(&till, &["payment", "settle", "pay_1", "--order", id(&second)]), "payment_paid_back");
    // Another amount is other money.
    assert_eq!(till.tell("pay_1", "paid", 99, &json!({"reference": "other"})).await.status, 404);
    assert_eq!(needing(&till).iter().map(|kept| kept["amount"].clone()).collect::<Vec<_>>(), [json!(99)]);
    assert_eq!(till.world.findings().await, []);
}

async fn notices_that_cannot_be_kept_whole_are_kept_apart(world: World) {
    let till = Till::open(world, 9).await;
    let long = "x".repeat(200);
    let mut notices = Vec::new();
    for amount in [25, 30] {
        for payment in [json!(null), json!(""), json!(format!("{long}{amount}")), json!({"id": 1}), json!("a\u{1b}b")] {
            let mut notice = json!({"reference": "r", "status": "paid", "amount": amount, "currency": "EUR"});
            if !payment.is_null() {
                notice["payment_id"] = payment;
            }
            notices.push(notice);
        }
    }
    notices.push(json!({"payment_id": "pay_poor", "reference": "r", "status": "paid", "amount": 7}));
    for _ in 0..2 {
        for notice in &notices {
            assert_eq!(pay(&till.world, notice, &till.secret, 0).await.status, 400, "{notice}");
        }
    }
    let kept = needing(&till);
    assert_eq!(kept.len(), notices.len(), "a row for each, however often it was told: {kept:#?}");
    for (notice, kept) in notices.iter().zip(&kept) {
        assert_eq!(notice["amount"], kept["amount"], "{kept}");
        assert!(kept["id"].as_str().unwrap().chars().count() <= 128);
    }
    assert!(kept[2]["id"].as_str().unwrap().starts_with("xxxx"), "what can be read of an id is there: {}", kept[2]);
    // Each can be dealt with by its id, and all of them are in the file, also the one without a currency.
    let ana = ana(&till).await;
    let file = ana.get(&format!("{PAGE}/exports/payments.jsonl")).await.text;
    let told: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.len(), notices.len(), "{file}");
    assert!(told.iter().any(|row| row["id"] == "pay_poor" && row["currency"] == ""), "{file}");
    for kept in &kept {
        till.paid_back(kept["id"].as_str().unwrap(), "back");
    }
    assert_eq!(till.listed(&["--unsettled"]), []);
    assert_eq!(till.world.findings().await, []);
}

async fn a_payment_after_an_approval_by_hand_settles_the_order(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    till.approve(&first);
    till.approve(&second);
    assert_eq!(till.paid("pay_1", &first).await.problem(), problem(409, "order_not_pending", None));
    assert_eq!(till.paid("pay_2", &second).await.status, 409);
    assert_eq!(needing(&till)[0]["needs"], "you approved the order: settle it, or pay back");
    let tickets = till.world.raw().await.rows("SELECT count(*) FROM tickets").await;
    let settled = done(&till, &["payment", "settle", "pay_1", "--order", id(&first)]);
    assert_eq!((&settled["status"], &settled["payment_id"]), (&json!("approved"), &json!("pay_1")));
    assert_eq!(till.listed(&["--unsettled"]), [row("pay_2", &second, "order_not_pending")]);
    // The same notice again gets the order, and the API and webhooks tell of the payment.
    assert_eq!(till.paid("pay_1", &first).await.json()["order_id"], first["order"]["id"]);
    let shown = till.world.client.get(&format!("/api/v1/orders/{}", id(&first)), &till.producer.key).await.json();
    assert_eq!(shown["payment_id"], "pay_1");
    let told = "SELECT data FROM outbox WHERE kind = 'order.approved' ORDER BY seq DESC LIMIT 1";
    let told: Value = serde_json::from_str(&till.world.raw().await.rows(told).await[0][0]).unwrap();
    assert_eq!(
        (&told["id"], &told["payment_id"], &told["updated_at"]),
        (&shown["id"], &json!("pay_1"), &shown["updated_at"])
    );
    // In the dashboard the same, and nothing was issued again.
    let ana = ana(&till).await;
    let page = ana.get(&format!("{PAGE}/payments/one?payment=pay_2")).await.text;
    assert!(page.contains("Settle the order with this payment") && !page.contains("Approve the order with"), "{page}");
    let fields = [("payment", "pay_2"), ("order", id(&second))];
    assert_eq!(
        ana.post(&format!("{PAGE}/payments/settle"), &fields).await.leads_to(),
        format!("{PAGE}/payments/open?done=payment-used")
    );
    assert_eq!(till.listed(&["--unsettled"]), []);
    assert_eq!(till.world.raw().await.rows("SELECT count(*) FROM tickets").await, tickets);
    let noted = till.world.raw().await.rows("SELECT actor, subject FROM audit WHERE action = 'order.settled'").await;
    assert!(noted.contains(&vec!["ana@x.example".to_owned(), id(&second).to_owned()]), "{noted:?}");
    assert_eq!(till.world.findings().await, []);
}

async fn the_page_of_a_payment_offers_what_fits(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    assert_eq!(till.tell("pay_less", "paid", 24, &first).await.problem(), problem(409, "payment_mismatch", None));
    assert_eq!(till.paid("pay_lost", &json!({"reference": "typo"})).await.status, 404);
    let ana = ana(&till).await;
    let of = |payment: &str| format!("{PAGE}/payments/one?payment={payment}");
    let (open, settle) = (format!("{PAGE}/payments/open"), format!("{PAGE}/payments/settle"));
    assert!(ana.get(&open).await.text.contains(&of("pay_less")));
    // The order's page leads there, and the payment's page says what each act does.
    let shown = ana.get(&format!("{PAGE}/orders/{}", id(&first))).await.text;
    assert!(shown.contains(&of("pay_less")) && shown.contains("pays for nothing yet"), "{shown}");
    let page = ana.get(&of("pay_less")).await.text;
    for part in [
        "Approve the order with this payment",
        "€24",
        "€25",
        "is not what the order costs",
        "Settle another order",
        "Mark as paid back",
    ] {
        assert!(page.contains(part), "{part} is in {page}");
    }
    let lost = ana.get(&of("pay_lost")).await.text;
    assert!(!lost.contains("Approve the order with") && lost.contains("Settle another order"), "{lost}");
    // Approving from the payment settles the payment.
    let answer = ana.post(&settle, &[("payment", "pay_less"), ("order", id(&first))]).await;
    assert_eq!(answer.leads_to(), format!("{open}?done=payment-used"));
    assert!(ana.get(&format!("{open}?done=payment-used")).await.text.contains("is settled with the payment"));
    assert!(till.listed(&[]).contains(&row("pay_less", &first, "settled")));
    let order = done(&till, &["order", "show", id(&first)]);
    assert_eq!((&order["status"], &order["payment_id"]), (&json!("approved"), &json!("pay_less")));
    // Money that named no order settles the one that staff say, and mistakes are said beside the field.
    for (order, says) in [("or_none", "There is no order with this id"), (id(&first), "Another payment has paid")] {
        let wrong = ana.post(&settle, &[("payment", "pay_lost"), ("order", order)]).await;
        assert_eq!(wrong.status, 422);
        assert!(wrong.text.contains(says), "{}", wrong.text);
    }
    let answer = ana.post(&settle, &[("payment", "pay_lost"), ("order", id(&second))]).await;
    assert_eq!(answer.leads_to(), format!("{open}?done=payment-used"));
    assert_eq!(till.listed(&["--unsettled"]), []);
    assert!(till.listed(&[]).contains(&row("pay_lost", &second, "settled")));
    // Somebody was quicker.
    let again = ana.post(&settle, &[("payment", "pay_lost"), ("order", id(&second))]).await;
    assert_eq!(again.leads_to(), format!("{open}?done=payment-settled"));
    assert_eq!(ana.get(&of("pay_lost")).await.status, 404);
    assert_eq!(ana.post(&settle, &[("payment", "none"), ("order", id(&second))]).await.status, 404);
    // Told of again for its wrong reference, it stays where it is.
    assert_eq!(till.paid("pay_lost", &json!({"reference": "typo"})).await.status, 404);
    assert_eq!(till.listed(&["--unsettled"]), []);
    assert_eq!(till.world.findings().await, []);
}

async fn a_payment_settles_an_order_once_whoever_asks(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second, third) = (till.order("a").await, till.order("b").await, till.order("c").await);
    assert_eq!(till.paid("pay_1", &json!({"reference": "typo"})).await.status, 404);
    assert_eq!(till.paid("pay_2", &json!({"reference": "typo"})).await.status, 404);
    let settle = |payment: &'static str, order: &str| refused(&till, &["payment", "settle", payment, "--order", order]);
    assert_eq!(settle("pay_1", "or_none"), "not_found");
    assert_eq!(settle("pay_9", id(&first)), "not_found");
    done(&till, &["payment", "settle", "pay_1", "--order", id(&first)]);
    assert_eq!(settle("pay_1", id(&first)), "payment_settled");
    assert_eq!(settle("pay_1", id(&second)), "payment_settled");
    assert_eq!(settle("pay_2", id(&first)), "order_paid");
    done(&till, &["order", "reject", id(&third)]);
    assert_eq!(settle("pay_2", id(&third)), "order_not_pending");
    // What is sold out stays so, and the payment stays listed.
    till.limit("1").await;
    assert_eq!(settle("pay_2", id(&second)), "sold_out");
    assert_eq!(needing(&till).len(), 1);
    till.limit("9").await;
    done(&till, &["payment", "settle", "pay_2", "--order", id(&second)]);
    assert_eq!(till.listed(&["--unsettled"]), []);
    assert_eq!(till.world.findings().await, []);
}

fn owed(till: &Till) -> Vec<(String, i64, Value)> {
    let rows = done(till, &["order", "owed"]);
    let row = |row: &Value| {
        (row["order_id"].as_str().unwrap().to_owned(), row["amount"].as_i64().unwrap(), row["payment_id"].clone())
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

async fn what_a_refund_owes_is_listed_until_it_is_paid_back(world: World) {
    let till = Till::open(world, 9).await;
    let (paid, less, cash, kept) =
        (till.order("a").await, till.order("b").await, till.order("c").await, till.order("d").await);
    assert_eq!(till.paid("pay_1", &paid).await.status, 200);
    assert_eq!(till.tell("pay_2", "paid", 24, &less).await.status, 409);
    done(&till, &["payment", "settle", "pay_2", "--order", id(&less)]);
    till.approve(&cash);
    assert_eq!(till.paid("pay_3", &kept).await.status, 200);
    let ana = ana(&till).await;
    // The page says that no money moves and, for an order with a ticket that is inside, that it is.
    let page = format!("{PAGE}/orders/{}/refund", id(&paid));
    let before = ana.get(&page).await.text;
    assert!(
        before.contains("No money moves") && before.contains(">€25<") && !before.contains("has entered"),
        "{before}"
    );
    let code =
        &till.world.raw().await.rows(&format!("SELECT id FROM tickets WHERE order_id = '{}'", id(&paid))).await[0][0];
    let (token, _) = till.world.door(till.producer.tenant, "ev", taquilla_domain::status::Category::ALL).await;
    let scan = json!({"code": code, "scan_id": "scan_1", "station": "North"});
    let bearer = format!("Bearer {token}");
    assert_eq!(till.world.client.post("/door/v1/scan", &[("authorization", &bearer)], &scan).await.status, 200);
    let before = ana.get(&page).await.text;
    assert!(before.contains("One ticket of this order has entered already"), "{before}");
    assert!(ana.get(&format!("{PAGE}/orders/{}/refund", id(&less))).await.text.contains(">€24<"));

    ana.post(&page, &[]).await.leads_to();
    till.world.step(Duration::from_secs(1));
    let said = crate::harness::taquilla(&till.world.address)
        .args(["order", "refund", id(&less), "--producer", "pr_a"])
        .output()
        .unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("24 EUR. No money was moved") && !said.contains("entered"), "{said}");
    done(&till, &["order", "refund", id(&cash)]);
    let expected = [
        (id(&paid).to_owned(), 25, json!("pay_1")),
        (id(&less).to_owned(), 24, json!("pay_2")),
        (id(&cash).to_owned(), 25, Value::Null),
    ];
    assert_eq!(owed(&till), expected);
    // The dashboard has the same list, and the overview says that something waits.
    let list = ana.get(&format!("{PAGE}/payments/owed")).await.text;
    assert!(expected.iter().all(|(order, ..)| list.contains(order)) && !list.contains(id(&kept)), "{list}");
    assert!(ana.get(PAGE).await.text.contains("refunds are to be paid back"));
    assert!(ana.get(&format!("{PAGE}/orders/{}", id(&cash))).await.text.contains("not paid back yet"));
    // Marked by the order, in the dashboard; the payment that settled it is paid back with it.
    let mark = format!("{PAGE}/payments/owed/paid-back");
    assert!(ana.get(&format!("{mark}?order={}", id(&paid))).await.text.contains(">€25<"));
    assert_eq!(ana.post(&mark, &[("order", id(&paid)), ("note", " ")]).await.status, 422);
    let fields = [("order", id(&paid)), ("note", "By card")];
    assert_eq!(ana.post(&mark, &fields).await.leads_to(), format!("{PAGE}/payments/owed?done=owed-paid-back"));
    assert_eq!(ana.get(&format!("{mark}?order={}", id(&paid))).await.status, 404);
    let rows = "SELECT id FROM payments WHERE paid_back_at IS NOT NULL AND note = 'By card'";
    assert_eq!(till.world.raw().await.rows(rows).await, [["pay_1"]]);
    // Marked by its payment, and at the command line.
    till.paid_back("pay_2", "By transfer");
    assert_eq!(owed(&till), expected[2..]);
    done(&till, &["order", "paid-back", id(&cash), "--note", "In cash"]);
    assert_eq!(owed(&till), []);
    assert!(ana.get(&format!("{PAGE}/payments/owed")).await.text.contains("Nothing is to be paid back"));
    for order in [id(&kept), "or_none"] {
        assert_eq!(refused(&till, &["order", "paid-back", order, "--note", "no"]), "not_found");
        assert_eq!(ana.post(&mark, &[("order", order), ("note", "no")]).await.status, 404);
    }
    assert_eq!(till.world.findings().await, []);
}

async fn money_that_came_after_an_approval_by_hand_is_owed_once(world: World) {
    let till = Till::open(world, 9).await;
    let order = till.order("a").await;
    till.approve(&order);
    assert_eq!(till.paid("pay_1", &order).await.problem(), problem(409, "order_not_pending", None));
    assert_eq!(till.listed(&["--unsettled"]).len(), 1);
    done(&till, &["order", "refund", id(&order)]);
    assert_eq!(owed(&till), [(id(&order).to_owned(), 25, json!("pay_1"))]);
    assert_eq!(till.listed(&["--unsettled"]), []);
    done(&till, &["order", "paid-back", id(&order), "--note", "by transfer"]);
    assert_eq!(owed(&till), []);
    assert_eq!(till.world.findings().await, []);
}

async fn refunding_all_orders_lists_what_each_has_paid(world: World) {
    let till = Till::open(world, 9).await;
    let paid = till.order("a").await;
    assert_eq!(till.paid("pay_1", &paid).await.status, 200);
    // One that was imported as paid, and one that was free.
    let imported = |id: &str, price: i64| {
        let items = json!([{"ticket_type_id": "tt", "quantity": 1, "unit_price": price}]);
        let order = with(order(id, "ev", "tt"), json!({"status": "approved", "items": items}));
        [order, with(ticket(&format!("T-{id}"), "ev", "tt"), json!({"order_id": id}))]
    };
    till.world.import(till.producer.tenant, &[imported("or_old", 10), imported("or_free", 0)].concat()).await;
    till.world.raw().await.batch("UPDATE events SET status = 'cancelled'").await;
    let ana = ana(&till).await;
    assert!(ana.get(&format!("{PAGE}/events/ev/refund")).await.text.contains("To be paid back"));
    let path = ana.post(&format!("{PAGE}/events/ev/refund"), &[]).await.leads_to().to_owned();
    assert!(until(async || ana.get(&path).await.text.contains("work-is-done")).await);
    let mut found = owed(&till);
    found.sort_by_key(|(_, amount, _)| *amount);
    assert_eq!(found, [("or_old".to_owned(), 10, Value::Null), (id(&paid).to_owned(), 25, json!("pay_1"))]);
    assert_eq!(till.world.findings().await, []);
}
