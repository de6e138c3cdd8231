//! The log of a server: every line is there, whole.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::key::Permission;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::{
    Client, Engine, World, address_in, event, run, serve, start, taquilla, terminate, ticket, ticket_type,
};

fn lines(log: &str) -> Vec<Value> {
    log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}: {log}"))).collect()
}

/// The ids of the requests that have a line.
fn ids(log: &[Value]) -> Vec<&str> {
    log.iter().filter_map(|line| line["request_id"].as_str()).collect()
}

async fn ask(client: &Client, id: &str) {
    assert_eq!(client.send(Method::GET, "/healthz", &[("x-request-id", id)]).await.status, 200);
}

// The log is the same on both engines, so one is enough.

#[test]
fn every_request_before_a_stop_has_its_line() {
    run(Engine::Sqlite, async |world: World| {
        let (mut running, text, log) = start(serve(&world.address), "listening");
        let client = Client::new(address_in(&text).parse().unwrap());
        let sent: BTreeSet<String> = (0..500).map(|number| format!("{number:032x}")).collect();
        join_all(sent.iter().map(|id| ask(&client, id))).await;
        terminate(&running.0);
        assert!(running.0.wait().unwrap().success());
        let log = log.join().unwrap();
        let lines = lines(&log);
        let logged = ids(&lines);
        assert_eq!(logged.len(), sent.len(), "{log}");
        assert_eq!(logged.into_iter().collect::<BTreeSet<_>>(), sent.iter().map(String::as_str).collect());
        assert_eq!((&lines[0]["message"], &lines[lines.len() - 1]["message"]), (&"starting".into(), &"stopped".into()));
    });
}

