//! Ticket types: what is for sale, bundles included.

use crate::{
    domain::status::{Category, ItemKind, TypeStatus},
    wire::{Include, TicketType},
};

use super::{
    Conn, Result,
    producers::Tenant,
    sql::{Row, params},
};

const COLUMNS: &str = "t.id, t.kind, t.event_id, t.category, t.name, t.description, t.image_url, t.price, t.currency, \
     t.status, t.deleted, t.stock_limit, t.sold, t.max_per_order, t.expires_at, t.sort_order";

/// Everything for sale at an event, in the organiser's order.
///
/// One statement reads the items and what their bundles hold, so that both are of the same moment.
pub async fn of_event(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    include_deleted: bool,
) -> Result<Vec<TicketType>> {
    let sql = format!(
        "SELECT {COLUMNS}, b.position, b.ticket_type_id, b.quantity, y.name, y.category FROM ticket_types t \
         LEFT JOIN bundle_items b ON b.producer_id = t.producer_id AND b.bundle_id = t.id \
         LEFT JOIN ticket_types y ON y.producer_id = b.producer_id AND y.id = b.ticket_type_id \
         WHERE t.producer_id = ?1 AND t.event_id = ?2 AND t.deleted <= ?3 ORDER BY t.sort_order, t.id"
    );
    let mut types: Vec<(TicketType, Vec<(i64, Include)>)> = Vec::new();
    conn.query(&sql, params![tenant.number(), event_id, include_deleted], |row| {
        let known = types.last().is_some_and(|(last, _)| Some(last.id.as_str()) == row.text(0).ok());
        if !known {
            types.push((read(row)?, Vec::new()));
        }
        if let (Some((_, includes)), Some(position)) = (types.last_mut(), row.opt_int(16)?) {
            includes.push((position, read_include(row)?));
        }
        Ok(())
    })
    .await?;
    Ok(types
        .into_iter()
        .map(|(mut item, mut includes)| {
            includes.sort_by_key(|(position, _)| *position);
            item.includes =
                (item.kind == ItemKind::Bundle).then(|| includes.into_iter().map(|(_, include)| include).collect());
            item
        })
        .collect())
}

fn read(row: &Row<'_>) -> Result<TicketType> {
    let limit = row.opt_int(11)?;
    let sold = row.int(12)?;
    let status = row.named(9, TypeStatus::parse)?;
    Ok(TicketType {
        id: row.text(0)?.to_owned(),
        kind: row.named(1, ItemKind::parse)?,
        event_id: row.text(2)?.to_owned(),
        category: read_category(row, 3)?,
        name: row.text(4)?.to_owned(),
        description: row.opt_text(5)?.map(str::to_owned),
        image_url: row.opt_text(6)?.map(str::to_owned),
        price: row.int(7)?,
        currency: row.text(8)?.to_owned(),
        status: status.shown(limit, sold),
        deleted: row.flag(10)?,
        limit,
        sold,
        available: limit.map(|limit| limit - sold),
        max_per_order: row.int(13)?,
        expires_at: row.opt_time(14)?,
        sort_order: row.int(15)?,
        includes: None,
    })
}

fn read_include(row: &Row<'_>) -> Result<Include> {
    Ok(Include {
        ticket_type_id: row.text(17)?.to_owned(),
        quantity: row.int(18)?,
        name: row.text(19)?.to_owned(),
        category: read_category(row, 20)?,
    })
}

fn read_category(row: &Row<'_>, column: usize) -> Result<Category> {
    row.named(column, Category::parse)
}
