//! What an import does with its staged rows before it locks the producer: everything that needs no lock. Sales and scans
//! go on meanwhile.

use std::sync::LazyLock;

use taquilla_domain::clock::Stamp;

use super::{
    checks::{CHECKS, CHECKS_OF_FILE, Check},
    order_documents,
    staging::Fault,
};
use crate::{
    Conn, Dedicated, Result, Tenant,
    derived::{MINUTE, quarter_of, status_case},
    engine::sql::{Param, params},
};

/// Staged rows that wait for the move, or why there will be none.
pub(super) enum Prepared {
    Ready,
    Faulty(Fault),
    /// The same file was imported at this time.
    Before(Stamp),
}

/// The status that a staged ticket's facts give it.
pub(super) static STATUS: LazyLock<String> = LazyLock::new(|| status_case("s", "s.refunded = 1"));

/// The staged tickets whose line names another status.
static DIFFERENT_STATUS: LazyLock<String> =
    LazyLock::new(|| format!("SELECT s.line, {0} FROM import_tickets s WHERE s.status <> {0}", *STATUS));

/// The producer's orders that staged tickets belong to, as they are now. The move looks whether they are still so.
pub const KNOWN_ORDERS: &str = "INSERT INTO import_known_orders (id, status, sold_here) \
     SELECT x.id, x.status, CASE WHEN x.reference IS NULL THEN 0 ELSE 1 END FROM orders x WHERE x.producer_id = ?1 \
     AND x.id IN (SELECT s.order_id FROM import_tickets s WHERE s.order_id IS NOT NULL)";

/// What staged tickets take from their orders: the position of their item, unless the line names it, and whether the
/// order was refunded. A ticket out of an unknown bundle has no item.
pub const FROM_ORDERS: &str = "UPDATE import_tickets SET found_item = coalesce(order_item, \
     (SELECT min(i.position) FROM import_items i WHERE i.order_id = import_tickets.order_id AND i.ticket_type_id = \
      CASE import_tickets.from_bundle WHEN 0 THEN import_tickets.ticket_type_id ELSE import_tickets.bundle_id END), \
     (SELECT min(i.position) FROM order_items i WHERE i.producer_id = ?1 AND i.order_id = import_tickets.order_id \
      AND i.ticket_type_id = \
      CASE import_tickets.from_bundle WHEN 0 THEN import_tickets.ticket_type_id ELSE import_tickets.bundle_id END)), \
     refunded = CASE WHEN \
      EXISTS (SELECT 1 FROM import_orders o WHERE o.id = import_tickets.order_id AND o.status = 'refunded') OR \
      EXISTS (SELECT 1 FROM import_known_orders o WHERE o.id = import_tickets.order_id AND o.status = 'refunded') \
      THEN 1 ELSE 0 END WHERE order_id IS NOT NULL";

/// What staged items of orders take from their ticket types and bundles, which are in the file or were here before: the
/// kind, and the name and the list price unless the line names them.
pub const FROM_TYPES: &str = "UPDATE import_items SET \
     found_kind = coalesce((SELECT y.kind FROM import_types y WHERE y.id = import_items.ticket_type_id), \
      (SELECT y.kind FROM ticket_types y WHERE y.producer_id = ?1 AND y.id = import_items.ticket_type_id)), \
     found_name = coalesce(name, (SELECT y.name FROM import_types y WHERE y.id = import_items.ticket_type_id), \
      (SELECT y.name FROM ticket_types y WHERE y.producer_id = ?1 AND y.id = import_items.ticket_type_id)), \
     found_price = coalesce(list_price, (SELECT y.price FROM import_types y WHERE y.id = import_items.ticket_type_id), \
      (SELECT y.price FROM ticket_types y WHERE y.producer_id = ?1 AND y.id = import_items.ticket_type_id))";

/// What the file's orders add to the sums of sales, by the quarter of an hour, as `derived::sales` says. An order without a time gets that of the move
/// that inserts it, so its quarter is not known here.
static SALES: LazyLock<String> = LazyLock::new(|| {
    let (sold, refunded) = (
        quarter_of("coalesce(o.paid_at, o.created_at)"),
        quarter_of("coalesce(o.refunded_at, o.paid_at, o.created_at)"),
    );
    let from = "FROM import_orders o JOIN import_items i ON i.order_id = o.id WHERE";
    format!(
        "INSERT INTO import_sales (event_id, quarter, ticket_type_id, units, amount, refunded_units, refunded_amount) \
         SELECT event_id, quarter, ticket_type_id, sum(units), sum(amount), sum(refunded_units), sum(refunded_amount) FROM (\
         SELECT o.event_id, {sold} AS quarter, i.ticket_type_id, i.quantity AS units, i.total AS amount, \
         0 AS refunded_units, 0 AS refunded_amount {from} o.status IN ('approved', 'refunded') \
         UNION ALL SELECT o.event_id, {refunded}, i.ticket_type_id, 0, 0, i.quantity, i.total {from} o.status = 'refunded') s \
         GROUP BY event_id, quarter, ticket_type_id"
    )
});

