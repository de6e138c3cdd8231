//! Restarts that nobody notices: every request that a server has taken is answered.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    os::fd::OwnedFd,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use rand::RngExt;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use taquilla_store::migrate::LATEST;

use crate::harness::{
    PATIENCE, Running, World, cart, event, is_long, serve, start, taquilla, terminate, ticket_type, with,
};

both_engines![
    every_buyer_is_answered_while_two_servers_are_restarted,
    every_buyer_is_answered_while_servers_become_newer,
    a_socket_that_is_handed_over_keeps_who_waits,
];
on_sqlite![a_server_that_leaves_says_so_and_goes_on_for_a_while, who_has_connected_is_answered_after_the_stop];

/// How many buy at the same time, each request over a connection of its own.
const BUYERS: usize = 16;
/// How often a server is restarted; four times as often in a long run, while buyers buy on.
const RESTARTS: usize = 10;

async fn a_sale(world: &mut World) {
    let producer = world.producer("pr_a").await;
    let item = with(ticket_type("tt", "ev"), json!({"limit": 1_000_000}));
    world.import(producer.tenant, &[event("ev"), item]).await;
    world.server.stop().await;
}

/// A port that no outgoing connection of this machine takes by chance.
fn port() -> u16 {
    let free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    std::iter::repeat_with(|| rand::rng().random_range(20_000..30_000_u16)).find(free).unwrap()
}

/// A server at this port.
fn server(world: &World, port: u16, drain: &str) -> Running {
    let mut command = taquilla(&world.address);
    command.args(["serve", "--shop-rate-limit", "off"]);
    let limits = ["--unpaid-per-address", "off", "--unpaid-per-buyer", "off", "--connections-per-address", "off"];
    command.args(["--listen", &format!("127.0.0.1:{port}"), "--drain", drain, "--log-requests", "errors"]).args(limits);
    start(command, "\"listening\"").0
}

/// Tells a server to stop, and waits until it is gone.
async fn gone(mut running: Running) {
    terminate(&running.0);
    let ended = tokio::task::spawn_blocking(move || running.0.wait().unwrap());
    assert!(tokio::time::timeout(PATIENCE, ended).await.unwrap().unwrap().success());
}

/// What buyers were told.
#[derive(Default)]
struct Told {
    sold: AtomicUsize,
    /// Nothing was taken: another server may be asked.
    refused: AtomicUsize,
    stop: AtomicBool,
}

/// Sends one order over a connection of its own. `None` if the connection was refused, so that nobody has seen the order.
async fn order(address: SocketAddr, key: &str) -> Option<std::io::Result<String>> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let body = cart("tt", 1).to_string();
    let request = format!(
        "POST /shop/v1/pr_a/events/ev/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         idempotency-key: {key}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let sent = async {
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    };
    Some(sent.await)
}

/// Buys until told to stop, from whichever server takes the connection.
async fn buy(buyer: usize, servers: Vec<SocketAddr>, told: Arc<Told>) {
    for number in 0_usize.. {
        let key = format!("{buyer}-{number}");
        let mut turn = buyer + number;
        while !told.stop.load(Ordering::SeqCst) {
            match order(servers[turn % servers.len()], &key).await {
                None => {
                    told.refused.fetch_add(1, Ordering::SeqCst);
                    turn += 1;
                }
                Some(answer) => {
                    let answer = answer.unwrap_or_else(|cause| panic!("{key} got no answer: {cause}"));
                    assert!(answer.starts_with("HTTP/1.1 201 "), "{key}: {answer:?}");
                    told.sold.fetch_add(1, Ordering::SeqCst);
                    break;
                }
            }
        }
        if told.stop.load(Ordering::SeqCst) {
            return;
        }
    }
}

fn buyers(servers: &[SocketAddr], told: &Arc<Told>) -> Vec<tokio::task::JoinHandle<()>> {
    (0..BUYERS).map(|buyer| tokio::spawn(buy(buyer, servers.to_vec(), Arc::clone(told)))).collect()
}

