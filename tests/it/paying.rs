//! Paying for an order at a payment processor, from its page and back: here the development processor of the demo.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use taquilla_domain::{
    clock::Stamp,
    config::{
        ATTEMPT_LOOK, ATTEMPTS_MAX, Config, DEVELOPMENT_LATE, HELD_AFTER_SESSION, HELD_UNSURE, PostgresTimeouts,
        SESSION_LASTS,
    },
    status::Category,
};

use crate::harness::{
    Page, Producer, Staff, World, cart, configured, event, place, problem, ticket_type, until, with,
    without_shop_limits,
};

both_engines![
    a_buyer_pays_and_enters,
    a_payment_that_was_refused_is_tried_again,
    money_that_comes_late_takes_what_is_left_or_is_listed,
    what_is_paid_twice_is_listed_once,
    a_form_that_is_sent_twice_is_one_session,
    a_new_attempt_closes_the_one_before_it,
    what_may_still_be_paid_is_held_on,
    an_attempt_that_a_server_has_left_behind_is_given_up,
    many_who_look_at_once_settle_once,
    no_other_server_has_the_demos_processor,
];

/// A shop of one item at 25 EUR, of which there are two, in a demo.
struct Demo {
    world: World,
    producer: Producer,
    ana: Staff,
}

fn a_demo() -> Config {
    configured(without_shop_limits(), |config| config.is_demo = true)
}

impl Demo {
    async fn open(world: World) -> Self {
        let world = world.reopened(a_demo(), PostgresTimeouts::default()).await;
        let producer = world.producer("pr_a").await;
        let lines = [
            with(event("ev"), json!({"name": "Aurora Nights"})),
            with(ticket_type("tt", "ev"), json!({"limit": 2, "name": "General"})),
        ];
        world.import(producer.tenant, &lines).await;
        let ana = Staff::new(&world.client.base);
        Self { world, producer, ana }
    }

    /// The path of the page of a new order of so many tickets.
    async fn order(&self, key: &str, quantity: i64) -> String {
        let placed = place(&self.world, key, &cart("tt", quantity)).await;
        assert_eq!(placed.status, 201, "{}", placed.text);
        format!("/shop/orders/{}", placed.json()["reference"].as_str().unwrap())
    }

    async fn pay(&self, order: &str, attempt: &str) -> Page {
        self.ana.post(&format!("{order}/pay"), &[("attempt", attempt)]).await
    }

    /// The path of the page of the processor to which an order's form leads.
    async fn there(&self, order: &str, attempt: &str) -> String {
        let led = self.pay(order, attempt).await;
        assert!(led.leads_to().starts_with("/development/payments/dev_"), "{}", led.leads_to());
        led.leads_to().to_owned()
    }

    /// Does something at the processor, and comes back to the order's page.
    async fn act(&self, there: &str, act: &str) -> Page {
        let back = self.ana.post(there, &[("act", act)]).await;
        let path = back.leads_to().strip_prefix(&self.world.client.base).unwrap().to_owned();
        assert!(path.ends_with("?paid=1"), "{path}");
        self.ana.get(&path).await
    }

    /// The rows of a query.
    async fn rows(&self, sql: &str) -> Vec<String> {
        self.world.raw().await.rows(sql).await.into_iter().map(|row| row.join(" ")).collect()
    }

    /// How the attempts stand, oldest first.
    async fn attempts(&self) -> Vec<String> {
        self.rows("SELECT state FROM payment_attempts ORDER BY created_at, number").await
    }

    /// Until when the only order that is pending is held.
    async fn held_until(&self) -> Stamp {
        let found = self.rows("SELECT held_until FROM orders WHERE status = 'pending'").await;
        Stamp::from_micros(found[0].parse().unwrap())
    }

    /// Waits until the reconciler has brought about what a query gives.
    async fn settled(&self, sql: &str, expected: &[&str]) {
        let holds = until(async || self.rows(sql).await == expected).await;
        assert!(holds, "{:?}", self.rows(sql).await);
    }

