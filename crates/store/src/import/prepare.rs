//! What an import does with its staged rows before it locks the producer: everything that needs no lock. Sales and scans
//! go on meanwhile.

use std::sync::LazyLock;

use taquilla_domain::clock::Stamp;

use super::{
    checks::{CHECKS, CHECKS_OF_FILE, Check},
    order_documents,
    staging::{Fault, Import, analyse, keyed},
};
use crate::{
    Conn, Dedicated, Result,
    derived::{MINUTE, quarter_of, status_case},
    engine::sql::{Param, params},
    tickets::documents,
};

/// Staged rows that wait for the move, or why there will be none.
pub(super) enum Prepared {
    Ready,
    Faulty(Fault),
    /// The same file was imported at this time.
    Before(Stamp),
}

/// The ready tickets whose line names another status.
const DIFFERENT_STATUS: &str = "SELECT s.line, s.status FROM import_ready s WHERE [s] AND s.told <> s.status";

/// The producer's orders that staged tickets belong to, as they are now. The move looks whether they are still so.
pub const KNOWN_ORDERS: &str = "INSERT INTO import_known_orders (producer_id, import_id, id, status, sold_here) \
     SELECT x.producer_id, CAST(?2 AS TEXT), x.id, x.status, CASE WHEN x.reference IS NULL THEN 0 ELSE 1 END \
     FROM orders x WHERE x.producer_id = ?1 AND x.id IN (SELECT s.order_id FROM import_tickets s WHERE [s] AND s.order_id IS NOT NULL)";

/// Makes tickets out of the staged ones, complete but for the move's stamp and seqs. From their orders they take the position of
/// their item, unless the line names it, and whether the order was refunded. A ticket out of an unknown bundle has no item.
///
/// Rows are written anew instead of changed: a change would write them anew too, and the keys with them. The subquery's end
/// keeps the engine from looking twice for what its columns have.
pub fn ready_tickets(conn: &Conn) -> String {
    let item = "CASE s.from_bundle WHEN 0 THEN s.ticket_type_id ELSE s.bundle_id END";
    let of_item = format!("i.order_id = s.order_id AND i.ticket_type_id = {item}");
    let whole = conn.dialect("LIMIT -1 OFFSET 0", "OFFSET 0");
    let found = format!(
        "SELECT s.*, CASE WHEN s.order_id IS NOT NULL THEN coalesce(s.order_item, \
         (SELECT min(i.position) FROM import_items i WHERE [i] AND {of_item}), \
         (SELECT min(i.position) FROM order_items i WHERE i.producer_id = ?1 AND {of_item})) END AS found_item, \
         CASE WHEN s.order_id IS NOT NULL AND \
         (EXISTS (SELECT 1 FROM import_orders o WHERE [o] AND o.id = s.order_id AND o.status = 'refunded') OR \
         EXISTS (SELECT 1 FROM import_known_orders o WHERE [o] AND o.id = s.order_id AND o.status = 'refunded')) \
         THEN 1 ELSE 0 END AS refunded FROM import_tickets s WHERE [s] {whole}"
    );
    let (waits, _) = documents::waiting();
    let status = status_case("f", "f.refunded = 1");
    let told = documents::status_part(&format!("' || {status} || '"));
    let no_item = documents::ORDER_ITEM_WAITS;
    let placed = documents::order_item_part("' || CAST(f.found_item AS TEXT) || '");
    keyed(&format!(
        "INSERT INTO import_ready (producer_id, import_id, line, id, event_id, order_id, order_item, ticket_type_id, \
         bundle_id, bundle_unit, from_bundle, status, told, hidden, attendee_id, attendee_name, attendee_email, attendee_phone, attendee_document, \
         issued_at, checked_in_at, checked_in_by, transferred_at, transferred_to, cancelled_at, door_note, document) \
         SELECT f.producer_id, f.import_id, f.line, f.id, f.event_id, f.order_id, f.found_item, f.ticket_type_id, \
         f.bundle_id, f.bundle_unit, f.from_bundle, {status}, f.status, f.hidden, f.attendee_id, f.attendee_name, f.attendee_email, f.attendee_phone, \
         f.attendee_document, f.issued_at, f.checked_in_at, f.checked_in_by, f.transferred_at, f.transferred_to, \
         f.cancelled_at, f.door_note, replace(replace(f.document, '{waits}', '{told}'), '{no_item}', coalesce('{placed}', '{no_item}')) \
         FROM ({found}) f"
    ))
}

/// What staged items of orders take from their ticket types and bundles, which are in the file or were here before.
pub const FROM_TYPES: &str = "INSERT INTO import_found_types (producer_id, import_id, id, kind, name, price) \
     SELECT d.producer_id, d.import_id, d.id, \
     coalesce((SELECT y.kind FROM import_types y WHERE [y] AND y.id = d.id), \
      (SELECT y.kind FROM ticket_types y WHERE y.producer_id = ?1 AND y.id = d.id)), \
     coalesce((SELECT y.name FROM import_types y WHERE [y] AND y.id = d.id), \
      (SELECT y.name FROM ticket_types y WHERE y.producer_id = ?1 AND y.id = d.id)), \
     coalesce((SELECT y.price FROM import_types y WHERE [y] AND y.id = d.id), \
      (SELECT y.price FROM ticket_types y WHERE y.producer_id = ?1 AND y.id = d.id)) \
     FROM (SELECT DISTINCT s.producer_id, s.import_id, s.ticket_type_id AS id FROM import_items s WHERE [s]) d";

