//! What staff write about an order for one another. No feed shows it. It may name anybody, so it is personal, and goes with
//! the buyer.

use taquilla_domain::{
    clock::Stamp,
    config::ORDER_NOTES_MAX,
    personal::{Cover, Personal},
};

use crate::{
    Conn, Move, Result, Tenant,
    engine::sql::{Row, params},
};

/// A note.
#[derive(Clone, Debug)]
pub struct Note {
    /// When it was written.
    pub written_at: Stamp,
    /// Who wrote it.
    pub author: String,
    /// What it says.
    pub text: String,
}

impl Cover for Note {
    fn covered(self) -> Self {
        let Self { written_at, author, text } = self;
        Self { written_at, author, text: text.covered() }
    }
}

/// Adds a note. `false` if the order has as many as it may have.
pub async fn add(tx: &mut Move, order_id: &str, author: &str, text: &str) -> Result<bool> {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let count = "SELECT count(*) FROM order_notes WHERE producer_id = ?1 AND order_id = ?2";
    let count = tx.query_first(count, params![tenant, order_id], |row| row.int(0)).await?.unwrap_or_default();
    if count >= ORDER_NOTES_MAX {
        return Ok(false);
    }
    let sql = "INSERT INTO order_notes (producer_id, order_id, written_at, author, text) VALUES (?1, ?2, ?3, ?4, ?5)";
    tx.execute(sql, params![tenant, order_id, stamp, author, text]).await?;
    Ok(true)
}

fn read(row: &Row<'_>) -> Result<Personal<Note>> {
    let note = Note { written_at: row.stamp(0)?, author: row.text(1)?.to_owned(), text: row.text(2)?.to_owned() };
    Ok(Personal::new(note))
}

/// The notes about an order, oldest first.
pub async fn of_order(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<Vec<Personal<Note>>> {
    conn.collect(OF_ORDER, params![tenant.number(), order_id], read).await
}

/// The notes about some orders, oldest first, each with the id of its order.
pub async fn of_orders(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<Vec<(String, Personal<Note>)>> {
    conn.collect_many(OF_ORDER, &tenant.keys(ids), |row| Ok((row.text(3)?.to_owned(), read(row)?))).await
}

/// The query of [`of_order`] and, for one order, of [`of_orders`].
pub const OF_ORDER: &str = "SELECT written_at, author, text, order_id FROM order_notes WHERE producer_id = ?1 AND order_id = ?2 \
     ORDER BY written_at";
