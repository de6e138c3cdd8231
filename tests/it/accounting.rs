//! What accounting joins by: payments and times of orders, the item a ticket was issued for, and chains of transfers.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use taquilla_domain::{key::Permission, person::Person, stock::Channel};
use taquilla_rules::boxoffice::{self, ItemRequest, OrderRequest, Placed};

use crate::harness::{Producer, World, event, order, problem, sign, ticket, ticket_type, with};

both_engines![
    an_order_tells_how_and_when_it_was_paid,
    what_was_paid_for_each_ticket_adds_up,
    a_reference_is_for_keys_that_may_read_tickets,
    an_import_keeps_what_accounting_needs,
    a_chain_is_read_in_one_call,
    a_long_chain_has_pages,
];

async fn a_producer(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let bundle = json!({
        "kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack", "price": 40, "currency": "EUR",
        "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 2}],
    });
    let beer = with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise", "price": 4}));
    let free = with(ticket_type("tt_free", "ev"), json!({"price": 0}));
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), beer, free, bundle]).await;
    producer
}

/// Staff place an order of these items and quantities; returns its id.
async fn place(world: &World, producer: &Producer, items: &[(&str, i64)]) -> String {
    let item = |(id, quantity): &(&str, i64)| ItemRequest {
        ticket_type_id: (*id).to_owned(),
        quantity: *quantity,
        unit_price: None,
        attendees: vec![],
        access_code: None,
    };
    let request = OrderRequest {
        is_paid: false,
        event_id: "ev".into(),
        buyer: Person { name: "Ana".into(), ..Person::default() },
        items: items.iter().map(item).collect(),
        channel: Channel::Staff,
        hold: taquilla_domain::config::HOLD,
        past_holds: boxoffice::PastHolds::No,
        method: None,
        past_most: false,
        stranger: None,
        promoter: None,
        coupon: None,
        terms: None,
        language: None,
    };
    match boxoffice::place(&world.store, producer.tenant, &request, None, world.now()).await.unwrap() {
        Placed::New(placed) => placed.order.id,
        Placed::Before(_) => unreachable!(),
    }
}

async fn get(world: &World, producer: &Producer, path: &str) -> Value {
    let answer = world.client.get(&format!("/api/v1/{path}"), &producer.key).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    answer.json()
}

/// The fields of an order that accounting joins by.
fn facts(order: &Value) -> Value {
    let names = ["status", "channel", "payment_id", "paid_at", "refunded_at", "updated_at"];
    names.iter().map(|name| ((*name).to_owned(), order[*name].clone())).collect::<serde_json::Map<_, _>>().into()
}

