//! How far the index has come.
//!
//! It follows the lists of orders and tickets by update. The producer's clock is read first: every row with a stamp up to it
//! is committed, so rows up to it are complete (G1).
//!
//! Words that were read before an erasure are not written after it: each erasing move raises `erasures`, and the index
//! advances only from the number that it read.

use std::sync::LazyLock;

use taquilla_domain::{clock::Stamp, config::SEARCH_TOGETHER, order::Order};

use crate::{
    Conn, Error, Move, Result, Tenant, Unstamped,
    engine::sql::{Row, params},
    lists::Position,
    sales::orders,
    tickets::rows::{self, State},
};

/// How far a producer's orders and tickets have their entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Orders up to this position of their list by update.
    pub orders: Position,
    /// Tickets up to this position of their list by update.
    pub tickets: Position,
    /// How often people were erased. Whoever has read rows before that must read them again.
    pub erasures: i64,
}

impl Mark {
    /// Nothing has its entries.
    pub const NOTHING: Self = Self { orders: Position::BEGINNING, tickets: Position::BEGINNING, erasures: 0 };
}

/// Whether a producer has rows after its mark. A mark that has come to all rows of a stamp is [`Position::above`] it; an
/// import gives one stamp to any number of rows.
pub async fn is_behind(conn: &mut Conn, tenant: Tenant) -> Result<bool> {
    let sql = "SELECT 1 FROM clocks p LEFT JOIN search_marks m ON m.producer_id = p.producer_id \
         WHERE p.producer_id = ?1 AND (m.producer_id IS NULL OR p.clock > m.orders_at OR p.clock > m.tickets_at \
         OR m.orders_seq < ?2 OR m.tickets_seq < ?2)";
    Ok(conn.query_first(sql, params![tenant.number(), i64::MAX], |_| Ok(())).await?.is_some())
}

/// How many microseconds a producer's mark is behind its clock. One that was never made is as old as its producer.
pub async fn lag(conn: &mut Conn, tenant: Tenant) -> Result<i64> {
    let sql = "SELECT p.clock, CASE WHEN m.orders_at < m.tickets_at THEN m.orders_at ELSE m.tickets_at END \
         FROM clocks p LEFT JOIN search_marks m ON m.producer_id = p.producer_id WHERE p.producer_id = ?1";
    let found = conn.query_first(sql, params![tenant.number()], |row| Ok((row.int(0)?, row.opt_int(1)?))).await?;
    let Some((clock, mark)) = found else { return Ok(0) };
    let since = match mark {
        Some(mark) => mark,
        None => {
            let sql = "SELECT created_at FROM producers WHERE producer_id = ?1";
            conn.query_first(sql, params![tenant.number()], |row| row.int(0)).await?.unwrap_or(clock)
        }
    };
    Ok((clock - since).max(0))
}

/// A producer's mark.
pub async fn of(conn: &mut Conn, tenant: Tenant) -> Result<Mark> {
    let sql =
        "SELECT orders_at, orders_seq, tickets_at, tickets_seq, erasures FROM search_marks WHERE producer_id = ?1";
    let found = conn
        .query_first(sql, params![tenant.number()], |row| {
            let position = |column| Ok::<_, Error>(Position { stamp: row.stamp(column)?, seq: row.int(column + 1)? });
            Ok(Mark { orders: position(0)?, tickets: position(2)?, erasures: row.int(4)? })
        })
        .await?;
    Ok(found.unwrap_or(Mark::NOTHING))
}

/// A producer's clock.
pub async fn clock(conn: &mut Conn, tenant: Tenant) -> Result<Option<Stamp>> {
    let sql = "SELECT clock FROM clocks WHERE producer_id = ?1";
    conn.query_first(sql, params![tenant.number()], |row| row.stamp(0)).await
}

/// The next rows of a list by update: each with its seq.
pub struct Next<T> {
    /// The rows.
    pub rows: Vec<(i64, T)>,
    /// Up to where these are all.
    pub up_to: Position,
}

