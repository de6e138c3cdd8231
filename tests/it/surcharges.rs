//! Surcharges: what buyers pay besides the prices, to the unit, wherever money is summed up.

use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::role::BuiltInRole;

use crate::{
    coupons::{command, lines},
    harness::{World, cart, event, pay, place, problem, taquilla, ticket_type, with},
};

both_engines![
    an_order_of_the_shop_has_them_to_the_unit,
    what_is_free_and_what_staff_sell_has_none,
    staff_make_and_end_surcharges,
];

async fn a_shop(world: &World) -> crate::harness::Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev"), json!({"starts_at": "2026-12-01T20:00:00Z"})),
        ticket_type("tt", "ev"),
        with(ticket_type("tt_beer", "ev"), json!({"price": 4, "category": "merchandise"})),
        with(ticket_type("tt_free", "ev"), json!({"price": 0})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

fn make(world: &World, name: &str, more: &[&str]) -> Value {
    let args = [&["surcharge", "create", "--event", "ev", "--name", name], more].concat();
    command(world, &args)
}

fn body(items: &[(&str, i64)]) -> Value {
    let items: Vec<Value> =
        items.iter().map(|(id, quantity)| json!({"ticket_type_id": id, "quantity": quantity})).collect();
    with(cart("tt", 1), json!({"items": items}))
}

async fn an_order_of_the_shop_has_them_to_the_unit(world: World) {
    let producer = a_shop(&world).await;
    let secret = world.connect_processor(&producer).await;
    make(&world, "Service", &["--per-ticket", "--amount", "2"]);
    make(&world, "Card", &["--per-order", "--percent", "3"]);
    let sale = world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.json();
    assert_eq!(
        sale["surcharges"],
        json!([{"name": "Service", "per": "ticket", "percent": null, "amount": 2},
            {"name": "Card", "per": "order", "percent": 3, "amount": null}])
    );
    let prices: Vec<(&str, i64)> = sale["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["id"].as_str().unwrap(), item["unit_price"].as_i64().unwrap()))
        .collect();
    assert_eq!(prices, [("tt", 27), ("tt_beer", 4), ("tt_free", 0)]);
    let placed = place(&world, "a", &body(&[("tt", 3), ("tt_beer", 2), ("tt_free", 1)])).await.json();
    let order = &placed["order"];
    // 3 tickets make 6. 3 % of 83 is 2.49, so 2: 1.8 and 0.19, so both are the entrances'.
    let expected = [("tt", 1, 27, 27), ("tt", 2, 28, 56), ("tt_beer", 2, 4, 8), ("tt_free", 1, 0, 0)];
    assert_eq!(lines(order), expected.map(|(id, quantity, price, total)| (id.to_owned(), quantity, price, total)));
    assert_eq!((&order["total"], &order["surcharge"], order.get("discount")), (&json!(91), &json!(8), None));
    assert_eq!(order["items"][1]["list_price"], 25);
    // The processor has to be paid just that.
    let notice = |amount: i64| json!({"payment_id": "pay_1", "reference": placed["reference"], "status": "paid", "amount": amount, "currency": "EUR"});
    assert_eq!(pay(&world, &notice(83), &secret, 0).await.problem(), problem(409, "payment_mismatch", None));
    assert_eq!(pay(&world, &notice(91), &secret, 0).await.status, 200);
    // Reports and files agree.
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let report = ana.get("/dashboard/p/pr_a/reports/sales?event=ev").await.text;
    assert!(report.contains("€91") && report.contains("€83"), "{report}");
    let sums = world.raw().await.rows("SELECT CAST(sum(amount) AS BIGINT) FROM sales").await;
    assert_eq!(sums, [["91"]]);
    let file = ana.get("/dashboard/p/pr_a/exports/orders.csv").await.text;
    assert!(file.lines().any(|line| line.contains(",91,") && line.contains(",,,,8,")), "{file}");
    let page = ana.get(&format!("/dashboard/p/pr_a/orders/{}", order["id"].as_str().unwrap())).await.text;
    assert!(page.contains("<dd>€8</dd>"), "{page}");
    command(&world, &["order", "refund", order["id"].as_str().unwrap()]);
    let owed = world.raw().await.rows("SELECT amount FROM pay_backs").await;
    assert_eq!(owed, [["91"]]);
    assert_eq!(world.findings().await, []);
}

async fn what_is_free_and_what_staff_sell_has_none(world: World) {
    let producer = a_shop(&world).await;
    make(&world, "Service", &["--per-order", "--amount", "5"]);
    let free = place(&world, "a", &body(&[("tt_free", 2)])).await.json();
    assert_eq!((&free["order"]["total"], &free["order"]["status"]), (&json!(0), &json!("approved")));
    command(&world, &["coupon", "create", "--event", "ev", "--code", "all", "--percent", "100"]);
    let all = place(&world, "b", &with(body(&[("tt", 1)]), json!({"coupon": "all"}))).await.json();
    assert_eq!((&all["order"]["total"], all["order"].get("surcharge")), (&json!(0), None));
    let sold =
        command(&world, &["order", "create", "--event", "ev", "--name", "Somebody", "--item", "tt=2", "--approve"]);
    assert_eq!(sold["order"]["total"], 50);
    let shop = place(&world, "c", &body(&[("tt", 1)])).await.json();
    assert_eq!(shop["order"]["total"], 30);
    // A copy of the event has the surcharges, and no coupons.
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let copied = ana
        .post("/dashboard/p/pr_a/events/ev/duplicate", &[("name", "Again"), ("starts_at", "2027-12-01T20:00")])
        .await;
    let copy = copied.leads_to().trim_start_matches("/dashboard/p/pr_a/events/").split('?').next().unwrap().to_owned();
    let of = |what: &str| command(&world, &[what, "list", "--event", &copy]);
    let names: Vec<Value> = of("surcharge").as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!((names, of("coupon")), (vec![json!("Service")], json!([])));
    assert_eq!(world.findings().await, []);
}

async fn staff_make_and_end_surcharges(world: World) {
    let producer = a_shop(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let path = "/dashboard/p/pr_a/events/ev/surcharges";
    assert!(ana.get("/dashboard/p/pr_a/events/ev").await.text.contains(path));
    let fields = [("name", "Service <b>fee</b>"), ("kind", "amount"), ("rate", "3"), ("per", "ticket")];
    assert_eq!(ana.post(path, &fields).await.leads_to(), format!("{path}?done=surcharge-made"));
    let page = ana.get(path).await.text;
    assert!(page.contains("Service &#60;b&#62;fee") && page.contains("€3"), "{page}");
    for (fields, said) in [
        (vec![("name", ""), ("rate", "3")], "Write a name"),
        (vec![("name", "x"), ("rate", "3.5")], "from 1 to 100"),
        (vec![("name", "x"), ("kind", "amount"), ("rate", "")], "at least 1"),
    ] {
        let wrong = ana.post(path, &fields).await;
        assert!(wrong.status == 422 && wrong.text.contains(said), "{fields:?}: {}", wrong.text);
    }
    assert_eq!(place(&world, "a", &cart("tt", 1)).await.json()["order"]["total"], 28);
    let made = command(&world, &["surcharge", "list", "--event", "ev"])[0].clone();
    assert_eq!((&made["per"], &made["amount"], &made["ended_at"]), (&json!("ticket"), &json!(3), &Value::Null));
    let end = format!("{path}/{}/end", made["id"].as_str().unwrap());
    assert_eq!(ana.post(&end, &[]).await.leads_to(), format!("{path}?done=surcharge-ended"));
    assert_eq!(place(&world, "b", &cart("tt", 1)).await.json()["order"]["total"], 25);
    let by_command =
        command(&world, &["surcharge", "create", "--event", "ev", "--name", "Card", "--per-order", "--percent", "4"]);
    let ended =
        taquilla(&world.address).args(["surcharge", "end", by_command["id"].as_str().unwrap(), "--json"]).output();
    let ended: Value = serde_json::from_slice(&ended.unwrap().stdout).unwrap();
    assert!(ended["ended_at"].is_string());
    for args in [
        vec!["--percent", "4"],
        vec!["--per-order"],
        vec!["--per-order", "--per-ticket", "--percent", "4"],
        vec!["--per-order", "--percent", "4", "--amount", "1"],
    ] {
        let ran = taquilla(&world.address)
            .args(["surcharge", "create", "--producer", "pr_a", "--event", "ev", "--name", "x"])
            .args(&args)
            .output();
        assert!(!ran.unwrap().status.success(), "{args:?}");
    }
    let history = ana.get("/dashboard/p/pr_a/history").await.text;
    assert!(history.contains("Surcharge made") && history.contains("Surcharge ended"), "{history}");
    assert_eq!(world.findings().await, []);
}
