//! A connection that speaks just enough HTTP, and takes little from what it measures.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::Failure;

/// A connection that speaks just enough HTTP.
pub struct Connection {
    stream: TcpStream,
    answer: Vec<u8>,
}

impl Connection {
    pub async fn open(address: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, answer: Vec::new() })
    }

    /// Whether the request succeeded, and the answer's body. Header lines end with their own line breaks.
    pub async fn ask(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Result<(bool, &[u8]), Failure> {
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             {headers}\r\n{body}"
        );
        self.stream.write_all(request.as_bytes()).await?;
        self.answer.clear();
        let (head, length) = loop {
            self.read_more().await?;
            if let Some(end) = memchr::memmem::find(&self.answer, b"\r\n\r\n") {
                break (end + 4, content_length(&self.answer[..end])?);
            }
        };
        while self.answer.len() < head + length {
            self.read_more().await?;
        }
        // The status follows "HTTP/1.1 ".
        Ok((self.answer[9] == b'2', &self.answer[head..]))
    }

    async fn read_more(&mut self) -> Result<(), Failure> {
        match self.stream.read_buf(&mut self.answer).await? {
            0 => Err("the server closed a buyer's connection".into()),
            _ => Ok(()),
        }
    }
}

fn content_length(head: &[u8]) -> Result<usize, Failure> {
    let lines = std::str::from_utf8(head)?.lines();
    let length =
        lines.filter_map(|line| line.split_once(':')).find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    Ok(length.ok_or("an answer has no length")?.1.trim().parse()?)
}
