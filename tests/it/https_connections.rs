//! Clients of https that are slow, silent, greedy or hostile: they hold up nobody, and their number is bounded.

use std::time::Duration;

use axum::http::{Request, Version};
use bytes::Bytes;
use h2::{Reason, client::SendRequest};
use serde_json::json;
use taquilla_domain::config::{CONNECTION_SPARED, Config, EXPORTS_PER_PRODUCER, HTTP2_STREAMS_MAX};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::harness::configured;
use crate::harness::{
    PATIENCE, Producer, Staff, World, cart, event,
    https::{Http2, HttpsServer, NAME},
    ticket, ticket_type, until, with,
};

both_engines![
    who_is_being_served_over_http2_keeps_its_place,
    a_client_that_takes_nothing_of_its_answer_is_disconnected,
];

on_sqlite![
    a_handshake_that_never_ends_is_ended_and_holds_up_nobody,
    half_a_handshake_gives_way_to_a_newcomer,
    an_idle_connection_is_told_to_end,
    a_phone_that_sleeps_does_not_hold_up_a_stop,
    a_client_has_so_many_requests_under_way,
    a_flood_of_requests_that_are_taken_back_ends_the_connection,
    a_request_that_is_taken_back_leaves_no_trace,
    frames_that_make_no_sense_end_the_connection,
    a_head_that_is_too_large_is_refused,
];

/// Settings under which nobody is disconnected for being silent.
fn patient() -> Config {
    configured(Config::default(), |config| {
        config.timeouts.head = PATIENCE * 2;
        config.timeouts.request = PATIENCE * 2;
        config.timeouts.write = PATIENCE * 2;
        config.timeouts.handshake = PATIENCE * 2;
    })
}

fn request(method: &str, path: &str) -> axum::http::request::Builder {
    let request = Request::builder().method(method).uri(format!("https://{NAME}{path}")).version(Version::HTTP_2);
    request.header("accept", "*/*")
}

fn get(path: &str) -> Request<()> {
    request("GET", path).body(()).unwrap()
}

/// Sends an order for a free item.
fn order(requests: &SendRequest<Bytes>, key: &str) -> h2::client::ResponseFuture {
    let order = request("POST", "/shop/v1/pr_a/events/ev/orders").header("content-type", "application/json");
    // A handle takes one request that waits for others to end; each has its own.
    let (answer, mut body) =
        requests.clone().send_request(order.header("idempotency-key", key).body(()).unwrap(), false).unwrap();
    body.send_data(cart("tt", 1).to_string().into(), true).unwrap();
    answer
}

async fn is_well(requests: &mut SendRequest<Bytes>) -> bool {
    let Ok((answer, _)) = requests.send_request(get("/healthz"), true) else { return false };
    timeout(PATIENCE, answer).await.expect("no answer").is_ok_and(|answer| answer.status() == 200)
}

/// Waits until the server closes a connection. What it says before does not matter.
async fn is_closed(stream: &mut (impl AsyncReadExt + Unpin)) -> bool {
    let mut rest = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut rest)).await.is_ok()
}

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    producer
}

/// Runs a connection of a client beside the test.
fn drive(connection: Http2) -> tokio::task::JoinHandle<Result<(), h2::Error>> {
    tokio::spawn(connection)
}

async fn a_handshake_that_never_ends_is_ended_and_holds_up_nobody(world: World) {
    let short = configured(patient(), |config| config.timeouts.handshake = Duration::from_millis(300));
    let https = HttpsServer::start(&world, short).await;
    // Nothing, the beginning of a record, a record that is none, and a hello that is none.
    let beginnings: [&[u8]; 5] = [
        b"",
        b"\x16",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\x16\x03\x01\xff\xff",
        b"\x16\x03\x01\x00\x04\x01\x00\x00\x00",
    ];
    let mut silent = Vec::new();
    for beginning in beginnings.iter().cycle().take(50) {
        let mut stream = TcpStream::connect(https.address).await.unwrap();
        stream.write_all(beginning).await.unwrap();
        silent.push(stream);
    }
    let answer = https.client(true).get(https.url("/healthz")).send().await.unwrap();
    assert_eq!(answer.status(), 200, "others are served meanwhile");
    for mut stream in silent {
        assert!(is_closed(&mut stream).await, "a handshake without an end is waited for");
    }
}

async fn half_a_handshake_gives_way_to_a_newcomer(world: World) {
    let https = HttpsServer::start(&world, configured(patient(), |config| config.connections.most = 2)).await;
    let mut half = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(https.address).await.unwrap();
        stream.write_all(b"\x16\x03\x01").await.unwrap();
        half.push(stream);
    }
    let (mut requests, connection) = https.http2().await;
    let driven = drive(connection);
    assert!(is_well(&mut requests).await);
    assert!(is_closed(&mut half[0]).await, "the one that was silent longest gives way");
    drop(driven);
}

