//! Refunding a whole order.

use std::collections::HashSet;

use super::common::{find_order, release, tell_order, tell_tickets};
use crate::{
    domain::{
        clock::Stamp,
        moves::{OrderMove, TicketMove},
        order::Order,
        webhook::MessageKind,
    },
    store::{
        ChangeResult, Store, Tenant,
        sales::orders,
        tickets::rows::{self, Mark},
    },
    transaction,
};

/// Refunds an order. Its tickets stop working, and so do the tickets they were passed on as, because those belong to
/// the same order.
pub async fn refund(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> ChangeResult<Order> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let order = find_order(tx, id).await?;
        let after = OrderMove::Refund.from(order.status)?;
        orders::set_status(tx, id, after).await?;

        let mut refunded = Vec::new();
        let mut bundles = HashSet::new();
        for mut ticket in rows::states_of_order(tx, tenant, id).await? {
            // A ticket that was passed on stays transferred; the ticket that replaced it is in this order too.
            let Ok(status) = TicketMove::Refund.from(ticket.status) else { continue };
            let counted = ticket.counts();
            rows::mark(tx, &mut ticket, status, Mark::Refunded).await?;
            // All tickets of a sold bundle are refunded here, so only one of them gives the bundle's stock back.
            let unit = ticket.bundle_id.clone().zip(ticket.bundle_unit.clone());
            refunded.push((counted && (unit.is_none() || bundles.insert(unit)), ticket));
        }
        for (_, ticket) in refunded.iter().filter(|(gives_back, _)| *gives_back) {
            release(tx, ticket).await?;
        }
        let order = tell_order(tx, MessageKind::OrderRefunded, id).await?;
        let states: Vec<_> = refunded.iter().map(|(_, ticket)| ticket).collect();
        tell_tickets(tx, MessageKind::TicketRefunded, &states).await?;
        Ok(order)
    })
}
