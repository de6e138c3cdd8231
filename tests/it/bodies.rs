//! Request bodies that come slowly, break off or are too large, and clients that close their half of the connection.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::config::Config;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::configured;
use crate::harness::{
    PATIENCE, Producer, World, address_in, event, http_client, serve, start, terminate, ticket_type, with,
};

both_engines![
    a_body_that_comes_too_slowly_is_the_clients_fault,
    a_body_that_does_not_arrive_whole_is_the_clients_fault,
    a_body_announced_as_too_large_is_refused_before_it_is_read,
    a_client_that_has_sent_everything_and_closed_its_half_gets_its_answer,
    a_broken_body_is_logged_as_a_warning,
];

const ORDERS: &str = "/shop/v1/pr_a/events/ev/orders";

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    producer
}

/// The head of an order, without the line that says how long the body is.
fn head(length: &str) -> String {
    format!(
        "POST {ORDERS} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nidempotency-key: k\r\n{length}\r\n\r\n"
    )
}

fn an_order() -> String {
    let items = json!([{"ticket_type_id": "tt", "quantity": 1}]);
    json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": items}).to_string()
}

async fn connect(address: &str) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

/// Reads until the server closes: the status and the body.
async fn answer(stream: &mut TcpStream) -> (u16, Value) {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    read.expect("the server neither answered nor closed").unwrap_or_else(|cause| panic!("{cause}: {text}"));
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let told = head.to_lowercase().contains("connection: close");
    assert!(told || !head.starts_with("HTTP/1.1 4"), "a client would send its next request here: {head}");
    (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or_else(|cause| panic!("{cause}: {text}")))
}

async fn a_body_that_comes_too_slowly_is_the_clients_fault(world: World) {
    a_shop(&world).await;
    let config = configured(Config::default(), |config| config.timeouts.request = Duration::from_millis(100));
    let (server, _) = world.another_server(config).await;
    let mut slow = connect(&server.address.to_string()).await;
    slow.write_all((head("content-length: 100") + "{\"buyer\":").as_bytes()).await.unwrap();
    let (status, problem) = answer(&mut slow).await;
    assert_eq!((status, &problem["code"]), (408, &json!("body_too_slow")), "{problem}");
}

async fn a_body_that_does_not_arrive_whole_is_the_clients_fault(world: World) {
    a_shop(&world).await;
    let address = world.server.address.to_string();
    for (length, body) in [
        ("content-length: 100", "{\"buyer\":"),
        ("transfer-encoding: chunked", "5\r\n{\"buy"),
        ("transfer-encoding: chunked", "zz\r\n{}\r\n0\r\n\r\n"),
        ("transfer-encoding: chunked", "2\r\n{}nonsense\r\n0\r\n\r\n"),
    ] {
        let mut broken = connect(&address).await;
        broken.write_all((head(length) + body).as_bytes()).await.unwrap();
        broken.shutdown().await.unwrap();
        let (status, problem) = answer(&mut broken).await;
        assert_eq!((status, &problem["code"]), (400, &json!("body_incomplete")), "{length}: {body}: {problem}");
    }
}

async fn a_body_announced_as_too_large_is_refused_before_it_is_read(world: World) {
    a_shop(&world).await;
    // Nothing of the body is ever sent, so an answer shows that the server did not wait for it.
    for length in ["65537", "1000000000000", "9223372036854775807"] {
        let patient = configured(Config::default(), |config| config.timeouts.request = PATIENCE * 2);
        let (server, _) = world.another_server(patient).await;
        let mut stream = connect(&server.address.to_string()).await;
        stream.write_all(head(&format!("content-length: {length}")).as_bytes()).await.unwrap();
        let mut first = [0; 12];
        let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut first)).await;
        read.expect("it waits for the body").unwrap();
        assert_eq!(&first, b"HTTP/1.1 413", "{length}");
    }
    // What is announced by nothing is counted as it comes.
    let mut stream = connect(&world.server.address.to_string()).await;
    let chunk = format!("10001\r\n{}\r\n0\r\n\r\n", " ".repeat(0x10001));
    let _ = stream.write_all((head("transfer-encoding: chunked") + &chunk).as_bytes()).await;
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 413");
}

async fn a_client_that_has_sent_everything_and_closed_its_half_gets_its_answer(world: World) {
    let producer = a_shop(&world).await;
    // Another move holds the producer's clock, so the server sees the closed half long before it can answer.
    let busy = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
    let body = an_order();
    let mut half = connect(&world.server.address.to_string()).await;
    half.write_all((head(&format!("content-length: {}", body.len())) + &body).as_bytes()).await.unwrap();
    half.shutdown().await.unwrap();
    for _ in 0..20 {
        http_client().get(format!("{}/healthz", world.client.base)).send().await.unwrap();
    }
    drop(busy);
    let (status, placed) = answer(&mut half).await;
    assert_eq!((status, &placed["order"]["status"]), (201, &json!("approved")), "{placed}");
}

async fn a_broken_body_is_logged_as_a_warning(world: World) {
    a_shop(&world).await;
    let (mut running, text, all) = start(serve(&world.address), "listening");
    let mut broken = connect(&address_in(&text)).await;
    broken.write_all((head("content-length: 100") + "{\"buyer\":").as_bytes()).await.unwrap();
    broken.shutdown().await.unwrap();
    assert_eq!(answer(&mut broken).await.0, 400);
    terminate(&running.0);
    assert!(running.0.wait().unwrap().success());
    let log = all.join().unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().all(|line| line["level"] != "ERROR"), "{log}");
    let line = lines.iter().find(|line| line["status"] == 400).unwrap_or_else(|| panic!("{log}"));
    assert_eq!((&line["level"], &line["code"]), (&json!("WARN"), &json!("body_incomplete")), "{log}");
}
