//! Parsing one request from a connection.

use std::{collections::BTreeMap, io};

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt};

/// A complete request.
#[derive(Clone, Debug)]
pub struct Received {
    pub method: String,
    /// The path with its query, as it was sent.
    pub path: String,
    /// Headers by lower-case name; several of one name are joined with commas.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Received {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|cause| panic!("{cause}: {self:?}"))
    }

    /// The `webhook-id`, which all attempts of one message share.
    pub fn id(&self) -> String {
        self.headers.get("webhook-id").unwrap_or_else(|| panic!("no webhook-id: {self:?}")).clone()
    }

    /// The `type` in the body.
    pub fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap_or_else(|| panic!("no type: {self:?}")).to_owned()
    }

    /// The `sequence` in the body.
    pub fn sequence(&self) -> i64 {
        self.json()["sequence"].as_i64().unwrap_or_else(|| panic!("no sequence: {self:?}"))
    }

    pub fn closes(&self) -> bool {
        self.headers.get("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// Reads the next request, or `None` if the client closed the connection after the last one. Bytes of a later request
/// stay in `buffer`.
pub async fn read(stream: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> io::Result<Option<Received>> {
    let head_end = loop {
        if let Some(at) = memchr::memmem::find(buffer, b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(buffer).await? == 0 {
            return if buffer.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
    };
    let head: Vec<u8> = buffer.drain(..head_end + 4).collect();
    let mut received = parse_head(&head).map_err(|what| invalid(&format!("{what}: {}", head.escape_ascii())))?;
    let length = received.headers.get("content-length").map_or(Ok(0), |length| length.parse());
    let length = length.map_err(|_| invalid("a content-length that is no number"))?;
    while buffer.len() < length {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let body = buffer.drain(..length).collect();
    received.body = String::from_utf8(body).map_err(|_| invalid("a body that is not UTF-8"))?;
    Ok(Some(received))
}

fn parse_head(head: &[u8]) -> Result<Received, &'static str> {
    let head = std::str::from_utf8(head).map_err(|_| "a head that is not UTF-8")?;
    let mut lines = head.trim_end().split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(path), Some("HTTP/1.1"), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err("not a request of HTTP/1.1");
    };
    let mut headers = BTreeMap::<String, String>::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or("a header without a colon")?;
        let value = value.trim();
        headers
            .entry(name.to_ascii_lowercase())
            .and_modify(|earlier| *earlier = format!("{earlier}, {value}"))
            .or_insert_with(|| value.to_owned());
    }
    if headers.contains_key("transfer-encoding") {
        return Err("a body in chunks, although its length is known");
    }
    Ok(Received { method: method.to_owned(), path: path.to_owned(), headers, body: String::new() })
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[tokio::test]
async fn requests_are_taken_one_by_one_from_what_comes() {
    let sent = b"POST /a?b=c HTTP/1.1\r\nWebhook-Id: msg_1\r\nAccept: x\r\nACCEPT: y\r\nContent-Length: 31\r\n\r\n\
        {\"type\":\"a.made\",\"sequence\":-7}\
        GET / HTTP/1.1\r\nConnection: Close\r\n\r\n";
    let (mut stream, mut buffer) = (&sent[..], Vec::new());
    let first = read(&mut stream, &mut buffer).await.unwrap().unwrap();
    assert_eq!((first.method.as_str(), first.path.as_str()), ("POST", "/a?b=c"));
    assert_eq!((first.id().as_str(), first.kind().as_str(), first.sequence()), ("msg_1", "a.made", -7));
    assert_eq!(first.headers["accept"], "x, y");
    assert!(!first.closes());
    let second = read(&mut stream, &mut buffer).await.unwrap().unwrap();
    assert_eq!((second.method.as_str(), second.body.as_str(), second.closes()), ("GET", "", true));
    assert!(read(&mut stream, &mut buffer).await.unwrap().is_none());
}

#[tokio::test]
async fn what_is_no_whole_request_is_an_error() {
    for sent in [
        "POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nfour",
        "POST / HTTP/1.1\r\nhost: x\r\n",
        "POST / HTTP/1.1\r\ncontent-length: five\r\n\r\n",
        "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nno colon\r\n\r\n",
        "POST / HTTP/2\r\n\r\n",
        "\r\n\r\n",
    ] {
        assert!(read(&mut sent.as_bytes(), &mut Vec::new()).await.is_err(), "{sent}");
    }
}