    async fn nothing_is_wrong(&self) {
        assert_eq!(self.world.findings().await, []);
    }
}

const STATUSES: &str = "SELECT status FROM orders ORDER BY seq";
const PAYMENTS: &str = "SELECT result FROM payments ORDER BY id";

async fn a_buyer_pays_and_enters(world: World) {
    let demo = Demo::open(world).await;
    let order = demo.order("a", 2).await;
    let page = demo.ana.get(&order).await;
    assert!(page.text.contains("value=\"1\">Pay €50</button>"), "{}", page.text);
    assert!(!page.text.contains("name the number"), "nobody is asked to pay in another way: {}", page.text);
    let there = demo.there(&order, "1").await;
    let asked = demo.ana.get(&there).await;
    for shown in ["No money moves here", "Aurora Nights", "€50", "value=\"pay\"", "value=\"late\"", "Be refused"] {
        assert!(asked.text.contains(shown), "{shown}: {}", asked.text);
    }
    let spanish = Staff::new(&demo.world.client.base).with_header("accept-language", "es").get(&there).await;
    assert!(spanish.text.contains("Aquí no se mueve dinero"), "{}", spanish.text);
    let paid = demo.act(&there, "pay").await;
    assert!(
        paid.text.contains("€50 was paid. The tickets are yours.") && paid.text.contains("QR code"),
        "{}",
        paid.text
    );
    assert_eq!(demo.rows(PAYMENTS).await, ["settled"]);
    // The session is over, and its page says so.
    let over = demo.ana.get(&there).await;
    assert!(
        over.text.contains("This payment is over.") && !over.text.contains("<form class=\"stack\""),
        "{}",
        over.text
    );
    assert_eq!(demo.act(&there, "refuse").await.status, 200);
    assert_eq!(
        (demo.attempts().await, demo.rows(STATUSES).await),
        (vec!["paid".to_owned()], vec!["approved".to_owned()])
    );
    assert!(demo.pay(&order, "2").await.leads_to().starts_with(&order), "what is paid is not paid again");
    let (gate, _) = demo.world.door(demo.producer.tenant, "ev", &[Category::Ticket]).await;
    let code = paid.between("<code>", "</code>").to_owned();
    let scan = json!({"code": code, "scan_id": "s1"});
    let let_in = demo.world.client.post("/door/v1/scan", &[("authorization", &format!("Bearer {gate}"))], &scan).await;
    assert_eq!(let_in.json()["outcome"], "admitted", "{}", let_in.text);
    demo.nothing_is_wrong().await;
}

async fn a_payment_that_was_refused_is_tried_again(world: World) {
    let demo = Demo::open(world).await;
    let order = demo.order("a", 1).await;
    let refused = demo.act(&demo.there(&order, "1").await, "refuse").await;
    assert!(refused.text.contains("The payment did not work, and nothing was charged."), "{}", refused.text);
    assert!(refused.text.contains("name=\"attempt\" value=\"2\""), "{}", refused.text);
    assert_eq!(demo.rows(STATUSES).await, ["pending"]);
    let paid = demo.act(&demo.there(&order, "2").await, "pay").await;
    assert!(paid.text.contains("The tickets are yours."), "{}", paid.text);
    assert_eq!(demo.attempts().await, ["failed", "paid"]);
    // There is an end to it: each attempt holds what others could buy.
    let other = demo.order("b", 1).await;
    for number in 1..=ATTEMPTS_MAX {
        demo.act(&demo.there(&other, &number.to_string()).await, "refuse").await;
    }
    let more = demo.pay(&other, &(ATTEMPTS_MAX + 1).to_string()).await;
    assert!(more.leads_to().starts_with(&other), "{}", more.leads_to());
    demo.nothing_is_wrong().await;
}

