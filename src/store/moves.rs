//! A move: the one thing that changes what a feed shows.

use std::ops::{Deref, DerefMut};

use super::{
    Conn, Dedicated, Error, Result, Store, Tenant,
    engine::{
        sql::{Param, params},
        transaction::Transaction,
    },
};
use crate::{config::SEQS_PER_MOVE, domain::clock::Stamp};

/// A writing transaction of one producer that began with a tick of its clock.
///
/// The tick locks the producer until the commit, on both engines. So within a move nothing else of this producer changes,
/// stock can be compared and raised without a race, and the order of commits is the order of stamps (G1).
pub struct Move {
    transaction: Transaction,
    tenant: Tenant,
    stamp: Stamp,
    next_seq: i64,
    last_seq: i64,
}

impl Store {
    /// Begins a move. Use it in [`transaction!`](crate::transaction), which runs it again when it lost.
    pub async fn begin_move(&self, tenant: Tenant, now: Stamp) -> Result<Move> {
        Move::begin(self.begin().await?, tenant, now, SEQS_PER_MOVE).await
    }
}

impl Dedicated {
    /// Turns long work into one move that may write this many rows with a seq.
    pub(super) async fn begin_move(self, tenant: Tenant, now: Stamp, seqs: i64) -> Result<Move> {
        Move::begin(self.begin().await?, tenant, now, seqs).await
    }
}

impl Move {
    /// Takes the next stamp and some seqs from the producer's clock: `max(now, last + 1 µs)`.
    async fn begin(mut transaction: Transaction, tenant: Tenant, now: Stamp, seqs: i64) -> Result<Self> {
        let ticked = transaction
            .query_first(
                "UPDATE producers SET clock = CASE WHEN clock >= ?2 THEN clock + 1 ELSE ?2 END, \
                 last_seq = last_seq + ?3 WHERE producer_id = ?1 RETURNING clock, last_seq",
                params![tenant.number(), now, seqs],
                |row| Ok((row.stamp(0)?, row.int(1)?)),
            )
            .await
            .and_then(|ticked| ticked.ok_or_else(|| Error::internal("the producer has no clock")));
        match ticked {
            Ok((stamp, last_seq)) => Ok(Self { transaction, tenant, stamp, next_seq: last_seq - seqs + 1, last_seq }),
            Err(cause) => transaction.end(Err(cause)).await,
        }
    }

    /// Whose rows are written.
    pub fn tenant(&self) -> Tenant {
        self.tenant
    }

    /// Later than every stamp given out before, on every server.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// The next of the numbers that tell rows with equal stamps apart.
    pub(super) fn next_seq(&mut self) -> Result<i64> {
        if self.next_seq > self.last_seq {
            return Err(Error::internal("a move writes more rows than it took seqs for"));
        }
        self.next_seq += 1;
        Ok(self.next_seq - 1)
    }

    pub(super) async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        self.transaction.execute(sql, params).await
    }

    pub(super) async fn execute_many(&mut self, sql: &str, sets: &[Vec<Param<'_>>]) -> Result<Vec<u64>> {
        self.transaction.execute_many(sql, sets).await
    }

    /// Makes a good outcome durable, and undoes everything for a bad one.
    pub async fn end<T, E: From<Error>>(self, outcome: Result<T, E>) -> Result<T, E> {
        self.transaction.end(outcome).await
    }
}

impl Deref for Move {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.transaction
    }
}

impl DerefMut for Move {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.transaction
    }
}
