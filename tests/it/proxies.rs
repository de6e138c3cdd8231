//! The reference configurations of nginx and Caddy, each run in front of a server.

use std::{net::Ipv4Addr, sync::Arc};

use reqwest::Method;
use serde_json::json;
use taquilla_domain::{
    config::{Config, UPLOAD_MAX},
    role::BuiltInRole,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::configured;
use crate::harness::{
    Client, Kind, Producer, Proxy, Server, Staff, Stream, World, cart, event, figure, ticket, ticket_type, with,
};

on_sqlite![everything_comes_through_nginx, everything_comes_through_caddy];

/// A ticket's id that a proxy could take apart, and that must not be in its log.
const CODE: &str = "SECRET/CODE";
const MANY: usize = 4_000;
const ANA: &str = "ana@x.example";

async fn everything_comes_through_nginx(world: World) {
    let (venue, proxy) = behind(Kind::Nginx, &world).await;
    let leads = venue.visitor.get(format!("http://{}/door?a=b", proxy.plain)).header("host", "localhost");
    let leads = leads.send().await.unwrap();
    assert_eq!(
        (leads.status().as_u16(), &leads.headers()["location"]),
        (308, &"https://localhost/door?a=b".parse().unwrap())
    );
    everything(&world, &venue, &proxy).await;
    the_largest_file_is_not_too_large(&proxy).await;
    let logs = proxy.logs();
    assert!(!logs.contains("temporary file"), "personal data was put into files: {logs}");
}

async fn everything_comes_through_caddy(world: World) {
    let (venue, proxy) = behind(Kind::Caddy, &world).await;
    everything(&world, &venue, &proxy).await;
}

/// A producer with an event, a server and somebody who visits it through a proxy.
struct Venue {
    producer: Producer,
    direct: Client,
    client: Client,
    visitor: reqwest::Client,
    staff: Staff,
    _server: Server,
}

async fn behind(kind: Kind, world: &World) -> (Venue, Proxy) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![
        with(event("ev"), json!({"status": "published", "starts_at": "2026-11-01T20:00:00Z"})),
        ticket_type("tt", "ev"),
        ticket(CODE, "ev", "tt"),
    ];
    // Long names make a large export of few tickets.
    let name = "Ana ".repeat(120);
    lines.extend(
        (0..MANY).map(|number| with(ticket(&format!("T-{number}"), "ev", "tt"), json!({"attendee": {"name": name}}))),
    );
    world.import(producer.tenant, &lines).await;
    world.user(producer.tenant, ANA, BuiltInRole::Administrator.as_str()).await;

    let address = Proxy::free_address();
    let config = configured(Config::default(), |config| {
        config.trust_proxy = true;
        config.public_url = Some(format!("https://localhost:{}", address.port()));
        config.holds.per_address = 1.try_into().ok();
        config.holds.per_buyer = None;
    });
    let (server, direct) = world.another_server(config).await;
    let proxy = Proxy::start(kind, address, server.address).await;
    let visitor = proxy.client_at(Ipv4Addr::LOCALHOST);
    let staff = Staff::new(&proxy.base()).with_client(visitor.clone());
    let client = Client::through(proxy.base(), visitor.clone());
    (Venue { producer, direct, client, visitor, staff, _server: server }, proxy)
}

async fn everything(world: &World, venue: &Venue, proxy: &Proxy) {
    pages_and_calls(venue).await;
    callers_are_told_apart(venue, proxy).await;
    live_pages_are_live(world, venue).await;
    files_go_out(venue).await;
    files_come_in(venue).await;
    let logs = proxy.logs();
    assert!(logs.contains("/api/v1/tickets/"), "the log is written: {logs}");
    for secret in ["SECRET", "ruiz", venue.producer.key.as_str()] {
        assert!(!logs.contains(secret), "{secret} is in the log: {logs}");
    }
}

async fn pages_and_calls(venue: &Venue) {
    let Venue { client, direct, visitor, producer, staff, .. } = venue;
    let door = visitor.get(format!("{}/door", client.base)).send().await.unwrap();
    assert_eq!(
        (door.status().as_u16(), &door.headers()["strict-transport-security"]),
        (200, &"max-age=31536000".parse().unwrap())
    );
    let signed_in = staff.sign_in(ANA).await;
    assert_eq!(signed_in.status, 303, "{}", signed_in.text);
    assert!(signed_in.header("set-cookie").starts_with("__Host-taquilla="), "{signed_in:?}");
    assert_eq!(staff.get("/dashboard/p/pr_a/tickets?q=ana+ruiz").await.status, 200);

    let path = format!("/api/v1/tickets/{}", CODE.replace('/', "%2F"));
    let answer = client.get(&path, &producer.key).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["id"]), (200, &json!(CODE)));
    assert_eq!(answer.text, direct.get(&path, &producer.key).await.text);
    let page = client.get("/api/v1/tickets?limit=200", &producer.key).await;
    assert_eq!(page.data().len(), 200);
    let refused = client.get("/api/v1/tickets", "tq_wrong").await;
    assert_eq!(refused.status, 401, "an error comes through as it is");
    let tag = page.header("etag").unwrap().to_owned();
    let bearer = format!("Bearer {}", producer.key);
    let headers = [("authorization", bearer.as_str()), ("if-none-match", &tag)];
    assert_eq!(client.send(Method::GET, "/api/v1/tickets?limit=200", &headers).await.status, 304);
}

