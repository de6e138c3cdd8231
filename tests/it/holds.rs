//! Holds: the stock of an order is kept for its buyer while it can be paid, and no longer.

use std::{num::NonZeroU32, time::Duration};

use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{
    clock::Stamp,
    config::{HOLD, days},
    time_source::TimeSource,
};

use crate::harness::configured;
use crate::harness::{
    Answer, Client, Producer, World, cart, event, pay, place, problem, taquilla, ticket_type, with, without_shop_limits,
};

both_engines![
    the_last_one_is_kept_for_its_buyer_until_its_hold_ends,
    a_payment_after_the_hold_gets_what_is_free,
    a_rejected_order_gives_its_stock_back_at_once,
    staff_sell_past_holds_only_by_saying_so,
    a_limit_is_lowered_past_holds_only_by_saying_so,
    a_hold_lasts_as_long_as_asked_for_within_its_bounds,
    nobody_takes_the_house_by_reserving_it,
    a_bundle_is_held_as_a_whole,
    long_ended_holds_are_forgotten,
];

/// A shop with one item at 25 EUR, of which this many can be sold.
struct Shop {
    world: World,
    producer: Producer,
    secret: String,
}

impl Shop {
    async fn open(world: World, limit: i64) -> Self {
        let producer = world.producer("pr_a").await;
        world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"limit": limit}))]).await;
        let secret = world.connect_processor(&producer).await;
        Self { world, producer, secret }
    }

    /// Places an order of some units, which must succeed.
    async fn order(&self, key: &str, quantity: i64) -> Value {
        let placed = place(&self.world, key, &cart("tt", quantity)).await;
        assert_eq!(placed.status, 201, "{}", placed.text);
        placed.json()
    }

    async fn paid(&self, payment: &str, order: &Value) -> Answer {
        self.tell(payment, "paid", order).await
    }

    async fn tell(&self, payment: &str, status: &str, order: &Value) -> Answer {
        let amount = &order["order"]["total"];
        let notice = json!({"payment_id": payment, "reference": order["reference"], "status": status, "amount": amount, "currency": "EUR"});
        pay(&self.world, &notice, &self.secret, 0).await
    }

    /// What the shop says of the item.
    async fn item(&self) -> Value {
        self.world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.json()["items"][0].clone()
    }

    /// What the shop says of an order's hold.
    async fn hold(&self, order: &Value) -> Value {
        let path = format!("/shop/v1/orders/{}", order["reference"].as_str().unwrap());
        self.world.client.send(Method::GET, &path, &[]).await.json()["hold"].clone()
    }

    async fn sold(&self) -> i64 {
        let types = self.world.client.get("/api/v1/events/ev/ticket-types", &self.producer.key).await.data();
        types[0]["sold"].as_i64().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> std::process::Output {
        taquilla(&self.world.address).args(arguments).args(["--producer", "pr_a", "--json"]).output().unwrap()
    }

    /// What a command prints that must succeed.
    fn done(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments);
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What a command says that must be refused.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// The payments that need a person: payment and result.
    fn unsettled(&self) -> Vec<(String, String)> {
        let listed = self.done(&["payment", "list", "--unsettled"]);
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        listed.as_array().unwrap().iter().map(|row| (text(row, "id"), text(row, "result"))).collect()
    }
}

fn id(placed: &Value) -> &str {
    placed["order"]["id"].as_str().unwrap()
}

/// Checks a refusal that ends by itself: it says when, and in how many seconds.
fn ends(answer: &Answer, code: &str, until: &Value, wait_s: i64) {
    assert_eq!(answer.problem(), problem(409, code, None));
    assert_eq!(answer.json()["held_until"], *until);
    assert_eq!(answer.header("retry-after").unwrap(), wait_s.to_string());
}

