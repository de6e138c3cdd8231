//! Watches a connection: whether every question got its answer, and in time.
//!
//! No connection is trusted to answer. Each exchange has a deadline a little longer than PostgreSQL's own. A connection
//! that misses it is closed, and so are the idle ones that nobody has used since, so a silent network costs one
//! deadline and not one for each connection. Long work has no deadline; its connection is probed.

use std::time::{Duration, Instant};

use super::super::error::{Error, Result};

/// What is known about one connection while it is in use.
pub struct Watch {
    /// How long one exchange may take. `None` for long work.
    deadline: Option<Duration>,
    /// Whether an answer is outstanding. Answers come in the order of the questions, so one that came shows that all
    /// before it came.
    unanswered: bool,
    /// When a question was sent whose answer did not come in time.
    missed: Option<Instant>,
}

impl Watch {
    pub fn new(deadline: Duration) -> Self {
        Self { deadline: Some(deadline), unanswered: false, missed: None }
    }

    /// From now on an exchange may take as long as it likes.
    pub fn without_deadline(&mut self) {
        self.deadline = None;
    }

    /// Waits for the answer to one or more statements, until the deadline. If the caller stops waiting, the answer stays
    /// outstanding.
    pub async fn over<T>(&mut self, exchange: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T> {
        if self.missed.is_some() {
            return Err(Error::Unavailable("the connection is lost".into()));
        }
        let asked = Instant::now();
        self.unanswered = true;
        let answer = match self.deadline {
            None => exchange.await,
            Some(deadline) => match tokio::time::timeout(deadline, exchange).await {
                Ok(answer) => answer,
                Err(_) => {
                    self.missed = Some(asked);
                    return Err(Error::Unavailable(format!(
                        "PostgreSQL did not answer for {} ms",
                        deadline.as_millis()
                    )));
                }
            },
        };
        // After an error, answers to statements that were sent together with the failed one may still be outstanding.
        self.unanswered = answer.is_err();
        Ok(answer?)
    }

    /// Whether the connection must not be used by anybody else.
    pub fn is_unanswered(&self) -> bool {
        self.unanswered
    }

    /// When the question was sent that got no answer in time, if there was one.
    pub fn missed(&self) -> Option<Instant> {
        self.missed
    }
}
