//! An HTTP client that checks what must hold for every answer.

use std::net::SocketAddr;

use reqwest::{Method, StatusCode, header::HeaderMap};
use serde_json::Value;

/// A client for http without proxies and redirects.
pub fn http_client() -> reqwest::Client {
    // reqwest needs a TLS provider even for plain http. Loading no certificates saves time.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    builder.tls_certs_only([]).build().unwrap()
}

/// A client that checks for every answer what must hold for all of them.
#[derive(Clone)]
pub struct Client {
    pub base: String,
    http: reqwest::Client,
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        Self { base: format!("http://{address}"), http: http_client() }
    }

    /// A client of a server behind a proxy.
    pub fn through(base: String, http: reqwest::Client) -> Self {
        Self { base, http }
    }

    pub async fn get(&self, path: &str, key: &str) -> Answer {
        self.send(Method::GET, path, &[("authorization", &format!("Bearer {key}"))]).await
    }

    /// Sends JSON.
    pub async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut request = self.http.post(format!("{}{path}", self.base)).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::read(request.send().await.unwrap(), &Method::POST).await
    }

    /// Sends JSON to a server that may be dying; `None` if no complete answer came.
    pub async fn try_post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Option<Answer> {
        let mut request = self.http.post(format!("{}{path}", self.base)).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.ok()?;
        let (status, headers) = (response.status(), response.headers().clone());
        Some(Answer { status, headers, text: response.text().await.ok()? })
    }

    pub async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::read(request.send().await.unwrap(), &method).await
    }
}

impl Answer {
    async fn read(response: reqwest::Response, method: &Method) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        let answer = Self { status, headers, text: response.text().await.unwrap() };
        answer.check(method);
        answer
    }

    /// What holds for every answer: a request id, no sniffing, and a problem document for every error.
    fn check(&self, method: &Method) {
        assert!(self.header("x-request-id").is_some_and(|id| id.len() >= 16), "{self:?}");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"), "{self:?}");
        assert!(self.header("date").is_some(), "{self:?}");
        if self.status.as_u16() >= 400 {
            assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
            if method != Method::HEAD {
                let problem = self.json();
                assert_eq!(problem["status"], self.status.as_u16(), "{problem}");
                assert_eq!(problem["request_id"], self.header("x-request-id").unwrap(), "{problem}");
                let kind = format!("/docs/errors#{}", problem["code"].as_str().unwrap());
                assert_eq!(problem["type"], kind.as_str(), "{problem}");
                assert!(problem["title"].is_string() && problem["detail"].is_string(), "{problem}");
            }
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|cause| panic!("{cause}: {}", self.text))
    }

    /// The rows of a list; the answer must be 200.
    pub fn data(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()["data"].as_array().unwrap().clone()
    }

    /// The status, code and parameter of an error.
    pub fn problem(&self) -> (u16, String, Option<String>) {
        let problem = self.json();
        (
            self.status.as_u16(),
            problem["code"].as_str().unwrap_or_else(|| panic!("no problem: {}", self.text)).to_owned(),
            problem["param"].as_str().map(str::to_owned),
        )
    }

    /// The ids in a list; the answer must be 200.
    pub fn ids(&self) -> Vec<String> {
        self.data().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// A problem in the form of [`Answer::problem`].
pub fn problem(status: u16, code: &str, param: Option<&str>) -> (u16, String, Option<String>) {
    (status, code.to_owned(), param.map(str::to_owned))
}
