//! What an import does to pools: none has more live tickets than places, and no item is in too many.

use taquilla_domain::config::{POOLS_OF_EVENT_MAX, POOLS_OF_ITEM_MAX};

use super::staging::{Fault, Import, keyed};
use crate::{
    Conn, Result,
    engine::sql::{Row, params},
};

/// The fault of a pool that the file overfills (G3), or of one too many. All rows are inserted and not yet counted.
pub(super) async fn overfull(conn: &mut Conn, import: &Import) -> Result<Option<Fault>> {
    let bounds = [(TOO_MANY_OF_ITEM, POOLS_OF_ITEM_MAX, "item"), (TOO_MANY_OF_EVENT, POOLS_OF_EVENT_MAX, "event")];
    for (sql, most, what) in bounds {
        let found = conn.query_first(&keyed(sql), &import.and(params![most as i64]), |row| row.int(0)).await?;
        if let Some(line) = found {
            let message = format!("an {what} has {most} pools at most");
            return Ok(Some(Fault { line, field: "ticket_type_ids", message }));
        }
    }
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), [row.int(1)?, row.int(2)?, row.int(3)?], row.opt_int(4)?));
    for (id, [limit, before, brought], own) in conn.collect(&keyed(FILLED), &import.and(&[]), read).await? {
        let taken = before + brought;
        if taken <= limit {
            continue;
        }
        let message = format!("the pool {id} has {taken} live tickets, more than its limit of {limit}");
        if let Some(line) = own {
            return Ok(Some(Fault { line, field: "limit", message }));
        }
        let first = conn.query_first(&keyed(FIRST_TICKET), &import.and(params![&id]), |row| row.int(0)).await?;
        return Ok(Some(Fault { line: first.unwrap_or(0), field: "ticket_type_id", message }));
    }
    Ok(None)
}

/// The pools that the file has, or that its tickets take from: their limits, what was taken of them, what the file takes, and
/// their own lines. SQLite keeps the order of a cross join, so it begins with the file.
pub const FILLED: &str = "SELECT p.id, p.pool_limit, \
     CAST(coalesce((SELECT sum(t.valid_tickets + t.scanned_tickets) FROM pool_items m CROSS JOIN ticket_types t \
     WHERE m.producer_id = ?1 AND m.pool_id = p.id AND t.producer_id = ?1 AND t.id = m.ticket_type_id), 0) AS BIGINT), \
     CAST(coalesce((SELECT sum(c.valid + c.scanned) FROM pool_items m CROSS JOIN import_counts c \
     WHERE m.producer_id = ?1 AND m.pool_id = p.id AND [c] AND c.id = m.ticket_type_id), 0) AS BIGINT), i.line \
     FROM (SELECT m.pool_id AS id FROM import_counts c CROSS JOIN pool_items m INDEXED BY pools_of_item \
     WHERE [c] AND m.producer_id = ?1 AND m.ticket_type_id = c.id UNION SELECT s.id FROM import_pools s WHERE [s]) f \
     CROSS JOIN pools p LEFT JOIN import_pools i ON [i] AND i.id = p.id \
     WHERE p.producer_id = ?1 AND p.id = f.id ORDER BY p.id";

/// The first line with a ticket of an item of a pool.
const FIRST_TICKET: &str = "SELECT min(s.line) FROM import_tickets s WHERE [s] AND s.ticket_type_id IN \
     (SELECT m.ticket_type_id FROM pool_items m WHERE m.producer_id = ?1 AND m.pool_id = ?3)";

/// The first line of a pool with an item that is in too many.
pub const TOO_MANY_OF_ITEM: &str = "SELECT s.line FROM import_pool_items s WHERE [s] AND (SELECT count(*) FROM pool_items x \
     WHERE x.producer_id = ?1 AND x.ticket_type_id = s.ticket_type_id) > CAST(?3 AS BIGINT) ORDER BY s.line LIMIT 1";

/// The first line of a pool of an event with too many.
pub const TOO_MANY_OF_EVENT: &str = "SELECT s.line FROM import_pools s WHERE [s] AND (SELECT count(*) FROM pools x \
     WHERE x.producer_id = ?1 AND x.event_id = s.event_id) > CAST(?3 AS BIGINT) ORDER BY s.line LIMIT 1";
