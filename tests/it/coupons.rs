//! Coupons: what they take off, who may use them and how often, and what whoever guesses learns.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use taquilla_domain::{
    config::{COUPON_TRIES, COUPON_TRY_EVERY, COUPONS_MAX, HOLD, SURCHARGES_MAX},
    role::BuiltInRole,
};

use taquilla_store::{producers, sales::coupons as rows};

use crate::harness::{
    Answer, Client, Producer, World, cart, configured, event, pay, place, problem, taquilla, ticket_type, with,
    without_shop_limits,
};

both_engines![
    an_order_costs_less_to_the_unit,
    uses_are_held_and_given_back,
    one_buyer_may_use_it_so_often,
    what_cannot_be_used_is_one_answer,
    guessing_is_slowed_down,
    the_last_uses_are_given_away_once,
    staff_make_sell_with_and_end_coupons,
    a_file_brings_coupons_and_surcharges,
];

/// An event with an entrance for 25, a drink for 4 and a bundle of both for 27.
async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let inside = json!([{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 1}]);
    let lines = [
        event("ev"),
        with(ticket_type("tt", "ev"), json!({"max_per_order": 400})),
        with(ticket_type("tt_beer", "ev"), json!({"price": 4, "category": "merchandise", "max_per_order": 400})),
        with(ticket_type("bu", "ev"), json!({"kind": "bundle", "price": 27, "includes": inside})),
        event("ev_b"),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

/// Runs a command about the producer, and reads what it prints.
pub fn command(world: &World, args: &[&str]) -> Value {
    let ran = taquilla(&world.address).args(args).args(["--producer", "pr_a", "--json"]).output().unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).unwrap()
}

fn make(world: &World, code: &str, more: &[&str]) -> Value {
    let args = [&["coupon", "create", "--event", "ev", "--code", code], more].concat();
    command(world, &args)
}

/// An order of the shop with a coupon.
async fn order(world: &World, key: &str, coupon: &str, items: &[(&str, i64)], email: &str) -> Answer {
    order_at(&world.client, key, coupon, items, email).await
}

async fn order_at(client: &Client, key: &str, coupon: &str, items: &[(&str, i64)], email: &str) -> Answer {
    let items: Vec<Value> =
        items.iter().map(|(id, quantity)| json!({"ticket_type_id": id, "quantity": quantity})).collect();
    let body = json!({"buyer": {"name": "Ana", "email": email}, "items": items, "coupon": coupon});
    client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", key)], &body).await
}

/// Each line of an order: item, quantity, price of one, total.
pub fn lines(order: &Value) -> Vec<(String, i64, i64, i64)> {
    let items = order["items"].as_array().unwrap().iter();
    let number = |item: &Value, name: &str| item[name].as_i64().unwrap();
    let line = |item: &Value| {
        let id = item["ticket_type_id"].as_str().unwrap().to_owned();
        (id, number(item, "quantity"), number(item, "unit_price"), number(item, "total"))
    };
    items.map(line).collect()
}

fn line(id: &str, quantity: i64, unit_price: i64) -> (String, i64, i64, i64) {
    (id.to_owned(), quantity, unit_price, quantity * unit_price)
}

/// How often a coupon is used and held by the world's clock, and what it took off, by its code. A command has the machine's.
async fn uses(world: &World, code: &str) -> [i64; 3] {
    let mut conn = world.store.read().await.unwrap();
    let tenant = producers::find(&mut conn, "pr_a").await.unwrap().unwrap();
    let found = rows::of_event(&mut conn, tenant, "ev", 100).await.unwrap();
    let coupon = found.into_iter().find(|coupon| coupon.code == code).unwrap();
    [coupon.used, coupon.held, coupon.discount]
}

