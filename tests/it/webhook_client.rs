//! The client that sends webhooks, against receivers of every kind.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt;
use taquilla_domain::{
    clock::Stamp,
    config::{Config, WEBHOOK_RESPONSE_KEPT, WebhookSettings, WebhookTimeouts},
};
use taquilla_outside::{Client, Lookup};
use taquilla_rules::webhooks::attempt::{self, Reply};
use tokio::{io::AsyncWriteExt, net::TcpListener};

use crate::harness::{
    PATIENCE,
    receiver::{Behaviour, Receiver, refusing_address},
};

const NOW: Stamp = Stamp::from_micros(0);
/// A timeout for tests in which it must pass.
const SOON: Duration = Duration::from_millis(200);
/// A timeout for tests in which it must not pass, however busy the machine is.
const LONG: Duration = PATIENCE;
const THIS_MACHINE: &[&str] = &["127.0.0.0/8"];

fn client(allow: &[&str], timeouts: WebhookTimeouts, lookup: Lookup) -> Client {
    let allow = allow.iter().map(|network| network.parse().unwrap()).collect();
    let config = Config { webhooks: WebhookSettings { allow, timeouts }, ..Config::default() };
    attempt::client(&config, lookup).unwrap()
}

fn within(time: Duration) -> WebhookTimeouts {
    WebhookTimeouts { connect: time, head: time, body: time }
}

fn patient() -> Client {
    client(THIS_MACHINE, within(LONG), Lookup::System)
}

fn scripted(addresses: &'static [&str]) -> Lookup {
    Lookup::Scripted(Arc::new(move |_| addresses.iter().map(|address| address.parse().unwrap()).collect()))
}

async fn post(client: &Client, url: &str) -> Reply {
    let reply = attempt::post(client, url, &[("webhook-id", "evt_1".to_owned())], "{}".to_owned(), NOW).await;
    assert!(!format!("{reply:?}").contains("hidden"), "{reply:?}");
    reply
}

/// A URL with a token that no log may contain.
fn url(receiver: &Receiver, host: &str) -> String {
    format!("http://{host}:{}/hook?token=hidden", receiver.address().port())
}

/// The status and the problem of a request to a receiver with this behaviour, with enough time.
async fn outcome(behaviour: Behaviour) -> (Option<u16>, Option<String>) {
    let receiver = Receiver::start(behaviour).await;
    let reply = post(&patient(), &url(&receiver, "127.0.0.1")).await;
    (reply.status, reply.problem)
}

fn failed(problem: &str) -> (Option<u16>, Option<String>) {
    (None, Some(problem.to_owned()))
}

#[tokio::test]
async fn a_request_is_delivered_and_its_connection_used_again() {
    let answer = Behaviour::status(202).with_header("retry-after", "7").with_body("th\0x\n");
    let receiver = Receiver::start(answer).await;
    let client = patient();
    for count in 1..=2 {
        let reply = post(&client, &url(&receiver, "localhost")).await;
        let told = (reply.status, reply.problem, reply.response.as_str(), reply.retry_after);
        assert_eq!(told, (Some(202), None, "th\u{fffd}x\n", Some(Duration::from_secs(7))));
        let request = receiver.wait_for(count).await.pop().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/hook?token=hidden"));
        let agent = concat!("Taquilla/", env!("CARGO_PKG_VERSION"));
        for (name, value) in [("webhook-id", "evt_1"), ("content-length", "2"), ("user-agent", agent)] {
            assert_eq!(request.headers.get(name).map(String::as_str), Some(value), "{name}");
        }
    }
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for location in ["/other", "http://169.254.169.254/", "::", "\u{e9}"] {
        let receiver = Receiver::start(Behaviour::status(307).with_header("location", location)).await;
        let reply = post(&patient(), &url(&receiver, "127.0.0.1")).await;
        assert_eq!((reply.status, reply.problem), (Some(307), None), "{location}");
        assert_eq!(receiver.connections(), 1, "{location}");
    }
}

#[tokio::test]
async fn nobody_there_and_silence_and_a_hang_up_are_told_apart() {
    let refused = post(&patient(), &format!("http://{}/", refusing_address())).await;
    assert_eq!(refused.problem.unwrap(), "connection refused");

    // The system accepts the connection, and nobody ever answers on it.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let hurried = client(THIS_MACHINE, within(SOON), Lookup::System);
    assert_eq!(post(&hurried, &format!("http://{address}/")).await.problem.unwrap(), "no answer within 0.4 s");
    assert_eq!(post(&hurried, &format!("https://{address}/")).await.problem.unwrap(), "no connection within 0.2 s");

    let closing = Receiver::start(Behaviour::CloseAtOnce).await;
    let reply = post(&patient(), &url(&closing, "127.0.0.1")).await;
    assert_eq!((reply.status, reply.problem), failed("the connection was closed before an answer"));
    assert_eq!(closing.connections(), 2, "once more, on a new connection, and then no more");
}

