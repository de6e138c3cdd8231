//! Requests to the authority.

use std::{path::PathBuf, pin::Pin};

use axum::http;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};

use taquilla_domain::config::{ACME_ANSWER_MAX, ACME_REQUEST};
use taquilla_outside::{Client, Limits, NoClient, Request, Roots, Whom, Within};

/// A client for one authority, in the shape that the ACME library asks for.
#[derive(Clone)]
pub struct Authority(Client);

impl Authority {
    /// A client that trusts the system's roots, or those in a file.
    pub fn new(root: Option<PathBuf>) -> Result<Self, NoClient> {
        let limits = Limits { within: Within::All(ACME_REQUEST), bytes: ACME_ANSWER_MAX };
        Ok(Self(Client::new(Whom::Chosen(root.map_or(Roots::System, Roots::File)), limits)?))
    }

    async fn send(self, request: http::Request<BodyWrapper<Bytes>>) -> Result<BytesResponse, Error> {
        let (parts, body) = request.into_parts();
        let Ok(body) = body.collect().await;
        let url = parts.uri.to_string();
        let asked = Request { method: parts.method, headers: parts.headers, ..Request::post(&url, body.to_bytes()) };
        let sent = self.0.send(asked).await;
        let answer = sent.map_err(|problem| failed(format!("the authority cannot be reached: {problem}")))?;
        let read = answer.whole();
        let answer = read.map_err(|problem| failed(format!("the authority's answer cannot be used: {problem}")))?;
        let mut response = http::Response::new(Full::new(Bytes::from(answer.body)));
        *response.status_mut() = answer.status;
        *response.headers_mut() = answer.headers;
        Ok(response.into())
    }
}

fn failed(why: String) -> Error {
    Error::Other(why.into())
}

impl HttpClient for Authority {
    fn request(
        &self,
        request: http::Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        Box::pin(self.clone().send(request))
    }
}