async fn an_order_costs_less_to_the_unit(world: World) {
    let producer = a_shop(&world).await;
    make(&world, "Summer", &["--percent", "10"]);
    make(&world, "TEN", &["--amount", "10"]);
    make(&world, "beer", &["--percent", "100", "--ticket-type", "tt_beer"]);
    make(&world, "ALL", &["--percent", "100"]);
    let placed = order(&world, "a", "  sUMMER ", &[("tt", 3), ("tt_beer", 2)], "a@x.example").await.json();
    let placed = &placed["order"];
    // 8.3 of 83 is 8: 7.23 and 0.77, so 7 and 1.
    assert_eq!(lines(placed), [line("tt", 1, 22), line("tt", 2, 23), line("tt_beer", 1, 3), line("tt_beer", 1, 4)]);
    assert_eq!((&placed["total"], &placed["discount"], &placed["coupon"]), (&json!(75), &json!(8), &json!("Summer")));
    assert!(
        placed["items"]
            .as_array()
            .unwrap()
            .iter()
            .all(|item| item["list_price"] != item["unit_price"] || item["unit_price"] == 4)
    );
    let ten = order(&world, "b", "ten", &[("bu", 1)], "b@x.example").await.json();
    assert_eq!(lines(&ten["order"]), [line("bu", 1, 17)]);
    let beer = order(&world, "c", "beer", &[("tt", 1), ("tt_beer", 3)], "c@x.example").await.json();
    assert_eq!(lines(&beer["order"]), [line("tt", 1, 25), line("tt_beer", 3, 0)]);
    // What costs nothing is approved at once.
    let all = order(&world, "d", "all", &[("tt", 2)], "d@x.example").await.json();
    assert_eq!((&all["order"]["status"], &all["order"]["total"]), (&json!("approved"), &json!(0)));
    assert_eq!(uses(&world, "ALL").await, [1, 0, 50]);
    // What the sale says of each item, and what the same body without a coupon costs.
    let sale = world.client.send(Method::GET, "/shop/v1/pr_a/events/ev?coupon=Summer", &[]).await.json();
    let prices = |sale: &Value| -> Vec<i64> {
        sale["items"].as_array().unwrap().iter().map(|item| item["unit_price"].as_i64().unwrap()).collect()
    };
    assert_eq!(prices(&sale), [24, 22, 4], "2.7 is 3, 2.5 is 3, 0.4 is nothing");
    let sale = world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.json();
    assert_eq!((prices(&sale), &sale["surcharges"]), (vec![27, 25, 4], &json!([])));
    // Attendees stay with their units when a line is split, and the tickets know their lines.
    let attendees: Vec<Value> = (1..=3).map(|number| json!({"name": format!("Guest {number}")})).collect();
    let body = json!({"buyer": {"name": "Ana", "email": "e@x.example"}, "coupon": "TEN",
        "items": [{"ticket_type_id": "tt", "quantity": 3, "attendees": attendees}]});
    let split = place(&world, "e", &body).await.json();
    assert_eq!(lines(&split["order"]), [line("tt", 1, 21), line("tt", 2, 22)]);
    let id = split["order"]["id"].as_str().unwrap();
    command(&world, &["order", "approve", id]);
    let mut tickets = world.client.get(&format!("/api/v1/tickets?order_id={id}"), &producer.key).await.data();
    tickets.sort_by_key(|ticket| ticket["attendee"]["name"].as_str().unwrap().to_owned());
    let held: Vec<(&str, i64)> = tickets
        .iter()
        .map(|ticket| (ticket["attendee"]["name"].as_str().unwrap(), ticket["order_item"].as_i64().unwrap()))
        .collect();
    assert_eq!(held, [("Guest 1", 0), ("Guest 2", 1), ("Guest 3", 1)]);
    // A single refund gives back what that ticket cost.
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let refund = ana.get(&format!("/dashboard/p/pr_a/orders/{id}/refund-tickets")).await;
    assert_eq!(refund.status, 200);
    let chosen = world
        .raw()
        .await
        .rows("SELECT CAST(issued_at AS TEXT) || '-' || CAST(seq AS TEXT) FROM tickets WHERE attendee_name = 'Guest 3'")
        .await;
    ana.post(&format!("/dashboard/p/pr_a/orders/{id}/refund-tickets"), &[("ticket", &chosen[0][0])]).await;
    let owed = world.raw().await.rows("SELECT amount FROM pay_backs").await;
    assert_eq!(owed, [["22"]], "of 65 that were paid");
    assert_eq!(uses(&world, "TEN").await, [1, 1, 10], "a refund of some tickets keeps the use");
    command(&world, &["order", "refund", id]);
    let owed = world.raw().await.rows("SELECT CAST(sum(amount) AS BIGINT) FROM pay_backs").await;
    assert_eq!(owed, [["65"]]);
    assert_eq!(uses(&world, "TEN").await, [0, 1, 0]);
    let file = ana.get("/dashboard/p/pr_a/exports/orders.csv").await.text;
    assert!(file.lines().any(|line| line.ends_with(",Summer,,8,,")), "{file}");
    assert_eq!(world.findings().await, []);
}