async fn money_that_comes_late_takes_what_is_left_or_is_listed(world: World) {
    let demo = Demo::open(world).await;
    let orders = [demo.order("a", 1).await, demo.order("b", 1).await];
    for order in &orders {
        let left = demo.act(&demo.there(order, "1").await, "late").await;
        assert!(left.text.contains("The payment was left before its end"), "{}", left.text);
        assert!(left.text.contains("Reserved for you"), "what is held stays so until its time is over: {}", left.text);
    }
    demo.world.step(SESSION_LASTS + HELD_AFTER_SESSION + Duration::from_secs(20));
    assert!(demo.ana.get(&orders[0]).await.text.contains("The time to pay is over"));
    // Somebody else buys one of the two, and then both payments arrive. One takes what is left.
    let third = demo.order("c", 1).await;
    let paid = demo.act(&demo.there(&third, "1").await, "pay").await;
    assert!(paid.text.contains("The tickets are yours."), "{}", paid.text);
    demo.world.step(DEVELOPMENT_LATE + 3 * (SESSION_LASTS + HELD_AFTER_SESSION));
    demo.settled("SELECT status FROM orders ORDER BY status", &["approved", "approved", "pending"]).await;
    demo.settled("SELECT result FROM payments ORDER BY result", &["settled", "settled", "sold_out"]).await;
    let late = join_all(orders.iter().map(|order| demo.ana.get(order))).await;
    let in_vain: Vec<&Page> =
        late.iter().filter(|page| page.text.contains("came for this order and paid for nothing")).collect();
    assert_eq!(in_vain.len(), 1, "the buyer is told");
    assert!(late.iter().any(|page| page.text.contains("The tickets are yours.")));
    // Staff find it in their list, and what they note is shown.
    let listed = demo.rows("SELECT id FROM payments WHERE result = 'sold_out' AND paid_back_at IS NULL").await;
    let note = taquilla_domain::text::Name::parse("by card").unwrap();
    let (store, by) = (&demo.world.store, demo.world.by());
    taquilla_rules::admin::payments::mark_paid_back(store, demo.producer.tenant, &listed[0], &note, &by).await.unwrap();
    let pages = join_all(orders.iter().map(|order| demo.ana.get(order))).await;
    assert!(pages.iter().any(|page| page.text.contains("€25 were paid back on")), "{}", pages[0].text);
    demo.nothing_is_wrong().await;
}

async fn what_is_paid_twice_is_listed_once(world: World) {
    let demo = Demo::open(world).await;
    let order = demo.order("a", 2).await;
    let paid = demo.act(&demo.there(&order, "1").await, "twice").await;
    assert!(
        paid.text.contains("The tickets are yours.") && paid.text.contains("€50 came for this order"),
        "{}",
        paid.text
    );
    let expected = ["order_not_pending", "settled"];
    demo.settled("SELECT result FROM payments ORDER BY result", &expected).await;
    // It is looked at again for a while, and stays as it is.
    demo.world.step(ATTEMPT_LOOK + Duration::from_secs(1));
    let looked = "SELECT CASE WHEN looked_at > ended_at THEN 'again' ELSE 'once' END FROM payment_attempts";
    demo.settled(looked, &["again"]).await;
    demo.settled("SELECT result FROM payments ORDER BY result", &expected).await;
    assert_eq!(demo.rows("SELECT count(*) FROM tickets").await, ["2"]);
    demo.nothing_is_wrong().await;
}

