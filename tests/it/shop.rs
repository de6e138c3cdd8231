//! The shop: what is on sale, orders that are safe to repeat, and payments that are checked.

use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{
    config::Config,
    count::Count,
    status::{EventStatus, TypeStatus},
};
use taquilla_rules::{
    admin::catalogue::{EventChange, TicketTypeChange, change_event, change_ticket_type},
    boxoffice::PastHolds,
};
use taquilla_store::sales::payment_lists::{self, Listed};

use crate::harness::configured;
use crate::harness::{Producer, World, cart, event, pay, place, problem, ticket_type, with};

const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        with(ticket_type("tt", "ev"), json!({"limit": 5, "max_per_order": 3, "sort_order": 1})),
        with(ticket_type("tt_free", "ev"), json!({"price": 0, "sort_order": 2})),
        with(ticket_type("tt_hidden", "ev"), json!({"sort_order": 3})),
        with(ticket_type("tt_team", "ev"), json!({"status": "exclusive"})),
        with(ticket_type("tt_off", "ev"), json!({"status": "inactive"})),
        with(ticket_type("tt_late", "ev"), json!({"expires_at": "2026-10-01"})),
        with(event("ev_draft"), json!({"status": "draft"})),
        ticket_type("tt_draft", "ev_draft"),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

both_engines![
    the_shop_shows_what_the_public_may_buy,
    an_order_is_safe_to_repeat,
    bad_orders_are_refused_with_the_field,
    a_processor_settles_orders_by_signed_callbacks,
];

