//! What another server answered.

use std::time::Duration;

use reqwest::{
    StatusCode,
    header::{HeaderMap, RETRY_AFTER},
};

use taquilla_domain::clock::Stamp;

use super::{
    problem::{Problem, readable},
    retry_after::retry_after,
};

/// What another server answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The headers: at most 100 lines, and about 400 kB for all of them.
    pub headers: HeaderMap,
    /// The body, as far as it was read.
    pub body: Vec<u8>,
    /// What is with the rest of the body.
    pub rest: Rest,
}

/// What is with the rest of an answer's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    /// There is none.
    Read,
    /// It is longer than what is read.
    Left,
    /// It did not come.
    Lost(Problem),
}

impl Answer {
    /// The answer, if all of it was read.
    pub fn whole(self) -> Result<Self, Problem> {
        match &self.rest {
            Rest::Read => Ok(self),
            Rest::Left => Err(Problem::too_long()),
            Rest::Lost(problem) => Err(problem.clone()),
        }
    }

    /// The value of a header, if it has one that is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The pause that the server asks for.
    pub fn retry_after(&self, now: Stamp) -> Option<Duration> {
        retry_after(self.header(RETRY_AFTER.as_str())?, now)
    }

    /// The first characters of the body, fit to be kept and shown.
    pub fn beginning(&self, characters: usize) -> String {
        readable(&String::from_utf8_lossy(&self.body), characters)
    }
}
