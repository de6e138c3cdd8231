//! Writing transactions, and running them again when they lost against another one.
//!
//! A [`Transaction`] never leaves the store. Who writes holds a [`Move`](crate::store::Move) or an
//! [`Unstamped`](crate::store::Unstamped), and the statements of the store take one of these.

use std::{
    ops::{Deref, DerefMut},
    time::Duration,
};

use rand::RngExt;

use super::{
    conn::{Conn, Link},
    error::{Error, Result},
    sql::{Param, Row},
    sqlite::Session,
};
use crate::{config::WRITE_ATTEMPTS, domain::refusal::Refusal};

/// A writing transaction. Dropped, it leaves nothing behind.
pub struct Transaction(pub(super) Conn);

/// What to do about a row that somebody else is changing.
#[derive(Clone, Copy, Debug)]
pub enum Locked {
    /// Wait until they are done.
    Wait,
    /// Do as if it were not there.
    Skip,
}

impl Transaction {
    /// Runs a statement and tells how many rows it changed.
    pub(in crate::store) async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        self.0.execute(sql, params).await
    }

    /// Runs one statement for each set of parameters, and tells how many rows each changed.
    /// PostgreSQL gets them all at once, without waiting for each answer.
    pub(in crate::store) async fn execute_many(&mut self, sql: &str, sets: &[Vec<Param<'_>>]) -> Result<Vec<u64>> {
        self.0.execute_many(sql, sets).await
    }

    /// Runs several statements without parameters.
    pub(in crate::store) async fn batch(&mut self, sql: &str) -> Result<()> {
        self.0.batch(sql).await
    }

    /// The first row of a query, which nobody else changes until this transaction ends. SQLite has one writer, so every
    /// row is locked there.
    pub(in crate::store) async fn lock_first<T: Send>(
        &mut self,
        sql: &str,
        locked: Locked,
        params: &[Param<'_>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Option<T>> {
        let clause = match (&self.0.0, locked) {
            (Link::Sqlite(_), _) => return self.query_first(sql, params, read).await,
            (Link::Postgres(_), Locked::Wait) => "FOR UPDATE",
            (Link::Postgres(_), Locked::Skip) => "FOR UPDATE SKIP LOCKED",
        };
        self.query_first(&format!("{sql} {clause}"), params, read).await
    }

    /// Lets this transaction's commit not wait for the disk, where it can be done for one alone: a crash of the database
    /// may then lose it, though nothing of it that somebody else has built on.
    pub(in crate::store) async fn need_not_reach_disk(&mut self) -> Result<()> {
        match &mut self.0.0 {
            Link::Sqlite(_) => Ok(()),
            Link::Postgres(session) => session.batch("SET LOCAL synchronous_commit TO off").await,
        }
    }

    /// Makes a good outcome durable, and undoes everything for a bad one.
    pub(in crate::store) async fn end<T, E: From<Error>>(self, outcome: Result<T, E>) -> Result<T, E> {
        match (self.0.0, outcome.is_ok()) {
            (Link::Sqlite(Session::Writer(member)), true) => member.commit().await?,
            (Link::Sqlite(session), true) => {
                session.batch("COMMIT")?;
                session.shrink_log();
            }
            // A session that is dropped undoes its work.
            (Link::Sqlite(_), false) => {}
            (Link::Postgres(mut session), true) => session.commit().await?,
            (Link::Postgres(mut session), false) => session.roll_back().await?,
        }
        outcome
    }
}

impl Deref for Transaction {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.0
    }
}

/// Runs a block as one durable transaction: `transaction!(store.begin_move(tenant, now), |tx| { … Ok(value) })`.
///
/// The block may run again when it lost against another transaction, so it changes nothing but the database. It is a
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
            match outcome.map_err($crate::store::MayBeLost::lost) {
                Err(Ok(cause)) => $crate::store::pause_before_again(&mut attempt, cause).await?,
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

/// An error that may say that a transaction lost against another one.
pub trait MayBeLost: Sized {
    /// Why it lost, or the error itself where it is another one.
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

/// Waits a little longer each time, so that those who met once do not meet again. Gives up in the end.
#[doc(hidden)]
pub async fn pause_before_again(attempt: &mut u32, cause: String) -> Result<()> {
    if *attempt == WRITE_ATTEMPTS {
        return Err(Error::Unavailable(cause));
    }
    tracing::debug!(%cause, attempt, "a transaction is run again");
    let longest_ms = 2_u64.pow(*attempt);
    let pause_ms = rand::rng().random_range(1..=longest_ms);
    tokio::time::sleep(Duration::from_millis(pause_ms)).await;
    *attempt += 1;
    Ok(())
}