/// What the file's orders add to the sums of sales, by the quarter of an hour, as `derived::sales` says: what was sold, then what
/// was refunded. An order without a time gets that of the move that inserts it, so its quarter is not known here.
static SALES: LazyLock<[String; 2]> = LazyLock::new(|| {
    let add = |time: &str, statuses: &str, sums: &str| {
        let quarter = quarter_of(time);
        keyed(&format!(
            "INSERT INTO import_sales (producer_id, import_id, event_id, quarter, ticket_type_id, units, amount, refunded_units, \
             refunded_amount) SELECT o.producer_id, o.import_id, o.event_id, {quarter}, i.ticket_type_id, {sums} \
             FROM import_orders o JOIN import_items i ON [i] AND i.order_id = o.id WHERE [o] AND o.status IN ({statuses}) \
             GROUP BY o.producer_id, o.import_id, o.event_id, {quarter}, i.ticket_type_id"
        ))
    };
    [
        add("coalesce(o.paid_at, o.created_at)", "'approved', 'refunded'", "sum(i.quantity), sum(i.total), 0, 0"),
        add("coalesce(o.refunded_at, o.paid_at, o.created_at)", "'refunded'", "0, 0, sum(i.quantity), sum(i.total)"),
    ]
});

/// When a file with this digest was imported.
pub const IMPORTED: &str = "SELECT imported_at FROM imports WHERE producer_id = ?1 AND digest = ?2";

/// The tables that are filled here.
pub(super) const PREPARED: [&str; 10] = [
    "import_known_orders",
    "import_ready",
    "import_counts",
    "import_entries",
    "import_minutes",
    "import_sales",
    "import_units",
    "import_found_types",
    "import_order_documents",
    "import_places",
];

/// Prepares the staged rows. It may be called again, when the producer's rows have changed.
pub(super) async fn prepare(conn: &mut Dedicated, import: &Import, digest: Option<&str>) -> Result<Prepared> {
    let key = import.and(&[]);
    if let Some(digest) = digest
        && let Some(at) =
            conn.query_first(IMPORTED, params![import.tenant.number(), digest], |row| row.stamp(0)).await?
    {
        return Ok(Prepared::Before(at));
    }
    for table in PREPARED {
        conn.execute(&format!("DELETE FROM {table} WHERE producer_id = ?1 AND import_id = ?2"), &key).await?;
    }
    conn.execute(&keyed(KNOWN_ORDERS), &key).await?;
    conn.execute(&ready_tickets(conn), &key).await?;
    if let Some(fault) = first_fault(conn, &key).await? {
        return Ok(Prepared::Faulty(fault));
    }
    count(conn, &key).await?;
    conn.execute(&keyed(FROM_TYPES), &key).await?;
    order_documents::render(conn, import).await?;
    if conn.is_remote() {
        analyse(conn, &PREPARED).await?;
    }
    Ok(Prepared::Ready)
}

/// Adds up what the tickets change in the counts of their ticket types, stations and minutes, and which bundles they come out of.
async fn count(conn: &mut Dedicated, key: &[Param<'_>]) -> Result<()> {
    conn.execute(
        &keyed(
            "INSERT INTO import_counts (producer_id, import_id, id, sold, valid, scanned) \
         SELECT s.producer_id, s.import_id, s.ticket_type_id, \
         sum(CASE WHEN s.status IN ('valid', 'scanned') AND s.from_bundle = 0 THEN 1 ELSE 0 END), \
         sum(CASE s.status WHEN 'valid' THEN 1 ELSE 0 END), sum(CASE s.status WHEN 'scanned' THEN 1 ELSE 0 END) \
         FROM import_ready s WHERE [s] AND s.hidden = 0 GROUP BY s.producer_id, s.import_id, s.ticket_type_id",
        ),
        key,
    )
    .await?;
    conn.execute(
        &keyed(
            "INSERT INTO import_entries (producer_id, import_id, ticket_type_id, station, entered) \
         SELECT s.producer_id, s.import_id, s.ticket_type_id, s.checked_in_by, count(*) \
         FROM import_ready s WHERE [s] AND s.hidden = 0 AND s.checked_in_by IS NOT NULL AND s.status = 'scanned' \
         GROUP BY s.producer_id, s.import_id, s.ticket_type_id, s.checked_in_by",
        ),
        key,
    )
    .await?;
    let minutes = keyed(&format!(
        "INSERT INTO import_minutes (producer_id, import_id, event_id, minute, ticket_type_id, entered) \
         SELECT s.producer_id, s.import_id, s.event_id, {MINUTE}, s.ticket_type_id, count(*) FROM import_ready s \
         WHERE [s] AND s.hidden = 0 AND s.checked_in_at IS NOT NULL AND s.status = 'scanned' \
         GROUP BY s.producer_id, s.import_id, s.event_id, {MINUTE}, s.ticket_type_id"
    ));
    conn.execute(&minutes, key).await?;
    conn.execute(
        &keyed(
            "INSERT INTO import_units (producer_id, import_id, bundle_id, unit, order_id) \
         SELECT DISTINCT s.producer_id, s.import_id, s.bundle_id, s.bundle_unit, \
         coalesce(s.order_id, '') FROM import_ready s WHERE [s] AND s.hidden = 0 AND s.bundle_id IS NOT NULL \
         AND s.status IN ('valid', 'scanned')",
        ),
        key,
    )
    .await?;
    for sums in SALES.iter() {
        conn.execute(sums, key).await?;
    }
    Ok(())
}

/// The fault of the lowest line.
async fn first_fault(conn: &mut Conn, key: &[Param<'_>]) -> Result<Option<Fault>> {
    let message = "the facts make it {}; leave the status out or correct them";
    let status = Check { field: "status", message, sql: DIFFERENT_STATUS };
    let mut first: Option<Fault> = None;
    for check in CHECKS.iter().chain(CHECKS_OF_FILE).chain([&status]) {
        let fault = conn
            .query_first(&check.first(), key, |row| {
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
