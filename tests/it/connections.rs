//! How many connections there may be, and who gives way when there are more.

use std::{
    io::ErrorKind,
    net::SocketAddr,
    num::NonZeroU32,
    process::{Command, Stdio},
};

use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::config::{CONNECTION_SPARED, Config};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::harness::configured;
use crate::harness::{
    Client, PATIENCE, Producer, World, address_in, event, start, terminate, ticket_type, until, with,
};

both_engines![
    a_newcomer_takes_the_place_of_whoever_was_silent_longest,
    who_is_being_served_keeps_its_place,
    an_address_has_its_share_of_the_places_and_gives_way_to_itself,
    behind_a_proxy_there_is_no_share_of_an_address,
    the_limit_of_open_files_is_raised_as_far_as_the_system_allows,
    silent_connections_leave_files_to_the_database,
];

/// Settings under which nobody is disconnected for being silent.
fn patient() -> Config {
    configured(Config::default(), |config| {
        config.timeouts.head = PATIENCE * 2;
        config.timeouts.request = PATIENCE * 2;
    })
}

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

/// Sends a request and waits for an answer. `false` if the connection is closed instead.
async fn is_answered(stream: &mut TcpStream) -> bool {
    if stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.is_err() {
        return false;
    }
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\nok\n") {
        let read = tokio::time::timeout(PATIENCE, stream.read_buf(&mut answer)).await;
        if !matches!(read.expect("neither answered nor closed"), Ok(1..)) {
            return false;
        }
    }
    true
}

fn is_open(stream: &TcpStream) -> bool {
    match stream.try_read(&mut [0; 1]) {
        Ok(0) => false,
        Err(cause) => cause.kind() == ErrorKind::WouldBlock,
        Ok(_) => true,
    }
}

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    producer
}

/// A connection that has sent an order.
async fn order(address: SocketAddr, key: usize) -> TcpStream {
    let items = json!([{"ticket_type_id": "tt", "quantity": 1}]);
    let body = json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": items}).to_string();
    let head = format!(
        "POST /shop/v1/pr_a/events/ev/orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         idempotency-key: {key}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = connect(address).await;
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    stream
}

async fn status(stream: &mut TcpStream) -> String {
    let mut first = [0; 12];
    let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut first)).await;
    read.expect("no answer").unwrap();
    String::from_utf8_lossy(&first[9..]).into_owned()
}

async fn a_newcomer_takes_the_place_of_whoever_was_silent_longest(world: World) {
    a_shop(&world).await;
    let (server, _) = world.another_server(configured(patient(), |config| config.connections.most = 4)).await;
    let silent = connect(server.address).await;
    let mut half_a_head = connect(server.address).await;
    half_a_head.write_all(b"GET /healthz HTTP/1.1\r\nhost:").await.unwrap();
    let mut half_a_body = connect(server.address).await;
    let head = "POST /shop/v1/pr_a/events/ev/orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    half_a_body.write_all(format!("{head}content-length: 9\r\nexpect: 100-continue\r\n\r\n").as_bytes()).await.unwrap();
    assert_eq!(status(&mut half_a_body).await, "100", "the server waits for the body");
    let mut rest = [0; 13];
    half_a_body.read_exact(&mut rest).await.unwrap();
    let mut kept_alive = connect(server.address).await;
    assert!(is_answered(&mut kept_alive).await);

    let mut waiting = vec![silent, half_a_head, half_a_body, kept_alive];
    let mut newcomers = Vec::new();
    while !waiting.is_empty() {
        let mut newcomer = connect(server.address).await;
        assert!(is_answered(&mut newcomer).await);
        newcomers.push(newcomer);
        let closed = waiting.remove(0);
        assert!(!is_open(&closed), "number {} was spared", newcomers.len());
        assert!(waiting.iter().chain(&newcomers).all(is_open), "more than needed were closed");
    }
}