async fn uses_are_held_and_given_back(world: World) {
    let producer = a_shop(&world).await;
    let secret = world.connect_processor(&producer).await;
    make(&world, "ONE", &["--amount", "5", "--limit", "1"]);
    let refused = problem(409, "coupon_refused", None);
    let first = order(&world, "a", "one", &[("tt", 1)], "a@x.example").await.json();
    assert_eq!(uses(&world, "ONE").await, [0, 1, 0]);
    assert_eq!(order(&world, "b", "one", &[("tt", 1)], "b@x.example").await.problem(), refused, "it is held");
    // The first answer again, and another body under the same key.
    assert_eq!(order(&world, "a", "one", &[("tt", 1)], "a@x.example").await.json(), first);
    let other = order(&world, "a", "two", &[("tt", 1)], "a@x.example").await;
    assert_eq!(other.problem(), problem(422, "idempotency_mismatch", None));
    // A rejection gives it back.
    command(&world, &["order", "reject", first["order"]["id"].as_str().unwrap()]);
    let second = order(&world, "c", "one", &[("tt", 1)], "c@x.example").await.json();
    // The hold's end does so, too; whoever pays later pays in vain while another holds or has the use.
    world.step(HOLD + Duration::from_mins(1));
    let third = order(&world, "d", "one", &[("tt", 1)], "d@x.example").await.json();
    let notice = |id: &str, placed: &Value| json!({"payment_id": id, "reference": placed["reference"], "status": "paid", "amount": 20, "currency": "EUR"});
    let late = pay(&world, &notice("pay_2", &second), &secret, 0).await;
    assert_eq!(late.problem(), refused);
    assert_eq!(pay(&world, &notice("pay_3", &third), &secret, 0).await.status, 200);
    assert_eq!(uses(&world, "ONE").await, [1, 0, 5]);
    let again = pay(&world, &notice("pay_2b", &second), &secret, 0).await;
    assert_eq!(again.problem(), refused);
    let kept = world.raw().await.rows("SELECT result FROM payments WHERE id LIKE 'pay_2%'").await;
    assert_eq!(kept, [["coupon_refused"], ["coupon_refused"]], "the money is listed for staff");
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    assert!(ana.get("/dashboard/p/pr_a/payments/open").await.text.contains("pay_2b"));
    // A refund gives it back, and the late order can be settled.
    command(&world, &["order", "refund", third["order"]["id"].as_str().unwrap()]);
    assert_eq!(uses(&world, "ONE").await, [0, 0, 0]);
    command(&world, &["order", "approve", second["order"]["id"].as_str().unwrap()]);
    assert_eq!(uses(&world, "ONE").await, [1, 0, 5]);
    assert_eq!(world.findings().await, []);
}

