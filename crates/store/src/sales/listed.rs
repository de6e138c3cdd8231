//! Lists of orders and single orders, for the API.

use taquilla_domain::personal::Personal;
use taquilla_wire::covered::{Lines, Resource};

use super::documents;
use crate::{
    Conn, Result, Tenant,
    engine::sql::params,
    lists::{self, End, FIRST, Filter, Position, Shown, Source},
};

/// The list of orders as the API shows them.
pub const LISTED: Source = Source { table: "orders", columns: "t.document", visible: "" };

/// Writes one order as the API shows it. `false` if the producer has no order with this id.
pub async fn write_one(
    conn: &mut Conn,
    tenant: Tenant,
    id: &str,
    with_reference: bool,
    into: &mut Vec<u8>,
) -> Result<bool> {
    const FIND: &str = "SELECT document FROM orders WHERE producer_id = ?1 AND id = ?2";
    let mut found = false;
    conn.query(FIND, params![tenant.number(), id], |row| {
        found = true;
        documents::write(row.bytes(0)?, with_reference, into)
    })
    .await?;
    Ok(found)
}

/// Writes one page of orders as the API shows them, with this byte between them.
#[expect(clippy::too_many_arguments, reason = "which page of which list, and where and how it is written")]
pub async fn write_page(
    conn: &mut Conn,
    tenant: Tenant,
    filter: &Filter<'_>,
    from: Position,
    limit: usize,
    with_reference: bool,
    between: u8,
    into: &mut Vec<u8>,
    shown: &mut Shown,
) -> Result<End> {
    let start = into.len();
    lists::page(conn, tenant, &LISTED, filter, from, limit, |row| {
        shown.note(row)?;
        if into.len() > start {
            into.push(between);
        }
        documents::write(row.bytes(FIRST)?, with_reference, into)
    })
    .await
}

/// One page of orders as the API shows them, with their references, one on each line.
pub async fn lines(
    conn: &mut Conn,
    tenant: Tenant,
    filter: &Filter<'_>,
    from: Position,
    limit: usize,
) -> Result<(Personal<Lines>, End)> {
    let mut text = Vec::new();
    let end = write_page(conn, tenant, filter, from, limit, true, b'\n', &mut text, &mut Shown::default()).await?;
    Ok((Personal::new(Lines::new(Resource::Order, text)), end))
}
