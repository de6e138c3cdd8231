//! A move: the only kind of transaction that changes what a feed shows.
//!
//! **The producer's clock (G1, G3).** A move begins with a tick, `max(now, last + 1 µs)`, on the producer's row in `clocks`. Its `now`
//! is PostgreSQL's, because stamps never go back: one server with a fast clock would move every producer's for good. A
//! SQLite file's servers are on one machine, so there it is the machine's, as the caller read it. The
//! row stays locked until the commit, on both engines, so the order of commits is the order of stamps on any number of
//! servers. Within a move nothing else of that producer changes: `sold` is compared and raised without a race, and two
//! moves of one producer follow one another instead of deadlocking. The same row gives out seqs, which tell rows with
//! equal stamps apart, and counts orders.
//!
//! **The database's clock decides about holds (G3).** With the tick travels a question for the database's own time
//! (`Move::now`): `clock_timestamp()` on PostgreSQL, the machine's clock on SQLite. Holds are given, compared and ended by it
//! alone, so servers whose clocks differ agree. It is read after the wait for the producer's row. The stamp cannot serve: it
//! never goes back, so a clock that was wrong for a moment would end everybody's holds. Statements outside of moves ask
//! for the same time (`Conn::clock`).
//!
//! **The schema is one that this program works with.** The same question brings the version that servers must know, and a
//! migration begins only when all moves have ended (`migrate.rs`). So a server whose version ends makes no further move.

use std::{
    ops::{Deref, DerefMut},
    time::Duration,
};

use taquilla_domain::{clock::Stamp, config::SEQS_PER_MOVE, order_number::OrderNumber};

use super::{
    Dedicated, Error, Result, Store, Tenant,
    engine::{
        seen::NEEDED,
        sql::{Param, Row, params},
        transaction::Transaction,
    },
};

/// A writing transaction of one producer that began with a tick of its clock.
///
/// The tick locks the producer until the commit, on both engines. So no other move of this producer runs meanwhile,
/// stock can be compared and raised without a race, and the order of commits is the order of stamps (G1).
pub struct Move {
    transaction: Transaction,
    tenant: Tenant,
    stamp: Stamp,
    now: Stamp,
    next_seq: i64,
    last_seq: i64,
    last_order_number: OrderNumber,
}

impl Store {
    /// Begins a move. Use it in [`transaction!`](crate::transaction), which runs it again after a conflict.
    pub async fn begin_move(&self, tenant: Tenant, now: Stamp) -> Result<Move> {
        Move::begin(self.begin_in_turn(tenant.number()).await?, tenant, now, SEQS_PER_MOVE).await
    }

    /// Begins a move on a connection of its own that may take as long as it needs.
    pub async fn begin_long_move(&self, tenant: Tenant, now: Stamp) -> Result<Move> {
        self.dedicated().await?.begin_move(tenant, now, SEQS_PER_MOVE).await
    }
}

impl Dedicated {
    /// Begins a move for long work, with seqs for this many rows.
    pub(super) async fn begin_move(self, tenant: Tenant, now: Stamp, seqs: i64) -> Result<Move> {
        Move::begin(self.begin().await?, tenant, now, seqs).await
    }
}

/// What a tick brings. The time is asked for by a second statement: whatever machine the producer's row is on, the first one
/// has waited for its lock by then.
struct Ticked {
    stamp: Stamp,
    last_seq: i64,
    now: Stamp,
    last_order_number: OrderNumber,
}

/// Ticks, unless the statement finds no producer.
async fn ticked(transaction: &mut Transaction, tick: &str, params: &[Param<'_>]) -> Result<Option<Ticked>> {
    let moment = format!("SELECT {}, {NEEDED}", transaction.clock());
    let (mut ticked, mut moment_read) = (None, None);
    let read = |query: usize, row: &Row<'_>| {
        if query == 0 {
            ticked = Some((row.stamp(0)?, row.int(1)?, OrderNumber::from_column(row.int(2)?)));
        } else {
            moment_read = Some((row.stamp(0)?, row.int(1)?));
        }
        Ok(())
    };
    transaction.query_in_turn(&[(tick, params), (&moment, &[])], read).await?;
    let (Some((stamp, last_seq, last_order_number)), Some((now, schema))) = (ticked, moment_read) else {
        return Ok(None);
    };
    transaction.seen().note_schema(schema)?;
    Ok(Some(Ticked { stamp, last_seq, now, last_order_number }))
}

/// Rows of a move that are written before it begins, so that the producer is locked for the rest only. For PostgreSQL, where
/// nobody sees or waits for rows that are not committed.
///
/// Their stamp is chosen before the lock is taken. The move begins only if the stamp is then still later than every stamp of the
/// producer, so the order of commits stays the order of stamps. Their seqs are taken before, too; messages get theirs in the
/// move, because couriers read messages in the order of seqs.
pub(super) struct Ahead {
    transaction: Transaction,
    tenant: Tenant,
    /// The stamp of all rows.
    pub stamp: Stamp,
    /// The first of the seqs.
    pub first_seq: i64,
    /// The number of the last order before its own.
    pub last_order_number: OrderNumber,
}