/// Waits until every buyer could have bought something more.
async fn more_is_sold(told: &Told) {
    let enough = told.sold.load(Ordering::SeqCst) + BUYERS;
    let sells = async {
        while told.sold.load(Ordering::SeqCst) < enough {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, sells).await.expect("buyers go on");
}

/// Ends the sale and compares what buyers were told with what is there.
async fn compare(world: &World, buyers: Vec<tokio::task::JoinHandle<()>>, told: &Told) {
    told.stop.store(true, Ordering::SeqCst);
    for buyer in buyers {
        buyer.await.expect("every request has an answer");
    }
    let sold = told.sold.load(Ordering::SeqCst);
    let rows = world.raw().await.rows("SELECT count(*) FROM orders").await;
    assert_eq!(rows, [[sold.to_string()]], "every order that was made was told, and the other way round");
}

async fn every_buyer_is_answered_while_two_servers_are_restarted(mut world: World) {
    a_sale(&mut world).await;
    let ports = [port(), port()];
    let mut servers = ports.map(|port| Some(server(&world, port, "1s")));
    let addresses = ports.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let told = Arc::<Told>::default();
    let buyers = buyers(&addresses, &told);
    for restart in 0..if is_long() { 4 * RESTARTS } else { RESTARTS } {
        let which = restart % 2;
        more_is_sold(&told).await;
        gone(servers[which].take().unwrap()).await;
        servers[which] = Some(server(&world, ports[which], "1s"));
    }
    compare(&world, buyers, &told).await;
}

/// A migration beside which servers of this version may run on, then one beside which they may not.
async fn every_buyer_is_answered_while_servers_become_newer(mut world: World) {
    a_sale(&mut world).await;
    let ports = [port(), port()];
    let mut servers = ports.map(|port| Some(server(&world, port, "1s")));
    let addresses = ports.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let told = Arc::<Told>::default();
    let buyers = buyers(&addresses, &told);
    more_is_sold(&told).await;
    let migrated = async |version: i64, works_from: i64| {
        let row = format!("VALUES ({version}, 'later', 0, {works_from})");
        let sql = format!("INSERT INTO schema_migrations (version, name, applied_at, works_from) {row}");
        world.raw().await.batch(&sql).await;
    };
    migrated(LATEST + 1, LATEST).await;
    more_is_sold(&told).await;
    for (which, port) in ports.into_iter().enumerate() {
        gone(servers[which].take().unwrap()).await;
        servers[which] = Some(server(&world, port, "1s"));
        more_is_sold(&told).await;
    }
    compare(&world, buyers, &told).await;
    assert!(ask(ports[0], "/readyz").await.starts_with("HTTP/1.1 200 "));
    migrated(LATEST + 2, LATEST + 2).await;
    let refused = order(addresses[0], "late").await.unwrap().unwrap();
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(ask(ports[0], "/readyz").await.starts_with("HTTP/1.1 503 "));
    let said = taquilla(&world.address).args(["producer", "list"]).output().unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains(&format!("has version {}", LATEST + 2)), "{said}");
}

/// A server that is handed a socket as its third file, as systemd does.
fn handed(world: &World, socket: &TcpListener) -> Running {
    let serve = serve(&world.address);
    let mut command = Command::new("sh");
    command.args(["-c", "exec 3<&0 0</dev/null; export LISTEN_FDS=1 LISTEN_PID=$$; exec \"$0\" \"$@\""]);
    command.arg(serve.get_program()).args(serve.get_args());
    command.args(["--unpaid-per-address", "off", "--unpaid-per-buyer", "off", "--drain", "off"]);
    command.envs(serve.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::from(OwnedFd::from(socket.try_clone().unwrap())));
    start(command, "\"listening\"").0
}

async fn a_socket_that_is_handed_over_keeps_who_waits(mut world: World) {
    a_sale(&mut world).await;
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let told = Arc::<Told>::default();
    let mut server = handed(&world, &socket);
    let buyers = buyers(&[socket.local_addr().unwrap()], &told);
    for _ in 0..3 {
        more_is_sold(&told).await;
        gone(server).await;
        server = handed(&world, &socket);
    }
    compare(&world, buyers, &told).await;
    assert_eq!(told.refused.load(Ordering::SeqCst), 0, "nobody is turned away while no server runs");
}

async fn ask(port: u16, path: &str) -> String {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = vec![0; 4_096];
    let read = stream.read(&mut answer).await.unwrap();
    String::from_utf8(answer[..read].to_vec()).unwrap()
}

async fn a_server_that_leaves_says_so_and_goes_on_for_a_while(mut world: World) {
    a_sale(&mut world).await;
    let port = port();
    let running = server(&world, port, "10m");
    assert!(ask(port, "/readyz").await.starts_with("HTTP/1.1 200 "));
    terminate(&running.0);
    let left = async {
        while !ask(port, "/readyz").await.starts_with("HTTP/1.1 503 ") {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, left).await.expect("it is not ready any more");
    let answer = ask(port, "/healthz").await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("connection: close"), "{answer}");
    // Whoever cannot wait says it once more.
    gone(running).await;
}

async fn who_has_connected_is_answered_after_the_stop(mut world: World) {
    let mut stream = TcpStream::connect(world.server.address).await.unwrap();
    let server = tokio::spawn(async move { world.server.stop().await });
    // The server has closed its door, and this connection was there before.
    while TcpStream::connect(stream.peer_addr().unwrap()).await.is_ok() {
        tokio::task::yield_now().await;
    }
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("connection: close"), "{answer}");
    server.await.unwrap();
}
