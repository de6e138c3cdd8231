//! Producers: the tenants, and the clock each of them has.

use crate::{
    domain::{clock::Stamp, id},
    transaction,
    wire::Producer,
};

use super::{Conn, Error, Result, Store, sql::params};

/// Whose rows a statement may see. It comes from a checked key or from a producer looked up by an operator,
/// and every statement takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tenant(i64);

impl Tenant {
    pub(super) fn from_column(number: i64) -> Self {
        Self(number)
    }

    /// The number that begins every key of this producer's rows.
    pub fn number(self) -> i64 {
        self.0
    }
}

/// Creates a producer. `None` when the id is taken.
pub async fn create(store: &Store, id: Option<&str>, name: &str, now: Stamp) -> Result<Option<String>> {
    let id = id.map_or_else(|| id::new_id("pr", now), str::to_owned);
    // Numbers are given out one after another; two creations at once meet at the primary key and one is run again.
    let created = transaction!(store, |tx| {
        tx.execute(
            "INSERT INTO producers (producer_id, id, name, created_at, clock, sequence) \
             SELECT coalesce(max(producer_id), 0) + 1, CAST(?1 AS TEXT), CAST(?2 AS TEXT), CAST(?3 AS BIGINT), \
             CAST(?3 AS BIGINT), 0 FROM producers WHERE 1 = 1 ON CONFLICT (id) DO NOTHING",
            params![&id, name, now],
        )
        .await
    })?;
    Ok((created == 1).then_some(id))
}

/// The producer with this public id.
pub async fn find(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    conn.query_first("SELECT producer_id FROM producers WHERE id = ?1", params![id], |row| row.int(0).map(Tenant)).await
}

/// Every producer, with its public id.
pub async fn all(conn: &mut Conn) -> Result<Vec<(Tenant, String)>> {
    let mut producers = Vec::new();
    conn.query("SELECT producer_id, id FROM producers ORDER BY producer_id", &[], |row| {
        producers.push((Tenant(row.int(0)?), row.text(1)?.to_owned()));
        Ok(())
    })
    .await?;
    Ok(producers)
}

/// The producer as the API shows it.
pub async fn get(conn: &mut Conn, tenant: Tenant) -> Result<Producer> {
    conn.query_first("SELECT id, name FROM producers WHERE producer_id = ?1", params![tenant.number()], |row| {
        Ok(Producer { id: row.text(0)?.to_owned(), name: row.text(1)?.to_owned() })
    })
    .await?
    .ok_or_else(|| Error::internal("the producer is gone"))
}

/// What a writing transaction takes from the producer's clock.
#[derive(Debug)]
pub struct Tick {
    /// Later than every stamp given out before, on every server.
    pub stamp: Stamp,
    next_seq: i64,
    last_seq: i64,
}

impl Tick {
    /// The next of the seqs that were asked for.
    pub fn seq(&mut self) -> Result<i64> {
        if self.next_seq > self.last_seq {
            return Err(Error::internal("a transaction writes more rows than it asked seqs for"));
        }
        self.next_seq += 1;
        Ok(self.next_seq - 1)
    }
}

/// Takes the next stamp and `rows` seqs from the producer's clock: `max(now, last + 1 µs)`.
///
/// The row stays locked until the transaction ends, so the order of commits is the order of stamps (G1).
pub async fn tick(conn: &mut Conn, tenant: Tenant, now: Stamp, rows: i64) -> Result<Tick> {
    conn.query_first(
        "UPDATE producers SET clock = CASE WHEN clock >= ?2 THEN clock + 1 ELSE ?2 END, sequence = sequence + ?3 \
         WHERE producer_id = ?1 RETURNING clock, sequence",
        params![tenant.number(), now, rows],
        |row| Ok((row.stamp(0)?, row.int(1)?)),
    )
    .await?
    .map(|(stamp, last_seq)| Tick { stamp, next_seq: last_seq - rows + 1, last_seq })
    .ok_or_else(|| Error::internal("the producer has no clock"))
}
