//! Tickets as staff see them: with all their facts, and with the place in the list by issue that names them on pages.

use std::sync::LazyLock;

use taquilla_domain::{personal::Personal, status::TicketStatus};

use super::{
    listed::Query,
    rows::{STATE, State, read_state_at},
};
use crate::{
    Conn, Result, Tenant,
    engine::sql::{Param, Row, params},
    lists::{self, End, FIRST, Position, Source, Test},
};

/// A ticket and its seq.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its seq.
    pub seq: i64,
    /// The ticket.
    pub state: Personal<State>,
}

impl Held {
    /// Its place in the list by issue, which never changes.
    pub fn place(&self) -> Position {
        Position { stamp: self.state.uncovered().issued_at, seq: self.seq }
    }

    /// Whether it is of this event, of this ticket type, and has one of these statuses. None means any.
    pub fn is(&self, event_id: Option<&str>, ticket_type_id: Option<&str>, statuses: &[TicketStatus]) -> bool {
        let state = self.state.uncovered();
        event_id.is_none_or(|id| state.event_id == id)
            && ticket_type_id.is_none_or(|id| state.ticket_type_id == id)
            && (statuses.is_empty() || statuses.contains(&state.status))
    }

    /// Whether it is in no list.
    pub fn is_hidden(&self) -> bool {
        self.state.uncovered().hidden
    }

    /// Whether somebody has entered with it, went out, and may come in again.
    pub fn is_outside(&self) -> bool {
        let state = self.state.uncovered();
        state.status == TicketStatus::Scanned && state.whereabouts.is_outside
    }

    /// Whether it can enter or has entered.
    pub fn counts(&self) -> bool {
        self.state.uncovered().counts()
    }
}

fn read(row: &Row<'_>) -> Result<Held> {
    Ok(Held { seq: row.int(0)?, state: Personal::new(read_state_at(row, 1)?) })
}

/// The list of tickets with all their facts.
pub const HELD: Source = Source { table: "tickets", columns: STATE, visible: " AND t.hidden = 0" };

/// One page of tickets, newest first, perhaps of one ticket type.
pub async fn page(
    conn: &mut Conn,
    tenant: Tenant,
    query: &Query,
    ticket_type_id: Option<&str>,
    from: Option<Position>,
    limit: usize,
) -> Result<(Vec<Held>, End)> {
    let mut held = Vec::with_capacity(limit);
    let (mut filter, start) = query.filter();
    filter.tested.extend(ticket_type_id.map(|id| Test::OneOf("ticket_type_id", vec![id])));
    let end = lists::page(conn, tenant, &HELD, &filter, from.unwrap_or(start), limit, |row| {
        held.push(Held { seq: row.int(1)?, state: Personal::new(read_state_at(row, FIRST)?) });
        Ok(())
    })
    .await?;
    Ok((held, end))
}

/// The listed ticket at a place.
pub static LISTED_AT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT t.seq, {STATE} FROM tickets t INDEXED BY tickets_by_issued WHERE t.seq + 1 <> 1 AND t.producer_id = ?1 \
         AND t.hidden = 0 AND t.issued_at = ?2 AND t.seq = ?3"
    )
});

/// The hidden ticket at a place.
pub static HIDDEN_AT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT t.seq, {STATE} FROM tickets t INDEXED BY tickets_hidden WHERE t.producer_id = ?1 AND t.hidden = 1 \
         AND t.issued_at = ?2 AND t.seq = ?3"
    )
});

/// The ticket at a place, hidden or not.
pub async fn at(conn: &mut Conn, tenant: Tenant, place: Position) -> Result<Option<Held>> {
    let values = params![tenant.number(), place.stamp, place.seq];
    match conn.query_first(&LISTED_AT, values, read).await? {
        Some(held) => Ok(Some(held)),
        None => conn.query_first(&HIDDEN_AT, values, read).await,
    }
}

/// The listed tickets at some places, in their order. Places without one are left out.
pub async fn some_at(conn: &mut Conn, tenant: Tenant, places: &[Position]) -> Result<Vec<Held>> {
    let set =
        |place: &Position| -> Vec<Param<'_>> { vec![tenant.number().into(), place.stamp.into(), place.seq.into()] };
    let sets: Vec<Vec<Param<'_>>> = places.iter().map(set).collect();
    conn.collect_many(&LISTED_AT, &sets, read).await
}

/// The tickets with these ids, hidden or not, in the order of the ids.
pub async fn with_ids(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<Vec<Held>> {
    let sql = format!("SELECT t.seq, {STATE} FROM tickets t WHERE t.producer_id = ?1 AND t.id = ?2");
    conn.collect_many(&sql, &tenant.keys(ids), read).await
}

/// Some tickets of an order in the order of their issue, hidden ones last.
pub async fn of_order(conn: &mut Conn, tenant: Tenant, order_id: &str, limit: i64) -> Result<Vec<Held>> {
    conn.collect(&OF_ORDER, params![tenant.number(), order_id, limit], read).await
}

/// The query of [`of_order`].
pub static OF_ORDER: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT t.seq, {STATE} FROM tickets t INDEXED BY tickets_of_order WHERE t.producer_id = ?1 AND t.order_id = ?2 \
         ORDER BY t.hidden, t.issued_at, t.seq LIMIT ?3"
    )
});

/// How many tickets of an order have entered.
pub async fn entered_of_order(conn: &mut Conn, tenant: Tenant, order_id: &str) -> Result<i64> {
    let found = conn.query_first(ENTERED_OF_ORDER, params![tenant.number(), order_id], |row| row.int(0)).await?;
    Ok(found.unwrap_or_default())
}

/// The query of [`entered_of_order`].
pub const ENTERED_OF_ORDER: &str = "SELECT count(*) FROM tickets t INDEXED BY tickets_of_order \
     WHERE t.producer_id = ?1 AND t.order_id = ?2 AND t.status = 'scanned'";

/// Whether an order has more tickets than this. No more of them are counted.
pub async fn has_more_than(conn: &mut Conn, tenant: Tenant, order_id: &str, tickets: i64) -> Result<bool> {
    let found = conn.query_first(MORE_THAN, params![tenant.number(), order_id, tickets + 1], |row| row.int(0)).await?;
    Ok(found.is_some_and(|found| found > tickets))
}

/// The query of [`has_more_than`].
pub const MORE_THAN: &str = "SELECT count(*) FROM (SELECT 1 FROM tickets t INDEXED BY tickets_of_order \
     WHERE t.producer_id = ?1 AND t.order_id = ?2 LIMIT ?3) c";
