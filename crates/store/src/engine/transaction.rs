//! Writing transactions, and running them again after a conflict.
//!
//! A [`Transaction`] never leaves the store. Code outside holds a [`Move`](crate::Move) or an
//! [`Unstamped`](crate::Unstamped), and the store's statements that write take one of these.

use std::{
    borrow::Cow,
    ops::{Deref, DerefMut},
    time::Duration,
};

use futures_util::FutureExt;
use rand::RngExt;

use taquilla_domain::{config::WRITE_ATTEMPTS, refusal::Refusal};

use super::{
    conn::{Conn, Link},
    error::{Error, Result},
    sql::{Param, Row},
    sqlite::Session,
};
use crate::tenant::Tenant;

/// A writing transaction. Dropping it undoes its changes.
pub struct Transaction {
    pub(super) conn: Conn,
    /// Whether this transaction has looked at the authority of whoever makes its change.
    pub(crate) authority_seen: bool,
    /// Whether this transaction has used the form that asks for its change.
    pub(crate) form_used: bool,
    /// The producer whose tasks have something to do once this is committed.
    concerns: Option<Tenant>,
}

impl From<Conn> for Transaction {
    fn from(conn: Conn) -> Self {
        Self { conn, authority_seen: false, form_used: false, concerns: None }
    }
}

/// A statement and the sets of parameters that it runs for. Only the store makes one.
pub struct Write<'a> {
    pub(crate) sql: Cow<'a, str>,
    pub(crate) sets: Vec<Vec<Param<'a>>>,
}

impl<'a> Write<'a> {
    pub(crate) fn new(sql: impl Into<Cow<'a, str>>, sets: Vec<Vec<Param<'a>>>) -> Self {
        Self { sql: sql.into(), sets }
    }
}

/// What to do about a row that another transaction has locked.
#[derive(Clone, Copy, Debug)]
pub enum Locked {
    /// Wait for the lock.
    Wait,
    /// Skip the row.
    Skip,
}

impl Transaction {
    /// Says whose tasks have something to do once this is committed: messages to send, or rows to make findable.
    pub fn concerns(&mut self, tenant: Tenant) {
        self.concerns = Some(tenant);
    }

