//! A hold is made longer once, while it lasts, by whoever has the order's reference.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::{clock::Stamp, config::HOLD};
use taquilla_rules::boxoffice::{self, PastHolds};

use crate::harness::{Answer, Client, Producer, Staff, World, cart, event, place, problem, ticket_type, with};

both_engines![
    a_hold_is_made_longer_once,
    many_at_once_make_it_longer_once,
    the_page_makes_it_longer,
    an_order_of_a_page_keeps_its_language,
];

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        with(ticket_type("tt", "ev"), json!({"limit": 2})),
        with(ticket_type("free", "ev"), json!({"price": 0})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

fn reference(placed: &Value) -> String {
    placed["reference"].as_str().unwrap().to_owned()
}

async fn extend(client: &Client, reference: &str) -> Answer {
    client.post(&format!("/shop/v1/orders/{reference}/extend"), &[], &json!({})).await
}

fn later(at: &Value, by: Duration) -> String {
    Stamp::parse(at.as_str().unwrap()).unwrap().plus(by).to_string()
}

async fn a_hold_is_made_longer_once(world: World) {
    let producer = a_shop(&world).await;
    let placed = place(&world, "k1", &cart("tt", 2)).await.json();
    let reference = reference(&placed);
    world.step(HOLD - Duration::from_secs(1));
    let longer = extend(&world.client, &reference).await;
    assert_eq!(longer.status, 200, "{}", longer.text);
    let until = later(&placed["held_until"], HOLD);
    assert_eq!(longer.json()["hold"], json!({"until": until, "lasts": true}));
    assert_eq!(longer.json()["order"], placed["order"], "no feed shows a hold, so no stamp moves");
    assert_eq!(world.findings().await, []);
    // It holds until then, for everybody.
    world.step(Duration::from_secs(60));
    let refused = place(&world, "k2", &cart("tt", 1)).await;
    assert_eq!((refused.problem(), refused.json()["held_until"].as_str()), (problem(409, "held", None), Some(&*until)));
    assert_eq!(extend(&world.client, &reference).await.problem(), problem(409, "hold_stays", None));
    // The order gets what it holds, and then there is nothing to be made longer.
    let id = placed["order"]["id"].as_str().unwrap();
    boxoffice::approve(&world.store, producer.tenant, id, PastHolds::No, &world.by()).await.unwrap();
    assert_eq!(extend(&world.client, &reference).await.problem(), problem(409, "order_not_pending", None));
    assert_eq!(world.findings().await, []);
    boxoffice::refund(&world.store, producer.tenant, id, &world.by()).await.unwrap();
    // One that has ended stays ended: somebody else may have it by now.
    let placed = place(&world, "k3", &cart("tt", 2)).await.json();
    world.step(HOLD + Duration::from_secs(60));
    let reference = self::reference(&placed);
    assert_eq!(extend(&world.client, &reference).await.problem(), problem(409, "hold_stays", None));
    let other = place(&world, "k4", &cart("tt", 2)).await;
    assert_eq!(other.status, 201, "{}", other.text);
    assert_eq!(extend(&world.client, &reference).await.problem(), problem(409, "hold_stays", None));
    // One that was made longer ends, too, and gives all back.
    assert_eq!(extend(&world.client, &self::reference(&other.json())).await.status, 200);
    world.step(2 * HOLD + Duration::from_secs(60));
    assert_eq!(place(&world, "k5", &cart("tt", 2)).await.status, 201);
    for unknown in ["1-6XW3NVE8Z0M4QK1T9B7YH2RCDP", "x"] {
        assert_eq!(extend(&world.client, unknown).await.problem(), problem(404, "not_found", None));
    }
    assert_eq!(world.findings().await, []);
}

async fn many_at_once_make_it_longer_once(world: World) {
    a_shop(&world).await;
    let placed = place(&world, "k1", &cart("tt", 2)).await.json();
    let [(_one, here), (_two, there)] = world.two_servers().await;
    let asking: Vec<_> = (0..8)
        .map(|number| {
            let (client, reference) = (if number % 2 == 0 { here.clone() } else { there.clone() }, reference(&placed));
            tokio::spawn(async move { extend(&client, &reference).await.status.as_u16() })
        })
        .collect();
    let mut answers = Vec::new();
    for asked in asking {
        answers.push(asked.await.unwrap());
    }
    answers.sort_unstable();
    assert_eq!(answers, [200, 409, 409, 409, 409, 409, 409, 409]);
    let held = world.raw().await.rows("SELECT quantity, until FROM held_stock WHERE quantity > 0").await;
    let until = Stamp::parse(&later(&placed["held_until"], HOLD)).unwrap().micros().to_string();
    assert_eq!(held, [["2".to_owned(), until]]);
    assert_eq!(world.findings().await, []);
}

async fn the_page_makes_it_longer(world: World) {
    a_shop(&world).await;
    let placed = place(&world, "k1", &cart("tt", 1)).await.json();
    let (ana, path) = (Staff::new(&world.client.base), format!("/shop/orders/{}", reference(&placed)));
    world.step(Duration::from_secs(25 * 60));
    let page = ana.get(&path).await;
    assert!(
        page.text.contains("5 minutes are left.") && page.text.contains("Keep it 30 minutes longer"),
        "{}",
        page.text
    );
    let extended = ana.post(&format!("{path}/extend"), &[("promoter", "p1")]).await;
    assert_eq!(extended.leads_to(), format!("{path}?promoter=p1"));
    let page = ana.get(&path).await;
    assert!(page.text.contains("35 minutes are left.") && !page.text.contains("minutes longer"), "{}", page.text);
    // Pressed once more, or too late, it says how things stand.
    assert_eq!(ana.post(&format!("{path}/extend"), &[]).await.leads_to(), path);
    assert!(ana.get(&path).await.text.contains("35 minutes are left."));
    world.step(HOLD * 2);
    assert_eq!(ana.post(&format!("{path}/extend"), &[]).await.leads_to(), path);
    assert!(ana.get(&path).await.text.contains("The time to pay is over"));
    assert_eq!(ana.post("/shop/orders/1-6XW3NVE8Z0M4QK1T9B7YH2RCDP/extend", &[]).await.status, 404);
    assert_eq!(world.findings().await, []);
}

async fn an_order_of_a_page_keeps_its_language(world: World) {
    a_shop(&world).await;
    place(&world, "json", &cart("free", 1)).await;
    let order = [("name", "Ana"), ("email", "ana@example.com"), ("quantity_free", "1"), ("step", "place")];
    for (key, accepted) in [("a", "es-AR"), ("b", "de, en;q=0.5")] {
        let browser = Staff::new(&world.client.base).with_header("accept-language", accepted);
        browser.post("/shop/pr_a/ev/order", &[&order[..], &[("key", key)]].concat()).await.leads_to();
    }
    let kept = world.raw().await.rows("SELECT coalesce(language, '-') FROM orders ORDER BY seq").await;
    assert_eq!(kept, [["-"], ["es"], ["en"]]);
}
