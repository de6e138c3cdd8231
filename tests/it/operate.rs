//! Starting, watching and stopping a server.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use taquilla_domain::{config::Config, refusal::Refusal, text::Name};
use taquilla_rules::admin;
use taquilla_store::{ChangeError, Error, Open, Store, migrate, producers};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::configured;
use crate::harness::{World, a_producer, cart, event, http_client, new_address, place, problem, ticket_type, with};

both_engines![
    health_and_readiness_are_told_apart,
    a_callers_request_id_is_kept_when_it_is_plainly_one,
    a_newer_schema_is_refused_and_left_alone,
    a_server_writes_nothing_after_its_database_was_upgraded,
    many_servers_may_start_on_an_empty_database_at_once,
    producers_that_are_made_at_once_all_get_a_number,
    a_client_that_never_finishes_its_request_is_disconnected,
    a_request_that_takes_too_long_is_given_up,
    a_browser_gets_a_page_for_what_is_not_there_and_a_program_a_problem,
];

async fn health_and_readiness_are_told_apart(world: World) {
    assert_eq!(world.client.send(Method::GET, "/healthz", &[]).await.text, "ok\n");
    assert_eq!(world.client.send(Method::GET, "/readyz", &[]).await.text, "ready\n");
    break_database(&world).await;
    assert_eq!(world.client.send(Method::GET, "/healthz", &[]).await.status, 200, "the process is well");
    let refused = world.client.send(Method::GET, "/readyz", &[]).await;
    assert!(refused.status.is_server_error());
    assert!(!refused.text.contains("settings"), "no database text reaches a client: {}", refused.text);
}

async fn a_callers_request_id_is_kept_when_it_is_plainly_one(world: World) {
    let id = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
    let answer = world.client.send(Method::GET, "/healthz", &[("x-request-id", id)]).await;
    assert_eq!(answer.header("x-request-id"), Some(id));
    for other in ["short", "6XW3NVE8Z0M4QK1T9B7YH2RCDP", "tq_0123456789012345678901234567890123456"] {
        let answer = world.client.send(Method::GET, "/healthz", &[("x-request-id", other)]).await;
        assert_ne!(answer.header("x-request-id"), Some(other), "that could be a ticket or a key, and is logged");
    }
}

async fn a_newer_schema_is_refused_and_left_alone(world: World) {
    // An answer shows that the server has made the cursor key.
    world.client.send(Method::GET, "/healthz", &[]).await;
    let raw = world.raw().await;
    let newer = migrate::LATEST + 1;
    raw.batch(&format!("INSERT INTO schema_migrations (version, name, applied_at) VALUES ({newer}, 'later', 0)")).await;
    let before = world.contents(&[]).await;
    match Store::open(&world.address, Open::Existing).await {
        Err(Error::NewerSchema { found, known }) => assert_eq!((found, known), (newer, migrate::LATEST)),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("a newer schema was accepted"),
    }
    assert_eq!(world.contents(&[]).await, before);
}

async fn a_server_writes_nothing_after_its_database_was_upgraded(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    assert_eq!(place(&world, "before", &cart("tt", 1)).await.status, 201);
    let newer = migrate::LATEST + 1;
    let sql = format!("INSERT INTO schema_migrations (version, name, applied_at) VALUES ({newer}, 'later', 0)");
    world.raw().await.batch(&sql).await;
    let orders = world.raw().await.rows("SELECT id, updated_at FROM orders").await;
    let refused = place(&world, "after", &cart("tt", 1)).await;
    assert_eq!(refused.problem(), problem(503, "unavailable", None));
    assert!(refused.header("retry-after").is_some());
    assert_eq!(world.client.send(Method::GET, "/readyz", &[]).await.problem(), problem(503, "unavailable", None));
    assert_eq!(world.client.send(Method::GET, "/healthz", &[]).await.status, 200);
    // Bookkeeping ends too, and readers are still answered.
    let made = admin::producers::create(&world.store, Some("pr_b"), &named_p(), &world.by()).await;
    assert!(matches!(made, Err(ChangeError::Store(Error::NewerSchema { .. }))));
    assert_eq!(world.client.get("/api/v1/orders", &producer.key).await.data().len(), 1);
    assert_eq!(world.raw().await.rows("SELECT id, updated_at FROM orders").await, orders);
}