async fn next<T: Send>(
    conn: &mut Conn,
    tenant: Tenant,
    sql: &str,
    after: Position,
    clock: Stamp,
    read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
) -> Result<Next<T>> {
    let values = params![tenant.number(), after.stamp, after.seq, clock, SEARCH_TOGETHER];
    let mut last = after;
    let mut rows = Vec::new();
    conn.query(sql, values, |row| {
        last = Position { stamp: row.stamp(0)?, seq: row.int(1)? };
        rows.push((last.seq, read(row)?));
        Ok(())
    })
    .await?;
    let is_all = (rows.len() as i64) < SEARCH_TOGETHER;
    Ok(Next { rows, up_to: if is_all { Position::above(clock) } else { last } })
}

fn statement(columns: &str, table: &str, visible: &str) -> String {
    format!(
        "SELECT t.updated_at, t.seq, {columns} FROM {table} t INDEXED BY {table}_by_updated WHERE t.seq + 3 <> 3 \
         AND t.producer_id = ?1{visible} AND (t.updated_at, t.seq) > (?2, ?3) AND t.updated_at <= ?4 \
         ORDER BY t.updated_at, t.seq LIMIT ?5"
    )
}

/// The statement of [`orders_after`].
pub static ORDERS_AFTER: LazyLock<String> = LazyLock::new(|| statement(orders::COLUMNS, "orders", ""));
/// The statement of [`tickets_after`].
pub static TICKETS_AFTER: LazyLock<String> = LazyLock::new(|| statement(rows::STATE, "tickets", " AND t.hidden = 0"));

/// The next orders that changed, without their items.
pub async fn orders_after(conn: &mut Conn, tenant: Tenant, after: Position, clock: Stamp) -> Result<Next<Order>> {
    next(conn, tenant, &ORDERS_AFTER, after, clock, |row| orders::read(tenant, row, 2)).await
}

/// The next tickets that changed. Hidden ones are in no list, and are not found either.
pub async fn tickets_after(conn: &mut Conn, tenant: Tenant, after: Position, clock: Stamp) -> Result<Next<State>> {
    next(conn, tenant, &TICKETS_AFTER, after, clock, |row| rows::read_state_at(row, 2)).await
}

/// Moves a mark. `false` if another server has moved it meanwhile, whose entries are then there, or if people were erased,
/// whose entries must not come back.
pub async fn advance(tx: &mut Unstamped, tenant: Tenant, from: Mark, to: Mark) -> Result<bool> {
    let sql = "INSERT INTO search_marks (producer_id, orders_at, orders_seq, tickets_at, tickets_seq) \
         VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (producer_id) DO UPDATE SET orders_at = excluded.orders_at, \
         orders_seq = excluded.orders_seq, tickets_at = excluded.tickets_at, tickets_seq = excluded.tickets_seq \
         WHERE search_marks.orders_at = ?6 AND search_marks.orders_seq = ?7 AND search_marks.tickets_at = ?8 \
         AND search_marks.tickets_seq = ?9 AND search_marks.erasures = ?10";
    let values = params![
        tenant.number(),
        to.orders.stamp,
        to.orders.seq,
        to.tickets.stamp,
        to.tickets.seq,
        from.orders.stamp,
        from.orders.seq,
        from.tickets.stamp,
        from.tickets.seq,
        from.erasures,
    ];
    Ok(tx.execute(sql, values).await? > 0)
}

/// Notes that people are erased in this move. An index that is being written meanwhile waits for the move, and is then
/// written anew from what the rows are by then.
pub async fn note_erasure(tx: &mut Move) -> Result<()> {
    let (tenant, start) = (tx.tenant(), Position::BEGINNING);
    let sql = "INSERT INTO search_marks (producer_id, orders_at, orders_seq, tickets_at, tickets_seq, erasures) \
         VALUES (?1, ?2, ?3, ?2, ?3, 1) ON CONFLICT (producer_id) DO UPDATE SET erasures = search_marks.erasures + 1";
    tx.execute(sql, params![tenant.number(), start.stamp, start.seq]).await?;
    Ok(())
}
