//! What is asked of another server.

use bytes::Bytes;
use reqwest::{
    Method,
    header::{HeaderMap, HeaderName, HeaderValue},
};

use super::problem::Problem;

/// What is asked of another server.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The method.
    pub method: Method,
    /// Where.
    pub url: &'a str,
    /// Headers besides those of HTTP itself. The client adds who it is, unless they say so.
    pub headers: HeaderMap,
    /// The body; empty for none.
    pub body: Bytes,
    /// Whether it does no harm if it arrives twice. If so, it is sent once more when an idle connection turns out to be
    /// closed: most likely the other server never read it.
    pub may_arrive_twice: bool,
}

impl<'a> Request<'a> {
    /// A request to read something.
    pub fn get(url: &'a str) -> Self {
        Self { method: Method::GET, url, headers: HeaderMap::new(), body: Bytes::new(), may_arrive_twice: true }
    }

    /// A request that sends something, which should arrive once.
    pub fn post(url: &'a str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        Self { method: Method::POST, url, headers: HeaderMap::new(), body, may_arrive_twice: false }
    }

    /// The same with one more header, if that can be sent.
    pub fn with(mut self, name: &str, value: &str) -> Result<Self, Problem> {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|cause| Problem::failed(&cause))?;
        // The value may be secret, so the problem does not show it.
        let value = HeaderValue::from_str(value).map_err(|cause| Problem::failed(&cause))?;
        self.headers.append(name, value);
        Ok(self)
    }
}
