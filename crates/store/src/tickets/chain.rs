//! The credentials that one ticket has been, from the first holder's to the present one's.

use taquilla_domain::{
    clock::Stamp,
    config::{CHAIN_MAX, LIST_READS_MAX},
};

use super::{listed::Writer, type_names::TypeNames};
use crate::{
    Conn, Result, Tenant,
    engine::sql::params,
    lists::{End, Position},
};

/// Finds the first credential of a ticket's chain by going back from it, then the chain from there on; each step finds
/// one ticket by its key. `?3` bounds both ways, and the page is `?5` credentials from place `?4` on.
pub const CHAIN: &str = "WITH RECURSIVE back (id, steps) AS (\
     SELECT t.id, CAST(0 AS BIGINT) FROM tickets t WHERE t.producer_id = ?1 AND t.id = ?2 \
     UNION ALL SELECT t.id, b.steps + 1 FROM back b JOIN tickets t ON t.producer_id = ?1 AND t.transferred_to = b.id \
     WHERE b.steps < ?3), \
     chain (next, place, document) AS (\
     SELECT t.transferred_to, CAST(0 AS BIGINT), t.document FROM tickets t WHERE t.producer_id = ?1 \
     AND t.id = (SELECT b.id FROM back b WHERE b.steps = (SELECT max(steps) FROM back)) \
     UNION ALL SELECT t.transferred_to, c.place + 1, t.document FROM chain c JOIN tickets t ON t.producer_id = ?1 \
     AND t.id = c.next WHERE c.place < ?3) \
     SELECT c.place, c.document, (SELECT p.catalog_version FROM clocks p WHERE p.producer_id = ?1) \
     FROM chain c WHERE c.place >= ?4 ORDER BY c.place LIMIT ?5";

/// Writes one page of the chain that a ticket belongs to, hidden credentials too. A page's position is the place of its
/// first credential; a chain only grows at its end. `None` if the producer has no ticket with this id.
pub async fn write(
    conn: &mut Conn,
    tenant: Tenant,
    names: &TypeNames,
    id: &str,
    from: Option<Position>,
    limit: usize,
    into: &mut Vec<u8>,
) -> Result<Option<End>> {
    let first = from.map_or(0, |from| from.seq);
    let mut rows = Writer::new(tenant, names, into);
    for _ in 0..LIST_READS_MAX {
        let (mut next, mut end) = (first, End::Complete);
        conn.query_while(CHAIN, params![tenant.number(), id, CHAIN_MAX, first, limit as i64 + 1], |row| {
            let place = row.int(0)?;
            if place - first == limit as i64 {
                end = End::More(Position { stamp: Stamp::BEGINNING, seq: place });
                return Ok(false);
            }
            next = place + 1;
            rows.push(row, 1)?;
            Ok(true)
        })
        .await?;
        if rows.complete(conn).await? {
            return Ok((next > first || first > 0).then_some(end));
        }
    }
    Err(Writer::overtaken())
}
