//! The short number of an order: every order has one of its own, whoever places it, and staff see it and find the order by it.

use std::collections::BTreeSet;

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use taquilla_domain::role::BuiltInRole;

use crate::{
    harness::{Staff, World, cart, event, order, place, problem, taquilla, ticket_type, with, without_shop_limits},
    payments::Till,
};

both_engines![
    orders_that_come_together_have_numbers_of_their_own,
    a_refused_order_takes_no_number,
    an_order_is_found_by_its_number,
    staff_see_number_and_name_where_money_is_dealt_with,
    check_finds_a_number_that_was_never_given_out,
];

const PAGE: &str = "/dashboard/p/pr_a";
/// Orders of the shop that come together.
const CROWD: usize = 60;
/// Orders of one file.
const IMPORTED: usize = 25;

fn number(order: &Value) -> i64 {
    order["number"].as_str().unwrap().parse().unwrap()
}

async fn orders_that_come_together_have_numbers_of_their_own(world: World) {
    let producer = world.producer("pr_a").await;
    let other = world.producer("pr_b").await;
    let lines = [event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0})), ticket_type("tt_paid", "ev")];
    world.import(producer.tenant, &lines).await;
    world.import(other.tenant, &[lines.to_vec(), vec![order("or_x", "ev", "tt")]].concat()).await;
    let mut servers = Vec::new();
    for _ in 0..2 {
        servers.push(world.another_server(without_shop_limits()).await);
    }
    let buy = |each: usize| {
        let (client, item) = (servers[each % 2].1.clone(), ["tt", "tt_paid"][each % 2]);
        async move {
            let key = format!("key-{each}");
            loop {
                let path = "/shop/v1/pr_a/events/ev/orders";
                let answer = client.post(path, &[("idempotency-key", &key)], &cart(item, 1)).await;
                // A busy machine sends some away for a while.
                if answer.status != 503 {
                    return answer.json()["order"].clone();
                }
            }
        }
    };
    let old: Vec<Value> = (0..IMPORTED).map(|each| order(&format!("or_old_{each:02}"), "ev", "tt_paid")).collect();
    let (placed, ()) = join(join_all((0..CROWD).map(buy)), world.import(producer.tenant, &old)).await;

    let rows = world.raw().await.rows("SELECT number FROM orders WHERE producer_id = 1").await;
    let given: BTreeSet<i64> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    let last = 1000 + (CROWD + IMPORTED) as i64;
    assert_eq!(given.into_iter().collect::<Vec<_>>(), (1001..=last).collect::<Vec<_>>());
    let mut listed = Vec::new();
    for order in placed {
        // What the buyer was told is what everybody reads.
        let shown = world.client.get(&format!("/api/v1/orders/{}", order["id"].as_str().unwrap()), &producer.key).await;
        assert_eq!(number(&shown.json()), number(&order));
        listed.push(number(&order));
    }
    assert!(listed.iter().all(|number| (1001..=last).contains(number)));
    // A file's orders are counted in its order, without a gap; another producer counts for itself.
    let rows = "SELECT number FROM orders WHERE producer_id = 1 AND channel = 'import' ORDER BY id";
    let old: Vec<i64> = world.raw().await.rows(rows).await.iter().map(|row| row[0].parse().unwrap()).collect();
    assert!(old.windows(2).all(|pair| pair[1] == pair[0] + 1), "{old:?}");
    assert_eq!(world.raw().await.rows("SELECT number FROM orders WHERE producer_id = 2").await, [["1001"]]);
    let shown = world.client.get(&format!("/api/v1/orders/or_old_{:02}", IMPORTED - 1), &producer.key).await.json();
    assert_eq!(number(&shown), *old.last().unwrap(), "{shown}");
    // Messages tell it, too.
    let told = world.raw().await.rows("SELECT data FROM outbox WHERE kind = 'order.created'").await;
    assert!(told.iter().all(|row| number(&serde_json::from_str(&row[0]).unwrap()) > 1000));
    assert_eq!(world.findings().await, []);
}