    /// Runs a statement and tells how many rows it changed.
    pub(crate) async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        self.conn.execute(sql, params).await
    }

    /// Runs one statement for each set of parameters. For PostgreSQL it is one statement, whatever the number of sets, so
    /// two sets must not change the same row.
    pub(crate) async fn execute_many(&mut self, sql: &str, sets: &[Vec<Param<'_>>]) -> Result<()> {
        self.conn.execute_many(sql, sets).await
    }

    /// Puts rows into a table, each with a value for each column, which are numbers and texts.
    pub(crate) async fn fill(&mut self, table: &str, columns: &[&str], rows: &[Vec<Param<'_>>]) -> Result<()> {
        self.conn.fill(table, columns, rows).await
    }

    /// Writes in the order given. PostgreSQL gets all statements at once; none of them may depend on another's answer.
    pub async fn write_all(&mut self, writes: Vec<Write<'_>>) -> Result<()> {
        let writes: Vec<_> = writes.iter().map(|write| (write.sql.as_ref(), write.sets.as_slice())).collect();
        self.conn.execute_all(&writes).await
    }

    /// Runs several statements without parameters.
    pub(crate) async fn batch(&mut self, sql: &str) -> Result<()> {
        self.conn.batch(sql).await
    }

    /// Reads the first row of a query and locks it until this transaction ends. SQLite has one writer, so every row
    /// counts as locked there.
    pub(crate) async fn lock_first<T: Send>(
        &mut self,
        sql: &str,
        locked: Locked,
        params: &[Param<'_>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Option<T>> {
        let clause = match (&self.conn.link, locked) {
            (Link::Sqlite(_), _) => return self.query_first(sql, params, read).await,
            (Link::Postgres(_), Locked::Wait) => "FOR UPDATE",
            (Link::Postgres(_), Locked::Skip) => "FOR UPDATE SKIP LOCKED",
        };
        self.query_first(&format!("{sql} {clause}"), params, read).await
    }

    /// Lets this transaction commit without waiting for the disk. A crash of the database may then lose it, but never
    /// while keeping a later transaction that built on it. SQLite commits in groups, so there it changes nothing.
    pub async fn need_not_reach_disk(&mut self) -> Result<()> {
        match &mut self.conn.link {
            Link::Sqlite(_) => Ok(()),
            Link::Postgres(session) => session.batch("SET LOCAL synchronous_commit TO off").boxed().await,
        }
    }

    /// Commits if the outcome is `Ok`, and undoes everything otherwise.
    pub(crate) async fn end<T, E: From<Error>>(self, outcome: Result<T, E>) -> Result<T, E> {
        let (seen, concerns) = (self.conn.seen, self.concerns.filter(|_| outcome.is_ok()));
        let ended = match (self.conn.link, outcome.is_ok()) {
            (Link::Sqlite(Session::Writer(member)), true) => member.commit().boxed().await,
            (Link::Sqlite(session), true) => session.batch("COMMIT").map(|()| session.shrink_log()),
            // A session that is dropped undoes its work.
            (Link::Sqlite(_), false) => Ok(()),
            (Link::Postgres(mut session), true) => session.commit().boxed().await,
            (Link::Postgres(mut session), false) => session.roll_back().boxed().await,
        };
        // A commit whose answer was lost may have been made.
        if let Some(tenant) = concerns {
            seen.commits.note(tenant);
        }
        ended?;
        outcome
    }
}

impl Deref for Transaction {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}

/// Runs a block as one durable transaction: `transaction!(store.begin_move(tenant, now), |tx| { … Ok(value) })`.
///
/// The block may run again after a conflict with another transaction, so it changes nothing but the database. It is a
/// macro because an async closure that borrows cannot yet be proven `Send`.
#[macro_export]
macro_rules! transaction {
    ($begin:expr, |$tx:ident| $body:expr) => {{
        let mut attempt = 1;
        loop {
            let outcome = async {
                let mut transaction = $begin.await?;
                let $tx = &mut transaction;
                let outcome = async { $body }.await;
                transaction.end(outcome).await
            }
            .await;
            match outcome.map_err($crate::MayBeLost::lost) {
                Err(Ok(cause)) => $crate::pause_before_again(&mut attempt, cause).await?,
                Err(Err(error)) => break Err(error),
                Ok(value) => break Ok(value),
            }
        }
    }};
}

/// Why a change was not made. Nothing was changed.
#[derive(Debug)]
pub enum ChangeError {
    /// The rules say no.
    Refused(Refusal),
    /// The database failed.
    Store(Error),
}

/// The outcome of a change.
pub type ChangeResult<T, E = ChangeError> = std::result::Result<T, E>;

impl From<Refusal> for ChangeError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for ChangeError {
    fn from(cause: Error) -> Self {
        Self::Store(cause)
    }
}

/// An error that may be a conflict with another transaction.
pub trait MayBeLost: Sized {
    /// The cause of the conflict as `Ok`, or the error itself if it is something else.
    fn lost(self) -> Result<String, Self>;
}

impl MayBeLost for Error {
    fn lost(self) -> Result<String, Self> {
        match self {
            Self::Again(cause) => Ok(cause),
            other => Err(other),
        }
    }
}

impl MayBeLost for ChangeError {
    fn lost(self) -> Result<String, Self> {
        match self {
            Self::Store(cause) => cause.lost().map_err(Self::Store),
            refused => Err(refused),
        }
    }
}

/// Waits a random time before the next attempt, longer each time, so that two conflicting transactions do not meet
/// again. Gives up after `WRITE_ATTEMPTS`.
#[doc(hidden)]
pub async fn pause_before_again(attempt: &mut u32, cause: String) -> Result<()> {
    if *attempt == WRITE_ATTEMPTS {
        return Err(Error::Unavailable(cause));
    }
    tracing::debug!(%cause, attempt, "a transaction is run again");
    let longest_ms = 2_u64.pow(*attempt);
    let pause_ms = rand::rng().random_range(1..=longest_ms);
    tokio::time::sleep(Duration::from_millis(pause_ms)).boxed().await;
    *attempt += 1;
    Ok(())
}
