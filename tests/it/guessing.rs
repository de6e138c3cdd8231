//! Who guesses keys, door links or signatures is stopped before the database is asked, and who has shown a right one
//! before is not.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{
    config::Config,
    key::{Opens, Permission, Secret},
};
use taquilla_rules::admin;

use crate::harness::{
    Answer, Client, World, address_in, event, order, problem, serve, sign, start, terminate, ticket_type,
};

both_engines![
    made_up_keys_over_the_limit_do_not_reach_the_database,
    made_up_door_links_over_the_limit_do_not_reach_the_database,
    unsigned_callbacks_over_the_limit_do_not_reach_the_database,
    a_method_of_any_length_leaves_a_short_line_in_the_log,
];

/// Sends keys that cannot be keys until the address has failed too often. The database is not asked for these.
async fn fail_too_often(world: &World) {
    for _ in 0..100 {
        let guesses = (0..50).map(|_| world.client.get("/api/v1/me", "tq_guess"));
        if join_all(guesses).await.iter().any(|answer| answer.status == 429) {
            return;
        }
    }
    panic!("any number of failures is let through");
}

/// Whether a request gets 429 while its address is over the limit.
async fn is_limited(world: &World, ask: impl AsyncFn() -> Answer) -> bool {
    fail_too_often(world).await;
    let answer = ask().await;
    if answer.status != 429 {
        return false;
    }
    assert_eq!(answer.problem(), problem(429, "rate_limited", None));
    assert!(answer.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
    true
}

async fn made_up_keys_over_the_limit_do_not_reach_the_database(world: World) {
    let producer = world.producer("pr_a").await;
    assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200);
    let unused = async || world.key(producer.tenant, Permission::ALL, None).await.0;
    assert!(is_limited(&world, async || world.client.get("/api/v1/me", &unused().await).await).await, "it is new here");
    fail_too_often(&world).await;
    for _ in 0..20 {
        assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200, "a known key is not held back");
    }
    // Its checksum is right. Without the table, a look-up would fail.
    let made_up = Secret::generate(Opens::Api).reveal().to_owned();
    world.raw().await.batch("ALTER TABLE api_keys RENAME TO api_keys_gone").await;
    assert!(is_limited(&world, async || world.client.get("/api/v1/me", &made_up).await).await);
}

async fn made_up_door_links_over_the_limit_do_not_reach_the_database(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev")]).await;
    let (known, link) = world.door(producer.tenant, "ev", &[]).await;
    assert_eq!(world.client.get("/door/v1/counts", &known).await.status, 200);
    fail_too_often(&world).await;
    assert_eq!(world.client.get("/door/v1/counts", &known).await.status, 200, "a known link is not held back");
    admin::door_links::revoke(&world.store, producer.tenant, &link.id, &world.by()).await.unwrap();
    fail_too_often(&world).await;
    let ended = world.client.get("/door/v1/counts", &known).await;
    assert_eq!(ended.problem(), problem(401, "invalid_door_link", None), "a phone learns that its link has ended");
    let made_up = Secret::generate(Opens::Door).reveal().to_owned();
    world.raw().await.batch("ALTER TABLE door_links RENAME TO door_links_gone").await;
    assert!(is_limited(&world, async || world.client.get("/door/v1/counts", &made_up).await).await);
}

async fn unsigned_callbacks_over_the_limit_do_not_reach_the_database(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt")]).await;
    let secret = world.connect_processor(&producer).await;
    let notice = json!({"payment_id": "p", "reference": "x", "status": "paid", "amount": 1, "currency": "EUR"});
    let call = async |headers: &[(&str, &str)]| world.client.post("/shop/v1/pr_a/payments", headers, &notice).await;
    let seconds = world.now().micros() / 1_000_000;
    let time = seconds.to_string();
    let signature = sign(&secret, "m", seconds, &notice.to_string());
    let signed = [("webhook-id", "m"), ("webhook-timestamp", &time), ("webhook-signature", &signature)];
    assert_eq!(call(&signed).await.status, 404, "the signature is right, and there is no such order");
    fail_too_often(&world).await;
    assert_eq!(call(&signed).await.status, 404, "a known processor is not held back");

    let forged = [("webhook-id", "m"), ("webhook-timestamp", &time), ("webhook-signature", "v1,AAAA")];
    world.raw().await.batch("ALTER TABLE payment_accounts RENAME TO payment_accounts_gone").await;
    assert!(is_limited(&world, async || call(&forged).await).await);
    // What cannot be a signature of today is refused without asking, whatever the limit.
    let (_server, fresh) = world.another_server(Config::default()).await;
    let long_ago = (seconds - 301).to_string();
    let old = [("webhook-id", "m"), ("webhook-timestamp", &long_ago), ("webhook-signature", &signature)];
    for headers in [&[][..], &old, &signed[..2]] {
        let refused = fresh.post("/shop/v1/pr_a/payments", headers, &notice).await;
        assert_eq!(refused.problem(), problem(401, "invalid_signature", None), "{headers:?}");
    }
}

async fn a_method_of_any_length_leaves_a_short_line_in_the_log(world: World) {
    let (mut running, text, all) = start(serve(&world.address), "listening");
    let client = Client::new(address_in(&text).parse().unwrap());
    let long = Method::from_bytes("SECRET".repeat(10_000).as_bytes()).unwrap();
    for path in ["/api/v1/me", "/healthz", "/door", "/nowhere"] {
        let answer = client.send(long.clone(), path, &[]).await;
        assert!([404, 405].contains(&answer.status.as_u16()), "{path}: {}", answer.status);
    }
    terminate(&running.0);
    assert!(running.0.wait().unwrap().success());
    let log = all.join().unwrap();
    assert!(!log.contains("SECRET"), "a line has {:?} bytes", log.lines().map(str::len).max());
    let methods: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["method"].clone())
        .filter(|method| !method.is_null())
        .collect();
    assert_eq!(methods, ["other"; 4], "{log}");
}