async fn a_refused_order_takes_no_number(world: World) {
    let till = Till::open(world, 1).await;
    let first = till.order("a").await;
    assert_eq!(place(&till.world, "b", &cart("tt", 1)).await.problem(), problem(409, "held", None));
    let output = till.command(&["order", "reject", first["order"]["id"].as_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let second = till.order("c").await;
    assert_eq!([&first, &second].map(|placed| number(&placed["order"])), [1001, 1002]);
    // The same request gets the same order.
    assert_eq!(number(&till.order("c").await["order"]), 1002);
    assert_eq!(till.world.findings().await, []);
}

async fn an_order_is_found_by_its_number(world: World) {
    let till = Till::open(world, 9).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    till.approve(&first);
    let id = |placed: &Value| placed["order"]["id"].as_str().unwrap().to_owned();
    let tenant = till.producer.tenant;
    let ana = till.world.staff(tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for text in ["1001", "%231001", "No.%201001", "N.%C2%BA%201001"] {
        let page = ana.get(&format!("{PAGE}/orders?q={text}")).await.text;
        assert!(page.contains("No. 1001") && page.contains(&id(&first)) && !page.contains(&id(&second)), "{page}");
    }
    // Tickets are found by the number of their order.
    assert!(ana.get(&format!("{PAGE}/tickets?q=1001")).await.text.contains("No. 1001"));
    let shown = ana.get(&format!("{PAGE}/orders/{}", id(&first))).await.text;
    assert!(shown.contains("<h1>No. 1001 "), "{shown}");
    let printed = ana.get(&format!("{PAGE}/orders/{}/tickets", id(&first))).await.text;
    assert!(printed.contains("<span>No. 1001</span><code>"), "{printed}");
    let file = ana.get(&format!("{PAGE}/exports/orders.csv")).await.text;
    let mut lines = file.lines();
    assert!(
        lines.next().unwrap().ends_with(",number,payment_method,notes,coupon,promoter,discount,surcharge,terms"),
        "{file}"
    );
    assert!(lines.all(|line| line.ends_with(",1001,,,,,,,") || line.ends_with(",1002,,,,,,,")), "{file}");
    // An imported order may have an id that is another one's number: both are found.
    till.world.import(tenant, &[order("1001", "ev", "tt")]).await;
    let page = ana.get(&format!("{PAGE}/orders?q=1001")).await.text;
    assert!(page.contains("No. 1001") && page.contains("No. 1003"), "{page}");
    // The command line, in words and as JSON.
    let shown = till.command(&["order", "show", "1002"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!((shown["id"].as_str().unwrap(), &shown["number"]), (id(&second).as_str(), &json!("1002")));
    let said = taquilla(&till.world.address).args(["order", "search", "#1002", "--producer", "pr_a"]).output().unwrap();
    assert!(String::from_utf8(said.stdout).unwrap().contains(&id(&second)));
    assert!(!till.command(&["order", "show", "1009"]).status.success());
    // Orders are decided by their numbers, too. An id goes first: 1001 is one, of the order that was imported.
    let third = till.order("c").await;
    for (command, number, status) in
        [("approve", "1002", "approved"), ("refund", "#1002", "refunded"), ("reject", "1004", "rejected")]
    {
        let done = till.command(&["order", command, number]);
        let done: Value =
            serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("{command} {number}: {done:?}"));
        let expected = if command == "reject" { id(&third) } else { id(&second) };
        assert_eq!((done["id"].as_str().unwrap(), &done["status"]), (expected.as_str(), &json!(status)));
    }
    let paid_back = till.command(&["order", "paid-back", "1002", "--note", "By transfer"]);
    assert!(String::from_utf8(paid_back.stdout).unwrap().contains(&id(&second)));
    let unknown = till.command(&["order", "approve", "1009"]);
    assert!(!unknown.status.success() && String::from_utf8_lossy(&unknown.stderr).contains("order"), "{unknown:?}");
    assert_eq!(till.world.findings().await, []);
}

async fn staff_see_number_and_name_where_money_is_dealt_with(world: World) {
    let till = Till::open(world, 9).await;
    let (open, owed) = (till.order("a").await, till.order("b").await);
    assert_eq!(till.tell("pay_less", "paid", 24, &open).await.status, 409);
    till.approve(&owed);
    let output = till.command(&["order", "refund", owed["order"]["id"].as_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let tenant = till.producer.tenant;
    let ana = till.world.staff(tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let (open_id, owed_id) = (open["order"]["id"].as_str().unwrap(), owed["order"]["id"].as_str().unwrap());
    let pages = [
        (format!("{PAGE}/payments/open"), 1001),
        (format!("{PAGE}/payments/one?payment=pay_less"), 1001),
        (format!("{PAGE}/orders/{open_id}/reject"), 1001),
        (format!("{PAGE}/payments/owed"), 1002),
        (format!("{PAGE}/payments/owed/paid-back?order={owed_id}"), 1002),
    ];
    for (path, number) in &pages {
        let page = ana.get(path).await.text;
        let said = format!("No. {number}</a> <span dir=\"auto\">Ana</span><br><code class=\"id\">or_");
        assert!(page.contains(&said), "{said} is in {page}");
    }
    // Whoever sees no people sees no names there either.
    let money = [("name", "Money"), ("right", "payments.see"), ("right", "payments.manage")];
    ana.post(&format!("{PAGE}/team/roles"), &money).await.leads_to();
    let role = till.world.raw().await.rows("SELECT id FROM roles WHERE name = 'Money'").await[0][0].clone();
    till.world.user(tenant, "bea@x.example", &role).await;
    let bea = Staff::new(&till.world.client.base);
    bea.sign_in("bea@x.example").await.leads_to();
    for (path, number) in &pages[..2] {
        let page = bea.get(path).await.text;
        assert!(page.contains(&format!("No. {number}")) && page.contains("•••") && !page.contains(">Ana<"), "{page}");
    }
    // A payment settles the order whose number staff write.
    let fields = [("payment", "pay_less"), ("order", "No. 1001")];
    let answer = ana.post(&format!("{PAGE}/payments/settle"), &fields).await;
    assert_eq!(answer.leads_to(), format!("{PAGE}/payments/open?done=payment-used"));
    assert_eq!(till.world.findings().await, []);
}

async fn check_finds_a_number_that_was_never_given_out(world: World) {
    let till = Till::open(world, 9).await;
    till.order("a").await;
    let raw = till.world.raw().await;
    raw.batch("UPDATE clocks SET last_order_number = 1000").await;
    let found = till.world.findings().await;
    assert!(found.iter().any(|finding| finding.problem.contains("its number is 1001")), "{found:?}");
}