async fn a_form_that_is_sent_twice_is_one_session(world: World) {
    let demo = Demo::open(world).await;
    let order = demo.order("a", 1).await;
    let led = join_all((0..6).map(|_| demo.pay(&order, "1"))).await;
    let mut pages: Vec<&str> = led.iter().map(Page::leads_to).collect();
    pages.dedup();
    assert_eq!(pages.len(), 1, "{pages:?}");
    let page = demo.ana.get(&order).await;
    assert!(
        page.text.contains("nothing has been paid in it yet") && page.text.contains("value=\"1\""),
        "{}",
        page.text
    );
    assert_eq!(demo.there(&order, "1").await, pages[0], "going on is going on with the same");
    for nonsense in ["", "0", "-1", "7", "x", "99999999999999999999"] {
        let back = demo.pay(&order, nonsense).await;
        assert!(back.leads_to().starts_with(&order), "{nonsense}: {}", back.leads_to());
    }
    assert_eq!(demo.attempts().await, ["open"]);
    assert_eq!(demo.pay("/shop/orders/1-6XW3NVE8Z0M4QK1T9B7YH2RCDP", "1").await.status, 404);
    demo.nothing_is_wrong().await;
}

async fn a_new_attempt_closes_the_one_before_it(world: World) {
    let demo = Demo::open(world).await;
    let order = demo.order("a", 1).await;
    let first = demo.there(&order, "1").await;
    let second = demo.there(&order, "2").await;
    assert_ne!(first, second);
    assert!(demo.ana.get(&first).await.text.contains("This payment is over."), "nobody pays in two sessions");
    assert_eq!(demo.attempts().await, ["closed", "open"]);
    // If the one before was paid, no other is begun.
    demo.ana.post(&second, &[("act", "pay")]).await.leads_to();
    let third = demo.pay(&order, "3").await;
    assert!(third.leads_to().starts_with(&order), "{}", third.leads_to());
    assert!(demo.ana.get(third.leads_to()).await.text.contains("The tickets are yours."));
    assert_eq!(demo.attempts().await, ["closed", "paid"]);
    // An order that staff reject has its session closed.
    let other = demo.order("b", 1).await;
    let left = demo.there(&other, "1").await;
    let id = demo.rows("SELECT id FROM orders WHERE status = 'pending'").await;
    let (store, by) = (&demo.world.store, demo.world.by());
    taquilla_rules::boxoffice::reject(store, demo.producer.tenant, &id[0], &by).await.unwrap();
    demo.world.step(ATTEMPT_LOOK + Duration::from_secs(1));
    demo.settled("SELECT state FROM payment_attempts ORDER BY state", &["closed", "closed", "paid"]).await;
    assert!(demo.ana.get(&left).await.text.contains("This payment is over."));
    demo.nothing_is_wrong().await;
}

async fn what_may_still_be_paid_is_held_on(world: World) {
    let mut demo = Demo::open(world).await;
    let order = demo.order("a", 2).await;
    demo.world.step(Duration::from_mins(20));
    let before = demo.held_until().await;
    demo.there(&order, "1").await;
    let lasts = demo.held_until().await.since(demo.world.now());
    let least = SESSION_LASTS + HELD_AFTER_SESSION;
    assert!(demo.held_until().await > before && lasts >= least && lasts < least + Duration::from_mins(1), "{lasts:?}");
    demo.nothing_is_wrong().await;
    // A server that cannot ask the processor holds it on, past the session's end, because it may have been paid.
    demo.world.server.stop().await;
    let (_server, client) = demo.world.another_server(without_shop_limits()).await;
    let end = demo.world.now().plus(HELD_UNSURE + SESSION_LASTS);
    let mut steps = 0;
    while demo.world.now() < end && steps < 12 {
        demo.world.step(ATTEMPT_LOOK);
        let now = demo.world.now().micros();
        let looked = format!("SELECT 1 FROM payment_attempts WHERE looked_at >= {now} AND problem <> ''");
        demo.settled(&looked, &["1"]).await;
        assert!(demo.held_until().await > demo.world.now(), "after {steps} looks");
        steps += 1;
    }
    assert!(demo.world.now() > demo.held_until().await.minus(Duration::from_mins(6)));
    let body = cart("tt", 1);
    let refused = client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", "b")], &body).await;
    assert_eq!(refused.problem(), problem(409, "held", None));
    demo.nothing_is_wrong().await;
    // A day after the session's end, others may have it.
    demo.world.step(HELD_UNSURE);
    demo.settled("SELECT count(*) FROM payment_attempts WHERE state = 'open'", &["1"]).await;
    let placed = client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", "c")], &body).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    demo.nothing_is_wrong().await;
}