async fn the_shop_shows_what_the_public_may_buy(world: World) {
    let producer = a_shop(&world).await;
    change_ticket_type(
        &world.store,
        producer.tenant,
        "tt_hidden",
        &TicketTypeChange { status: Some(TypeStatus::Hidden), ..TicketTypeChange::default() },
        None,
        &world.by(),
    )
    .await
    .unwrap();
    let codes = world.raw().await.rows("SELECT access_code FROM ticket_types WHERE id = 'tt_hidden'").await;
    let code = &codes[0][0];
    let ids = async |query: &str| {
        let sale = world.client.send(Method::GET, &format!("/shop/v1/pr_a/events/ev{query}"), &[]).await.json();
        sale["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids("").await, ["tt", "tt_free"]);
    assert_eq!(ids(&format!("?access_code={code}")).await, ["tt", "tt_free", "tt_hidden"]);
    assert_eq!(ids("?access_code=wrong").await, ["tt", "tt_free"]);
    let sale = world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await;
    assert_eq!(sale.json()["event"]["name"], "Event ev");
    assert!(
        !sale.text.contains("\"sold\"") && !sale.text.contains("\"limit\""),
        "how much is sold is nobody's business"
    );
    // Another producer's event with the same id is a different event.
    let other = world.producer("pr_b").await;
    world.import(other.tenant, &[with(event("ev"), json!({"name": "Theirs"}))]).await;
    assert_eq!(
        world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.json()["event"]["name"],
        "Event ev"
    );
    assert_eq!(world.client.send(Method::GET, "/shop/v1/pr_b/events/ev", &[]).await.json()["event"]["name"], "Theirs");
    assert_eq!(world.client.send(Method::GET, "/shop/v1/pr_nobody/events/ev", &[]).await.status, 404);
    let draft = world
        .client
        .post("/shop/v1/pr_a/events/ev_draft/orders", &[("idempotency-key", "d")], &cart("tt_draft", 1))
        .await;
    assert_eq!(draft.problem(), problem(404, "not_found", None), "to the public a draft does not exist");
    for unknown in ["ev_draft", "ev_nope"] {
        assert_eq!(world.client.send(Method::GET, &format!("/shop/v1/pr_a/events/{unknown}"), &[]).await.status, 404);
    }
    let with_code = with(cart("tt_hidden", 1), json!({"access_code": code}));
    assert_eq!(place(&world, "h1", &with_code).await.status, 201);
    assert_eq!(
        place(&world, "h2", &cart("tt_hidden", 1)).await.problem(),
        problem(400, "invalid_body", Some("items[0].ticket_type_id"))
    );
    change_event(
        &world.store,
        producer.tenant,
        "ev",
        &EventChange { status: Some(EventStatus::Finished), ..EventChange::default() },
        None,
        &world.by(),
    )
    .await
    .unwrap();
    assert_eq!(ids("").await, Vec::<String>::new());
    assert_eq!(place(&world, "over", &cart("tt", 1)).await.problem(), problem(409, "event_not_on_sale", None));
}

async fn an_order_is_safe_to_repeat(world: World) {
    a_shop(&world).await;
    let mut world = world;
    let first = place(&world, "key-1", &cart("tt", 2)).await;
    assert_eq!((first.status.as_u16(), &first.json()["order"]["status"]), (201, &json!("pending")));
    let again = place(&world, "key-1", &cart("tt", 2)).await;
    assert_eq!((again.status, &again.text), (first.status, &first.text));
    // A repetition works across a restart and with differently formatted JSON.
    world.server.stop().await;
    let (server, client) = world.another_server(Config::default()).await;
    (world.server, world.client) = (server, client);
    let spaced = format!("  {} ", serde_json::to_string_pretty(&cart("tt", 2)).unwrap());
    let spaced: Value = serde_json::from_str(&spaced).unwrap();
    assert_eq!(place(&world, "key-1", &spaced).await.text, first.text);
    assert_eq!(place(&world, "key-1", &cart("tt", 1)).await.problem(), problem(422, "idempotency_mismatch", None));
    let other = place(&world, "key-2", &cart("tt", 2)).await;
    assert_ne!(other.json()["order"]["id"], first.json()["order"]["id"]);
    // Simultaneous requests with one key make one order.
    let racing: Vec<_> = (0..12)
        .map(|_| {
            let client = world.client.clone();
            tokio::spawn(async move {
                client
                    .post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", "race")], &cart("tt_free", 1))
                    .await
                    .text
            })
        })
        .collect();
    let mut answers = std::collections::HashSet::new();
    for answer in racing {
        answers.insert(answer.await.unwrap());
    }
    assert_eq!(answers.len(), 1);
    let reference = first.json()["reference"].as_str().unwrap().to_owned();
    let shown = world.client.send(Method::GET, &format!("/shop/v1/orders/{reference}"), &[]).await;
    let hold = json!({"until": first.json()["held_until"], "lasts": true});
    let expected = json!({"order": first.json()["order"], "hold": hold, "tickets": []});
    assert_eq!(shown.json(), expected, "pending: no ticket yet");
    let free: Value = serde_json::from_str(answers.iter().next().unwrap()).unwrap();
    let path = format!("/shop/v1/orders/{}", free["reference"].as_str().unwrap());
    let bought = world.client.send(Method::GET, &path, &[]).await.json()["tickets"].clone();
    assert_eq!(
        (&bought[0]["name"], &bought[0]["status"], &bought[0]["attendee_name"]),
        (&json!("Type tt_free"), &json!("valid"), &json!("Ana"))
    );
    // After a transfer the ticket belongs to somebody else: the buyer does not see the new code.
    let tenant =
        taquilla_store::producers::find(&mut world.store.read().await.unwrap(), "pr_a").await.unwrap().unwrap();
    let person = taquilla_domain::person::Person { name: "Bea".into(), ..Default::default() };
    let taken = taquilla_rules::boxoffice::transfer(
        &world.store,
        tenant,
        bought[0]["id"].as_str().unwrap(),
        &person,
        world.now(),
    )
    .await
    .unwrap();
    let after = world.client.send(Method::GET, &path, &[]).await;
    assert_eq!(after.json()["tickets"][0]["status"], "transferred");
    assert!(!after.text.contains(&taken) && !after.text.contains("Bea"));
    for wrong in ["1-XXXX", "2-abc", "nonsense", &reference[..reference.len() - 1], &reference.replace('-', "")] {
        assert_eq!(
            world.client.send(Method::GET, &format!("/shop/v1/orders/{wrong}"), &[]).await.problem(),
            problem(404, "not_found", None),
            "{wrong}"
        );
    }
}

async fn bad_orders_are_refused_with_the_field(world: World) {
    a_shop(&world).await;
    for (body, code, param) in [
        (json!({}), "invalid_body", Some("buyer")),
        (json!([]), "invalid_body", Some("body")),
        (json!({"buyer": {"name": "A", "email": "a@b"}, "items": []}), "invalid_body", Some("items")),
        (json!({"buyer": {"name": " ", "email": "a@b"}, "items": []}), "invalid_body", Some("buyer.name")),
        (json!({"buyer": {"name": "A", "email": "ab"}, "items": []}), "invalid_body", Some("buyer.email")),
        (json!({"buyer": {"name": "A", "email": "ana@"}, "items": []}), "invalid_body", Some("buyer.email")),
        (
            json!({"buyer": {"name": "A", "email": "ana@example.com, bea"}, "items": []}),
            "invalid_body",
            Some("buyer.email"),
        ),
        (
            json!({"buyer": {"name": "x".repeat(501), "email": "a@b"}, "items": [{"ticket_type_id": "tt", "quantity": 1}]}),
            "invalid_body",
            Some("buyer.name"),
        ),
        (cart("tt", 0), "invalid_body", Some("items[0].quantity")),
        (cart("tt", -1), "invalid_body", Some("items[0].quantity")),
        (with(cart("tt", 1), json!({"price": 0})), "invalid_body", Some("price")),
        (cart("nope", 1), "invalid_body", Some("items[0].ticket_type_id")),
        (cart("tt_draft", 1), "invalid_body", Some("items[0].ticket_type_id")),
        (
            json!({"buyer": {"name": "A", "email": "a@b"}, "items": [{"ticket_type_id": "tt", "quantity": "1"}]}),
            "invalid_body",
            Some("items[0].quantity"),
        ),
        (
            json!({"buyer": {"name": "A", "email": "a@b"}, "items": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt", "quantity": 1}]}),
            "invalid_body",
            Some("items[1].ticket_type_id"),
        ),
        (
            json!({"buyer": {"name": "A", "email": "a@b"}, "items": [{"ticket_type_id": "tt", "quantity": 1, "attendees": [{"name": "B"}, {"name": "C"}]}]}),
            "invalid_body",
            Some("items[0].attendees"),
        ),
    ] {
        let answer = place(&world, "bad", &body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.problem().1.as_str(), answer.problem().2.as_deref()),
            (400, code, param),
            "{body}: {}",
            answer.text
        );
    }
    for (item, quantity) in [("tt", 4), ("tt_hidden", 11)] {
        let answer = place(&world, "bad", &cart(item, quantity)).await;
        assert_eq!(answer.problem(), problem(409, "too_many", None), "{item}");
    }
    // An order with more tickets than can be issued is refused when it is placed, however large the bundle.
    let tenant =
        taquilla_store::producers::find(&mut world.store.read().await.unwrap(), "pr_a").await.unwrap().unwrap();
    for (id, quantity) in [("bu_large", 500), ("bu_absurd", 1_000_000_000)] {
        world.import(tenant, &[json!({"kind": "bundle", "id": id, "event_id": "ev", "name": "B", "price": 1, "currency": "EUR", "max_per_order": 1_000_000_000, "includes": [{"ticket_type_id": "tt", "quantity": quantity}, {"ticket_type_id": "tt_free", "quantity": quantity}]})]).await;
        assert_eq!(
            place(&world, "large", &cart(id, quantity)).await.problem(),
            problem(400, "invalid_body", Some("items")),
            "{id}"
        );
    }
    for headers in [vec![], vec![("idempotency-key", "")], vec![("idempotency-key", "a"), ("idempotency-key", "b")]] {
        let answer = world.client.post("/shop/v1/pr_a/events/ev/orders", &headers, &cart("tt", 1)).await;
        assert_eq!(answer.problem(), problem(400, "missing_idempotency_key", Some("Idempotency-Key")));
    }
    let large = with(cart("tt", 1), json!({"access_code": "x".repeat(70_000)}));
    assert_eq!(place(&world, "large", &large).await.problem(), problem(413, "body_too_large", None));
    let plain = world
        .client
        .send(
            Method::POST,
            "/shop/v1/pr_a/events/ev/orders",
            &[("idempotency-key", "p"), ("content-type", "text/plain")],
        )
        .await;
    assert_eq!(plain.problem(), problem(415, "unsupported_media_type", None));
    assert_eq!(world.client.send(Method::GET, "/shop/v1/pr_a/events/ev/orders", &[]).await.status, 405);
    assert_eq!(world.contents(&[]).await["orders"].len(), 0, "nothing was kept");
    let (_server, client) = world
        .another_server(configured(Config::default(), |config| config.rates.shop = std::num::NonZeroU32::new(1)))
        .await;
    let mut limited = false;
    for _ in 0..100 {
        limited |= client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.status == 429;
    }
    assert!(limited, "one address may not ask without end");
    // Behind a trusted proxy, each caller is counted separately.
    let config = configured(Config::default(), |config| {
        config.rates.shop = std::num::NonZeroU32::new(1);
        config.trust_proxy = true;
    });
    let (_proxied, client) = world.another_server(config).await;
    for caller in 0..60 {
        let forwarded = format!("203.0.113.1, 198.51.100.{caller}");
        assert_eq!(
            client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[("x-forwarded-for", &forwarded)]).await.status,
            200
        );
    }
}

async fn a_processor_settles_orders_by_signed_callbacks(world: World) {
    let producer = a_shop(&world).await;
    let placed = place(&world, "k", &cart("tt", 2)).await.json();
    let reference = placed["reference"].as_str().unwrap();
    let paid =
        json!({"payment_id": "pay_1", "reference": reference, "status": "paid", "amount": 50, "currency": "EUR"});
    assert_eq!(
        pay(&world, &paid, SECRET, 0).await.problem(),
        problem(401, "invalid_signature", None),
        "no processor is connected"
    );
    let secret = world.connect_processor(&producer).await;
    let forged = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    assert_eq!(pay(&world, &paid, forged, 0).await.problem(), problem(401, "invalid_signature", None));
    for off_s in [-301, 301] {
        assert_eq!(
            pay(&world, &paid, &secret, off_s).await.problem(),
            problem(401, "invalid_signature", None),
            "a replay of long ago"
        );
    }
    for (field, value) in [("amount", json!(49)), ("currency", json!("USD"))] {
        let wrong = with(paid.clone(), json!({field: value}));
        assert_eq!(pay(&world, &wrong, &secret, 0).await.problem(), problem(409, "payment_mismatch", None));
    }
    let unknown = with(paid.clone(), json!({"reference": format!("{reference}X")}));
    assert_eq!(pay(&world, &unknown, &secret, 0).await.status, 404);
    let misspelt = with(paid.clone(), json!({"status": "PAID"}));
    assert_eq!(pay(&world, &misspelt, &secret, 0).await.problem(), problem(400, "invalid_body", Some("status")));
    assert_eq!(
        world.client.get("/api/v1/tickets", &producer.key).await.ids().len(),
        0,
        "nothing of this issued a ticket"
    );

    let settled = pay(&world, &paid, &secret, 0).await;
    assert_eq!((settled.status.as_u16(), &settled.json()["status"]), (200, &json!("approved")));
    let again = pay(&world, &paid, &secret, 120).await;
    assert_eq!(again.json(), settled.json(), "the same notice again changes nothing");
    assert_eq!(world.client.get("/api/v1/tickets", &producer.key).await.ids().len(), 2);
    let second = with(paid.clone(), json!({"payment_id": "pay_2"}));
    assert_eq!(
        pay(&world, &second, &secret, 0).await.problem(),
        problem(409, "order_not_pending", None),
        "another payment for a decided order"
    );

    // A payment that cannot be settled is stored with its reason, and the same payment id for another order is refused.
    let results = async || {
        let kept =
            payment_lists::list(&mut world.store.read().await.unwrap(), producer.tenant, Listed::All).await.unwrap();
        let mut results: Vec<(String, String)> =
            kept.into_iter().map(|(payment, _)| (payment.id, payment.result)).collect();
        results.sort();
        results
    };
    // What was told of the first payment with another reference is settled with it.
    let expected = [("pay_1", "settled"), ("pay_1", "settled_elsewhere"), ("pay_2", "order_not_pending")];
    assert_eq!(results().await, expected.map(|(id, result)| (id.to_owned(), result.to_owned())));
    let elsewhere = place(&world, "k1", &cart("tt", 2)).await.json();
    let reused = with(paid.clone(), json!({"reference": elsewhere["reference"]}));
    assert_eq!(pay(&world, &reused, &secret, 0).await.problem(), problem(409, "payment_mismatch", None));
    let spent =
        results().await.into_iter().filter(|kept| *kept == ("pay_1".into(), "settled_elsewhere".into())).count();
    assert_eq!(spent, 2, "that money has paid for the first order");
    // If the item is sold out when the payment arrives, the payment is refused and stored. It is settled once stock
    // returns and the processor reports it again.
    change_ticket_type(
        &world.store,
        producer.tenant,
        "tt",
        &TicketTypeChange {
            limit: Some(Some(Count::parse("2").unwrap())),
            past_holds: PastHolds::Yes,
            ..TicketTypeChange::default()
        },
        None,
        &world.by(),
    )
    .await
    .unwrap();
    let late = with(paid.clone(), json!({"payment_id": "pay_late", "reference": elsewhere["reference"]}));
    assert_eq!(pay(&world, &late, &secret, 0).await.problem(), problem(409, "sold_out", None));
    assert!(results().await.contains(&("pay_late".into(), "sold_out".into())));
    change_ticket_type(
        &world.store,
        producer.tenant,
        "tt",
        &TicketTypeChange { limit: Some(Some(Count::parse("9").unwrap())), ..TicketTypeChange::default() },
        None,
        &world.by(),
    )
    .await
    .unwrap();
    assert_eq!(pay(&world, &late, &secret, 0).await.json()["status"], "approved");
    assert!(results().await.contains(&("pay_late".into(), "settled".into())));
    for (field, value) in [("currency", json!("E\u{0}R")), ("payment_id", json!("a\u{0}b"))] {
        assert_eq!(
            pay(&world, &with(late.clone(), json!({field: value})), &secret, 0).await.problem(),
            problem(400, "invalid_body", Some(field))
        );
    }
    let odd = with(late.clone(), json!({"reference": format!("{}-a\u{0}b", producer.tenant.number())}));
    assert_eq!(pay(&world, &odd, &secret, 0).await.status, 404);

    let failing = place(&world, "k2", &cart("tt", 1)).await.json();
    let failed = json!({"payment_id": "pay_3", "reference": failing["reference"], "status": "failed", "amount": 0, "currency": "EUR"});
    assert_eq!(pay(&world, &failed, &secret, 0).await.json()["status"], "rejected");
    assert_eq!(world.findings().await, []);
}
