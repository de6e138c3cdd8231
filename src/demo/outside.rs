//! The way from outside: HTTP calls to the demo's own server, as shops, payment processors and phones make them.

use std::time::Duration;

use anyhow::Context;
use rustls::pki_types::CertificateDer;
use serde_json::Value;

use taquilla_outside::{Client, Limits, Request, Roots, Whom, Within};

/// How long the demo waits for its own server.
const DEADLINE: Duration = Duration::from_secs(30);
/// Bytes of its answers that are read; the largest are lists of what is on sale.
const ANSWER_MAX: usize = 16 * 1024 * 1024;

/// A client of one server.
pub struct Outside {
    http: Client,
    base: String,
}

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The body; null if it is no JSON.
    pub body: Value,
}

impl Outside {
    /// A client of the server at this address, such as `http://127.0.0.1:8080`, and the server's own certificate if it has
    /// one.
    pub fn new(base: String, certificate: Option<CertificateDer<'static>>) -> anyhow::Result<Self> {
        let whom = Whom::Ourselves(Roots::Only(certificate.into_iter().collect()));
        let http = Client::new(whom, Limits { within: Within::All(DEADLINE), bytes: ANSWER_MAX })?;
        Ok(Self { http, base })
    }

    /// Reads something.
    pub async fn get(&self, path: &str) -> anyhow::Result<Answer> {
        self.send(Request::get(&format!("{}{path}", self.base))).await
    }

    /// Sends something.
    pub async fn post(&self, path: &str, headers: &[(&str, &str)], body: String) -> anyhow::Result<Answer> {
        let url = format!("{}{path}", self.base);
        let request = Request::post(&url, body).with("content-type", "application/json")?;
        self.send(headers.iter().try_fold(request, |request, (name, value)| request.with(name, value))?).await
    }

    async fn send(&self, request: Request<'_>) -> anyhow::Result<Answer> {
        let answer = self.http.send(request).await.context("the demo cannot reach its own server")?.whole()?;
        Ok(Answer { status: answer.status.as_u16(), body: serde_json::from_slice(&answer.body).unwrap_or(Value::Null) })
    }
}
