//! Bookkeeping: what is written without a tick, because no feed shows it and no move decides by it.

use std::ops::{Deref, DerefMut};

use super::{
    Conn, Error, Result, Store,
    engine::{
        sql::{Param, Row},
        transaction::{Locked, Transaction},
    },
};

/// A writing transaction that takes nothing from a producer's clock, so that it holds up no sale and no scan: new
/// producers, settings, last uses, deliveries of webhooks, and forgetting what is old.
pub struct Unstamped(Transaction);

impl Store {
    /// Begins bookkeeping. Use it in [`transaction!`](crate::transaction), which runs it again when it lost.
    pub async fn begin_unstamped(&self) -> Result<Unstamped> {
        Ok(Unstamped(self.begin().await?))
    }
}

impl Unstamped {
    pub(super) async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        self.0.execute(sql, params).await
    }

    pub(super) async fn execute_many(&mut self, sql: &str, sets: &[Vec<Param<'_>>]) -> Result<Vec<u64>> {
        self.0.execute_many(sql, sets).await
    }

    pub(super) async fn lock_first<T: Send>(
        &mut self,
        sql: &str,
        locked: Locked,
        params: &[Param<'_>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Option<T>> {
        self.0.lock_first(sql, locked, params, read).await
    }

    /// Lets this transaction's commit not wait for the disk, where it can be done for one alone: a crash of the database
    /// may then lose it, though nothing of it that somebody else has built on.
    pub async fn need_not_reach_disk(&mut self) -> Result<()> {
        self.0.need_not_reach_disk().await
    }

    /// Makes a good outcome durable, and undoes everything for a bad one.
    pub async fn end<T, E: From<Error>>(self, outcome: Result<T, E>) -> Result<T, E> {
        self.0.end(outcome).await
    }
}

impl Deref for Unstamped {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.0
    }
}

impl DerefMut for Unstamped {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.0
    }
}
