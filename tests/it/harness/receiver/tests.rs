//! Tests of the test receiver itself, so that other tests can rely on it.

use std::{
    io::ErrorKind,
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::{net::TcpStream, time::timeout};

use super::*;
use crate::harness::http_client;

const REQUEST: &[u8] = b"POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}";
const ANSWER: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
/// Long enough for anything that might still come.
const SILENCE: Duration = Duration::from_millis(200);

/// Sends a request on a new connection and reads nothing.
async fn begin(receiver: &Receiver) -> TcpStream {
    let mut stream = TcpStream::connect(receiver.address()).await.unwrap();
    stream.write_all(REQUEST).await.unwrap();
    stream
}

async fn read(stream: &mut TcpStream, count: usize) -> String {
    let mut bytes = vec![0; count];
    stream.read_exact(&mut bytes).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

async fn read_to_end(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    bytes
}

async fn says_no_more(stream: &mut TcpStream) -> bool {
    timeout(SILENCE, stream.read_u8()).await.is_err()
}

#[tokio::test]
async fn what_comes_is_recorded() {
    let receiver = Receiver::start(Behaviour::ok()).await;
    assert_eq!(receiver.url("/hook"), format!("http://{}/hook", receiver.address()));
    assert!(receiver.received().is_empty());
    let body = json!({"type": "ticket.issued", "timestamp": "2026-11-01T12:00:00Z", "sequence": 7, "data": {}});
    let send = async {
        for id in ["msg_1", "msg_2"] {
            http_client().post(receiver.url("/hook?a=b")).header("Webhook-Id", id).json(&body).send().await.unwrap();
        }
    };
    let (received, ()) = tokio::join!(receiver.wait_for(2), send);
    assert_eq!(received.iter().map(Received::id).collect::<Vec<_>>(), ["msg_1", "msg_2"]);
    let first = &received[0];
    assert_eq!((first.method.as_str(), first.path.as_str(), first.json()), ("POST", "/hook?a=b", body));
    assert_eq!((first.kind().as_str(), first.sequence()), ("ticket.issued", 7));
    assert_eq!(first.headers["content-type"], "application/json");
    assert_eq!(receiver.wait_for(1).await.len(), 2, "more than asked for is told, too");
}

#[tokio::test]
async fn an_answer_is_what_it_says_and_can_change() {
    let receiver = Receiver::start(Behaviour::ok()).await;
    let answer = http_client().post(receiver.url("/")).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.content_length()), (200, Some(0)));
    receiver.behave(Behaviour::status(503).with_header("retry-after", "60").with_body("later"));
    let answer = http_client().post(receiver.url("/")).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.headers()["retry-after"].to_str().unwrap()), (503, "60"));
    assert_eq!(answer.text().await.unwrap(), "later");
    assert_eq!(receiver.bytes_sent(), 5);
    receiver.behave(Behaviour::status(204).after(SILENCE));
    let begun = Instant::now();
    assert_eq!(http_client().post(receiver.url("/")).send().await.unwrap().status(), 204);
    assert!(begun.elapsed() >= SILENCE);
    receiver.behave(Behaviour::each(|received, index| match received.path.as_str() {
        "/gone" => Behaviour::status(410),
        _ => Behaviour::ok().with_body(&index.to_string()),
    }));
    assert_eq!(http_client().post(receiver.url("/gone")).send().await.unwrap().status(), 410);
    assert_eq!(http_client().post(receiver.url("/")).send().await.unwrap().text().await.unwrap(), "4");
}

