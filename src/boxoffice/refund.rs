//! Refunding a whole order.

use std::collections::HashSet;

use super::{Result, begin, find_order, release, tell_order, tell_tickets};
use crate::{
    domain::{
        clock::Stamp,
        moves::{OrderMove, TicketMove},
        webhook::EventKind,
    },
    store::{
        Store, orders,
        producers::Tenant,
        ticket_rows::{self, Mark},
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
        let mut bundles = HashSet::new();
        for mut ticket in ticket_rows::states_of_order(tx, tenant, id).await? {
            // A ticket that was passed on stays so; the one that took its place is in this order too.
            let Ok(status) = TicketMove::Refund.from(ticket.status) else { continue };
            let counted = ticket.counts();
            ticket_rows::mark(tx, tenant, &mut ticket, status, Mark::Refunded, tick.stamp).await?;
            // All tickets of a bundle die here, so one of them gives its stock back for all.
            let unit = ticket.bundle_id.clone().zip(ticket.bundle_unit.clone());
            refunded.push((counted && (unit.is_none() || bundles.insert(unit)), ticket));
        }
        for (_, ticket) in refunded.iter().filter(|(gives_back, _)| *gives_back) {
            release(tx, tenant, ticket).await?;
        }
        let order = tell_order(tx, tenant, &mut tick, EventKind::OrderRefunded, id).await?;
        let states: Vec<_> = refunded.iter().map(|(_, ticket)| ticket).collect();
        tell_tickets(tx, tenant, &mut tick, EventKind::TicketRefunded, &states).await?;
        Ok(order)
    })
}