async fn many_servers_may_start_on_an_empty_database_at_once(world: World) {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let address = new_address(world.engine, &folder.path().join(format!("{:x}", rand::random::<u64>()))).await;
        let starting: Vec<_> = (0..8)
            .map(|_| {
                let address = address.clone();
                tokio::spawn(async move {
                    let store = Store::open(&address, Open::MayCreate).await?;
                    taquilla_store::settings::cursor_key(&store).await
                })
            })
            .collect();
        let mut keys = Vec::new();
        for started in starting {
            keys.push(started.await.unwrap().unwrap());
        }
        keys.dedup();
        assert_eq!(keys.len(), 1, "all servers share one cursor key");
    }
}

fn named_p() -> admin::producers::Producer {
    a_producer(Name::parse("P").unwrap())
}

async fn producers_that_are_made_at_once_all_get_a_number(world: World) {
    // Each new producer gets the next number, so simultaneous creations wait for one another.
    let elsewhere = Store::open(&world.address, Open::Existing).await.unwrap();
    let creating: Vec<_> = (0..30)
        .map(|number| {
            let store = if number % 2 == 0 { world.store.clone() } else { elsewhere.clone() };
            let by = world.by();
            tokio::spawn(async move {
                admin::producers::create(&store, Some(&format!("pr_{number}")), &named_p(), &by).await.is_ok()
            })
        })
        .collect();
    for created in creating {
        assert!(created.await.unwrap());
    }
    assert_eq!(producers::all(&mut world.store.read().await.unwrap()).await.unwrap().len(), 30);
    let again = admin::producers::create(&world.store, Some("pr_7"), &named_p(), &world.by()).await;
    assert!(matches!(again, Err(ChangeError::Refused(Refusal::IdTaken(_)))), "an id that is taken is no race");
}

async fn a_client_that_never_finishes_its_request_is_disconnected(world: World) {
    let config = configured(Config::default(), |config| config.timeouts.head = Duration::from_millis(50));
    let (server, _) = world.another_server(config).await;
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    let mut rest = Vec::new();
    tokio::time::timeout(Duration::from_secs(20), slow.read_to_end(&mut rest)).await.expect("still connected").unwrap();
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
}

async fn a_request_that_takes_too_long_is_given_up(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    // Another move holds the producer's clock, so a sale waits until its timeout.
    let config = configured(Config::default(), |config| config.timeouts.request = Duration::from_millis(1));
    let (_server, client) = world.another_server(config).await;
    let busy = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
    let items = json!([{"ticket_type_id": "tt", "quantity": 1}]);
    let order = json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": items});
    let answer = client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", "k")], &order).await;
    assert_eq!(answer.problem(), problem(503, "unavailable", None));
    assert!(answer.header("retry-after").is_some());
    drop(busy);
    let sold = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data()[0]["sold"].clone();
    assert_eq!(sold, 0, "who was told to come back later was not sold to");
}

async fn break_database(world: &World) {
    world.raw().await.batch("DROP TABLE settings").await;
}

async fn a_browser_gets_a_page_for_what_is_not_there_and_a_program_a_problem(world: World) {
    let http = http_client();
    let ask = async |path: &str, accept: &str, language: &str| {
        let request = http.get(format!("{}{path}", world.client.base)).header("accept", accept);
        request.header("accept-language", language).send().await.unwrap()
    };
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for path in ["/nowhere", "/door/nothing.js"] {
        for (language, words) in [("en-GB,en;q=0.9", "This page does not exist"), ("es-ES,es", "Esta página no existe")]
        {
            let page = ask(path, browser, language).await;
            assert_eq!(
                (page.status().as_u16(), &page.headers()["content-type"]),
                (404, &"text/html; charset=utf-8".parse().unwrap())
            );
            assert!(page.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
            let id = page.headers()["x-request-id"].to_str().unwrap().to_owned();
            let text = page.text().await.unwrap();
            assert!(text.contains(words) && text.contains(&id), "{path}: {text}");
        }
        for accept in ["*/*", "application/json"] {
            let problem = ask(path, accept, "es").await;
            assert_eq!(problem.headers()["content-type"], "application/problem+json", "{path}: {accept}");
        }
    }
    // Routes for programs answer with problem documents, also to a browser.
    let mistyped = ["/api/v1/tikets", "/api/v2", "/door/v1/skan", "/shop/v1/pr_a/evnts"];
    for path in ["/api/v1/tickets", "/door/v1/counts", "/shop/v1/pr_a/events/ev"].into_iter().chain(mistyped) {
        let problem = ask(path, browser, "en").await;
        assert_eq!(problem.headers()["content-type"], "application/problem+json", "{path}");
    }
    for path in ["/door", "/docs/errors", "/docs/", "/nowhere"] {
        let refused = world.client.send(Method::POST, path, &[]).await;
        let expected = if path == "/nowhere" { 404 } else { 405 };
        assert_eq!(refused.status, expected, "{path}");
    }
}