#[tokio::test]
async fn a_connection_is_kept_until_one_side_closes_it() {
    let receiver = Receiver::start(Behaviour::ok()).await;
    let mut stream = begin(&receiver).await;
    assert_eq!(read(&mut stream, ANSWER.len()).await, ANSWER);
    stream.write_all(REQUEST).await.unwrap();
    assert_eq!(read(&mut stream, ANSWER.len()).await, ANSWER);
    stream.write_all(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n").await.unwrap();
    assert_eq!(read_to_end(stream).await, ANSWER.as_bytes());
    receiver.behave(Behaviour::ok().closing());
    let said = String::from_utf8(read_to_end(begin(&receiver).await).await).unwrap();
    assert_eq!(said, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    assert_eq!((receiver.connections(), receiver.received().len()), (2, 4));
}

#[tokio::test]
async fn each_behaviour_is_what_it_says() {
    let receiver = Receiver::start(Behaviour::CloseAtOnce).await;
    assert_eq!(read_to_end(begin(&receiver).await).await, b"");

    receiver.behave(Behaviour::Garbage);
    let garbage = read_to_end(begin(&receiver).await).await;
    assert!(!garbage.is_empty() && !garbage.starts_with(b"HTTP"));
    http_client().post(receiver.url("/")).send().await.unwrap_err();

    receiver.behave(Behaviour::HugeHead);
    let head = read_to_end(begin(&receiver).await).await;
    assert!(head.len() > 4_000_000 && head.starts_with(b"HTTP/1.1 200 OK\r\n") && head.ends_with(b"x\r\n\r\n"));
    http_client().post(receiver.url("/")).send().await.unwrap_err();

    receiver.behave(Behaviour::HangBeforeHead);
    assert!(says_no_more(&mut begin(&receiver).await).await);

    receiver.behave(Behaviour::HangMidBody);
    let mut stream = begin(&receiver).await;
    let begun = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe beginning of ";
    assert_eq!(read(&mut stream, begun.len()).await, begun);
    assert!(says_no_more(&mut stream).await);
    assert_eq!(receiver.bytes_sent(), 17);
    drop(stream);

    let step = Duration::from_millis(20);
    receiver.behave(Behaviour::Drip);
    let begun = Instant::now();
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n";
    assert_eq!(read(&mut begin(&receiver).await, head.len() + 6).await, format!("{head}xxxxxx"));
    assert!(begun.elapsed() >= step * 5);

    receiver.behave(Behaviour::DripHead);
    let begun = Instant::now();
    assert_eq!(read(&mut begin(&receiver).await, 31).await, "HTTP/1.1 200 OK\r\nx-filling: xxx");
    assert!(begun.elapsed() >= step * 30);

    receiver.wait_until("everybody to be gone", |receiver| receiver.busy() == 0).await;
    assert_eq!(receiver.received().len(), 9);
}

#[tokio::test]
async fn an_endless_body_flows_as_fast_as_it_is_read() {
    let receiver = Receiver::start(Behaviour::EndlessBody).await;
    let mut answer = http_client().post(receiver.url("/")).send().await.unwrap();
    let mut read = 0;
    while read < 10_000_000 {
        read += answer.chunk().await.unwrap().unwrap().len() as u64;
    }
    assert!(receiver.bytes_sent() >= 10_000_000);
    drop(answer);
    receiver.wait_until("the client to be missed", |receiver| receiver.busy() == 0).await;

    let before = receiver.bytes_sent();
    let _nobody_reads = begin(&receiver).await;
    receiver.wait_until("some of it", |receiver| receiver.bytes_sent() > before).await;
    tokio::time::sleep(SILENCE).await;
    let unread = receiver.bytes_sent() - before;
    assert!(unread < 500_000, "{unread}");
}

#[tokio::test]
async fn who_is_answered_at_the_same_time_is_counted() {
    let receiver = Receiver::start(Behaviour::HangBeforeHead).await;
    let mut waiting = Vec::new();
    for _ in 0..3 {
        waiting.push(begin(&receiver).await);
    }
    receiver.wait_until("three at once", |receiver| receiver.busy() == 3).await;
    waiting.clear();
    receiver.wait_until("everybody to be gone", |receiver| receiver.busy() == 0).await;
    assert_eq!((receiver.busiest(), receiver.connections()), (3, 3));
}

#[tokio::test]
async fn a_request_is_not_counted_any_more_when_its_answer_arrives() {
    let record = Record::new(Behaviour::ok());
    let received = request::read(&mut &REQUEST[..], &mut Vec::new()).await.unwrap().unwrap();
    let (index, behaviour, busy) = record.begin(received.clone());
    assert_eq!(record.seen().busy, 1);
    // The answer is still being sent when the client has read its first byte.
    let (mut client, mut stream) = tokio::io::duplex(1);
    let answering = behaviour.answer(&received, index, &mut stream, &record, busy);
    tokio::pin!(answering);
    tokio::select! {
        _ = &mut answering => panic!("nobody read the rest"),
        byte = client.read_u8() => assert_eq!(byte.unwrap(), b'H'),
    }
    assert_eq!(record.seen().busy, 0);
}

#[tokio::test]
async fn a_receiver_has_an_address_of_its_own() {
    let receiver = Receiver::start_on("127.0.0.2", Behaviour::ok()).await;
    assert!(receiver.url("/").starts_with("http://127.0.0.2:"));
    assert_eq!(http_client().post(receiver.url("/")).send().await.unwrap().status(), 200);
    let address = refusing_address();
    for _ in 0..3 {
        assert_eq!(TcpStream::connect(address).await.unwrap_err().kind(), ErrorKind::ConnectionRefused);
    }
}

#[tokio::test]
async fn a_receiver_that_is_dropped_is_gone_with_its_connections() {
    let receiver = Receiver::start(Behaviour::HangBeforeHead).await;
    let address = receiver.address();
    let hanging = begin(&receiver).await;
    receiver.wait_for(1).await;
    drop(receiver);
    assert_eq!(read_to_end(hanging).await, b"");
    assert_eq!(TcpStream::connect(address).await.unwrap_err().kind(), ErrorKind::ConnectionRefused);
}
