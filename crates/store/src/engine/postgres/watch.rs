//! Watches a connection: whether every question got its answer, and in time.
//!
//! No connection is trusted to answer. Each exchange has a deadline a little longer than PostgreSQL's own. A connection
//! that misses it is closed, and so are the idle ones that nobody has used since, so a silent network costs one
//! deadline and not one for each connection. Long work has no deadline; its connection is probed.

use std::{
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::time::timeout;

use taquilla_domain::config::{POSTGRES_HANGS_AFTER, POSTGRES_HANGS_LOOK};

use super::{
    super::error::{Error, Result},
    patience::Patience,
};

/// What is known about one connection while it is in use.
pub struct Watch {
    /// How long one exchange may take. `None` for long work.
    deadline: Option<Duration>,
    /// Whether an answer is outstanding. Answers come in the order of the questions, so one that came shows that all
    /// before it came.
    unanswered: bool,
    /// When a question was sent whose answer did not come in time.
    missed: Option<Instant>,
    /// Whether a statement hangs that nobody waits for any more.
    given_up: bool,
    patience: Arc<Patience>,
}

impl Watch {
    pub fn new(deadline: Duration, patience: Arc<Patience>) -> Self {
        Self { deadline: Some(deadline), unanswered: false, missed: None, given_up: false, patience }
    }

    /// From now on an exchange may take as long as it likes.
    pub fn without_deadline(&mut self) {
        self.deadline = None;
    }

    /// Waits for the answer to one or more statements, until the deadline. If the caller stops waiting, the answer stays
    /// outstanding.
    pub async fn over<T>(&mut self, exchange: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T> {
        if self.is_lost() {
            return Err(Error::Unavailable("the connection is lost".into()));
        }
        let asked = Instant::now();
        self.unanswered = true;
        let answer = match self.deadline {
            None => exchange.await,
            Some(deadline) => match within(exchange, deadline, asked, &self.patience).await {
                Answer::Came(answer) => answer,
                Answer::GivenUp => {
                    self.given_up = true;
                    return Err(Error::Unavailable("a statement hangs, and others wait for its connection".into()));
                }
                Answer::Missed => {
                    self.missed = Some(asked);
                    return Err(Error::Unavailable(format!(
                        "PostgreSQL did not answer for {} ms",
                        deadline.as_millis()
                    )));
                }
            },
        };
        self.patience.note_answer();
        // After an error, answers to statements that were sent together with the failed one may still be outstanding.
        self.unanswered = answer.is_err();
        Ok(answer?)
    }

    /// Whether the connection must not be used by anybody else.
    pub fn is_unanswered(&self) -> bool {
        self.unanswered
    }

    /// Whether nothing more is to be asked over this connection.
    pub fn is_lost(&self) -> bool {
        self.given_up || self.missed.is_some()
    }

    /// When the question was sent that got no answer in time, if there was one.
    pub fn missed(&self) -> Option<Instant> {
        self.missed
    }
}

enum Answer<T> {
    Came(T),
    /// Others need the connection.
    GivenUp,
    Missed,
}

/// Waits until the deadline, unless others need the connection before.
async fn within<T>(
    exchange: impl Future<Output = T>,
    deadline: Duration,
    asked: Instant,
    patience: &Patience,
) -> Answer<T> {
    let mut exchange = pin!(exchange);
    if let Ok(answer) = timeout(POSTGRES_HANGS_AFTER.min(deadline), &mut exchange).await {
        return Answer::Came(answer);
    }
    let mut place = patience.place();
    loop {
        let left = deadline.saturating_sub(asked.elapsed());
        if left.is_zero() {
            return Answer::Missed;
        }
        if place.is_none() && patience.is_over(asked) {
            return Answer::GivenUp;
        }
        let wait = if place.is_some() { left } else { left.min(POSTGRES_HANGS_LOOK) };
        if let Ok(answer) = timeout(wait, &mut exchange).await {
            return Answer::Came(answer);
        }
        place = place.or_else(|| patience.place());
    }
}