async fn the_last_one_is_kept_for_its_buyer_until_its_hold_ends(world: World) {
    let shop = Shop::open(world, 3).await;
    let world = &shop.world;
    let first = shop.order("first", 1).await;
    assert_eq!(shop.item().await["held_until"], Value::Null, "two are free");
    world.step(Duration::from_mins(10));
    let ana = shop.order("ana", 2).await;
    // Holds of half an hour end at a whole quarter of a minute.
    assert_eq!(first["held_until"], "2026-11-01T12:30:00.000000Z");
    assert_eq!(ana["held_until"], "2026-11-01T12:40:00.000000Z");
    assert_eq!(shop.hold(&ana).await, json!({"until": ana["held_until"], "lasts": true}));
    assert_eq!(shop.item().await["held_until"], first["held_until"]);
    ends(&place(world, "bea", &cart("tt", 1)).await, "held", &first["held_until"], 20 * 60);
    // The API knows no holds.
    let api = async || {
        let types = world.client.get("/api/v1/events/ev/ticket-types", &shop.producer.key).await;
        let orders = world.client.get("/api/v1/orders", &shop.producer.key).await;
        (types.text, orders.text)
    };
    let before = api().await;
    assert!(before.0.contains(r#""sold":0,"available":3"#), "{}", before.0);
    let mut sent = first.clone();
    sent["order"].as_object_mut().unwrap().retain(|name, _| name.contains("held"));
    assert_eq!(sent["order"], json!({}), "an order of the API says nothing of holds");

    // To the last microsecond the stock is kept; then it is free, although nothing has run and nothing has changed.
    world.step(Duration::from_mins(20) - Duration::from_micros(1));
    ends(&place(world, "bea", &cart("tt", 1)).await, "held", &first["held_until"], 1);
    world.step(Duration::from_micros(1));
    assert_eq!(shop.hold(&first).await["lasts"], false);
    assert_eq!(shop.item().await["held_until"], Value::Null);
    assert_eq!(api().await, before);
    let bea = shop.order("bea", 1).await;
    // A repeated key is the same order with the same hold.
    assert_eq!(shop.order("bea", 1).await, bea);
    ends(&place(world, "carl", &cart("tt", 1)).await, "held", &ana["held_until"], 10 * 60);
    // Who was too late is told so, and the money is listed. The others have not paid in vain.
    let late = shop.paid("pay_first", &first).await;
    assert_eq!(late.problem(), problem(409, "sold_out", None));
    assert!(late.json()["detail"].as_str().unwrap().contains("hold has ended"), "{}", late.text);
    assert_eq!(shop.paid("pay_ana", &ana).await.json()["status"], "approved");
    assert_eq!(shop.paid("pay_bea", &bea).await.json()["status"], "approved");
    assert_eq!(shop.hold(&ana).await, Value::Null);
    assert_eq!((shop.sold().await, shop.unsettled()), (3, vec![("pay_first".into(), "sold_out".into())]));
    assert_eq!(place(world, "carl", &cart("tt", 1)).await.problem(), problem(409, "sold_out", None));
    assert_eq!(world.findings().await, []);
}

async fn a_payment_after_the_hold_gets_what_is_free(world: World) {
    let shop = Shop::open(world, 2).await;
    let (ana, bea) = (shop.order("ana", 1).await, shop.order("bea", 1).await);
    shop.world.step(days(1));
    let carl = shop.order("carl", 1).await;
    assert_eq!(shop.paid("pay_ana", &ana).await.json()["status"], "approved", "one is free");
    assert_eq!(shop.paid("pay_bea", &bea).await.problem(), problem(409, "sold_out", None), "the other one is Carl's");
    assert_eq!(shop.tell("pay_carl", "failed", &carl).await.json()["status"], "rejected");
    // The processor repeats its notice, and the payment needs nobody any more.
    assert_eq!(shop.unsettled(), [("pay_bea".to_owned(), "sold_out".to_owned())]);
    assert_eq!(shop.paid("pay_bea", &bea).await.json()["status"], "approved");
    assert_eq!((shop.unsettled(), shop.sold().await), (vec![], 2));
    assert_eq!(shop.world.findings().await, []);
}

async fn a_rejected_order_gives_its_stock_back_at_once(world: World) {
    let shop = Shop::open(world, 1).await;
    let world = &shop.world;
    for round in 0..3 {
        let order = shop.order(&format!("ana-{round}"), 1).await;
        ends(&place(world, "bea", &cart("tt", 1)).await, "held", &order["held_until"], 1_800);
        match round {
            0 => assert_eq!(shop.tell("pay_1", "failed", &order).await.json()["status"], "rejected"),
            1 => assert_eq!(shop.done(&["order", "reject", id(&order)])["status"], "rejected"),
            _ => {
                // Sold and given back, so its hold is over, too.
                assert_eq!(shop.paid("pay_2", &order).await.json()["status"], "approved");
                assert_eq!(place(world, "bea", &cart("tt", 1)).await.problem(), problem(409, "sold_out", None));
                shop.done(&["order", "refund", id(&order)]);
            }
        }
        assert_eq!(shop.hold(&order).await, Value::Null);
        assert_eq!(shop.item().await["held_until"], Value::Null);
    }
    shop.order("bea", 1).await;
    assert_eq!(world.findings().await, []);
}

async fn staff_sell_past_holds_only_by_saying_so(world: World) {
    let shop = Shop::open(world, 1).await;
    let ana = shop.order("ana", 1).await;
    let sell = ["order", "create", "--event", "ev", "--item", "tt=1", "--name", "Cash"];
    // The command line asks the database for the time, and this database's clock is stepped only for the server.
    let far = "UPDATE orders SET held_until = 32503680000000000; UPDATE held_stock SET until = 32503680000000000";
    shop.world.raw().await.batch(far).await;
    let refused = shop.refused(&sell);
    assert!(refused.contains("(held)") && refused.contains("3000-01-01"), "{refused}");
    let sold = shop.done(&[&sell[..], &["--past-holds"]].concat());
    let shown = shop.done(&["order", "show", id(&sold)]);
    assert!(shown["past_holds_at"].is_string(), "it is written down: {shown}");
    shop.done(&["order", "approve", id(&sold)]);
    assert_eq!(shop.paid("pay_ana", &ana).await.problem(), problem(409, "sold_out", None));
    assert_eq!(shop.unsettled(), [("pay_ana".to_owned(), "sold_out".to_owned())]);
    let shown = shop.done(&["order", "show", id(&ana)]);
    assert_eq!((&shown["past_holds_at"], shown["hold"]["lasts"].as_bool()), (&Value::Null, Some(true)), "{shown}");
    assert_eq!(shop.world.findings().await, []);
}

async fn a_limit_is_lowered_past_holds_only_by_saying_so(world: World) {
    let shop = Shop::open(world, 5).await;
    let ana = shop.order("ana", 2).await;
    let far = "UPDATE orders SET held_until = 32503680000000000; UPDATE held_stock SET until = 32503680000000000";
    shop.world.raw().await.batch(far).await;
    let limit = |limit: &'static str| ["ticket-type", "change", "tt", "--limit", limit];
    shop.done(&limit("2"));
    assert!(shop.refused(&limit("1")).contains("(held)"));
    shop.done(&[&limit("1")[..], &["--past-holds"]].concat());
    shop.done(&limit("2"));
    assert_eq!(shop.paid("pay_ana", &ana).await.status, 200);
    assert!(shop.refused(&[&limit("1")[..], &["--past-holds"]].concat()).contains("(limit_below_sold)"));
    assert_eq!(shop.world.findings().await, []);
}

async fn a_hold_lasts_as_long_as_asked_for_within_its_bounds(world: World) {
    let shop = Shop::open(world, 100).await;
    let asking = |seconds: Value| {
        let mut body = cart("tt", 1);
        body["hold_seconds"] = seconds;
        body
    };
    for (seconds, until) in [(1, "12:00:01"), (90, "12:01:30"), (3_600, "13:00:00")] {
        let placed = place(&shop.world, &format!("key-{seconds}"), &asking(json!(seconds))).await.json();
        assert_eq!(placed["held_until"], format!("2026-11-01T{until}.000000Z"));
    }
    for wrong in [json!(0), json!(3_601), json!(u64::MAX)] {
        let refused = place(&shop.world, "wrong", &asking(wrong)).await;
        assert_eq!(refused.problem(), problem(400, "invalid_body", Some("hold_seconds")));
    }
    for wrong in [json!(-1), json!("60"), json!(1.5)] {
        assert_eq!(place(&shop.world, "wrong", &asking(wrong)).await.status, 400);
    }
    // The operator's settings.
    let config = configured(without_shop_limits(), |config| {
        config.holds.lasts = Duration::from_mins(2);
        config.holds.longest = Duration::from_hours(24);
    });
    let (_server, other) = shop.world.another_server(config).await;
    let send = async |key: &str, body: &Value| {
        other.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", key)], body).await.json()
    };
    assert_eq!(send("usual", &cart("tt", 1)).await["held_until"], "2026-11-01T12:02:00.000000Z");
    assert_eq!(send("day", &asking(json!(86_400))).await["held_until"], "2026-11-02T12:00:00.000000Z");
    // Staff say how long, too.
    let at_least = TimeSource::System.now().plus(days(3));
    let placed = shop.done(&["order", "create", "--event", "ev", "--item", "tt=1", "--name", "B", "--hold", "3d"]);
    let until = Stamp::parse(placed["held_until"].as_str().unwrap()).unwrap();
    let at_most = TimeSource::System.now().plus(days(3)).plus(days(3) / 120);
    assert!(until >= at_least && until <= at_most, "{placed}");
    assert_eq!(shop.world.findings().await, []);
}

async fn nobody_takes_the_house_by_reserving_it(world: World) {
    let shop = Shop::open(world, 100).await;
    let most = |most| NonZeroU32::new(most);
    let config = configured(without_shop_limits(), |config| {
        config.holds.per_buyer = most(2);
        config.holds.per_address = most(5);
    });
    let (_server, client) = shop.world.another_server(config).await;
    let send = async |client: &Client, key: &str, email: &str, item: &str| {
        let body =
            json!({"buyer": {"name": "Ana", "email": email}, "items": [{"ticket_type_id": item, "quantity": 1}]});
        client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", key)], &body).await
    };
    let free = with(ticket_type("tt_free", "ev"), json!({"price": 0}));
    shop.world.import(shop.producer.tenant, &[free]).await;
    let first = send(&client, "1", "ana@example.com", "tt").await.json();
    let second = send(&client, "2", "Ana@Example.com", "tt").await.json();
    let refused = send(&client, "3", "ANA@example.com", "tt").await;
    ends(&refused, "too_many_unpaid", &first["held_until"], 1_800);
    assert!(
        refused.json()["detail"].as_str().unwrap().starts_with("This buyer has 2 unpaid orders"),
        "{}",
        refused.text
    );
    assert_eq!(send(&client, "1", "ana@example.com", "tt").await.json(), first, "the same order again is no new one");
    assert_eq!(send(&client, "free", "ana@example.com", "tt_free").await.status, 201, "a free order holds nothing");
    // Paying makes room, and so does rejecting.
    assert_eq!(shop.paid("pay_1", &first).await.status, 200);
    let third = send(&client, "3", "ana@example.com", "tt").await.json();
    assert_eq!(send(&client, "4", "ana@example.com", "tt").await.problem(), problem(409, "too_many_unpaid", None));
    assert_eq!(shop.tell("pay_3", "failed", &third).await.status, 200);
    assert_eq!(send(&client, "4", "ana@example.com", "tt").await.status, 201);
    // The address has two now, and three more make it full, whoever buys.
    for number in 0..3 {
        assert_eq!(send(&client, &format!("b{number}"), &format!("b{number}@example.com"), "tt").await.status, 201);
    }
    let refused = send(&client, "c", "c@example.com", "tt").await;
    ends(&refused, "too_many_unpaid", &second["held_until"], 1_800);
    assert!(refused.json()["detail"].as_str().unwrap().starts_with("This network address has 5"), "{}", refused.text);
    // Another producer's shop is another house, and staff may do as they like.
    shop.done(&["order", "create", "--event", "ev", "--item", "tt=1", "--name", "A", "--email", "ana@example.com"]);
    // Time makes room as well.
    shop.world.step(HOLD);
    assert_eq!(send(&client, "c", "c@example.com", "tt").await.status, 201);
    // What was decided is not remembered with its address.
    let kept = shop
        .world
        .raw()
        .await
        .rows("SELECT count(*) FROM orders WHERE placed_from IS NOT NULL AND status <> 'pending'")
        .await;
    assert_eq!(kept, [["0"]]);
    assert_eq!(shop.world.findings().await, []);
}

async fn a_bundle_is_held_as_a_whole(world: World) {
    let producer = world.producer("pr_a").await;
    let inside = json!([{"ticket_type_id": "tt", "quantity": 2}]);
    let lines = [
        event("ev"),
        with(ticket_type("tt", "ev"), json!({"limit": 1})),
        with(ticket_type("bu", "ev"), json!({"kind": "bundle", "includes": inside, "limit": 2})),
    ];
    world.import(producer.tenant, &lines).await;
    let body = json!({"buyer": {"name": "Ana", "email": "ana@example.com"},
        "items": [{"ticket_type_id": "bu", "quantity": 2}, {"ticket_type_id": "tt", "quantity": 1}]});
    let placed = place(&world, "all", &body).await.json();
    for item in ["bu", "tt"] {
        ends(&place(&world, item, &cart(item, 1)).await, "held", &placed["held_until"], 1_800);
    }
    // What is inside a bundle is not taken from the item itself.
    let held = world.raw().await.rows("SELECT ticket_type_id, quantity FROM held_stock ORDER BY 1").await;
    assert_eq!(held, [["bu", "2"], ["tt", "1"]]);
    let holds = world.raw().await.rows("SELECT ticket_type_id, quantity FROM holds ORDER BY 1").await;
    assert_eq!(holds, held);
    assert_eq!(world.findings().await, []);
}

async fn long_ended_holds_are_forgotten(world: World) {
    let shop = Shop::open(world, 3).await;
    let order = shop.order("ana", 1).await;
    let rows = async || shop.world.raw().await.rows("SELECT count(*) FROM held_stock").await;
    assert_eq!(rows().await, [["1"]]);
    shop.world.step(days(3));
    assert!(crate::harness::until(async || rows().await == [["0"]]).await);
    assert_eq!(shop.world.findings().await, [], "an order whose hold ended long ago needs no sum");
    // Its order can still be paid, or given up.
    assert_eq!(shop.paid("pay_ana", &order).await.json()["status"], "approved");
    assert_eq!(shop.world.findings().await, []);
}
