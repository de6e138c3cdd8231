//! Ticket types and bundles, with what bundles hold.

use taquilla_client::TicketType;

use crate::cell::{Cell, Row};

/// An item as it is kept.
pub fn kept(item: TicketType) -> Row {
    let includes = item.includes.unwrap_or_default().into_iter().enumerate();
    let included = includes.map(|(position, included)| {
        vec![
            Cell::text(item.id.as_str()),
            Cell::Integer(position as i64),
            included.ticket_type_id.into(),
            Cell::Integer(included.quantity),
        ]
    });
    let children = included.collect();
    let cells = vec![
        item.id.into(),
        item.event_id.into(),
        Cell::text(item.kind.as_str()),
        Cell::text(item.category.as_str()),
        item.name.into(),
        item.description.into(),
        item.image_url.into(),
        Cell::Integer(item.price),
        item.currency.into(),
        Cell::text(item.status.as_str()),
        Cell::Boolean(item.deleted),
        item.limit.into(),
        Cell::Integer(item.sold),
        item.available.into(),
        item.max_per_order.into(),
        item.min_per_order.into(),
        item.on_sale_from.into(),
        item.expires_at.into(),
        item.sort_order.into(),
        Cell::from(item.updated_at),
    ];
    Row { cells, children }
}
