//! Rendering the staged orders, before the move that inserts them. The move only fills in its stamp and the
//! orders' numbers.

use std::collections::HashMap;

use taquilla_domain::{config::ORDERS_AT_A_TIME, order::Order};

use super::staging::{Import, keyed};
use crate::{
    Dedicated, Error, Result,
    engine::sql::{Param, params},
    sales::{documents, orders},
};

/// The next staged orders, with the columns that `orders::read` takes. `?4` stands for the move's stamp.
const NEXT: &str = "SELECT id, event_id, status, buyer_name, buyer_email, buyer_phone, buyer_document, currency, total, \
     coalesce(created_at, CAST(?4 AS BIGINT)), CAST(?4 AS BIGINT), CAST(NULL AS TEXT), 'import', payment_id, paid_at, \
     refunded_at, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(0 AS BIGINT), CAST(NULL AS TEXT), CAST(NULL AS TEXT), \
     CAST(NULL AS TEXT), coupon, CAST(NULL AS TEXT), promoter, CAST(NULL AS TEXT), coalesce(discount, 0), coalesce(surcharge, 0) \
     FROM import_orders s WHERE [s] AND id > ?3 ORDER BY id LIMIT ?5";

/// The items of those orders, of which `?4` is the last.
const ITEMS: &str = "SELECT s.order_id, s.ticket_type_id, t.kind, coalesce(s.name, t.name), s.quantity, \
     coalesce(s.list_price, t.price), s.unit_price, s.total FROM import_items s CROSS JOIN import_found_types t \
     WHERE [s] AND [t] AND t.id = s.ticket_type_id AND s.order_id > ?3 AND s.order_id <= ?4 \
     ORDER BY s.order_id, s.position";

/// The places of the staged orders among themselves, oldest first. The move counts their numbers from these.
const PLACES: &str = "INSERT INTO import_places (producer_id, import_id, id, place) \
     SELECT s.producer_id, s.import_id, s.id, row_number() OVER (PARTITION BY s.producer_id \
     ORDER BY CASE WHEN s.created_at IS NULL THEN 1 ELSE 0 END, s.created_at, s.line) FROM import_orders s WHERE [s]";

/// Renders every staged order, and gives it its place. It is known what the items take from their ticket types.
pub(super) async fn render(conn: &mut Dedicated, import: &Import) -> Result<()> {
    // One transaction, as for staging.
    if !conn.is_remote() {
        conn.batch("BEGIN").await?;
    }
    let (next, items) = (keyed(NEXT), keyed(ITEMS));
    let mut last = String::new();
    loop {
        let values = import.and(params![&last, documents::WAITING, ORDERS_AT_A_TIME]);
        let mut staged: Vec<Order> = conn.collect(&next, &values, |row| orders::read(import.tenant, row, 0)).await?;
        let Some(end) = staged.last().map(|order| order.id.clone()) else { break };
        let at: HashMap<String, usize> = staged.iter().enumerate().map(|(at, order)| (order.id.clone(), at)).collect();
        conn.query(&items, &import.and(params![&last, &end]), |row| {
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
            rendered.iter().map(|(id, document)| import.and(params![*id, document])).collect();
        conn.fill("import_order_documents", &["producer_id", "import_id", "id", "document"], &sets).await?;
        last = end;
    }
    conn.execute(&keyed(PLACES), &import.and(&[])).await?;
    if !conn.is_remote() {
        conn.batch("COMMIT").await?;
    }
    Ok(())
}
