//! Deciding a pending order: approve it and issue its tickets, or reject it.

use super::common::{find_order, tell_order, tell_tickets};
use crate::{
    config::ORDER_TICKETS_MAX,
    domain::{
        clock::Stamp,
        id,
        moves::OrderMove,
        order::{Order, OrderItem},
        refusal::Refusal,
        status::{EventStatus, ItemKind, OrderStatus},
        webhook::MessageKind,
    },
    store::{
        ChangeResult, Conn, Move, Store, Tenant,
        catalogue::{events, ticket_counts, ticket_types},
        sales::{orders, payments},
        tickets::rows::{self, NewTicket},
    },
    transaction,
};

/// Approves a pending order: checks its stock again and issues its tickets.
pub async fn approve(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> ChangeResult<Order> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let order = find_order(tx, id).await?;
        if let Some(payment_id) = payments::settle_by_hand(tx, &order).await? {
            orders::set_payment(tx, id, &payment_id).await?;
        }
        approve_in(tx, id).await
    })
}

/// Does what [`approve`] does, inside a move.
pub(super) async fn approve_in(tx: &mut Move, id: &str) -> ChangeResult<Order> {
    let tenant = tx.tenant();
    let order = find_order(tx, id).await?;
    let after = OrderMove::Approve.from(order.status)?;
    // The event may have been cancelled, or tickets imported, since the order was placed.
    if events::status(tx, tenant, &order.event_id).await? == Some(EventStatus::Cancelled) {
        return Err(Refusal::EventNotOnSale.into());
    }
    if !rows::states_of_order(tx, tenant, id).await?.is_empty() {
        return Err(Refusal::OrderHasTickets.into());
    }
    issue(tx, order, after).await
}

/// Rejects a pending order.
pub async fn reject(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> ChangeResult<Order> {
    transaction!(store.begin_move(tenant, now), |tx| reject_in(tx, id).await)
}

/// Does what [`reject`] does, inside a move.
pub(super) async fn reject_in(tx: &mut Move, id: &str) -> ChangeResult<Order> {
    let order = find_order(tx, id).await?;
    let after = OrderMove::Reject.from(order.status)?;
    orders::set_status(tx, id, after).await?;
    orders::forget_attendees(tx, id).await?;
    tell_order(tx, MessageKind::OrderRejected, id).await
}

/// Takes the order's stock and issues its tickets: one for each unit of a single item, and one for each item in each
/// unit of a bundle.
pub(super) async fn issue(tx: &mut Move, order: Order, after: OrderStatus) -> ChangeResult<Order> {
    let tenant = tx.tenant();
    let attendees = orders::attendees(tx, tenant, &order.id).await?;
    let becomes = becomes(tx, tenant, order.items.iter()).await?;
    for item in &order.items {
        let id = &item.ticket_type_id;
        let offer = ticket_types::for_sale(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket type"))?.offer;
        offer.has_left(item.quantity)?;
        ticket_counts::add_sold(tx, id, item.quantity).await?;
    }

    let mut new = Vec::new();
    for (position, (item, singles)) in order.items.iter().zip(&becomes).enumerate() {
        for unit in 0..item.quantity {
            let attendee = attendees.get(&(position, unit)).unwrap_or(&order.buyer);
            for (ticket_type_id, quantity) in singles {
                for _ in 0..*quantity {
                    new.push(NewTicket {
                        id: id::new_ticket_id(),
                        event_id: &order.event_id,
                        order_id: Some(&order.id),
                        order_item: Some(position as i64),
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
    let issued = rows::insert(tx, new).await?;
    orders::set_status(tx, &order.id, after).await?;
    let shown = tell_order(tx, MessageKind::OrderApproved, &order.id).await?;
    tell_tickets(tx, MessageKind::TicketIssued, &issued.iter().collect::<Vec<_>>()).await?;
    Ok(shown)
}

/// The single items that one unit of each order item becomes, and how many of each. Refuses an order with too many
/// tickets. Placing an order calls this too, so that nobody pays for what cannot be issued.
pub(super) async fn becomes<'i>(
    conn: &mut Conn,
    tenant: Tenant,
    items: impl Iterator<Item = &'i OrderItem>,
) -> ChangeResult<Vec<Vec<(String, i64)>>> {
    let mut becomes = Vec::new();
    let mut count = 0_i64;
    for item in items {
        let singles = match item.kind {
            ItemKind::TicketType => vec![(item.ticket_type_id.clone(), 1)],
            ItemKind::Bundle => ticket_types::included(conn, tenant, &item.ticket_type_id).await?,
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
