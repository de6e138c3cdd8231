//! Refunding a whole order.

use std::collections::HashSet;

use super::{Result, begin, find_order, tell_order, tell_tickets};
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
        types,
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
        for ticket in tickets::states_of_order(tx, tenant, id).await? {
            // A ticket that was passed on stays so; the one that took its place is in this order too.
            let Ok(status) = TicketMove::Refund.from(ticket.status) else { continue };
            tickets::mark(tx, tenant, &ticket.id, status, Mark::Refunded, tick.stamp).await?;
            if ticket.counts() {
                match (ticket.bundle_id, ticket.from_bundle) {
                    (Some(bundle_id), _) => {
                        bundles.insert((bundle_id, ticket.bundle_unit));
                    }
                    (None, true) => {}
                    (None, false) => types::add_sold(tx, tenant, &ticket.ticket_type_id, -1).await?,
                }
            }
            refunded.push(ticket.id);
        }
        for (bundle_id, _) in bundles {
            types::add_sold(tx, tenant, &bundle_id, -1).await?;
        }
        let order = tell_order(tx, tenant, &mut tick, EventKind::OrderRefunded, id).await?;
        let ids: Vec<&str> = refunded.iter().map(String::as_str).collect();
        tell_tickets(tx, tenant, &mut tick, EventKind::TicketRefunded, &ids).await?;
        Ok(order)
    })
}
