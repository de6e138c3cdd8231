//! Deciding a pending order: approve it and issue its tickets, or reject it.

use super::{Result, begin, find_order, tell_order, tell_tickets};
use crate::{
    config::ORDER_TICKETS_MAX,
    domain::{
        clock::Stamp,
        id,
        moves::OrderMove,
        person::Person,
        refusal::Refusal,
        status::{EventStatus, ItemKind, OrderStatus},
        webhook::EventKind,
    },
    store::{
        Conn, Store, events, orders, payments,
        producers::{Tenant, Tick},
        ticket_rows::{self, NewTicket},
        types,
    },
    transaction,
    wire::{Order, OrderItem},
};

/// Approves a pending order: its stock is checked once more, and its tickets are issued.
pub async fn approve(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> Result<Order> {
    transaction!(store, |tx| {
        let mut tick = begin(tx, tenant, now).await?;
        let order = approve_in(tx, tenant, &mut tick, id).await?;
        payments::settle_by_hand(tx, tenant, &order).await?;
        Ok(order)
    })
}

/// See [`approve`].
pub(super) async fn approve_in(conn: &mut Conn, tenant: Tenant, tick: &mut Tick, id: &str) -> Result<Order> {
    let order = find_order(conn, tenant, id).await?;
    let after = OrderMove::Approve.from(order.status)?;
    // Much may have happened since it was placed.
    if events::status(conn, tenant, &order.event_id).await? == Some(EventStatus::Cancelled) {
        return Err(Refusal::EventNotOnSale.into());
    }
    if !ticket_rows::states_of_order(conn, tenant, id).await?.is_empty() {
        return Err(Refusal::OrderHasTickets.into());
    }
    issue(conn, tenant, tick, order, after).await
}

/// Rejects a pending order.
pub async fn reject(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> Result<Order> {
    transaction!(store, |tx| {
        let mut tick = begin(tx, tenant, now).await?;
        reject_in(tx, tenant, &mut tick, id).await
    })
}

/// See [`reject`].
pub(super) async fn reject_in(conn: &mut Conn, tenant: Tenant, tick: &mut Tick, id: &str) -> Result<Order> {
    let order = find_order(conn, tenant, id).await?;
    let after = OrderMove::Reject.from(order.status)?;
    orders::set_status(conn, tenant, id, after, tick.stamp).await?;
    tell_order(conn, tenant, tick, EventKind::OrderRejected, id).await
}

/// Takes the order's stock and issues one ticket for each unit, and for each unit that a bundle includes.
pub(super) async fn issue(
    conn: &mut Conn,
    tenant: Tenant,
    tick: &mut Tick,
    order: Order,
    after: OrderStatus,
) -> Result<Order> {
    let attendees = orders::attendees(conn, tenant, &order.id).await?;
    let buyer = Person {
        name: order.buyer.name.clone(),
        email: order.buyer.email.clone(),
        phone: order.buyer.phone.clone(),
        identity_document: order.buyer.identity_document.clone(),
    };
    let becomes = becomes(conn, tenant, order.items.iter()).await?;
    for item in &order.items {
        let offer =
            types::for_sale(conn, tenant, &item.ticket_type_id).await?.ok_or(Refusal::NotFound("ticket type"))?.offer;
        offer.has_left(item.quantity)?;
        types::add_sold(conn, tenant, &item.ticket_type_id, item.quantity).await?;
    }

    let mut new = Vec::new();
    for (position, (item, singles)) in order.items.iter().zip(&becomes).enumerate() {
        for unit in 0..item.quantity {
            let attendee = attendees.get(&(position, unit)).unwrap_or(&buyer);
            for (ticket_type_id, quantity) in singles {
                for _ in 0..*quantity {
                    new.push(NewTicket {
                        id: id::new_ticket_id(),
                        event_id: &order.event_id,
                        order_id: Some(&order.id),
                        ticket_type_id,
                        bundle: (item.kind == ItemKind::Bundle)
                            .then(|| (item.ticket_type_id.as_str(), format!("{}/{position}/{unit}", order.id))),
                        from_bundle: item.kind == ItemKind::Bundle,
                        hidden: false,
                        attendee,
                    });
                }
            }
        }
    }
    let issued = ticket_rows::insert(conn, tenant, tick, new).await?;
    orders::set_status(conn, tenant, &order.id, after, tick.stamp).await?;
    let shown = tell_order(conn, tenant, tick, EventKind::OrderApproved, &order.id).await?;
    tell_tickets(conn, tenant, tick, EventKind::TicketIssued, &issued.iter().collect::<Vec<_>>()).await?;
    Ok(shown)
}

/// What one unit of each item becomes: single items, each with how many. Refused where the order would be too large,
/// already when it is placed: nobody should pay for what cannot be issued.
pub(super) async fn becomes<'i>(
    conn: &mut Conn,
    tenant: Tenant,
    items: impl Iterator<Item = &'i OrderItem>,
) -> Result<Vec<Vec<(String, i64)>>> {
    let mut becomes = Vec::new();
    let mut count = 0_i64;
    for item in items {
        let singles = match item.kind {
            ItemKind::TicketType => vec![(item.ticket_type_id.clone(), 1)],
            ItemKind::Bundle => types::included(conn, tenant, &item.ticket_type_id).await?,
        };
        let per_unit = singles.iter().fold(0_i64, |sum, (_, quantity)| sum.saturating_add(*quantity));
        count = count.saturating_add(item.quantity.saturating_mul(per_unit));
        becomes.push(singles);
    }
    if count > ORDER_TICKETS_MAX {
        let message = format!("an order becomes {ORDER_TICKETS_MAX} tickets at most; this one would become {count}");
        return Err(Refusal::invalid("items", message).into());
    }
    Ok(becomes)
}