/// One address may hold stock with one unpaid order here, so a second order shows which address the server has seen.
async fn callers_are_told_apart(venue: &Venue, proxy: &Proxy) {
    let orders = "/shop/v1/pr_a/events/ev/orders";
    let place = async |client: &Client, key: &str, claimed: &str| {
        client.post(orders, &[("idempotency-key", key), ("x-forwarded-for", claimed)], &cart("tt", 1)).await
    };
    let placed = place(&venue.client, "a", "10.1.1.1").await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    let again = place(&venue.client, "b", "10.2.2.2").await;
    assert_eq!(again.problem().1, "too_many_unpaid", "what a caller claims does not count: {}", again.text);
    let other = Client::through(proxy.base(), proxy.client_at(Ipv4Addr::new(127, 0, 0, 2)));
    assert_eq!(place(&other, "c", "10.1.1.1").await.status, 201, "somebody else is not held back");
}

async fn live_pages_are_live(world: &World, venue: &Venue) {
    const STREAM: &str = "/dashboard/p/pr_a/door/ev/stream";
    let (base, staff) = (&venue.client.base, &venue.staff);
    let (token, _) = world.door(venue.producer.tenant, "ev", &[]).await;
    let bearer = format!("Bearer {token}");
    let scan = async |code: &str| {
        let body = json!({"code": code, "scan_id": code, "station": "Gate"});
        let answer = venue.client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await;
        assert_eq!(answer.json()["outcome"], "admitted", "{}", answer.text);
    };
    let mut stream = Stream::open(base, staff, STREAM, None).await;
    stream.until_entered("0").await;
    scan("T-1").await;
    // The stream is still open: a proxy that gathers would tell nothing before its end.
    let told = stream.until_entered("1").await;
    drop(stream);
    let mut again = Stream::open(base, staff, STREAM, Some(&told.id)).await;
    scan("T-2").await;
    let next = again.next().await.unwrap();
    assert_eq!(figure(&next.html, "entered"), "2", "it goes on behind what was told");
}

async fn files_go_out(venue: &Venue) {
    let path = "/dashboard/p/pr_a/exports/tickets.csv";
    let cookies: Vec<String> = venue.staff.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let ask = async |client: &reqwest::Client, base: &str| {
        let asked = client.get(format!("{base}{path}")).header("cookie", cookies.join("; ")).send().await.unwrap();
        assert_eq!(
            (asked.status().as_u16(), asked.content_length()),
            (200, None),
            "nobody knows its length before its end"
        );
        asked.text().await.unwrap()
    };
    let through = ask(&venue.visitor, &venue.client.base).await;
    assert!(through.len() > 2_000_000 && through.lines().count() > MANY, "{} bytes", through.len());
    assert_eq!(through, ask(&crate::harness::http_client(), &venue.direct.base).await);
}

async fn files_come_in(venue: &Venue) {
    // Far more than proxies take by default, and than they keep in memory.
    let file = "{}\n".repeat(4_000_000);
    let taken = venue.staff.upload("/dashboard/p/pr_a/imports", "large.jsonl", file.as_bytes()).await;
    assert!(taken.leads_to().starts_with("/dashboard/p/pr_a/imports/"), "{taken:?}");
}

/// An import of the largest size, from somebody who has not signed in: the server answers before it has come, and the proxy does
/// not answer in its place. (Caddy has no limit, and passes on no answer that comes before the body.)
async fn the_largest_file_is_not_too_large(proxy: &Proxy) {
    let head = format!(
        "POST /dashboard/p/pr_a/imports HTTP/1.1\r\nhost: localhost:{}\r\ncontent-type: multipart/form-data; boundary=seam\r\n\
         accept: text/html\r\nsec-fetch-site: same-origin\r\ncontent-length: {}\r\n\r\n--seam\r\n",
        proxy.address.port(),
        UPLOAD_MAX + 4_096
    );
    let answer = raw_answer(proxy, &head).await;
    assert!(answer.starts_with("HTTP/1.1 303") && answer.to_lowercase().contains("x-request-id"), "{answer}");
}

/// Sends bytes over TLS, and gives the beginning of the answer.
async fn raw_answer(proxy: &Proxy, sent: &str) -> String {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(proxy.root()).unwrap();
    let config = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let stream = TcpStream::connect(proxy.address).await.unwrap();
    let name = "localhost".try_into().unwrap();
    let mut stream = tokio_rustls::TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    stream.write_all(sent.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 4_096];
        let read =
            tokio::time::timeout(crate::harness::PATIENCE, stream.read(&mut part)).await.expect("no answer").unwrap();
        assert!(read > 0, "closed after {}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&part[..read]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}
