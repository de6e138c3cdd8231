//! G3: no more is ever sold than there is.

use serde_json::{Value, json};
use taquilla_domain::{person::Person, status::EventStatus, stock::Channel};
use taquilla_rules::{
    admin::catalogue::{EventChange, change_event},
    boxoffice::{self, ItemRequest, OrderRequest, PastHolds, Placed},
};
use taquilla_store::{ChangeError, ChangeResult, Open, Store};

use crate::harness::{World, event, ticket_type, with};

fn buy(item: &str, quantity: i64) -> Value {
    json!({"buyer": {"name": "Ana", "email": "ana@example.com"}, "items": [{"ticket_type_id": item, "quantity": quantity}]})
}

async fn sold(world: &World, key: &str, id: &str) -> (i64, Value, Value) {
    let types = world.client.get("/api/v1/events/ev/ticket-types", key).await.data();
    let item = types.into_iter().find(|item| item["id"] == id).unwrap();
    (item["sold"].as_i64().unwrap(), item["available"].clone(), item["status"].clone())
}

both_engines![hundreds_of_buyers_get_exactly_the_last_units, approval_checks_the_stock_again];

async fn hundreds_of_buyers_get_exactly_the_last_units(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        with(ticket_type("tt", "ev"), json!({"price": 0, "limit": 37, "max_per_order": 3})),
        with(ticket_type("tt_beer", "ev"), json!({"price": 0, "limit": 5})),
        json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack", "price": 0, "currency": "EUR", "limit": 13,
            "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 2}]}),
    ];
    world.import(producer.tenant, &lines).await;
    let [(_first, here), (_second, there)] = world.two_servers().await;

    let mut buyers = Vec::new();
    for number in 0..300 {
        let client = if number % 2 == 0 { here.clone() } else { there.clone() };
        let (item, quantity) = if number % 3 == 0 { ("bu", 1) } else { ("tt", 1 + number % 3) };
        buyers.push(tokio::spawn(async move {
            let key = format!("k{number}");
            let answer = loop {
                let path = "/shop/v1/pr_a/events/ev/orders";
                let answer = client.post(path, &[("idempotency-key", &key)], &buy(item, quantity)).await;
                // A slow machine sends some buyers away for a while.
                if answer.status != 503 {
                    break answer;
                }
            };
            match answer.status.as_u16() {
                201 => {
                    assert_eq!(answer.json()["order"]["status"], "approved", "a free order is approved at once");
                    (item, quantity)
                }
                409 => {
                    assert_eq!(answer.json()["code"], "sold_out");
                    (item, 0)
                }
                other => panic!("{other}: {}", answer.text),
            }
        }));
    }
    let mut got = std::collections::HashMap::new();
    for buyer in buyers {
        let (item, quantity) = buyer.await.unwrap();
        *got.entry(item).or_insert(0) += quantity;
    }
    // A unit or two may be left if only larger orders came at the end; single orders take them.
    for (item, limit) in [("tt", 37), ("bu", 13)] {
        let rest = limit - got[item];
        assert!((0..=2).contains(&rest), "{item}: {got:?}");
        for number in 0..rest {
            let key = format!("rest-{item}-{number}");
            assert_eq!(
                here.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", &key)], &buy(item, 1)).await.status,
                201
            );
        }
        assert_eq!(sold(&world, &producer.key, item).await, (limit, json!(0), json!("sold_out")), "{item}");
        let key = format!("one-too-many-{item}");
        let refused = here.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", &key)], &buy(item, 1)).await;
        assert_eq!(refused.problem(), crate::harness::problem(409, "sold_out", None));
    }
    assert_eq!(sold(&world, &producer.key, "tt_beer").await.0, 0, "what comes out of a bundle is the bundle's stock");
    assert_eq!(world.findings().await, []);
}

async fn approval_checks_the_stock_again(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"limit": 4}))]).await;
    let mut orders = Vec::new();
    for _ in 0..10 {
        let item = ItemRequest {
            ticket_type_id: "tt".into(),
            quantity: 1,
            unit_price: None,
            attendees: vec![],
            access_code: None,
        };
        let buyer = Person { name: "Ana".into(), ..Person::default() };
        let request = OrderRequest::new("ev".into(), buyer, vec![item], Channel::Staff);
        // Staff promise more than there is.
        let request = OrderRequest { past_holds: PastHolds::Yes, ..request };
        let Placed::New(placed) =
            boxoffice::place(&world.store, producer.tenant, &request, None, world.now()).await.unwrap()
        else {
            panic!()
        };
        orders.push(placed.order.id);
    }
    assert_eq!(sold(&world, &producer.key, "tt").await.0, 0);
    let elsewhere = Store::open(&world.address, Open::Existing).await.unwrap();
    let approving: Vec<_> = orders
        .iter()
        .cloned()
        .enumerate()
        .map(|(number, id)| {
            let store = if number % 2 == 0 { world.store.clone() } else { elsewhere.clone() };
            let (tenant, now) = (producer.tenant, world.now());
            tokio::spawn(async move { boxoffice::approve(&store, tenant, &id, PastHolds::No, now).await.is_ok() })
        })
        .collect();
    let mut approved = 0;
    for step in approving {
        approved += usize::from(step.await.unwrap());
    }
    assert_eq!(approved, 4);
    assert_eq!(sold(&world, &producer.key, "tt").await, (4, json!(0), json!("sold_out")));
    let pending = world.client.get("/api/v1/orders?status=pending", &producer.key).await.ids();
    assert_eq!(pending.len(), 6, "the others stay pending");
    // Stock returns with a refund, and the item is on sale again.
    let refunded = orders.iter().find(|id| !pending.contains(id)).unwrap();
    boxoffice::refund(&world.store, producer.tenant, refunded, world.now()).await.unwrap();
    assert_eq!(sold(&world, &producer.key, "tt").await, (3, json!(1), json!("active")));
    boxoffice::approve(&world.store, producer.tenant, &pending[0], PastHolds::No, world.now()).await.unwrap();
    // An order that was imported with its tickets cannot be approved, and an order sold here takes no imported tickets.
    let imported = with(crate::harness::order("or_old", "ev", "tt"), json!({"status": "pending"}));
    let ticket = with(crate::harness::ticket("OLD", "ev", "tt"), json!({"order_id": "or_old", "hidden": true}));
    world.import(producer.tenant, &[imported, ticket]).await;
    let code = |outcome: ChangeResult<_>| match outcome {
        Err(ChangeError::Refused(refusal)) => refusal.code(),
        _ => "ok",
    };
    assert_eq!(
        code(boxoffice::approve(&world.store, producer.tenant, "or_old", PastHolds::No, world.now()).await.map(|_| ())),
        "order_has_tickets"
    );
    let slipped = with(crate::harness::ticket("SLIP", "ev", "tt"), json!({"order_id": pending[0]}));
    assert!(world.try_import(producer.tenant, &[slipped]).await.unwrap_err().to_string().contains("was sold here"));
    let cancelled = EventChange { status: Some(EventStatus::Cancelled), ..EventChange::default() };
    change_event(&world.store, producer.tenant, "ev", &cancelled, None, &world.by()).await.unwrap();
    assert_eq!(
        code(
            boxoffice::approve(&world.store, producer.tenant, &pending[1], PastHolds::No, world.now())
                .await
                .map(|_| ())
        ),
        "event_not_on_sale"
    );
    assert_eq!(world.findings().await, []);
}
