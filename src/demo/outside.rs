//! The way from outside: HTTP calls to the demo's own server, as shops, payment processors and phones make them.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use reqwest::redirect;
use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer};
use serde_json::Value;

/// How long the demo waits for its own server.
const DEADLINE: Duration = Duration::from_secs(30);

/// A client of one server.
pub struct Outside {
    http: reqwest::Client,
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
        let mut trusted = RootCertStore::empty();
        if let Some(certificate) = certificate {
            trusted.add(certificate)?;
        }
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(trusted)
            .with_no_client_auth();
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .http1_only()
            .timeout(DEADLINE)
            .build()?;
        Ok(Self { http, base })
    }

    /// Reads something.
    pub async fn get(&self, path: &str) -> anyhow::Result<Answer> {
        read(self.http.get(format!("{}{path}", self.base))).await
    }

    /// Sends something.
    pub async fn post(&self, path: &str, headers: &[(&str, &str)], body: String) -> anyhow::Result<Answer> {
        let request = self.http.post(format!("{}{path}", self.base)).header("content-type", "application/json");
        read(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).body(body)).await
    }
}

async fn read(request: reqwest::RequestBuilder) -> anyhow::Result<Answer> {
    let response = request.send().await.context("the demo cannot reach its own server")?;
    let status = response.status().as_u16();
    let bytes = response.bytes().await?;
    Ok(Answer { status, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) })
}