async fn an_attempt_that_a_server_has_left_behind_is_given_up(world: World) {
    let demo = Demo::open(world).await;
    let order = demo.order("a", 1).await;
    demo.there(&order, "1").await;
    // As if the server had been killed before the processor answered.
    demo.world.raw().await.batch("UPDATE payment_attempts SET state = 'begun', session = NULL, url = NULL").await;
    demo.world.step(ATTEMPT_LOOK + Duration::from_secs(1));
    demo.settled("SELECT state FROM payment_attempts", &["failed"]).await;
    let page = demo.ana.get(&order).await;
    assert!(page.text.contains("The payment did not work") && page.text.contains("value=\"2\""), "{}", page.text);
    assert_eq!(demo.rows("SELECT count(*) FROM payment_attempts WHERE look_at IS NOT NULL").await, ["0"]);
    let paid = demo.act(&demo.there(&order, "2").await, "pay").await;
    assert!(paid.text.contains("The tickets are yours."), "{}", paid.text);
    // And as if it had been killed right after the buyer paid: nobody comes back, and the reconciler settles it.
    let other = demo.order("b", 1).await;
    let there = demo.there(&other, "1").await;
    demo.ana.post(&there, &[("act", "pay")]).await.leads_to();
    assert_eq!(demo.rows(STATUSES).await, ["approved", "pending"]);
    demo.world.step(ATTEMPT_LOOK + Duration::from_secs(1));
    demo.settled(STATUSES, &["approved", "approved"]).await;
    demo.nothing_is_wrong().await;
}

async fn many_who_look_at_once_settle_once(world: World) {
    let demo = Demo::open(world).await;
    let order = demo.order("a", 2).await;
    let there = demo.there(&order, "1").await;
    demo.ana.post(&there, &[("act", "pay")]).await.leads_to();
    demo.world.step(ATTEMPT_LOOK + Duration::from_secs(1));
    let path = format!("{order}?paid=1");
    let pages = join_all((0..8).map(|_| demo.ana.get(&path))).await;
    assert!(pages.iter().all(|page| page.text.contains("The tickets are yours.")), "{}", pages[0].text);
    assert_eq!(
        (demo.rows(PAYMENTS).await, demo.rows("SELECT count(*) FROM tickets").await),
        (vec!["settled".into()], vec!["2".into()])
    );
    assert_eq!(demo.rows("SELECT count(*) FROM outbox WHERE kind = 'order.approved'").await, ["1"]);
    demo.nothing_is_wrong().await;
}

async fn no_other_server_has_the_demos_processor(world: World) {
    let demo = Demo::open(world).await;
    let order = demo.order("a", 1).await;
    let there = demo.there(&order, "1").await;
    let (_server, client) = demo.world.another_server(without_shop_limits()).await;
    let elsewhere = Staff::new(&client.base);
    let page = elsewhere.get(&order).await;
    assert!(page.text.contains("name the number of this order") && !page.text.contains("/pay\""), "{}", page.text);
    assert_eq!(elsewhere.get(&there).await.status, 404);
    assert_eq!(elsewhere.post(&there, &[("act", "pay")]).await.status, 404);
    let back = elsewhere.post(&format!("{order}/pay"), &[("attempt", "2")]).await;
    assert!(back.leads_to().starts_with(&order));
    for unknown in ["/development/payments/dev_x", "/development/payments/%00"] {
        assert_eq!(demo.ana.get(unknown).await.status, 404, "{unknown}");
    }
    assert_eq!(demo.attempts().await, ["open"]);
    let _: Value = place(&demo.world, "b", &cart("tt", 1)).await.json();
    demo.nothing_is_wrong().await;
}
