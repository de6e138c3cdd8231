//! How a receiver answers: well, badly, or never.

use std::{io, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncWrite, AsyncWriteExt},
    time::sleep,
};

use super::{
    record::{Busy, Record},
    request::Received,
};

/// The pause between single bytes. The whole body takes half an hour, but no single read times out.
const DRIP: Duration = Duration::from_millis(20);
const DRIP_BODY: usize = 100_000;
const CHUNK: usize = 8 * 1024;
const HUGE_HEADERS: usize = 512;

/// What a receiver does with a request that it has read.
#[derive(Clone)]
pub enum Behaviour {
    /// Answers and keeps the connection, unless a header says `connection: close`.
    Answer { status: u16, headers: Vec<(String, String)>, body: String },
    /// Waits, then behaves as the second value says.
    After(Duration, Box<Behaviour>),
    /// Says nothing, and keeps the connection open.
    HangBeforeHead,
    /// Promises 1,000 bytes, sends a few, and keeps the connection open.
    HangMidBody,
    /// 200 with a body that has no end, as fast as the socket takes it.
    EndlessBody,
    /// 200 with a body that comes byte by byte.
    Drip,
    /// A head that comes byte by byte, and has no end.
    DripHead,
    /// Closes without a word.
    CloseAtOnce,
    /// Says something that is not HTTP, and closes.
    Garbage,
    /// Sends exactly these bytes, and then keeps the connection open or closes it.
    Raw { bytes: Vec<u8>, closes: bool },
    /// 200 with 4 MB of headers, and closes.
    HugeHead,
    /// Decides for each request, given how many came before it.
    Each(Arc<Decide>),
}

type Decide = dyn Fn(&Received, usize) -> Behaviour + Send + Sync;

impl Behaviour {
    pub fn ok() -> Self {
        Self::status(200)
    }

    pub fn status(status: u16) -> Self {
        Self::Answer { status, headers: Vec::new(), body: String::new() }
    }

    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Raw { bytes: bytes.into(), closes: false }
    }

    pub fn each(decide: impl Fn(&Received, usize) -> Self + Send + Sync + 'static) -> Self {
        Self::Each(Arc::new(decide))
    }

    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        let Self::Answer { headers, .. } = &mut self else { panic!("only an answer has headers") };
        headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn with_body(mut self, text: &str) -> Self {
        let Self::Answer { body, .. } = &mut self else { panic!("only an answer has a body") };
        text.clone_into(body);
        self
    }

    pub fn closing(self) -> Self {
        self.with_header("connection", "close")
    }

    pub fn after(self, wait: Duration) -> Self {
        Self::After(wait, Box::new(self))
    }

    /// Follows `After` and `Each` to the behaviour they lead to.
    async fn decided(mut self, received: &Received, index: usize) -> Self {
        loop {
            self = match self {
                Self::After(wait, then) => {
                    sleep(wait).await;
                    *then
                }
                Self::Each(decide) => decide(received, index),
                decided => return decided,
            };
        }
    }

    /// Answers a request and returns whether the connection can take another. A behaviour that hangs never returns.
    pub async fn answer(
        self,
        received: &Received,
        index: usize,
        stream: &mut (impl AsyncWrite + Unpin),
        record: &Record,
        busy: Busy<'_>,
    ) -> io::Result<bool> {
        // A client with its answer may send the next request before this task runs again. So a request stops counting
        // as busy before its last bytes are sent; otherwise two requests in a row could look simultaneous.
        match self.decided(received, index).await {
            Self::After(..) | Self::Each(_) => unreachable!("both lead to something else"),
            Self::Answer { status, headers, body } => {
                let text = answer_text(status, &headers, &body);
                record.body_sent(body.len());
                drop(busy);
                send(stream, text.as_bytes()).await?;
                Ok(!headers.iter().any(|(name, value)| name == "connection" && value == "close"))
            }
            Self::CloseAtOnce => {
                drop(busy);
                Ok(false)
            }
            Self::Garbage => {
                drop(busy);
                send(stream, b"\x00\x01\xfe\xff this was never HTTP \r\n\r\n").await?;
                Ok(false)
            }
            Self::Raw { bytes, closes } => {
                drop(busy);
                send(stream, &bytes).await?;
                Ok(!closes)
            }
            Self::HugeHead => {
                drop(busy);
                let header = format!("x-filling: {}\r\n", "x".repeat(CHUNK));
                send(stream, b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n").await?;
                for _ in 0..HUGE_HEADERS {
                    send(stream, header.as_bytes()).await?;
                }
                send(stream, b"\r\n").await?;
                Ok(false)
            }
            Self::HangBeforeHead => std::future::pending().await,
            Self::HangMidBody => {
                let begun = b"the beginning of ";
                send(stream, b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n").await?;
                send(stream, begun).await?;
                record.body_sent(begun.len());
                std::future::pending().await
            }
            Self::EndlessBody => {
                let chunk = format!("{CHUNK:x}\r\n{}\r\n", "x".repeat(CHUNK));
                send(stream, b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await?;
                loop {
                    send(stream, chunk.as_bytes()).await?;
                    record.body_sent(CHUNK);
                }
            }
            Self::Drip => {
                send(stream, format!("HTTP/1.1 200 OK\r\ncontent-length: {DRIP_BODY}\r\n\r\n").as_bytes()).await?;
                for _ in 0..DRIP_BODY {
                    send(stream, b"x").await?;
                    record.body_sent(1);
                    sleep(DRIP).await;
                }
                Ok(true)
            }
            Self::DripHead => {
                for byte in "HTTP/1.1 200 OK\r\nx-filling: ".bytes().chain(std::iter::repeat(b'x')) {
                    send(stream, &[byte]).await?;
                    sleep(DRIP).await;
                }
                unreachable!("the head has no end")
            }
        }
    }
}

fn answer_text(status: u16, headers: &[(String, String)], body: &str) -> String {
    let reason = reqwest::StatusCode::from_u16(status).unwrap().canonical_reason().unwrap_or("Unnamed");
    let mut text = format!("HTTP/1.1 {status} {reason}\r\n");
    if [204, 304].contains(&status) {
        assert!(body.is_empty(), "{status} says that there is no body");
    } else {
        text += &format!("content-length: {}\r\n", body.len());
    }
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text + "\r\n" + body
}

async fn send(stream: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes).await?;
    // TLS holds back what is not flushed.
    stream.flush().await
}