async fn who_is_being_served_over_http2_keeps_its_place(world: World) {
    let producer = a_shop(&world).await;
    let https = HttpsServer::start(&world, configured(patient(), |config| config.connections.most = 1)).await;
    let (mut requests, connection) = https.http2().await;
    let driven = drive(connection);
    let busy = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
    let orders = [order(&requests, "a"), order(&requests, "b")];
    // Others on the same connection come and go.
    assert!(is_well(&mut requests).await);
    let (client, url) = (https.client(true), https.url("/healthz"));
    let newcomer = tokio::spawn(async move { client.get(url).send().await.unwrap().status() });
    // It would be closed by now if it were for the time alone.
    tokio::time::sleep(CONNECTION_SPARED * 2).await;
    assert!(!newcomer.is_finished() && !driven.is_finished());
    drop(busy);
    for answer in orders {
        assert_eq!(timeout(PATIENCE, answer).await.expect("no answer").unwrap().status(), 201);
    }
    assert_eq!(newcomer.await.unwrap(), 200, "who waited gets the place of one that is idle by now");
    assert!(until(async || driven.is_finished()).await);
}

async fn an_idle_connection_is_told_to_end(world: World) {
    let https =
        HttpsServer::start(&world, configured(patient(), |config| config.timeouts.head = Duration::from_millis(300)))
            .await;
    let (mut requests, connection) = https.http2().await;
    let driven = drive(connection);
    assert!(is_well(&mut requests).await);
    let ended = timeout(PATIENCE, driven).await.expect("it is kept").unwrap();
    assert!(ended.is_ok(), "it is told so, and not broken off: {ended:?}");
    // One that never says anything after the handshake is idle, too.
    let mut silent = https.connect("h2").await;
    silent.write_all(b"PRI * HTTP/2.0\r\n\r\nSM").await.unwrap();
    assert!(is_closed(&mut silent).await);
}

async fn a_phone_that_sleeps_does_not_hold_up_a_stop(world: World) {
    let mut https =
        HttpsServer::start(&world, configured(patient(), |config| config.timeouts.stop = PATIENCE * 2)).await;
    let (mut requests, mut connection) = https.http2().await;
    let (answer, _) = requests.send_request(get("/healthz"), true).unwrap();
    tokio::select! {
        answer = answer => assert_eq!(answer.unwrap().status(), 200),
        _ = &mut connection => panic!("it ended"),
    }
    // From now on nobody drives the connection: no probe is answered.
    timeout(PATIENCE, https.server.stop()).await.expect("the server waits for a phone that sleeps");
}

async fn a_client_that_takes_nothing_of_its_answer_is_disconnected(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    lines.extend((0..1_000).map(|number| ticket(&format!("CODE-{number}"), "ev", "tt")));
    world.import(producer.tenant, &lines).await;
    world.user(producer.tenant, "ana@x.example", "administrator").await;
    let https =
        HttpsServer::start(&world, configured(patient(), |config| config.timeouts.write = Duration::from_millis(500)))
            .await;
    let browser = Staff::with(https.client(true), &https.url(""));
    browser.sign_in("ana@x.example").await;
    let cookie = format!("__Host-taquilla={}", browser.cookies()["__Host-taquilla"]);
    // The client would take ten bytes of each answer.
    let mut stingy = h2::client::Builder::new();
    stingy.initial_window_size(10);
    let export = || request("GET", "/dashboard/p/pr_a/exports/tickets.jsonl").header("cookie", &cookie);
    let mut ended = Vec::new();
    for _ in 0..EXPORTS_PER_PRODUCER {
        let (mut requests, connection) = https.http2_with(&stingy).await;
        let driven = drive(connection);
        let (answer, _) = requests.send_request(export().body(()).unwrap(), true).unwrap();
        let answer = timeout(PATIENCE, answer).await.expect("no answer").unwrap();
        assert_eq!(answer.status(), 200);
        ended.push((driven, answer));
    }
    for (driven, _answer) in ended {
        assert!(timeout(PATIENCE, driven).await.expect("it is waited for").unwrap().is_err());
    }
    // Their places are free again.
    assert!(until(async || browser.get("/dashboard/p/pr_a/exports/tickets.jsonl").await.status == 200).await);
}

