//! Refunding a whole order.

use std::collections::HashSet;

use super::{Result, begin, find_order, release, tell_order, tell_tickets};
use crate::{
    domain::{
        clock::Stamp,
        moves::{OrderMove, TicketMove},
    },
    store::{
        Store, orders,
        outbox::EventKind,
        producers::Tenant,
        tickets::{self, Mark},
    },
    transaction,
    wire::Order,
};

/// Pays an order back. Its tickets no longer work, nor those that they were passed on as: a transfer keeps the order.
pub async fn refund(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> Result<Order> {
    transaction!(store, |tx| {
        let mut tick = begin(tx, tenant, now).await?;
        let order = find_order(tx, tenant, id).await?;
        let after = OrderMove::Refund.from(order.status)?;
        orders::set_status(tx, tenant, id, after, tick.stamp).await?;

        let mut refunded = Vec::new();
        let mut counted = Vec::new();
        let mut bundles = HashSet::new();
        for ticket in tickets::states_of_order(tx, tenant, id).await? {
            // A ticket that was passed on stays so; the one that took its place is in this order too.
            let Ok(status) = TicketMove::Refund.from(ticket.status) else { continue };
            tickets::mark(tx, tenant, &ticket.id, status, Mark::Refunded, tick.stamp).await?;
            refunded.push(ticket.id.clone());
            // All tickets of a bundle die here, so one of them gives its stock back for all.
            let unit = ticket.bundle_id.clone().zip(ticket.bundle_unit.clone());
            if ticket.counts() && (unit.is_none() || bundles.insert(unit)) {
                counted.push(ticket);
            }
        }
        for ticket in &counted {
            release(tx, tenant, ticket).await?;
        }
        let order = tell_order(tx, tenant, &mut tick, EventKind::OrderRefunded, id).await?;
        let ids: Vec<&str> = refunded.iter().map(String::as_str).collect();
        tell_tickets(tx, tenant, &mut tick, EventKind::TicketRefunded, &ids).await?;
        Ok(order)
    })
}
