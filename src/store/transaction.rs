//! Writing transactions, and running them again when they lost against another one.

use std::{
    ops::{Deref, DerefMut},
    time::Duration,
};

use rand::RngExt;

use super::{Conn, Error, Result, sqlite::Session};
use crate::config::WRITE_ATTEMPTS;

/// A writing transaction. Dropped, it leaves nothing behind.
pub struct Transaction(Conn);

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

impl Transaction {
    pub(super) fn on(conn: Conn) -> Self {
        Self(conn)
    }

    /// Makes a good outcome durable, and undoes everything for a bad one.
    pub async fn end<T, E: From<Error>>(self, outcome: Result<T, E>) -> Result<T, E> {
        match (self.0, &outcome) {
            (Conn::Sqlite(Session::Writer(turn)), Ok(_)) => turn.commit().await?,
            (Conn::Sqlite(_), _) => {}
            (mut conn, Ok(_)) => conn.commit().await?,
            (mut conn, Err(_)) => conn.batch("ROLLBACK").await?,
        }
        outcome
    }
}

/// Runs a block as one durable transaction: `transaction!(store, |tx| { … Ok(value) })`.
///
/// The block may run again when it lost against another transaction, so it changes nothing but the database. It is a
/// macro because an async closure that borrows cannot yet be proven `Send`.
#[macro_export]
macro_rules! transaction {
    ($store:expr, |$tx:ident| $body:expr) => {{
        let mut attempt = 1;
        loop {
            let mut transaction = $store.begin().await?;
            let $tx = &mut transaction;
            let outcome = async { $body }.await;
            match transaction.end(outcome).await.map_err($crate::store::MayBeLost::lost) {
                Err(Ok(cause)) => $crate::store::pause_before_again(&mut attempt, cause).await?,
                Err(Err(error)) => break Err(error),
                Ok(value) => break Ok(value),
            }
        }
    }};
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
