//! What a client does with receivers of every kind.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::sleep,
};

use super::*;

const NOW: Stamp = Stamp::from_micros(0);
const SOON: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(20);
const HERE: &str = "127.0.0.1:0";
const FINE: &str = "HTTP/1.1 204 Fine\r\n\r\n";

/// A receiver that does one thing with each connection, and how many it has had.
struct Receiver(SocketAddr, Arc<AtomicUsize>);

impl Receiver {
    async fn new<F>(address: &str, each: impl Fn(TcpStream) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(each(stream));
            }
        });
        Self(address, connections)
    }

    /// Answers each request with these bytes.
    async fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = Arc::new(answer.into());
        Self::new(HERE, move |mut stream| {
            let answer = Arc::clone(&answer);
            async move { while request(&mut stream).await.is_some() && stream.write_all(&answer).await.is_ok() {} }
        })
        .await
    }

    /// Answers one request so, and then writes this again and again with a pause between.
    async fn repeating(head: &'static str, more: &'static [u8], pause: Duration) -> Self {
        Self::new(HERE, move |mut stream| async move {
            request(&mut stream).await;
            let _ = stream.write_all(head.as_bytes()).await;
            while stream.write_all(more).await.is_ok() {
                sleep(pause).await;
            }
        })
        .await
    }

    fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/hook?token=hidden", self.0.port())
    }

    fn connections(&self) -> usize {
        self.1.load(Ordering::SeqCst)
    }
}

/// Reads one request with the body `{}`.
async fn request(stream: &mut TcpStream) -> Option<String> {
    let mut text = String::new();
    while !text.ends_with("\r\n\r\n{}") {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await.ok().filter(|count| *count > 0)?;
        text.push_str(std::str::from_utf8(&bytes[..count]).ok()?);
    }
    Some(text)
}

fn client(allow: &[&str], within: Duration, lookup: Lookup) -> Client {
    let allow = allow.iter().map(|network| network.parse().unwrap()).collect();
    Client::new(allow, WebhookTimeouts { connect: within, head: within, body: within }, lookup).unwrap()
}

fn scripted(addresses: &'static [&str]) -> Lookup {
    Lookup::Scripted(Arc::new(move |_| addresses.iter().map(|address| address.parse().unwrap()).collect()))
}

async fn post(client: &Client, url: &str) -> Reply {
    let reply = client.post(url, &[("webhook-id", "evt_1".to_owned())], "{}".to_owned(), NOW).await;
    assert!(reply.duration < LONG / 2, "{reply:?}");
    assert!(!format!("{reply:?}").contains("hidden"), "{reply:?}");
    reply
}

/// The status and the problem that come of a request to this machine, with time enough.
async fn outcome(receiver: &Receiver) -> (Option<u16>, Option<String>) {
    let reply = post(&client(&["127.0.0.0/8"], LONG, Lookup::System), &receiver.url("127.0.0.1")).await;
    (reply.status, reply.problem)
}

fn failed(problem: &str) -> (Option<u16>, Option<String>) {
    (None, Some(problem.to_owned()))
}

#[tokio::test]
async fn a_request_is_delivered_and_its_connection_used_again() {
    let (told, mut heard) = mpsc::unbounded_channel();
    let receiver = Receiver::new(HERE, move |mut stream| {
        let told = told.clone();
        async move {
            while let Some(text) = request(&mut stream).await {
                told.send(text).unwrap();
                let answer = b"HTTP/1.1 202 Accepted\r\nretry-after: 7\r\ncontent-length: 5\r\n\r\nth\0x\n";
                stream.write_all(answer).await.unwrap();
            }
        }
    })
    .await;
    let client = client(&["127.0.0.0/8"], LONG, Lookup::System);
    for _ in 0..2 {
        let reply = post(&client, &receiver.url("localhost")).await;
        let told = (reply.status, reply.problem, reply.response.as_str(), reply.retry_after);
        assert_eq!(told, (Some(202), None, "th\u{fffd}x\n", Some(Duration::from_secs(7))));
        let text = heard.recv().await.unwrap();
        assert!(text.starts_with("POST /hook?token=hidden HTTP/1.1\r\n"), "{text}");
        let agent = concat!("user-agent: Taquilla/", env!("CARGO_PKG_VERSION"));
        for line in ["webhook-id: evt_1", "content-length: 2", agent] {
            assert!(text.contains(&format!("\r\n{line}\r\n")), "{line} in {text}");
        }
    }
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for location in ["/other", "http://169.254.169.254/", "::", "\u{e9}"] {
        let head = format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        let receiver = Receiver::answering(head).await;
        assert_eq!(outcome(&receiver).await, (Some(307), None), "{location}");
        assert_eq!(receiver.connections(), 1, "{location}");
    }
}

