//! Which requests get a line in the log.
//!
//! Nothing secret is logged. A line names the route's pattern, never the path: a ticket id opens a door. It names a key
//! and a producer by ids that open nothing. Secrets and PINs are types that print nothing. Libraries log warnings only,
//! because the PostgreSQL driver logs parameters below that.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::StatusCode;

use taquilla_domain::config::LogRequests;

/// Chooses the requests of a server that get a line.
pub struct AccessLines {
    which: LogRequests,
    /// Answers so far that are no errors, as far as they have to be counted.
    answered: AtomicU64,
}

impl AccessLines {
    /// Chooses these.
    pub fn new(which: LogRequests) -> Self {
        Self { which, answered: AtomicU64::new(0) }
    }

    /// Whether an answer with this status gets a line. Whoever is refused may ask why, so all refusals do.
    pub fn have(&self, status: StatusCode) -> bool {
        if status.is_client_error() || status.is_server_error() {
            return true;
        }
        match self.which {
            LogRequests::All => true,
            LogRequests::Errors => false,
            LogRequests::OneIn(many) => {
                self.answered.fetch_add(1, Ordering::Relaxed).is_multiple_of(u64::from(many.get()))
            }
        }
    }
}