#[test]
fn a_warning_and_all_before_it_are_written_although_the_server_is_killed() {
    run(Engine::Sqlite, async |world: World| {
        let producer = world.producer("pr_a").await;
        world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
        let (mut running, text, log) = start(serve(&world.address), "listening");
        let client = Client::new(address_in(&text).parse().unwrap());
        let (asked, broken) = ("a".repeat(32), "b".repeat(32));
        ask(&client, &asked).await;
        let mut stream = TcpStream::connect(address_in(&text)).await.unwrap();
        let head = "POST /shop/v1/pr_a/events/ev/orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                    idempotency-key: k\r\ncontent-length: 100\r\n";
        stream.write_all(format!("{head}x-request-id: {broken}\r\n\r\n{{").as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        stream.read_exact(&mut [0; 12]).await.unwrap();
        running.0.kill().unwrap();
        let log = log.join().unwrap();
        let lines = lines(&log);
        assert_eq!(ids(&lines), [&asked, &broken], "{log}");
        assert_eq!(lines[lines.len() - 1]["level"], "WARN", "{log}");
    });
}

#[test]
fn the_first_line_says_what_starts_and_a_failure_is_a_line_too() {
    for (engine, name) in [(Engine::Sqlite, "sqlite"), (Engine::Postgres, "postgres")] {
        run(engine, async |world: World| {
            let (mut running, _, log) = start(serve(&world.address), "listening");
            terminate(&running.0);
            assert!(running.0.wait().unwrap().success());
            let log = log.join().unwrap();
            let first = &lines(&log)[0];
            assert_eq!((&first["message"], &first["engine"]), (&json!("starting"), &json!(name)), "{log}");
            assert_eq!(first["schema"], taquilla_store::migrate::LATEST, "{log}");
            assert!(first["version"].as_str().unwrap().starts_with(env!("CARGO_PKG_VERSION")), "{log}");
            // A port that is taken, and a setting that cannot be used.
            let taken = world.server.address.to_string();
            for (flags, code) in [(["--listen", &taken], 1), (["--backup-dir", "/dev/null"], 2)] {
                let output = taquilla(&world.address).arg("serve").args(flags).output().unwrap();
                assert_eq!(output.status.code(), Some(code), "{output:?}");
                let log = String::from_utf8(output.stderr).unwrap();
                let said = lines(&log);
                let last = said.last().unwrap();
                assert_eq!((&last["level"], &last["message"]), (&json!("ERROR"), &json!("cannot start")), "{log}");
                assert!(last["cause"].as_str().unwrap().contains(flags[0]), "{log}");
            }
        });
    }
}

/// The lines of requests, with who made them and what became of each.
fn answered(log: &str) -> Vec<Value> {
    lines(log).into_iter().filter(|line| line["request_id"].is_string()).collect()
}

#[test]
fn whoever_gets_429_can_be_found() {
    run(Engine::Postgres, async |world: World| {
        let producer = world.producer("pr_a").await;
        world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt")]).await;
        let (quiet, quiet_key) = world.key(producer.tenant, Permission::ALL, None).await;
        let (loud, loud_key) = world.key(producer.tenant, Permission::ALL, None).await;
        let (token, link) = world.door(producer.tenant, "ev", &[]).await;
        let mut command = taquilla(&world.address);
        command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "1"]);
        let (mut running, text, log) = start(command, "listening");
        let client = Client::new(address_in(&text).parse().unwrap());
        assert_eq!(client.get("/api/v1/me", &quiet).await.status, 200);
        let mut refused = 0;
        while refused < 3 {
            refused += usize::from(client.get("/api/v1/tickets/T1", &loud).await.status == 429);
        }
        let bearer = format!("Bearer {token}");
        assert_eq!(client.send(Method::GET, "/door/v1/counts", &[("authorization", &bearer)]).await.status, 200);
        assert_eq!(client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.status, 200);
        assert_eq!(client.send(Method::GET, "/shop/v1/pr_unknown/events/ev", &[]).await.status, 404);
        assert_eq!(client.get("/api/v1/me", "tq_nobody").await.status, 401);
        terminate(&running.0);
        assert!(running.0.wait().unwrap().success());
        let log = log.join().unwrap();
        let lines = answered(&log);
        let limited: Vec<&Value> = lines.iter().filter(|line| line["status"] == 429).collect();
        assert_eq!(limited.len(), 3, "{log}");
        for line in limited {
            let told = (&line["key"], &line["producer"], &line["code"]);
            assert_eq!(told, (&json!(loud_key.id), &json!("pr_a"), &json!("rate_limited")), "{log}");
        }
        let of = |route: &str, status: u16| {
            let found = lines.iter().find(|line| line["route"] == route && line["status"] == status);
            let line = found.unwrap_or_else(|| panic!("no {route} {status} in {log}"));
            ["producer", "key", "door_link", "code"].map(|field| line[field].as_str().map(str::to_owned))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("/api/v1/me", 200), [some("pr_a"), Some(quiet_key.id), None, None]);
        assert_eq!(of("/door/v1/counts", 200), [some("pr_a"), None, Some(link.id), None]);
        let sale = "/shop/v1/{producer_id}/events/{event_id}";
        assert_eq!(of(sale, 200), [some("pr_a"), None, None, None]);
        assert_eq!(of(sale, 404), [None, None, None, some("not_found")], "only a producer that there is");
        assert_eq!(of("/api/v1/me", 401), [None, None, None, some("invalid_token")]);
        for secret in [&quiet, &loud, &token, "tq_", "tqd_", "pr_unknown", "\"T1\""] {
            assert!(!log.contains(secret), "{secret}: {log}");
        }
    });
}

/// Asks for what is there and for what is not, each so many times, and gives how many lines each got.
async fn lines_of(world: &World, arguments: &[&str], asked: usize) -> [usize; 2] {
    let mut command = serve(&world.address);
    command.args(arguments);
    let (mut running, text, log) = start(command, "listening");
    let client = Client::new(address_in(&text).parse().unwrap());
    for _ in 0..asked {
        assert_eq!(client.send(Method::GET, "/healthz", &[]).await.status, 200);
        assert_eq!(client.send(Method::GET, "/nowhere", &[]).await.status, 404);
    }
    terminate(&running.0);
    assert!(running.0.wait().unwrap().success());
    let log = log.join().unwrap();
    let lines = answered(&log);
    [200, 404].map(|status| lines.iter().filter(|line| line["status"] == status).count())
}

#[test]
fn a_sample_of_requests_is_logged_and_every_refusal() {
    run(Engine::Sqlite, async |world: World| {
        assert_eq!(lines_of(&world, &[], 5).await, [5, 5]);
        assert_eq!(lines_of(&world, &["--log-requests", "errors"], 5).await, [0, 5]);
        assert_eq!(lines_of(&world, &["--log-requests", "1/10"], 25).await, [3, 25]);
    });
}
