//! How calls behave when servers do not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::TryStreamExt;
use serde_json::{Value, json};
use taquilla_client::{Client, Error, Retries, TicketFilter};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// A server that says these bytes, one after another, each on a connection of its own, and what it was asked.
struct Script {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Script {
    async fn start(answers: Vec<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let noted = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut answers = VecDeque::from(answers);
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    let Ok(byte) = stream.read_u8().await else { break };
                    request.push(byte);
                }
                noted.lock().unwrap().push(String::from_utf8(request).unwrap());
                stream.write_all(&answers.pop_front().expect("nobody should ask any more")).await.unwrap();
            }
        });
        Self { url, asked }
    }

    fn client(&self) -> Client {
        let pause = Duration::from_millis(1);
        let retries = Retries { attempts: 4, first_pause: pause, longest_pause: pause, ..Retries::default() };
        Client::builder(&self.url, "tq_key").retries(retries).build().unwrap()
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}").into_bytes()
}

fn page(ids: &[&str], next: Option<&str>) -> Vec<u8> {
    let rows: Vec<Value> = ids.iter().map(|id| ticket(id)).collect();
    answer("200 OK", "", &json!({"data": rows, "has_more": next.is_some(), "next_cursor": next}).to_string())
}

fn ticket(id: &str) -> Value {
    json!({
        "id": id, "event_id": "ev", "status": "on_the_moon", "ticket_type": {"id": "tt", "category": "ticket"},
        "issued_at": "2026-11-01T12:00:00Z", "more": [1, 2]
    })
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_the_list_goes_on() {
    let mut cut = page(&["b"], None);
    cut.truncate(cut.len() - 5);
    let script = Script::start(vec![
        answer("429 Too Many Requests", "retry-after: 0\r\n", "not JSON"),
        page(&["a"], Some("c1")),
        answer("500 Internal Server Error", "", "<html>"),
        cut,
        Vec::new(),
        page(&["b"], None),
    ])
    .await;
    let tickets: Vec<_> = script.client().tickets(&TicketFilter::default()).into_stream().try_collect().await.unwrap();
    assert_eq!(tickets.iter().map(|ticket| ticket.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(tickets[0].status.as_str(), "on_the_moon");
    let asked = script.asked();
    assert_eq!(asked.len(), 6);
    assert!(asked.iter().all(|request| request.contains("authorization: Bearer tq_key")));
    assert!(asked[2..].iter().all(|request| request.contains("cursor=c1")), "{asked:#?}");
}

#[tokio::test]
async fn a_failed_call_ends_its_list() {
    let refusal =
        json!({"status": 410, "code": "mark_lost", "detail": "Load anew.", "request_id": "in-the-body"}).to_string();
    let script = Script::start(vec![
        page(&["a"], Some("c1")),
        answer("410 Gone", "x-request-id: 00112233445566778899aabbccddeeff\r\n", &refusal),
    ])
    .await;
    let mut tickets = script.client().tickets(&TicketFilter::default());
    assert_eq!(tickets.next().await.unwrap().unwrap().id, "a");
    let error = tickets.next().await.unwrap_err();
    let problem = error.problem().unwrap();
    assert_eq!((problem.status, problem.code.as_str(), problem.detail.as_str()), (410, "mark_lost", "Load anew."));
    assert_eq!(error.request_id(), Some("00112233445566778899aabbccddeeff"));
    assert!(!error.is_passing());
    assert!(tickets.next().await.unwrap().is_none(), "its cursor is not used again");
    assert_eq!(script.asked().len(), 2);
}

#[tokio::test]
async fn attempts_end_and_the_error_names_the_request() {
    let script = Script::start(vec![answer("503 Service Unavailable", "", "Down for a while"); 4]).await;
    let error = script.client().me().await.unwrap_err();
    let sent =
        script.asked().last().unwrap().lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned();
    assert_eq!(error.request_id(), Some(sent.as_str()), "the server named none, so ours holds");
    assert!(error.is_status(503) && error.is_passing());
    assert!(error.to_string().contains("Down for a while"), "{error}");

    let script = Script::start(vec![answer("429 Too Many Requests", "retry-after: 86400\r\n", "")]).await;
    let error = script.client().me().await.unwrap_err();
    assert_eq!(error.problem().unwrap().retry_after, Some(Duration::from_secs(86_400)), "nobody waits for a day");

    let script = Script::start(vec![Vec::new(); 4]).await;
    assert!(matches!(script.client().me().await.unwrap_err(), Error::NoAnswer { attempts: 4, .. }));
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_says_where() {
    let mut row = ticket("a");
    row["issued_at"] = json!("yesterday");
    let body = json!({"data": [row], "has_more": false}).to_string();
    let script = Script::start(vec![
        answer("200 OK", "", &body),
        answer("200 OK", "", r#"{"data": [], "has_more": true, "next_cursor": null}"#),
        page(&[], Some("c1")),
        page(&[], Some("c1")),
        answer("302 Found", "location: https://elsewhere.example/\r\n", ""),
        answer("200 OK", "", "hello"),
    ])
    .await;
    let client = script.client();
    let all = async || client.tickets(&TicketFilter::default()).next().await.unwrap_err().to_string();
    let said = all().await;
    assert!(said.contains("data[0].issued_at") && said.contains("yesterday"), "{said}");
    assert!(all().await.contains("there is no next_cursor"));
    assert!(all().await.contains("the list has no end"));
    assert!(all().await.contains("https://elsewhere.example/"), "the key is not sent there");
    assert!(client.me().await.unwrap_err().to_string().contains("/me"));
}

#[tokio::test]
async fn what_did_not_change_is_not_sent_again() {
    let script = Script::start(vec![
        answer("200 OK", "etag: W/\"one\"\r\n", &json!({"data": [ticket("a")], "has_more": false}).to_string()),
        answer("304 Not Modified", "", ""),
        page(&["b"], None),
        page(&["c"], None),
    ])
    .await;
    let client = script.client();
    let first = async || client.tickets(&TicketFilter::default()).next().await.unwrap().unwrap().id;
    assert_eq!([first().await, first().await, first().await], ["a", "a", "b"]);
    assert_eq!(client.chain("x/y").next().await.unwrap().unwrap().id, "c");
    let asked = script.asked();
    assert!(!asked[0].contains("if-none-match"));
    assert!(asked[1].contains("if-none-match: W/\"one\"") && asked[2].contains("if-none-match: W/\"one\""));
    assert!(asked[3].starts_with("GET /api/v1/tickets/x%2Fy/chain?") && !asked[3].contains("if-none-match"));
}
