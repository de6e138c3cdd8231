//! Whether everything up to the mark has its entries, for `taquilla check`.

use taquilla_domain::clock::Stamp;

use super::{
    entries::{self, Entry, sets},
    marks,
};
use crate::{Conn, Result, Tenant, engine::sql::params, lists::Position, sales::orders, tickets::rows};

const IS_THERE: &str = "SELECT seq FROM search_words WHERE producer_id = ?1 AND kind = ?2 AND word = ?3 AND at = ?4 \
     AND seq = ?5";

/// Orders and tickets that staff should find and that lack an entry: their kind and id. The mark is read first, so rows that
/// change while this runs are left out.
pub async fn missing(conn: &mut Conn, tenant: Tenant) -> Result<Vec<(&'static str, String)>> {
    let mark = marks::of(conn, tenant).await?;
    let mut found = Vec::new();
    let mut last = String::new();
    loop {
        let sql = format!(
            "SELECT t.seq, {} FROM tickets t WHERE t.producer_id = ?1 AND t.id > ?2 ORDER BY t.id LIMIT 500",
            rows::STATE
        );
        let values = params![tenant.number(), &last];
        let read = conn.collect(&sql, values, |row| Ok((row.int(0)?, rows::read_state_at(row, 1)?))).await?;
        let Some((_, state)) = read.last() else { break };
        last.clone_from(&state.id);
        let listed = read.iter().filter(|(seq, state)| !state.hidden && covers(mark.tickets, state.updated_at, *seq));
        let expected = listed.map(|(seq, state)| (state.id.clone(), entries::of_ticket(state, *seq))).collect();
        found.extend(lacking(conn, tenant, expected).await?.into_iter().map(|id| ("ticket", id)));
    }
    last.clear();
    loop {
        let sql = format!(
            "SELECT t.seq, {} FROM orders t WHERE t.producer_id = ?1 AND t.id > ?2 ORDER BY t.id LIMIT 500",
            orders::COLUMNS
        );
        let values = params![tenant.number(), &last];
        let read = conn.collect(&sql, values, |row| Ok((row.int(0)?, orders::read(tenant, row, 1)?))).await?;
        let Some((_, order)) = read.last() else { return Ok(found) };
        last.clone_from(&order.id);
        let listed = read.iter().filter(|(seq, order)| covers(mark.orders, order.updated_at, *seq));
        let expected = listed.map(|(seq, order)| (order.id.clone(), entries::of_order(order, *seq))).collect();
        found.extend(lacking(conn, tenant, expected).await?.into_iter().map(|id| ("order", id)));
    }
}

fn covers(mark: Position, updated_at: Stamp, seq: i64) -> bool {
    Position { stamp: updated_at, seq } <= mark
}

/// The ids of rows without all of their entries.
async fn lacking(conn: &mut Conn, tenant: Tenant, expected: Vec<(String, Vec<Entry>)>) -> Result<Vec<String>> {
    let all: Vec<Entry> = expected.iter().flat_map(|(_, entries)| entries.clone()).collect();
    let there = conn.collect_many(IS_THERE, &sets(tenant, &all), |row| row.int(0)).await?;
    if there.len() == all.len() {
        return Ok(Vec::new());
    }
    let mut lacking = Vec::new();
    for (id, entries) in expected {
        let there = conn.collect_many(IS_THERE, &sets(tenant, &entries), |row| row.int(0)).await?;
        if there.len() < entries.len() {
            lacking.push(id);
        }
    }
    Ok(lacking)
}