async fn one_buyer_may_use_it_so_often(world: World) {
    let producer = a_shop(&world).await;
    make(&world, "EACH", &["--percent", "20", "--per-buyer", "1"]);
    let refused = problem(409, "coupon_refused", None);
    let first = order(&world, "a", "each", &[("tt", 1)], "Ana@x.example").await.json();
    assert_eq!(order(&world, "b", "each", &[("tt", 1)], "ana@X.example").await.problem(), refused, "in any case");
    assert_eq!(order(&world, "c", "each", &[("tt", 1)], "bea@x.example").await.status, 201);
    command(&world, &["order", "approve", first["order"]["id"].as_str().unwrap()]);
    assert_eq!(order(&world, "d", "each", &[("tt", 1)], "ana@x.example").await.problem(), refused);
    command(&world, &["order", "refund", first["order"]["id"].as_str().unwrap()]);
    assert_eq!(order(&world, "e", "each", &[("tt", 1)], "ana@x.example").await.status, 201);
    // Of somebody who is erased nothing is left to count, and the total stays.
    let ana = world.staff(producer.tenant, "boss@x.example", BuiltInRole::Administrator).await;
    let columns = world.raw().await.rows("SELECT count(*) FROM coupons WHERE code LIKE '%ana%'").await;
    assert_eq!(
        (ana.get("/dashboard/p/pr_a/events/ev/coupons").await.status, columns),
        (StatusCode::OK, vec![vec!["0".to_owned()]])
    );
    // The box office may sell to nobody in particular, as often as there are uses.
    for _ in 0..2 {
        let sell = [
            "order",
            "create",
            "--event",
            "ev",
            "--name",
            "Somebody",
            "--item",
            "tt=1",
            "--coupon",
            "EACH",
            "--approve",
        ];
        let sold = command(&world, &sell);
        assert_eq!(sold["order"]["total"], 20);
    }
    assert_eq!(world.findings().await, []);
}

