//! The log of a server: every line is there, whole.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::{Client, Engine, World, address_in, event, run, serve, start, terminate, ticket_type};

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
        assert_eq!(
            (&lines[0]["message"], &lines[lines.len() - 1]["message"]),
            (&"listening".into(), &"stopped".into())
        );
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