async fn a_client_has_so_many_requests_under_way(world: World) {
    let producer = a_shop(&world).await;
    let https = HttpsServer::start(
        &world,
        configured(patient(), |config| {
            config.rates.shop = None;
            config.holds.per_address = None;
            config.holds.per_buyer = None;
        }),
    )
    .await;
    let (mut requests, connection) = https.http2().await;
    let driven = drive(connection);
    assert!(is_well(&mut requests).await);
    assert_eq!(requests.current_max_send_streams(), HTTP2_STREAMS_MAX as usize);
    let busy = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
    let orders: Vec<_> = (0..HTTP2_STREAMS_MAX * 2).map(|number| order(&requests, &number.to_string())).collect();
    drop(busy);
    for answer in orders {
        assert_eq!(timeout(PATIENCE, answer).await.expect("no answer").unwrap().status(), 201);
    }
    drop(driven);
    assert!(world.findings().await.is_empty());
}

async fn a_flood_of_requests_that_are_taken_back_ends_the_connection(world: World) {
    let https = HttpsServer::start(&world, patient()).await;
    let mut stream = https.connect("h2").await;
    let mut flood = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00".to_vec();
    for number in 0..2_000_u32 {
        let id = (2 * number + 1).to_be_bytes();
        // A head with the first entries of HPACK's table, and a reset.
        let head = [0x82, 0x87, 0x84, 0x01, 0x01, b'x'];
        flood.extend([0, 0, head.len() as u8, 1, 5]);
        flood.extend(id);
        flood.extend(head);
        flood.extend([0, 0, 4, 3, 0]);
        flood.extend(id);
        flood.extend(8_u32.to_be_bytes());
    }
    // The server may close before it has read all.
    let _ = stream.write_all(&flood).await;
    let mut answer = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("the connection is kept");
    let calm = [&[7, 0, 0, 0, 0, 0][..]].concat();
    assert!(answer.windows(6).any(|part| part == calm), "there is no GOAWAY: {answer:?}");
    assert_eq!(https.client(true).get(https.url("/healthz")).send().await.unwrap().status(), 200);
}

async fn a_request_that_is_taken_back_leaves_no_trace(world: World) {
    let producer = a_shop(&world).await;
    let https = HttpsServer::start(&world, configured(patient(), |config| config.connections.most = 1)).await;
    let (mut requests, connection) = https.http2().await;
    let driven = drive(connection);
    let busy = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
    let order = request("POST", "/shop/v1/pr_a/events/ev/orders").header("content-type", "application/json");
    let (answer, mut body) =
        requests.send_request(order.header("idempotency-key", "a").body(()).unwrap(), false).unwrap();
    body.send_data(cart("tt", 1).to_string().into(), true).unwrap();
    assert!(is_well(&mut requests).await);
    body.send_reset(Reason::CANCEL);
    drop(answer);
    assert!(is_well(&mut requests).await);
    // The connection waits for its client now, and gives way, although the move is still not decided.
    let answer = https.client(true).get(https.url("/healthz")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    drop(busy);
    assert!(until(async || driven.is_finished()).await);
}

async fn frames_that_make_no_sense_end_the_connection(world: World) {
    let https = HttpsServer::start(&world, patient()).await;
    for nonsense in [
        b"GET / HTTP/1.1\r\nhost: x\r\n\r\n".to_vec(),
        [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), vec![0xff; 64]].concat(),
        // Headers on stream 0.
        [
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00".to_vec(),
            vec![0, 0, 1, 1, 5, 0, 0, 0, 0, 0x82],
        ]
        .concat(),
    ] {
        let mut stream = https.connect("h2").await;
        stream.write_all(&nonsense).await.unwrap();
        assert!(is_closed(&mut stream).await, "{nonsense:?}");
    }
    let mut plain = https.connect("http/1.1").await;
    plain.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    assert!(is_closed(&mut plain).await, "HTTP/2 where HTTP/1.1 was agreed");
    assert_eq!(https.client(true).get(https.url("/healthz")).send().await.unwrap().status(), 200);
}

async fn a_head_that_is_too_large_is_refused(world: World) {
    let https = HttpsServer::start(&world, patient()).await;
    let (mut requests, connection) = https.http2().await;
    let driven = drive(connection);
    let mut large = request("GET", "/healthz");
    for number in 0..40 {
        large = large.header(format!("x-{number}"), "a".repeat(1_000));
    }
    let (answer, _) = requests.send_request(large.body(()).unwrap(), true).unwrap();
    assert_eq!(timeout(PATIENCE, answer).await.expect("no answer").unwrap().status(), 431);
    assert!(is_well(&mut requests).await, "the connection is good for others");
    drop(driven);
}