async fn who_is_being_served_keeps_its_place(world: World) {
    let producer = a_shop(&world).await;
    let (server, _) = world.another_server(configured(patient(), |config| config.connections.most = 2)).await;
    let busy = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
    let mut served = [order(server.address, 0).await, order(server.address, 1).await];
    let address = server.address;
    let newcomer = tokio::spawn(async move { is_answered(&mut connect(address).await).await });
    // Both would be closed by now if it were for the time alone.
    tokio::time::sleep(CONNECTION_SPARED * 2).await;
    assert!(!newcomer.is_finished() && served.iter().all(is_open));
    drop(busy);
    for stream in &mut served {
        assert_eq!(status(stream).await, "201");
    }
    assert!(newcomer.await.unwrap(), "who waited gets the place of one that is idle by now");
}

async fn an_address_has_its_share_of_the_places_and_gives_way_to_itself(world: World) {
    let producer = a_shop(&world).await;
    let share = configured(patient(), |config| config.connections.per_address = NonZeroU32::new(2));
    let (server, _) = world.another_server(share.clone()).await;
    let silent = [connect(server.address).await, connect(server.address).await];
    assert!(until(async || is_answered(&mut connect(server.address).await).await).await, "a silent one gives way");
    assert!(until(async || !is_open(&silent[0])).await);

    let (server, _) = world.another_server(share).await;
    let busy = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
    let mut served = [order(server.address, 0).await, order(server.address, 1).await];
    assert!(!is_answered(&mut connect(server.address).await).await, "both of the address are being served");
    let elsewhere = TcpSocket::new_v4().unwrap();
    elsewhere.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    assert!(is_answered(&mut elsewhere.connect(server.address).await.unwrap()).await, "another address has its own");
    drop(busy);
    for stream in &mut served {
        assert_eq!(status(stream).await, "201");
    }
}

async fn behind_a_proxy_there_is_no_share_of_an_address(world: World) {
    let one = configured(patient(), |config| {
        config.connections.per_address = NonZeroU32::new(1);
        config.trust_proxy = true;
    });
    let (server, _) = world.another_server(one).await;
    let mut all = Vec::new();
    for _ in 0..5 {
        let mut stream = connect(server.address).await;
        assert!(is_answered(&mut stream).await);
        all.push(stream);
    }
    assert!(all.iter().all(is_open), "all connections are the proxy's");
}

/// `serve` in a process that may open this many files: as it starts, and at most.
fn serve_with_files(world: &World, soft: u32, hard: u32) -> Command {
    let mut command = Command::new("prlimit");
    command.arg(format!("--nofile={soft}:{hard}")).arg(env!("CARGO_BIN_EXE_taquilla"));
    command.args(["serve", "--listen", "127.0.0.1:0"]).env("TAQUILLA_DATABASE", &world.address);
    command.stdin(Stdio::null());
    command
}

async fn the_limit_of_open_files_is_raised_as_far_as_the_system_allows(world: World) {
    let (running, ..) = start(serve_with_files(&world, 64, 4_000), "listening");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", running.0.id())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    assert_eq!(files.split_whitespace().skip(3).take(2).collect::<Vec<_>>(), ["4000", "4000"], "{files}");
}

async fn silent_connections_leave_files_to_the_database(world: World) {
    let (mut running, text, all) = start(serve_with_files(&world, 64, 200), "listening");
    let address: SocketAddr = address_in(&text).parse().unwrap();
    let mut silent = Vec::new();
    for _ in 0..300 {
        silent.push(connect(address).await);
    }
    assert_eq!(Client::new(address).send(Method::GET, "/readyz", &[]).await.status, 200);
    let open = std::fs::read_dir(format!("/proc/{}/fd", running.0.id())).unwrap().count();
    assert!((100..180).contains(&open), "{open} files are open");
    drop(silent);
    terminate(&running.0);
    assert!(running.0.wait().unwrap().success());
    let log = all.join().unwrap();
    assert!(!log.contains("cannot accept"), "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let warning = lines.iter().find(|line| line["limit"] == 200).unwrap_or_else(|| panic!("{log}"));
    assert_eq!((&warning["level"], &warning["connections"]), (&json!("WARN"), &json!(100)), "{log}");
}
