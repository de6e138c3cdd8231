//! Requests that take their time: a form whose body waits until the test says so, and a file that is read slowly.

use reqwest::{Response, header::HeaderMap};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::staff::{Page, Staff};

/// A form whose head the server has read, and whose body it waits for.
pub struct Held {
    stream: TcpStream,
    body: Vec<u8>,
}

impl Staff {
    /// Sends the head of a form, and waits until the server asks for its body.
    pub async fn hold(&self, path: &str, kind: &str, body: impl AsRef<[u8]>) -> Held {
        let body = body.as_ref();
        let address = self.base().strip_prefix("http://").unwrap();
        let cookies: Vec<String> = self.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/html\r\nsec-fetch-site: same-origin\r\n\
             cookie: {}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n",
            cookies.join("; "),
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        const GO_ON: &str = "HTTP/1.1 100 Continue\r\n\r\n";
        let mut answer = vec![0; GO_ON.len()];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&answer), GO_ON, "{path}");
        Held { stream, body: body.to_owned() }
    }

    /// Begins to read a file, and waits until its first bytes are here.
    pub async fn read_slowly(&self, path: &str) -> Reading {
        let cookies: Vec<String> = self.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.http.get(format!("{}{path}", self.base())).header("cookie", cookies.join("; "));
        let mut response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let first = response.chunk().await.unwrap().unwrap().to_vec();
        Reading { first, response }
    }
}

impl Held {
    /// Sends the body, and takes the answer.
    pub async fn send(mut self) -> Page {
        self.stream.write_all(&self.body).await.unwrap();
        let mut answer = Vec::new();
        self.stream.read_to_end(&mut answer).await.unwrap();
        let text = String::from_utf8_lossy(&answer).into_owned();
        let status = text.split(' ').nth(1).unwrap().parse::<u16>().unwrap();
        Page { status: status.try_into().unwrap(), headers: HeaderMap::new(), text }
    }
}

/// A file that is being read.
pub struct Reading {
    first: Vec<u8>,
    response: Response,
}

impl Reading {
    /// The whole file, or an error if it broke off.
    pub async fn rest(mut self) -> reqwest::Result<String> {
        while let Some(part) = self.response.chunk().await? {
            self.first.extend_from_slice(&part);
        }
        Ok(String::from_utf8(self.first).unwrap())
    }
}