impl Dedicated {
    /// Begins to write ahead, with so many seqs and numbers of orders. Those that a failed attempt took stay unused. The stamp
    /// is the present. If the producer has moved within `quiet`, it is `lead` later, because further moves will come.
    pub(super) async fn begin_ahead(
        mut self,
        tenant: Tenant,
        (seqs, orders): (i64, i64),
        quiet: Duration,
        lead: Duration,
    ) -> Result<(Ahead, Duration)> {
        // The time is asked for by itself: on Citus an update gives back nothing that no row has.
        let take = "UPDATE clocks SET last_seq = last_seq + ?2, last_order_number = last_order_number + ?3 \
             WHERE producer_id = ?1 RETURNING last_seq, clock, last_order_number - ?3";
        let moment = format!("SELECT {}", self.tick_clock(""));
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.stamp(1)?, OrderNumber::from_column(row.int(2)?)));
        let taken = self.query_first(take, params![tenant.number(), seqs, orders], read).await?;
        let (last_seq, clock, last_order_number) = taken.ok_or_else(|| Error::internal("the producer has no clock"))?;
        let now = self.query_first(&moment, &[], |row| row.stamp(0)).await?.unwrap_or(clock);
        let lead = if clock.plus(quiet) > now { lead } else { Duration::ZERO };
        let stamp = clock.plus(Duration::from_micros(1)).max(now).plus(lead);
        let transaction = self.begin().await?;
        let first_seq = last_seq - seqs + 1;
        Ok((Ahead { transaction, tenant, stamp, first_seq, last_order_number }, lead))
    }
}

impl Ahead {
    /// Begins the move, with seqs for this many messages. Gives the connection back, and undoes all, if the producer has
    /// moved past the stamp.
    pub async fn begin_move(mut self, seqs: i64) -> Result<Result<Move, Dedicated>> {
        let tick = "UPDATE clocks SET clock = ?3, last_seq = last_seq + ?2 WHERE producer_id = ?1 AND clock < ?3 \
             RETURNING clock, last_seq, last_order_number";
        match ticked(&mut self.transaction, tick, params![self.tenant.number(), seqs, self.stamp]).await {
            Ok(Some(ticked)) => Ok(Ok(Move::after(self.transaction, self.tenant, seqs, &ticked))),
            Ok(None) => Ok(Err(Dedicated::undo(self.transaction).await?)),
            Err(cause) => self.transaction.end(Err(cause)).await,
        }
    }

    /// Undoes everything and gives the connection back.
    pub async fn undo(self) -> Result<Dedicated> {
        Dedicated::undo(self.transaction).await
    }
}

impl Deref for Ahead {
    type Target = Transaction;

    fn deref(&self) -> &Transaction {
        &self.transaction
    }
}

impl DerefMut for Ahead {
    fn deref_mut(&mut self) -> &mut Transaction {
        &mut self.transaction
    }
}

impl Move {
    /// Takes the next stamp, `max(now, last + 1 µs)`, and some seqs from the producer's row. `now` is this machine's clock.
    async fn begin(mut transaction: Transaction, tenant: Tenant, now: Stamp, seqs: i64) -> Result<Self> {
        let tick = format!(
            "UPDATE clocks SET clock = {latest}(clock + 1, {present}), last_seq = last_seq + ?2 \
             WHERE producer_id = ?1 RETURNING clock, last_seq, last_order_number",
            latest = transaction.dialect("max", "greatest"),
            present = transaction.tick_clock("?3"),
        );
        // PostgreSQL does not know the type of a parameter that no text has.
        let params: &[_] = params![tenant.number(), seqs, now];
        let params = if transaction.is_remote() { &params[..2] } else { params };
        let ticked = ticked(&mut transaction, &tick, params).await;
        match ticked.and_then(|ticked| ticked.ok_or_else(|| Error::internal("the producer has no clock"))) {
            Ok(ticked) => Ok(Self::after(transaction, tenant, seqs, &ticked)),
            Err(cause) => transaction.end(Err(cause)).await,
        }
    }

    fn after(transaction: Transaction, tenant: Tenant, seqs: i64, ticked: &Ticked) -> Self {
        let Ticked { stamp, last_seq, now, last_order_number } = *ticked;
        transaction.seen().note_move(now);
        Self { transaction, tenant, stamp, now, next_seq: last_seq - seqs + 1, last_seq, last_order_number }
    }

    /// The producer whose rows it writes.
    pub fn tenant(&self) -> Tenant {
        self.tenant
    }

    /// The move's stamp, later than every stamp that this producer's moves had before, on every server.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// The present by the database's clock, which decides about holds. The stamp may be ahead of it: stamps never go back,
    /// and that clock may have been wrong.
    pub fn now(&self) -> Stamp {
        self.now
    }

    /// The number of the last order that this producer's moves have placed. A move that places orders counts on from here,
    /// and says so in the end (`producers::count_orders`); nobody else counts meanwhile.
    pub fn last_order_number(&self) -> OrderNumber {
        self.last_order_number
    }

    /// The next seq. Seqs tell rows with equal stamps apart.
    pub(super) fn next_seq(&mut self) -> Result<i64> {
        self.next_seqs(1)
    }

    /// The first of this many seqs.
    pub(super) fn next_seqs(&mut self, count: i64) -> Result<i64> {
        if self.next_seq + count - 1 > self.last_seq {
            return Err(Error::internal("a move writes more rows than it took seqs for"));
        }
        self.next_seq += count;
        Ok(self.next_seq - count)
    }

    /// Undoes everything and gives the connection back, for long work on a connection of its own.
    pub(super) async fn undo(self) -> Result<Dedicated> {
        Dedicated::undo(self.transaction).await
    }

    /// Commits if the outcome is `Ok`, and undoes everything otherwise.
    pub async fn end<T, E: From<Error>>(self, outcome: Result<T, E>) -> Result<T, E> {
        self.transaction.end(outcome).await
    }
}

impl Deref for Move {
    type Target = Transaction;

    fn deref(&self) -> &Transaction {
        &self.transaction
    }
}

impl DerefMut for Move {
    fn deref_mut(&mut self) -> &mut Transaction {
        &mut self.transaction
    }
}