/// When a file with this digest was imported.
pub const IMPORTED: &str = "SELECT imported_at FROM imports WHERE producer_id = ?1 AND digest = ?2";

/// Prepares the staged rows. It may be called again, when the producer's rows have changed.
pub(super) async fn prepare(conn: &mut Dedicated, tenant: Tenant, digest: Option<&str>) -> Result<Prepared> {
    let producer = params![tenant.number()];
    if let Some(digest) = digest
        && let Some(at) = conn.query_first(IMPORTED, params![tenant.number(), digest], |row| row.stamp(0)).await?
    {
        return Ok(Prepared::Before(at));
    }
    conn.batch("DELETE FROM import_known_orders; DELETE FROM import_counts; DELETE FROM import_entries; DELETE FROM import_minutes; DELETE FROM import_sales; DELETE FROM import_units").await?;
    conn.execute(KNOWN_ORDERS, producer).await?;
    conn.execute(FROM_ORDERS, producer).await?;
    if let Some(fault) = first_fault(conn, producer).await? {
        return Ok(Prepared::Faulty(fault));
    }
    count(conn).await?;
    conn.execute(FROM_TYPES, producer).await?;
    order_documents::render(conn, tenant).await?;
    Ok(Prepared::Ready)
}

/// Adds up what the tickets change in the counts of their ticket types, stations and minutes, and which bundles they come out of.
async fn count(conn: &mut Dedicated) -> Result<()> {
    let status = &*STATUS;
    let counts = format!(
        "INSERT INTO import_counts (id, sold, valid, scanned) SELECT c.id, \
         sum(CASE WHEN c.status IN ('valid', 'scanned') AND c.from_bundle = 0 THEN 1 ELSE 0 END), \
         sum(CASE c.status WHEN 'valid' THEN 1 ELSE 0 END), sum(CASE c.status WHEN 'scanned' THEN 1 ELSE 0 END) \
         FROM (SELECT s.ticket_type_id AS id, s.from_bundle, {status} AS status FROM import_tickets s \
         WHERE s.hidden = 0) c GROUP BY c.id"
    );
    conn.execute(&counts, &[]).await?;
    let entries = format!(
        "INSERT INTO import_entries (ticket_type_id, station, entered) SELECT s.ticket_type_id, s.checked_in_by, count(*) \
         FROM import_tickets s WHERE s.hidden = 0 AND s.checked_in_by IS NOT NULL AND {status} = 'scanned' \
         GROUP BY s.ticket_type_id, s.checked_in_by"
    );
    conn.execute(&entries, &[]).await?;
    let minutes = format!(
        "INSERT INTO import_minutes (event_id, minute, ticket_type_id, entered) \
         SELECT s.event_id, {MINUTE}, s.ticket_type_id, count(*) FROM import_tickets s \
         WHERE s.hidden = 0 AND s.checked_in_at IS NOT NULL AND {status} = 'scanned' \
         GROUP BY s.event_id, {MINUTE}, s.ticket_type_id"
    );
    conn.execute(&minutes, &[]).await?;
    let units = format!(
        "INSERT INTO import_units (bundle_id, unit, order_id) SELECT DISTINCT s.bundle_id, s.bundle_unit, \
         coalesce(s.order_id, '') FROM import_tickets s WHERE s.hidden = 0 AND s.bundle_id IS NOT NULL \
         AND {status} IN ('valid', 'scanned')"
    );
    conn.execute(&units, &[]).await?;
    conn.execute(&SALES, &[]).await?;
    Ok(())
}

/// The fault of the lowest line.
async fn first_fault(conn: &mut Conn, producer: &[Param<'_>]) -> Result<Option<Fault>> {
    let message = "the facts make it {}; leave the status out or correct them";
    let status = Check { field: "status", message, sql: &DIFFERENT_STATUS };
    let of_file = CHECKS_OF_FILE.iter().chain([&status]).map(|check| (check, &[] as &[Param<'_>]));
    let mut first: Option<Fault> = None;
    for (check, values) in CHECKS.iter().map(|check| (check, producer)).chain(of_file) {
        let fault = conn
            .query_first(&check.first(), values, |row| {
                let message = check.message.replace("{}", row.opt_text(1)?.unwrap_or_default());
                Ok(Fault { line: row.int(0)?, field: check.field, message })
            })
            .await?;
        if let Some(fault) = fault
            && first.as_ref().is_none_or(|first| fault.line < first.line)
        {
            first = Some(fault);
        }
    }
    Ok(first)
}