async fn an_order_tells_how_and_when_it_was_paid(world: World) {
    let producer = a_producer(&world).await;
    let connected = world.connect_processor(&producer).await;
    let secret = connected;
    let body = json!({"buyer": {"name": "Ana", "email": "ana@example.com"}, "items": [{"ticket_type_id": "tt", "quantity": 1}]});
    let placed = world.client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", "k1")], &body).await.json();
    let id = placed["order"]["id"].as_str().unwrap().to_owned();
    let pending = get(&world, &producer, &format!("orders/{id}")).await;
    assert_eq!(pending["reference"], placed["reference"], "it joins with what the processor was given");
    let at = pending["updated_at"].clone();
    let nothing = json!({"status": "pending", "channel": "shop", "payment_id": null, "paid_at": null, "refunded_at": null, "updated_at": at});
    assert_eq!(facts(&pending), nothing);

    let notice = json!({"payment_id": "pay_7", "reference": placed["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
    let seconds = world.now().micros() / 1_000_000;
    let signature = sign(&secret, "msg", seconds, &notice.to_string());
    let headers =
        [("webhook-id", "msg"), ("webhook-timestamp", &seconds.to_string()), ("webhook-signature", &signature)];
    assert_eq!(world.client.post("/shop/v1/pr_a/payments", &headers, &notice).await.status, 200);
    let paid = get(&world, &producer, &format!("orders/{id}")).await;
    assert_eq!((&paid["payment_id"], &paid["paid_at"]), (&json!("pay_7"), &paid["updated_at"]));
    let bought = world.client.get(&format!("/api/v1/tickets?order_id={id}"), &producer.key).await.data();
    assert_eq!(bought[0]["issued_at"], paid["paid_at"]);

    boxoffice::refund(&world.store, producer.tenant, &id, world.now()).await.unwrap();
    let refunded = get(&world, &producer, &format!("orders/{id}")).await;
    assert_eq!(
        facts(&refunded),
        json!({
            "status": "refunded", "channel": "shop", "payment_id": "pay_7", "paid_at": paid["paid_at"],
            "refunded_at": refunded["updated_at"], "updated_at": refunded["updated_at"],
        })
    );
    let listed = get(&world, &producer, "orders").await;
    assert_eq!(listed["data"][0], refunded, "the list shows the same");

    let by_staff = place(&world, &producer, &[("tt", 1)]).await;
    boxoffice::approve(&world.store, producer.tenant, &by_staff, boxoffice::PastHolds::No, world.now()).await.unwrap();
    let by_staff = get(&world, &producer, &format!("orders/{by_staff}")).await;
    assert_eq!((&by_staff["channel"], &by_staff["payment_id"]), (&json!("box_office"), &Value::Null));
    assert_eq!(by_staff["paid_at"], by_staff["updated_at"]);
    let free = place(&world, &producer, &[("tt_free", 1)]).await;
    let free = get(&world, &producer, &format!("orders/{free}")).await;
    assert_eq!((&free["status"], &free["paid_at"]), (&json!("approved"), &Value::Null), "nothing was paid");
}

/// What each ticket of an order cost, by the rule of docs/api.md.
async fn apportioned(world: &World, producer: &Producer, order_id: &str) -> BTreeMap<String, i64> {
    let order = get(world, producer, &format!("orders/{order_id}")).await;
    let tickets =
        world.client.get(&format!("/api/v1/tickets?order_id={order_id}&limit=200"), &producer.key).await.data();
    let successors: Vec<&Value> = tickets.iter().map(|ticket| &ticket["transferred_to_ticket_id"]).collect();
    let mut costs = BTreeMap::new();
    for (index, item) in order["items"].as_array().unwrap().iter().enumerate() {
        let mut first: Vec<&str> = tickets
            .iter()
            .filter(|ticket| ticket["order_item"] == index && !successors.contains(&&ticket["id"]))
            .map(|ticket| ticket["id"].as_str().unwrap())
            .collect();
        first.sort_unstable();
        let (total, count) = (item["total"].as_i64().unwrap(), first.len() as i64);
        for (place, id) in first.iter().enumerate() {
            costs.insert((*id).to_owned(), total / count + i64::from((place as i64) < total % count));
        }
    }
    costs
}

async fn what_was_paid_for_each_ticket_adds_up(world: World) {
    let producer = a_producer(&world).await;
    let id = place(&world, &producer, &[("bu", 2), ("tt", 1), ("tt_beer", 3)]).await;
    boxoffice::approve(&world.store, producer.tenant, &id, boxoffice::PastHolds::No, world.now()).await.unwrap();
    let tickets = world.client.get(&format!("/api/v1/tickets?order_id={id}&limit=200"), &producer.key).await.data();
    let count = |item: i64, bundle: &Value| {
        tickets.iter().filter(|ticket| ticket["order_item"] == item && ticket["bundle_id"] == *bundle).count()
    };
    assert_eq!((count(0, &json!("bu")), count(1, &Value::Null), count(2, &Value::Null)), (6, 1, 3));
    let costs = apportioned(&world, &producer, &id).await;
    assert_eq!(costs.values().sum::<i64>(), 2 * 40 + 25 + 3 * 4);
    assert_eq!(costs.len(), 10);

    // A ticket that was passed on keeps its price, and the one that took its place cost nothing.
    let passed = tickets.iter().find(|ticket| ticket["order_item"] == 0).unwrap()["id"].as_str().unwrap();
    let to = Person { name: "Luis".into(), ..Person::default() };
    let new = boxoffice::transfer(&world.store, producer.tenant, passed, &to, world.now()).await.unwrap();
    let successor = get(&world, &producer, &format!("tickets/{new}")).await;
    assert_eq!((&successor["order_item"], &successor["bundle_id"]), (&json!(0), &json!("bu")));
    assert_eq!(apportioned(&world, &producer, &id).await, costs);
    assert_eq!(world.findings().await, []);
}

async fn a_reference_is_for_keys_that_may_read_tickets(world: World) {
    let producer = a_producer(&world).await;
    let id = place(&world, &producer, &[("tt", 1)]).await;
    let (orders_only, _) = world.key(producer.tenant, &[Permission::OrdersRead], None).await;
    let (both, _) = world.key(producer.tenant, &[Permission::OrdersRead, Permission::TicketsRead], None).await;
    for path in [format!("/api/v1/orders/{id}"), "/api/v1/orders".into()] {
        let hidden = world.client.get(&path, &orders_only).await;
        assert!(hidden.text.contains("\"reference\":null"), "{}", hidden.text);
        let shown = world.client.get(&path, &both).await;
        assert!(shown.text.contains("\"reference\":\"1-"), "{}", shown.text);
    }
}

async fn an_import_keeps_what_accounting_needs(world: World) {
    let producer = a_producer(&world).await;
    let bought = json!([
        {"ticket_type_id": "tt", "quantity": 1, "unit_price": 20},
        {"ticket_type_id": "bu", "quantity": 1, "unit_price": 40},
        {"ticket_type_id": "tt", "quantity": 1, "unit_price": 15},
    ]);
    let paid = json!({
        "items": bought, "status": "refunded", "payment_id": "pay_1", "paid_at": "2026-09-01T10:00:00Z",
        "refunded_at": "2026-09-02T10:00:00Z", "reference": "7-SOMEWHERE", "channel": "shop",
    });
    let lines = [
        with(ticket("A", "ev", "tt"), json!({"order_id": "or"})),
        with(ticket("B", "ev", "tt"), json!({"order_id": "or", "order_item": 2})),
        with(ticket("C", "ev", "tt_beer"), json!({"order_id": "or", "bundle_id": "bu"})),
        with(ticket("D", "ev", "tt"), json!({"order_id": "or", "from_bundle": true})),
        ticket("E", "ev", "tt"),
        with(order("or", "ev", "tt"), paid),
    ];
    world.import(producer.tenant, &lines).await;
    let kept = get(&world, &producer, "orders/or").await;
    assert_eq!((&kept["reference"], &kept["channel"]), (&Value::Null, &json!("import")));
    assert_eq!((&kept["payment_id"], &kept["paid_at"]), (&json!("pay_1"), &json!("2026-09-01T10:00:00.000000Z")));
    assert_eq!(kept["refunded_at"], "2026-09-02T10:00:00.000000Z");
    let later = with(ticket("F", "ev", "tt_beer"), json!({"order_id": "or", "bundle_id": "bu", "bundle_unit": "2"}));
    world.import(producer.tenant, &[later]).await;
    let mut found = Vec::new();
    for id in ["A", "B", "C", "D", "E", "F"] {
        let ticket = get(&world, &producer, &format!("tickets/{id}")).await;
        found.push((ticket["order_item"].clone(), ticket["bundle_id"].clone()));
    }
    let (bundle, none) = (json!("bu"), Value::Null);
    let expected = [
        (json!(0), none.clone()),
        (json!(2), none.clone()),
        (json!(1), bundle.clone()),
        (none.clone(), none.clone()),
        (none.clone(), none.clone()),
        (json!(1), bundle),
    ];
    assert_eq!(found, expected);
    assert_eq!(world.findings().await, []);

    for (line, field) in [
        (with(ticket("X", "ev", "tt"), json!({"order_id": "or", "order_item": 1})), "order_item"),
        (with(ticket("X", "ev", "tt"), json!({"order_id": "or", "order_item": 9})), "order_item"),
        (with(ticket("X", "ev", "tt"), json!({"order_item": 0})), "order_item"),
        (with(order("x", "ev", "tt"), json!({"status": "pending", "paid_at": "2026-09-01"})), "paid_at"),
        (with(order("x", "ev", "tt"), json!({"refunded_at": "2026-09-01"})), "refunded_at"),
    ] {
        let refused = world.try_import(producer.tenant, &[line]).await.unwrap_err().to_string();
        assert!(refused.starts_with(&format!("line 1, field \"{field}\"")), "{refused}");
    }
}

async fn a_chain_is_read_in_one_call(world: World) {
    let producer = a_producer(&world).await;
    let id = place(&world, &producer, &[("tt_free", 2)]).await;
    let ids = world.client.get(&format!("/api/v1/tickets?order_id={id}"), &producer.key).await.ids();
    let mut chain = vec![ids[0].clone()];
    for name in ["Luis", "Eva"] {
        let to = Person { name: name.into(), ..Person::default() };
        let last = chain.last().unwrap();
        chain.push(boxoffice::transfer(&world.store, producer.tenant, last, &to, world.now()).await.unwrap());
    }
    for id in &chain {
        let answer = get(&world, &producer, &format!("tickets/{id}/chain")).await;
        assert_eq!((&answer["has_more"], &answer["next_cursor"]), (&json!(false), &Value::Null));
        let rows = answer["data"].as_array().unwrap();
        let found: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(found, chain, "from the first to the current holder, whichever is asked for");
        for row in rows {
            assert_eq!(*row, get(&world, &producer, &format!("tickets/{}", row["id"].as_str().unwrap())).await);
        }
    }
    let alone = get(&world, &producer, &format!("tickets/{}/chain", ids[1])).await;
    assert_eq!(alone["data"].as_array().unwrap().len(), 1);
    let unknown = world.client.get("/api/v1/tickets/NOPE/chain", &producer.key).await;
    assert_eq!(unknown.problem(), problem(404, "not_found", None));
    let other = world.producer("pr_b").await;
    assert_eq!(world.client.get(&format!("/api/v1/tickets/{}/chain", chain[0]), &other.key).await.status, 404);
}

async fn a_long_chain_has_pages(world: World) {
    let producer = a_producer(&world).await;
    let id = |number: usize| format!("T{number:03}");
    let passed = |number: usize| {
        let times = json!({"transferred_at": "2026-10-02T10:00:00Z", "transferred_to_ticket_id": id(number + 1)});
        with(ticket(&id(number), "ev", "tt"), times)
    };
    let mut lines: Vec<Value> = (0..7).map(passed).collect();
    lines.push(ticket(&id(7), "ev", "tt"));
    world.import(producer.tenant, &lines).await;
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.client.get(&format!("/api/v1/tickets/T004/chain?limit=3{cursor}"), &producer.key).await;
        found.push(page.ids());
        let Some(next) = page.json()["next_cursor"].as_str().map(str::to_owned) else { break };
        let elsewhere =
            world.client.get(&format!("/api/v1/tickets/T001/chain?limit=3&cursor={next}"), &producer.key).await;
        assert_eq!(elsewhere.status, 400, "a cursor is of one chain");
        cursor = format!("&cursor={next}");
    }
    assert_eq!(found, [vec!["T000", "T001", "T002"], vec!["T003", "T004", "T005"], vec!["T006", "T007"]]);
    let wrong = world.client.get("/api/v1/tickets/T004/chain?status=valid", &producer.key).await;
    assert_eq!(wrong.status, 400);
}
