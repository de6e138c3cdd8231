//! What belongs together is read in one state of the database, and told as one state.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::{Value, json};
use taquilla_rules::boxoffice::{self, PastHolds};
use taquilla_store::{ChangeError, check, producers};

use crate::harness::{World, cart, event, order, pay, place, problem, ticket_type, with, without_shop_limits};

both_engines![
    a_check_of_a_server_that_sells_finds_nothing,
    an_order_that_is_read_while_it_is_paid_is_of_one_moment,
    messages_of_one_moment_show_one_state,
    an_order_that_names_an_item_twice_is_sold_out,
];

async fn a_shop(world: World, item: Value) -> (World, crate::harness::Producer) {
    let world = world.reopened(without_shop_limits(), taquilla_domain::config::PostgresTimeouts::default()).await;
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), item)]).await;
    (world, producer)
}

async fn a_check_of_a_server_that_sells_finds_nothing(world: World) {
    let (world, _) = a_shop(world, json!({"price": 0})).await;
    let world = Arc::new(world);
    let is_over = Arc::new(AtomicBool::new(false));
    let buyers: Vec<_> = (0..3)
        .map(|buyer| {
            let (world, is_over) = (Arc::clone(&world), Arc::clone(&is_over));
            tokio::spawn(async move {
                let mut number = 0;
                while !is_over.load(Ordering::SeqCst) {
                    place(&world, &format!("{buyer}/{number}"), &cart("tt", 2)).await;
                    number += 1;
                }
            })
        })
        .collect();
    for _ in 0..15 {
        let mut conn = check::open(&world.address).await.unwrap();
        for (tenant, id) in producers::all(&mut conn).await.unwrap() {
            assert_eq!(check::producer(&mut conn, tenant, &id).await.unwrap(), []);
        }
    }
    is_over.store(true, Ordering::SeqCst);
    for buyer in buyers {
        buyer.await.unwrap();
    }
    assert!(!world.raw().await.rows("SELECT id FROM orders").await.is_empty());
}

async fn an_order_that_is_read_while_it_is_paid_is_of_one_moment(world: World) {
    let (world, producer) = a_shop(world, json!({"price": 25, "limit": 1_000})).await;
    let secret = world.connect_processor(&producer).await;
    for number in 0..40 {
        let placed = place(&world, &format!("k{number}"), &cart("tt", 2)).await.json();
        let reference = placed["reference"].as_str().unwrap();
        let notice = json!({"payment_id": format!("p{number}"), "reference": reference, "status": "paid", "amount": 50, "currency": "EUR"});
        let (mut paying, path) = (Box::pin(pay(&world, &notice, &secret, 0)), format!("/shop/v1/orders/{reference}"));
        let mut is_paid = false;
        while !is_paid {
            let reading = world.client.send(reqwest::Method::GET, &path, &[]);
            let read = tokio::select! {
                biased;
                _ = &mut paying, if !is_paid => {
                    is_paid = true;
                    world.client.send(reqwest::Method::GET, &path, &[]).await
                }
                read = reading => read,
            };
            let read = read.json();
            let (status, tickets) =
                (read["order"]["status"].as_str().unwrap(), read["tickets"].as_array().unwrap().len());
            let expected = if status == "approved" { (2, true) } else { (0, false) };
            assert_eq!((tickets, read["hold"].is_null()), expected, "{read}");
        }
        let sale = world.client.send(reqwest::Method::GET, "/shop/v1/pr_a/events/ev", &[]).await;
        assert_eq!(sale.status, 200);
    }
    assert_eq!(world.client.send(reqwest::Method::GET, "/shop/v1/pr_a/events/no-such", &[]).await.status, 404);
    assert_eq!(world.client.send(reqwest::Method::GET, "/shop/v1/orders/1-NOSUCH", &[]).await.status, 404);
}

async fn messages_of_one_moment_show_one_state(world: World) {
    let (world, producer) = a_shop(world, json!({"price": 0})).await;
    assert_eq!(place(&world, "free", &cart("tt", 1)).await.status, 201);
    let rows = world.raw().await.rows("SELECT kind, data FROM outbox WHERE kind LIKE 'order.%' ORDER BY seq").await;
    let told: Vec<(&str, Value)> =
        rows.iter().map(|row| (row[0].as_str(), serde_json::from_str(&row[1]).unwrap())).collect();
    assert_eq!(told.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), ["order.created", "order.approved"]);
    // A mirror keeps what is later than what it has. Whichever of the two arrives first, it ends with what the API shows.
    let shown = world.client.get("/api/v1/orders", &producer.key).await.data().remove(0);
    for arrived in [[0, 1], [1, 0]] {
        let mut kept: Option<&Value> = None;
        for place in arrived {
            let data = &told[place].1;
            if kept.is_none_or(|kept| data["updated_at"].as_str() > kept["updated_at"].as_str()) {
                kept = Some(data);
            }
        }
        assert_eq!(kept.unwrap()["status"], shown["status"], "{arrived:?}");
        assert_eq!(kept.unwrap()["updated_at"], shown["updated_at"], "{arrived:?}");
    }
    assert_eq!(told[0].1, told[1].1);
}

async fn an_order_that_names_an_item_twice_is_sold_out(world: World) {
    let (world, producer) = a_shop(world, json!({"price": 25, "limit": 3})).await;
    let line = json!({"ticket_type_id": "tt", "quantity": 2, "unit_price": 25});
    let twice = with(order("or_twice", "ev", "tt"), json!({"status": "pending", "items": [line, line]}));
    world.import(producer.tenant, &[twice]).await;
    let by = world.by();
    let refused = boxoffice::approve(&world.store, producer.tenant, "or_twice", PastHolds::Yes, &by).await;
    let Err(ChangeError::Refused(refusal)) = refused else { panic!("{refused:?}") };
    assert_eq!(refusal.code(), "sold_out");
    assert_eq!(place(&world, "k", &cart("tt", 4)).await.problem(), problem(409, "sold_out", None));
    assert_eq!(world.findings().await, []);
}
