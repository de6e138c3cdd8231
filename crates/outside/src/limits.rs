//! How long a call may take, and how much of the answer is read.

use std::time::Duration;

/// How long a call may take, and how much of the answer is read.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time.
    pub within: Within,
    /// Bytes of the answer's body that are read. What follows is never fetched.
    pub bytes: usize,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug)]
pub enum Within {
    /// All of it together.
    All(Duration),
    /// Each part by itself.
    Parts {
        /// Looking up the name and connecting, TLS included.
        connect: Duration,
        /// The status and headers of the answer. Time that connecting did not use is added.
        head: Duration,
        /// The rest of the answer, as far as it is read.
        body: Duration,
    },
}

impl Within {
    /// From the beginning to the end of the answer's headers.
    pub(crate) fn head(self) -> Duration {
        match self {
            Self::All(span) => span,
            // The library does not say when it has connected, so the time for connecting and the time for the answer are
            // one deadline.
            Self::Parts { connect, head, .. } => connect + head,
        }
    }

    /// For the body, of a call that has taken this long.
    pub(crate) fn body(self, taken: Duration) -> Duration {
        match self {
            Self::All(span) => span.saturating_sub(taken),
            Self::Parts { body, .. } => body,
        }
    }
}
