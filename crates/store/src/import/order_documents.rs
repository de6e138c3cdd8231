//! Rendering the staged orders, before the move that inserts them. The move only fills in its stamp and the
//! orders' numbers.

use std::collections::HashMap;

use taquilla_domain::{config::ORDERS_AT_A_TIME, order::Order};

use crate::{
    Dedicated, Error, Result, Tenant,
    engine::sql::{Param, params},
    sales::{documents, orders},
};

/// The next staged orders, with the columns that `orders::read` takes. `?2` stands for the move's stamp.
const NEXT: &str = "SELECT id, event_id, status, buyer_name, buyer_email, buyer_phone, buyer_document, currency, total, \
     coalesce(created_at, CAST(?2 AS BIGINT)), CAST(?2 AS BIGINT), CAST(NULL AS TEXT), 'import', payment_id, paid_at, \
     refunded_at, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(0 AS BIGINT), CAST(NULL AS TEXT), CAST(NULL AS TEXT) \
     FROM import_orders WHERE id > ?1 ORDER BY id LIMIT ?3";

/// The items of those orders, of which `?2` is the last.
const ITEMS: &str = "SELECT s.order_id, s.ticket_type_id, t.kind, coalesce(s.name, t.name), s.quantity, \
     coalesce(s.list_price, t.price), s.unit_price, s.total FROM import_items s CROSS JOIN import_found_types t \
     WHERE t.id = s.ticket_type_id AND s.order_id > ?1 AND s.order_id <= ?2 ORDER BY s.order_id, s.position";

/// The places of the staged orders among themselves, oldest first. The move counts their numbers from these.
const PLACES: &str = "INSERT INTO import_places (id, place) SELECT id, row_number() OVER (\
     ORDER BY CASE WHEN created_at IS NULL THEN 1 ELSE 0 END, created_at, line) FROM import_orders";

/// Renders every staged order, and gives it its place. It is known what the items take from their ticket types.
pub(super) async fn render(conn: &mut Dedicated, tenant: Tenant) -> Result<()> {
    // One transaction, as for staging.
    conn.batch("BEGIN").await?;
    let mut last = String::new();
    loop {
        let values = params![&last, documents::WAITING, ORDERS_AT_A_TIME];
        let mut staged: Vec<Order> = conn.collect(NEXT, values, |row| orders::read(tenant, row, 0)).await?;
        let Some(end) = staged.last().map(|order| order.id.clone()) else { break };
        let at: HashMap<String, usize> = staged.iter().enumerate().map(|(at, order)| (order.id.clone(), at)).collect();
        conn.query(ITEMS, params![&last, &end], |row| {
            let order = at.get(row.text(0)?).ok_or_else(|| Error::internal("an item without its order"))?;
            staged[*order].items.push(orders::read_item(row, 1)?);
            Ok(())
        })
        .await?;
        let mut rendered = Vec::with_capacity(staged.len());
        for order in &staged {
            rendered.push((&order.id, documents::render(order)?));
        }
        let sets: Vec<Vec<Param<'_>>> =
            rendered.iter().map(|(id, document)| vec![(*id).into(), document.into()]).collect();
        conn.fill("import_order_documents", &["id", "document"], &sets).await?;
        last = end;
    }
    conn.execute(PLACES, &[]).await?;
    conn.batch("COMMIT").await
}
