//! What can go wrong with a call.

use std::{fmt, time::Duration};

use serde::Deserialize;

/// Why a call gave nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address or the key cannot be used. No call was made.
    #[error("{0}")]
    Setup(String),
    /// No whole answer came, however often the call was made.
    #[error("no answer from {server} ({cause}; request {request_id}, attempts: {attempts})")]
    NoAnswer {
        /// The server's address, without anything secret.
        server: String,
        /// What happened the last time.
        cause: String,
        /// What the server's log calls the last attempt, if it arrived there.
        request_id: String,
        /// How many times the call was made.
        attempts: u32,
    },
    /// The server refused the call.
    #[error("{0}")]
    Refused(Box<Problem>),
    /// The server answered with something else than what was asked for.
    #[error("the answer to {path} cannot be used: {cause} (request {request_id})")]
    Unusable {
        /// What was asked for.
        path: String,
        /// What is wrong with it, and where.
        cause: String,
        /// What the server's log calls the call.
        request_id: String,
    },
}

impl Error {
    /// What the server's log calls the call. `None` if none was made.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Setup(_) => None,
            Self::NoAnswer { request_id, .. } | Self::Unusable { request_id, .. } => Some(request_id),
            Self::Refused(problem) => Some(&problem.request_id),
        }
    }

    /// The problem, if the server refused the call.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Refused(problem) => Some(problem),
            _ => None,
        }
    }

    /// Whether the server refused with this status.
    pub fn is_status(&self, status: u16) -> bool {
        self.problem().is_some_and(|problem| problem.status == status)
    }

    /// Whether the same call may succeed later although nobody mends anything.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::NoAnswer { .. } => true,
            Self::Refused(problem) => problem.status >= 500 || [408, 429].contains(&problem.status),
            Self::Setup(_) | Self::Unusable { .. } => false,
        }
    }
}

/// An error that a server answered with. What it did not say is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// The error's stable name, to branch on.
    pub code: String,
    /// What went wrong this time, and what to do; or the beginning of what the server said, if it was no problem document.
    pub detail: String,
    /// The parameter at fault.
    pub param: Option<String>,
    /// What the server's log calls the call.
    pub request_id: String,
    /// The pause that the server asked for before the next call.
    pub retry_after: Option<Duration>,
    /// What was asked for.
    pub path: String,
}

/// How much of an answer is shown that is no problem document.
const SHOWN: usize = 200;

impl Problem {
    /// Reads what a server said. It need not be JSON.
    pub(crate) fn read(
        status: u16,
        body: &[u8],
        path: &str,
        request_id: String,
        retry_after: Option<Duration>,
    ) -> Self {
        #[derive(Default, Deserialize)]
        struct Document {
            #[serde(default)]
            code: Option<String>,
            #[serde(default)]
            detail: Option<String>,
            #[serde(default)]
            title: Option<String>,
            #[serde(default)]
            param: Option<String>,
        }
        let document: Option<Document> = serde_json::from_slice(body).ok();
        let Document { code, detail, title, param } = document.unwrap_or_default();
        let said = || {
            let text = String::from_utf8_lossy(body);
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            line.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect::<String>()
        };
        let detail = detail.or(title).unwrap_or_else(said);
        Self { status, code: code.unwrap_or_default(), detail, param, request_id, retry_after, path: path.to_owned() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, code, detail, request_id, path, .. } = self;
        let (space, colon) = (if code.is_empty() { "" } else { " " }, if detail.is_empty() { "" } else { ": " });
        write!(f, "{path} was refused with {status}{space}{code}{colon}{detail} (request {request_id})")
    }
}