#[tokio::test]
async fn an_answer_that_is_no_http_is_a_problem_and_no_more() {
    let not_http = "the answer was not understood as HTTP";
    let too_large = "the head of the answer was too large";
    for (answer, problem) in [
        ("SSH-2.0-OpenSSH_9.6\r\n\r\n", not_http),
        ("HTTP/1.1 999999 What\r\n\r\n", not_http),
        ("HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\n", not_http),
        ("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", not_http),
        (&format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(101)), too_large),
        (&format!("HTTP/1.1 200 OK\r\na: {}", "b".repeat(1_000_000)), too_large),
    ] {
        assert_eq!(outcome(Behaviour::raw(answer)).await, failed(problem), "{answer:.60}");
    }
    let plain = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = plain.local_addr().unwrap();
    let answering = tokio::spawn(async move {
        let (mut stream, _) = plain.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        stream
    });
    let reply = post(&patient(), &format!("https://{address}/")).await;
    assert_eq!((reply.status, reply.problem), failed("what listens there does not speak TLS"));
    answering.await.unwrap();
}

#[tokio::test]
async fn an_answer_without_end_still_has_its_status() {
    let endless = Receiver::start(Behaviour::EndlessBody).await;
    let reply = post(&patient(), &url(&endless, "127.0.0.1")).await;
    assert_eq!((reply.status, reply.problem), (Some(200), None));
    assert_eq!(reply.response.len(), WEBHOOK_RESPONSE_KEPT);
    endless.wait_until("the end of the connection", |receiver| receiver.busy() == 0).await;

    let dripping = Receiver::start(Behaviour::Drip).await;
    let hurried = WebhookTimeouts { body: SOON, ..within(LONG) };
    let reply = post(&client(THIS_MACHINE, hurried, Lookup::System), &url(&dripping, "127.0.0.1")).await;
    assert_eq!((reply.status, reply.problem.as_deref()), (Some(200), Some("the answer did not end within 0.2 s")));

    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf".to_vec();
    let problem = "the answer broke off before its end".to_owned();
    assert_eq!(outcome(Behaviour::Raw { bytes: half, closes: true }).await, (Some(200), Some(problem)));

    let continuing = "HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000) + "HTTP/1.1 204 Fine\r\n\r\n";
    assert_eq!(outcome(Behaviour::raw(continuing)).await, (Some(204), None));
}

#[tokio::test]
async fn an_address_that_is_not_allowed_is_not_dialled() {
    let receiver = Receiver::start(Behaviour::ok()).await;
    let (name, literal) = (url(&receiver, "hook.example"), url(&receiver, "127.0.0.1"));
    let secure = |url: &str| url.replace("http:", "https:");
    let strict = client(&[], within(LONG), scripted(&["127.0.0.1"]));
    let elsewhere = client(&["127.0.0.2/32"], within(LONG), scripted(&["127.0.0.1"]));
    for (client, url, problem) in [
        (&strict, &secure(&name), "not allowed: hook.example leads to one that is not public"),
        (&strict, &secure(&literal), "not allowed: it is 127.0.0.1, which is not public"),
        (&strict, &literal, "https is required"),
        (&elsewhere, &name, "not allowed: hook.example leads to one for https only"),
        (&elsewhere, &literal, "not allowed: it is 127.0.0.1, and http is only for"),
    ] {
        let reply = post(client, url).await;
        assert!(reply.status.is_none() && reply.problem.as_ref().unwrap().contains(problem), "{reply:?}");
    }
    assert_eq!(receiver.connections(), 0);

    // Only the allowed one of two addresses is dialled, although the other would accept the connection.
    let decoy = TcpListener::bind(("127.0.0.2", receiver.address().port())).await.unwrap();
    let mixed = client(&["127.0.0.1/32"], within(LONG), scripted(&["127.0.0.2", "127.0.0.1"]));
    assert_eq!(post(&mixed, &name).await.status, Some(200));
    assert_eq!(receiver.connections(), 1);
    assert!(decoy.accept().now_or_never().is_none(), "nobody knocked at the other one");
    let reply = post(&client(&["127.0.0.1/32"], within(LONG), scripted(&[])), &name).await;
    assert_eq!((reply.status, reply.problem), failed("the name could not be found"));
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_is_a_problem() {
    let headers = [("webhook-id", "a\r\nhost: b".to_owned())];
    let reply = attempt::post(&patient(), "http://127.0.0.1:1/", &headers, String::new(), NOW).await;
    assert!(reply.problem.unwrap().starts_with("the request failed: "));
}
