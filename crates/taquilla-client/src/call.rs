//! One call, made again while that can help.

use std::{error::Error as _, fmt, time::Duration};

use bytes::{Bytes, BytesMut};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{
    Response, StatusCode,
    header::{AUTHORIZATION, DATE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH, RETRY_AFTER},
};
use serde::de::DeserializeOwned;
use url::Url;

use super::{
    answers::{Answers, Tagged},
    backoff::{Retries, asked, is_passing},
    error::{Error, Problem},
    filters::Query,
    time::Time,
};

/// What names a call in the server's log.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// More than this is not read of an answer: 200 orders of 500 items have 20 MB.
const BYTES: usize = 64 * 1024 * 1024;
/// All that is not unreserved in an address.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// An id as part of a path. It may hold anything.
pub(crate) fn segment(id: &str) -> impl fmt::Display {
    utf8_percent_encode(id, SEGMENT)
}

/// Where calls go, and with which key.
pub(crate) struct Caller {
    pub http: reqwest::Client,
    pub base: Url,
    pub key: HeaderValue,
    pub retries: Retries,
    pub answers: Answers,
}

/// A whole answer of a server.
pub(crate) struct Answer {
    pub body: Bytes,
    /// The present by the server's clock.
    pub date: Option<Time>,
    pub request_id: String,
}

/// An attempt that gave no answer that can be used.
struct Failed {
    error: Error,
    may_pass: bool,
    asked: Option<Duration>,
}

impl Caller {
    /// Makes a call, and again while that can help.
    pub(crate) async fn get(&self, path: &str, query: &Query) -> Result<Answer, Error> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut failed = 0;
        loop {
            match self.attempt(&url, path, failed + 1).await {
                Ok(answer) => return Ok(answer),
                Err(Failed { error, may_pass, asked }) => {
                    failed += 1;
                    match self.retries.pause(failed, asked).filter(|_| may_pass) {
                        Some(pause) => tokio::time::sleep(pause).await,
                        None => return Err(error),
                    }
                }
            }
        }
    }

    async fn attempt(&self, url: &Url, path: &str, attempt: u32) -> Result<Answer, Failed> {
        let request_id = format!("{:032x}", rand::random::<u128>());
        let kept = self.answers.get(url.as_str());
        let mut asked_for = self.http.get(url.clone()).header(AUTHORIZATION, &self.key).header(REQUEST_ID, &request_id);
        if let Some(Tagged { tag, .. }) = &kept {
            asked_for = asked_for.header(IF_NONE_MATCH, tag);
        }
        let lost = |cause: String| Failed {
            error: Error::NoAnswer { server: self.server(), cause, request_id: request_id.clone(), attempts: attempt },
            may_pass: true,
            asked: None,
        };
        let mut response = asked_for.send().await.map_err(|cause| lost(whole_story(&cause.without_url())))?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let text = |name: &HeaderName| text(&headers, name);
        let request_id = text(&REQUEST_ID).unwrap_or(&request_id).to_owned();
        let body = match read(&mut response).await {
            Ok(Some(body)) => body,
            Ok(None) => {
                let cause = format!("it is larger than {} MB", BYTES / 1024 / 1024);
                return Err(Failed::for_good(Error::Unusable { path: path.to_owned(), cause, request_id }));
            }
            Err(cause) => return Err(lost(whole_story(&cause.without_url()))),
        };
        let date = text(&DATE).and_then(Time::of_header);
        match (status, kept) {
            (StatusCode::OK, _) => {
                if let Some(tag) = text(&ETAG) {
                    self.answers.keep(url.as_str(), tag, &body);
                }
                Ok(Answer { body, date, request_id })
            }
            (StatusCode::NOT_MODIFIED, Some(Tagged { body, .. })) => Ok(Answer { body, date, request_id }),
            _ if status.is_client_error() || status.is_server_error() => {
                let asked = text(&RETRY_AFTER).and_then(|header| asked(header, Time::now()));
                let problem = Problem::read(status.as_u16(), &body, path, request_id, asked);
                Err(Failed { error: Error::Refused(Box::new(problem)), may_pass: is_passing(status), asked })
            }
            _ => {
                let to = headers.get("location").and_then(|to| to.to_str().ok());
                let cause = match to.filter(|_| status.is_redirection()) {
                    Some(to) => format!("the server sends us to {to}; if you trust it, use that address"),
                    None => format!("the status {status} was not expected"),
                };
                Err(Failed::for_good(Error::Unusable { path: path.to_owned(), cause, request_id }))
            }
        }
    }

    fn server(&self) -> String {
        self.base.origin().ascii_serialization()
    }
}

impl Failed {
    fn for_good(error: Error) -> Self {
        Self { error, may_pass: false, asked: None }
    }
}

impl Answer {
    /// Reads the answer as JSON. An error names the field.
    pub(crate) fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        serde_json::from_slice(&self.body).map_err(|cause| {
            // Read once more, slower, to learn where.
            let mut reading = serde_json::Deserializer::from_slice(&self.body);
            let found: Result<T, _> = serde_path_to_error::deserialize(&mut reading);
            let cause = match found {
                Err(named) if named.path().iter().len() > 0 => format!("{}: {}", named.path(), named.inner()),
                _ => cause.to_string(),
            };
            self.unusable(path, cause)
        })
    }

    pub(crate) fn unusable(&self, path: &str, cause: String) -> Error {
        Error::Unusable { path: path.to_owned(), cause, request_id: self.request_id.clone() }
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The body, unless it is too large.
async fn read(response: &mut Response) -> reqwest::Result<Option<Bytes>> {
    let mut body = BytesMut::new();
    while let Some(piece) = response.chunk().await? {
        if body.len() + piece.len() > BYTES {
            return Ok(None);
        }
        body.extend_from_slice(&piece);
    }
    Ok(Some(body.freeze()))
}

/// An error with its causes.
fn whole_story(error: &reqwest::Error) -> String {
    let mut story = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        story = format!("{story}: {next}");
        cause = next.source();
    }
    story
}