async fn what_cannot_be_used_is_one_answer(world: World) {
    a_shop(&world).await;
    make(&world, "ended", &["--percent", "10"]);
    let listed = command(&world, &["coupon", "list", "--event", "ev"]);
    let ended = taquilla(&world.address).args(["coupon", "end", listed[0]["id"].as_str().unwrap(), "--json"]).output();
    let ended: Value = serde_json::from_slice(&ended.unwrap().stdout).unwrap();
    assert!(ended["ended_at"].is_string());
    make(&world, "later", &["--percent", "10", "--from", "2026-12-01T00:00:00Z"]);
    make(&world, "over", &["--percent", "10", "--until", "2026-11-01T12:00:00Z"]);
    make(&world, "beer", &["--percent", "10", "--ticket-type", "tt_beer"]);
    make(&world, "used up", &["--percent", "100", "--limit", "1"]);
    order(&world, "first", "used up", &[("tt", 1)], "a@x.example").await;
    let mut answers = Vec::new();
    for (number, code) in
        ["unknown", "ended", "later", "over", "beer", "used up", "x".repeat(600).as_str(), "\u{202e}", ""]
            .iter()
            .enumerate()
    {
        let answer = order(&world, &format!("k{number}"), code, &[("tt", 1)], "b@x.example").await;
        assert_eq!(answer.problem(), problem(409, "coupon_refused", None), "{code}");
        let mut told = answer.json();
        told["request_id"] = Value::Null;
        answers.push(told);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    for code in ["unknown", "ended", "later", "over", "used%20up"] {
        let asked = world.client.send(Method::GET, &format!("/shop/v1/pr_a/events/ev?coupon={code}"), &[]).await;
        assert_eq!(asked.problem(), problem(409, "coupon_refused", None), "{code}");
    }
    // Of another event it is as unknown. An item that is not there is told first.
    let body = with(cart("tt", 1), json!({"coupon": "later"}));
    let elsewhere = world.client.post("/shop/v1/pr_a/events/ev_b/orders", &[("idempotency-key", "z")], &body).await;
    assert_eq!(elsewhere.status, 400);
    // Its time begins to the microsecond, and the code is free again once it is ended.
    world.step(Duration::from_hours(24 * 30));
    assert_eq!(order(&world, "now", "later", &[("tt", 1)], "c@x.example").await.status, 201);
    make(&world, " ENDED ", &["--amount", "1"]);
    assert_eq!(order(&world, "again", "ended", &[("tt", 1)], "d@x.example").await.json()["order"]["total"], 24);
    // What makes no sense is refused with its field.
    for (args, said) in [
        (vec!["--code", "ended", "--percent", "1"], "code: another coupon of the event has this code"),
        (vec!["--code", "n", "--percent", "1", "--ticket-type", "tt_x"], "ticket_type: the event has no item tt_x"),
        (
            vec!["--code", "n", "--percent", "1", "--from", "2027-01-01", "--until", "2026-01-01"],
            "until: the end is not after",
        ),
        (vec!["--code", "n", "--percent", "101"], "from 1 to 100"),
        (vec!["--code", "n", "--amount", "0"], "at least 1"),
        (vec!["--code", "n"], "--percent"),
    ] {
        let ran = taquilla(&world.address)
            .args(["coupon", "create", "--producer", "pr_a", "--event", "ev"])
            .args(&args)
            .output();
        let ran = ran.unwrap();
        let text = String::from_utf8(ran.stderr).unwrap();
        assert!(!ran.status.success() && text.contains(said), "{args:?}: {text}");
    }
    assert_eq!(world.findings().await, []);
}

async fn guessing_is_slowed_down(world: World) {
    a_shop(&world).await;
    make(&world, "RIGHT", &["--percent", "10"]);
    let guess = async |number: u32| {
        order(&world, &format!("g{number}"), &format!("guess{number}"), &[("tt", 1)], "a@x.example").await
    };
    for number in 0..COUPON_TRIES {
        assert_eq!(guess(number).await.problem(), problem(409, "coupon_refused", None));
    }
    let limited = guess(COUPON_TRIES).await;
    assert_eq!((limited.status.as_u16(), limited.problem().1), (429, "rate_limited".to_owned()));
    // Nothing is compared then: the right code learns as little, wherever it is asked for. Others may order.
    assert_eq!(order(&world, "r1", "RIGHT", &[("tt", 1)], "b@x.example").await.status, 429);
    let asked = world.client.send(Method::GET, "/shop/v1/pr_a/events/ev?coupon=RIGHT", &[]).await;
    assert_eq!(asked.status, 429);
    assert_eq!(place(&world, "no coupon", &cart("tt", 1)).await.status, 201);
    world.step(COUPON_TRY_EVERY);
    assert_eq!(order(&world, "r2", "RIGHT", &[("tt", 1)], "b@x.example").await.status, 201, "a right one costs no try");
    assert_eq!(order(&world, "r3", "RIGHT", &[("tt", 1)], "c@x.example").await.status, 201);
    assert_eq!(guess(900).await.status, 409);
    assert_eq!(guess(901).await.status, 429);
}

async fn the_last_uses_are_given_away_once(world: World) {
    const BUYERS: usize = 60;
    const USES: usize = 7;
    a_shop(&world).await;
    make(&world, "FREE", &["--percent", "100", "--limit", &USES.to_string()]);
    make(&world, "HELD", &["--percent", "50", "--limit", &USES.to_string()]);
    // Each buyer comes from an address of their own.
    let config = || configured(without_shop_limits(), |config| config.trust_proxy = true);
    let (_one, here) = world.another_server(config()).await;
    let (_other, there) = world.another_server(config()).await;
    let orders = (0..2 * BUYERS).map(|number| {
        let client = [&here, &there][number % 2].clone();
        let code = ["FREE", "HELD"][number / 2 % 2];
        let body = with(cart("tt", 1), json!({"coupon": code}));
        async move {
            let (key, address) = (format!("o{number}"), format!("198.51.100.{number}"));
            let headers = [("idempotency-key", key.as_str()), ("x-forwarded-for", &address)];
            loop {
                let answer = client.post("/shop/v1/pr_a/events/ev/orders", &headers, &body).await;
                if answer.status != 503 {
                    return (code, answer.status.as_u16());
                }
            }
        }
    });
    let answers = futures_util::future::join_all(orders).await;
    for code in ["FREE", "HELD"] {
        let of = |status: u16| answers.iter().filter(|answer| **answer == (code, status)).count();
        assert_eq!([of(201), of(409)], [USES, BUYERS - USES], "{code}: {answers:?}");
    }
    assert_eq!([uses(&world, "FREE").await, uses(&world, "HELD").await], [[7, 0, 175], [0, 7, 0]]);
    assert_eq!(world.findings().await, []);
}

async fn staff_make_sell_with_and_end_coupons(world: World) {
    let producer = a_shop(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let path = "/dashboard/p/pr_a/events/ev/coupons";
    assert!(ana.get("/dashboard/p/pr_a/events/ev").await.text.contains(path));
    let made = [
        ("code", " Friends "),
        ("kind", "percent"),
        ("rate", "20"),
        ("ticket_type", "tt"),
        ("limit", "3"),
        ("from", "2026-11-01T10:00"),
        ("until", "2026-12-01T00:00"),
    ];
    assert_eq!(ana.post(path, &made).await.leads_to(), format!("{path}?done=coupon-made"));
    let page = ana.get(path).await.text;
    for shown in [">Friends<", "20 %", "Type tt", "0 / 3"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    for (fields, said) in [
        (vec![("code", "friends"), ("rate", "1")], "Another coupon"),
        (vec![("code", ""), ("rate", "1")], "Write a code"),
        (vec![("code", "x"), ("rate", "0")], "from 1 to 100"),
        (vec![("code", "x"), ("rate", "0"), ("kind", "amount")], "at least 1"),
        (vec![("code", "x"), ("rate", "1"), ("limit", "many")], "Write a whole number of at least 1"),
        (
            vec![("code", "x"), ("rate", "1"), ("from", "2026-12-02T00:00"), ("until", "2026-12-01T00:00")],
            "not after the beginning",
        ),
        (vec![("code", "x"), ("rate", "1"), ("ticket_type", "tt_x")], "Choose items"),
    ] {
        let wrong = ana.post(path, &fields).await;
        assert!(wrong.status == 422 && wrong.text.contains(said), "{fields:?}: {}", wrong.text);
    }
    // The box office sells with it: the total is shown before, and cash is compared with it.
    let sell = "/dashboard/p/pr_a/orders/new";
    let form = ana.get(&format!("{sell}?event=ev")).await;
    let key = form.between("name=\"key\" value=\"", "\"").to_owned();
    let fields = |more: &[(&'static str, &'static str)]| {
        let mut all = vec![
            ("event", "ev"),
            ("key", key.as_str()),
            ("quantity_tt", "2"),
            ("coupon", "FRIENDS"),
            ("method", "cash"),
        ];
        all.extend(more);
        all.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>()
    };
    let post = async |more: &[(&'static str, &'static str)]| {
        let fields = fields(more);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        ana.post(sell, &fields).await
    };
    let shown = post(&[("show", "total")]).await;
    assert!(shown.status == 200 && shown.between("data-till-total>", "<") == "€40", "{}", shown.text);
    assert!(post(&[("given", "39")]).await.text.contains("less than the total of €40"));
    assert!(post(&[("given", "40")]).await.leads_to().contains("/tickets?done=sold"));
    let unknown =
        ana.post(sell, &[("event", "ev"), ("key", "another-key"), ("quantity_tt", "1"), ("coupon", "nothing")]).await;
    assert!(unknown.status == 422 && unknown.text.contains("The coupon cannot be used"), "{}", unknown.text);
    assert!(ana.get(path).await.text.contains("1 / 3"));
    let orders = world.client.get("/api/v1/orders", &producer.key).await.data();
    assert_eq!((&orders[0]["total"], &orders[0]["coupon"], orders.len()), (&json!(40), &json!("Friends"), 1));
    let order_page = ana.get(&format!("/dashboard/p/pr_a/orders/{}", orders[0]["id"].as_str().unwrap())).await.text;
    assert!(order_page.contains("<dt>Taken off</dt><dd>€10</dd>") && order_page.contains(">Friends<"), "{order_page}");
    // Ended: nobody uses it, and the history says who did what.
    let listed = command(&world, &["coupon", "list", "--event", "ev"]);
    let end = format!("{path}/{}/end", listed[0]["id"].as_str().unwrap());
    assert_eq!(ana.post(&end, &[]).await.leads_to(), format!("{path}?done=coupon-ended"));
    ana.post(&end, &[]).await;
    assert_eq!(order(&world, "late", "friends", &[("tt", 1)], "b@x.example").await.status, 409);
    let history = ana.get("/dashboard/p/pr_a/history").await.text;
    assert_eq!((history.matches("Coupon made").count() > 0, history.contains("Coupon ended")), (true, true));
    let spanish = ana.get(&format!("{path}?lang=es")).await;
    assert_eq!(spanish.status, 200);
    assert_eq!(world.findings().await, []);
}

async fn a_file_brings_coupons_and_surcharges(world: World) {
    let producer = a_shop(&world).await;
    make(&world, "ONE", &["--percent", "10", "--ticket-type", "tt", "--limit", "3", "--per-buyer", "2"]);
    let fee = ["surcharge", "create", "--event", "ev", "--name", "Fee", "--per-ticket", "--amount", "1"];
    command(&world, &fee);
    // What the lists show can be imported elsewhere; what was used of it is of here.
    let shown = |kind: &str| {
        let listed = command(&world, &[kind, "list", "--event", "ev"]);
        let listed = listed.as_array().unwrap_or_else(|| listed["data"].as_array().unwrap());
        with(listed[0].clone(), json!({"kind": kind}))
    };
    let (coupon, surcharge) = (shown("coupon"), shown("surcharge"));
    let other = world.producer("pr_b").await;
    let brought = |lines: &[Value]| [&[event("ev"), ticket_type("tt", "ev")], lines].concat();
    let summary = world.try_import(other.tenant, &brought(&[coupon.clone(), surcharge.clone()])).await.unwrap();
    assert_eq!((summary.coupons, summary.surcharges), (1, 1));
    let placed = json!({
        "buyer": {"name": "B", "email": "b@example.com"}, "coupon": "one",
        "items": [{"ticket_type_id": "tt", "quantity": 2}],
    });
    let answer = world.client.post("/shop/v1/pr_b/events/ev/orders", &[("idempotency-key", "k")], &placed).await;
    // 50 less 5, and 1 for each ticket.
    assert_eq!((answer.status.as_u16(), &answer.json()["order"]["total"]), (201, &json!(47)), "{}", answer.text);

    let many: Vec<Value> = (0..=COUPONS_MAX).map(|n| with(coupon.clone(), json!({"code": format!("C{n}")}))).collect();
    for (lines, field, said) in [
        (vec![coupon.clone()], "code", "another coupon of the event has the code ONE"),
        (vec![with(coupon.clone(), json!({"code": "A"})), with(coupon.clone(), json!({"code": "a"}))], "code", "twice"),
        (vec![with(coupon.clone(), json!({"code": "A", "ticket_types": ["tt_other"]}))], "ticket_types", "tt_other"),
        (vec![with(coupon.clone(), json!({"code": "A", "event_id": "ev_x"}))], "event_id", "no event ev_x"),
        (vec![with(coupon.clone(), json!({"code": "A", "amount": 4}))], "percent", "either"),
        (vec![with(coupon.clone(), json!({"code": "A", "ended_at": "2026-01-01T00:00:00Z"}))], "ended_at", "ended"),
        (many, "event_id", "500 coupons at most"),
        (vec![with(surcharge.clone(), json!({"per": "seat"}))], "per", "ticket, order"),
        (vec![surcharge.clone(); SURCHARGES_MAX + 1], "event_id", "10 surcharges at most"),
    ] {
        let told = world.try_import(producer.tenant, &lines).await.unwrap_err().to_string();
        assert!(told.contains(field) && told.contains(said), "{told}");
    }
    assert_eq!(world.findings().await, []);
}
