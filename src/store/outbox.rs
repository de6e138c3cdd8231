//! The outbox: events that others are told of, committed with the change they tell of (G10).

use crate::domain::{id, status::named};

use super::{
    Conn, Result,
    producers::{Tenant, Tick},
    sql::Param,
};

named! {
    /// What an event tells of.
    EventKind {
        /// A ticket exists.
        TicketIssued = "ticket.issued",
        /// A ticket entered.
        TicketScanned = "ticket.scanned",
        /// A ticket was passed on.
        TicketTransferred = "ticket.transferred",
        /// A ticket was cancelled.
        TicketCancelled = "ticket.cancelled",
        /// A ticket's order was refunded.
        TicketRefunded = "ticket.refunded",
        /// An order was placed.
        OrderCreated = "order.created",
        /// An order was paid.
        OrderApproved = "order.approved",
        /// An order will not be paid.
        OrderRejected = "order.rejected",
        /// An order was paid back.
        OrderRefunded = "order.refunded",
    }
}

/// Adds events, each with its resource as the API shows it at this moment.
pub async fn add(conn: &mut Conn, tenant: Tenant, tick: &mut Tick, events: &[(EventKind, String)]) -> Result<()> {
    let mut ids = Vec::with_capacity(events.len());
    for _ in events {
        ids.push((tick.seq()?, id::new_id("we", tick.stamp)));
    }
    let sets: Vec<Vec<Param<'_>>> = events
        .iter()
        .zip(&ids)
        .map(|((kind, data), (seq, id))| {
            vec![tenant.number().into(), (*seq).into(), id.into(), kind.as_str().into(), tick.stamp.into(), data.into()]
        })
        .collect();
    conn.execute_many(
        "INSERT INTO outbox (producer_id, seq, id, kind, occurred_at, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        &sets,
    )
    .await?;
    Ok(())
}