#[tokio::test]
async fn nobody_there_and_silence_and_a_hang_up_are_told_apart() {
    let hurried = client(&["127.0.0.0/8"], SOON, Lookup::System);
    let problem = async |url: &str| post(&hurried, url).await.problem.unwrap();
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    assert_eq!(problem(&format!("http://{free}/")).await, "connection refused");

    let silent = Receiver::repeating("", b"", LONG).await.url("127.0.0.1");
    assert_eq!(problem(&silent).await, "no answer within 0.4 s");
    assert_eq!(problem(&silent.replace("http:", "https:")).await, "no connection within 0.2 s");

    let closing = Receiver::new(HERE, |mut stream| async move { drop(request(&mut stream).await) }).await;
    assert_eq!(outcome(&closing).await, failed("the connection was closed before an answer"));
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
        assert_eq!(outcome(&Receiver::answering(answer).await).await, failed(problem), "{answer:.60}");
    }
    let plain = Receiver::new(HERE, |mut stream| async move {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        sleep(LONG).await;
    });
    let url = plain.await.url("127.0.0.1").replace("http:", "https:");
    let reply = post(&client(&["127.0.0.0/8"], LONG, Lookup::System), &url).await;
    assert_eq!((reply.status, reply.problem), failed("what listens there does not speak TLS"));
}

#[tokio::test]
async fn an_answer_without_end_still_has_its_status() {
    let (told, mut heard) = mpsc::unbounded_channel();
    let endless = Receiver::new(HERE, move |mut stream| {
        let told = told.clone();
        async move {
            request(&mut stream).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000000000\r\n\r\n").await;
            while stream.write_all(&[b'x'; 65_536]).await.is_ok() {}
            told.send(()).unwrap();
        }
    })
    .await;
    let reply = post(&client(&["127.0.0.0/8"], LONG, Lookup::System), &endless.url("127.0.0.1")).await;
    assert_eq!((reply.status, reply.problem), (Some(200), None));
    assert_eq!(reply.response, "x".repeat(WEBHOOK_RESPONSE_KEPT));
    heard.recv().await.expect("the connection was closed");

    let head = "HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n";
    let dripping = Receiver::repeating(head, b"1\r\nd\r\n", SOON / 10).await;
    let reply = post(&client(&["127.0.0.0/8"], SOON, Lookup::System), &dripping.url("127.0.0.1")).await;
    assert_eq!((reply.status, reply.problem.as_deref()), (Some(500), Some("the answer did not end within 0.2 s")));
    assert!(reply.response.starts_with('d') && reply.response.len() < 20, "{}", reply.response);

    let broken = Receiver::new(HERE, |mut stream| async move {
        request(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf").await;
    });
    let problem = "the answer broke off before its end".to_owned();
    assert_eq!(outcome(&broken.await).await, (Some(200), Some(problem)));

    let continuing = Receiver::answering("HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000) + FINE).await;
    assert_eq!(outcome(&continuing).await, (Some(204), None));
}

#[tokio::test]
async fn an_address_that_is_not_allowed_is_not_dialled() {
    let receiver = Receiver::answering(FINE).await;
    let (name, literal) = (receiver.url("hook.example"), receiver.url("127.0.0.1"));
    let secure = |url: &str| url.replace("http:", "https:");
    let strict = client(&[], LONG, scripted(&["127.0.0.1"]));
    let elsewhere = client(&["127.0.0.2/32"], LONG, scripted(&["127.0.0.1"]));
    for (client, url, problem) in [
        (&strict, &secure(&name), "not allowed: hook.example is at 127.0.0.1, which is not public"),
        (&strict, &secure(&literal), "not allowed: it is 127.0.0.1, which is not public"),
        (&strict, &literal, "https is required"),
        (&elsewhere, &name, "not allowed: hook.example is at 127.0.0.1, and http is only for"),
        (&elsewhere, &literal, "not allowed: it is 127.0.0.1, and http is only for"),
    ] {
        let reply = post(client, url).await;
        assert!(reply.status.is_none() && reply.problem.as_ref().unwrap().contains(problem), "{reply:?}");
    }
    assert_eq!(receiver.connections(), 0);

    let decoy = Receiver::new(&format!("127.0.0.2:{}", receiver.0.port()), |_| async {}).await;
    let mixed = client(&["127.0.0.1/32"], LONG, scripted(&["127.0.0.2", "127.0.0.1"]));
    assert_eq!(post(&mixed, &name).await.status, Some(204));
    assert_eq!((receiver.connections(), decoy.connections()), (1, 0));
    let reply = post(&client(&["127.0.0.1/32"], LONG, scripted(&[])), &name).await;
    assert_eq!((reply.status, reply.problem), failed("the name could not be found"));
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_is_a_problem() {
    let client = client(&["127.0.0.0/8"], LONG, Lookup::System);
    let headers = [("webhook-id", "a\r\nhost: b".to_owned())];
    let reply = client.post("http://127.0.0.1:1/", &headers, String::new(), NOW).await;
    assert!(reply.problem.unwrap().starts_with("the request failed: "));
}
