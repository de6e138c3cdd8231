//! The end of an import: the staged rows are prepared, then one move makes them the producer's, all or nothing.
//!
//! The move holds the producer's lock, so nothing is done in it that could be done before. It is still one move and not
//! several small ones: between those, a sale could take the stock that the rest of the file needs, and a crash would
//! leave half a file.

use std::collections::BTreeMap;

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::WRITE_ATTEMPTS,
    order_number::OrderNumber,
};

use super::{
    inserts::{INSERT_TICKETS, INSERTS, Insert},
    prepare::{Prepared, prepare},
    staging::Fault,
};
use crate::{
    Conn, Dedicated, Error, Move, Result, Tenant,
    catalogue::changes,
    engine::sql::params,
    producers,
    sales::{self, figures},
    staff::audit,
    tickets::{bundles::LIVE_OF_BUNDLE, documents},
};

/// The file whose rows are staged.
pub struct File<'a> {
    /// Its number of lines.
    pub lines: i64,
    /// The SHA-256 of its bytes, in hexadecimal, if it is to be recognised when it comes again.
    pub digest: Option<String>,
    /// What is written into the history in the same move.
    pub note: Option<Note<'a>>,
}

/// Who makes the rows, and what the history says of them.
#[derive(Clone, Copy)]
pub struct Note<'a> {
    /// Who.
    pub by: &'a By,
    /// What, an entry for each.
    pub made: &'a [Made],
}

/// A row that somebody makes.
pub struct Made {
    /// What was done.
    pub action: Action,
    /// The row's id.
    pub subject: String,
    /// What is said of it.
    pub details: Vec<(&'static str, String)>,
}

/// How an import ended.
pub enum Finished {
    /// All rows are the producer's now.
    Done,
    /// Nothing was inserted, because this is wrong.
    Faulty(Fault),
    /// Nothing was inserted, because the same file was imported at this time.
    Before(Stamp),
}

/// Why a move was undone.
enum Undone {
    Fault(Fault),
    /// An order that staged tickets belong to was refunded since they were prepared, or an event got another currency.
    Outdated,
    Store(Error),
}

impl From<Error> for Undone {
    fn from(cause: Error) -> Self {
        Self::Store(cause)
    }
}

/// Checks all staged rows and inserts them as the producer's, all or nothing. Calls `saving` before each time that it
/// waits for the producer's lock.
pub async fn finish(
    mut conn: Dedicated,
    tenant: Tenant,
    now: Stamp,
    file: &File<'_>,
    saving: impl Fn(),
) -> Result<Finished> {
    let mut failed: Option<Error> = None;
    for _ in 0..WRITE_ATTEMPTS {
        match prepare(&mut conn, tenant, file.digest.as_deref()).await? {
            Prepared::Faulty(fault) => return Ok(Finished::Faulty(fault)),
            Prepared::Before(at) => return Ok(Finished::Before(at)),
            Prepared::Ready => {}
        }
        // Somebody may take an id of the file in the moment before the move. That is found by preparing again; any
        // other failure is not explained by it.
        match failed.take() {
            Some(Error::Again(_)) | None => {}
            Some(cause) => return Err(cause),
        }
        saving();
        // One seq for each line, and one that the lines' seqs count from. A line makes two messages at most: of a ticket
        // type and of its event.
        let mut tx = conn.begin_move(tenant, now, 3 * file.lines + 1).await?;
        match move_rows(&mut tx, file).await {
            Ok(()) => return tx.end(Ok(Finished::Done)).await,
            Err(undone) => {
                conn = tx.undo().await?;
                match undone {
                    Undone::Fault(fault) => return Ok(Finished::Faulty(fault)),
                    Undone::Outdated => {}
                    Undone::Store(cause) => failed = Some(cause),
                }
            }
        }
    }
    Err(failed.unwrap_or_else(|| Error::Unavailable("the file's orders were changed again and again".into())))
}

async fn move_rows(tx: &mut Move, file: &File<'_>) -> Result<(), Undone> {
    let (tenant, stamp, base) = (tx.tenant(), tx.stamp(), tx.next_seqs(file.lines + 1)?);
    let producer = params![tenant.number()];
    for changed in [CHANGED_ORDERS, CHANGED_CURRENCIES] {
        if tx.query_first(changed, producer, |_| Ok(())).await?.is_some() {
            return Err(Undone::Outdated);
        }
    }
    for insert in INSERTS {
        match insert {
            Insert::Plain(sql) => tx.execute(sql, producer).await?,
            Insert::Dated(sql) => tx.execute(sql, params![tenant.number(), stamp]).await?,
            Insert::Stamped(sql) => tx.execute(sql, params![tenant.number(), base, stamp]).await?,
            Insert::Rendered(sql) => {
                let [waits, told] = [sales::documents::WAITING, stamp].map(sales::documents::stamp_part);
                let (uncounted, last) = (sales::documents::number_part(OrderNumber::NONE), tx.last_order_number());
                let values = params![tenant.number(), base, stamp, &waits, &told, &uncounted, last.get()];
                let placed = tx.execute(sql, values).await?;
                let last = OrderNumber::from_column(last.get() + placed as i64);
                let counted = producers::count_orders(tx, last);
                tx.write_all(vec![counted]).await?;
                placed
            }
        };
    }
    tx.execute(&new_bundles(), producer).await?;
    if let Some(fault) = oversold(tx, tenant).await? {
        return Err(Undone::Fault(fault));
    }
    tx.execute(ADD_COUNTS, producer).await?;
    tx.execute(ADD_ENTRIES, producer).await?;
    let sums = figures::from_quarters(tx, SALES, params![tenant.number(), stamp]).await?;
    tx.write_all(figures::write(tenant, &sums).into()).await?;
    tx.execute(ADD_MINUTES, producer).await?;
    tx.execute(ADD_INSIDE, producer).await?;
    let (_, waiting) = documents::waiting();
    let told = documents::stamp_part(stamp);
    tx.execute(&INSERT_TICKETS, params![tenant.number(), base, stamp, &waiting, &told]).await?;
    if let Some(digest) = &file.digest {
        tx.execute(
            "INSERT INTO imports (producer_id, digest, imported_at) VALUES (?1, ?2, ?3)",
            params![tenant.number(), digest, stamp],
        )
        .await?;
    }
    if let Some(Note { by, made }) = &file.note {
        for row in *made {
            let details: Vec<(&'static str, &str)> =
                row.details.iter().map(|(name, value)| (*name, value.as_str())).collect();
            audit::add(tx, Some(tenant), by, row.action, &row.subject, &details).await?;
        }
    }
    tell_catalogue(tx).await?;
    Ok(())
}

/// Checks all staged rows, and inserts none.
pub async fn check(mut conn: Dedicated, tenant: Tenant, file: &File<'_>) -> Result<Finished> {
    match prepare(&mut conn, tenant, file.digest.as_deref()).await? {
        Prepared::Faulty(fault) => Ok(Finished::Faulty(fault)),
        Prepared::Before(at) => Ok(Finished::Before(at)),
        Prepared::Ready => Ok(Finished::Done),
    }
}

/// Tells of new events and ticket types, and of the events that got new ticket types. Orders and tickets may be millions,
/// so no message tells of them.
async fn tell_catalogue(tx: &mut Move) -> Result<()> {
    let sql = "SELECT id, NULL FROM import_events UNION ALL SELECT event_id, id FROM import_types ORDER BY 1, 2";
    let mut changed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    tx.query(sql, &[], |row| {
        let items = changed.entry(row.text(0)?.to_owned()).or_default();
        items.extend(row.opt_text(1)?.map(str::to_owned));
        Ok(())
    })
    .await?;
    for (event_id, items) in &changed {
        changes::tell(tx, event_id, items).await?;
    }
    Ok(())
}

/// Finds an item that was prepared while its event had another currency.
pub const CHANGED_CURRENCIES: &str = "SELECT s.line FROM import_types s JOIN events x ON x.producer_id = ?1 \
     AND x.id = s.event_id WHERE s.currency <> x.currency LIMIT 1";
/// Finds an order whose status is not what the staged tickets were prepared with.
pub const CHANGED_ORDERS: &str = "SELECT k.id FROM import_known_orders k WHERE EXISTS (SELECT 1 FROM orders x \
     WHERE x.producer_id = ?1 AND x.id = k.id AND x.status <> k.status) LIMIT 1";

/// Adds the bundles to the counts. A bundle that has a live ticket already counts as sold.
pub fn new_bundles() -> String {
    let live = LIVE_OF_BUNDLE.replace("?2", "u.bundle_id").replace("?3", "u.unit").replace("?4", "u.order_id");
    format!(
        "INSERT INTO import_counts (id, sold, valid, scanned) SELECT u.bundle_id, count(*), 0, 0 FROM import_units u \
         WHERE ({live}) = 0 GROUP BY u.bundle_id"
    )
}

/// Adds the counts of the file's tickets to those of their ticket types.
pub const ADD_COUNTS: &str = "UPDATE ticket_types SET \
     sold = sold + (SELECT c.sold FROM import_counts c WHERE c.id = ticket_types.id), \
     valid_tickets = valid_tickets + (SELECT c.valid FROM import_counts c WHERE c.id = ticket_types.id), \
     scanned_tickets = scanned_tickets + (SELECT c.scanned FROM import_counts c WHERE c.id = ticket_types.id) \
     WHERE producer_id = ?1 AND id IN (SELECT c.id FROM import_counts c)";

/// Adds the entries of the file's tickets to those of their stations. SQLite takes `ON` for a join's without the `WHERE`.
pub const ADD_ENTRIES: &str = "INSERT INTO station_entries (producer_id, ticket_type_id, station, entered) \
     SELECT CAST(?1 AS BIGINT), c.ticket_type_id, c.station, c.entered FROM import_entries c WHERE c.entered > 0 \
     ON CONFLICT (producer_id, ticket_type_id, station) \
     DO UPDATE SET entered = station_entries.entered + excluded.entered";

/// What the file's orders add to the sums of sales. Those of orders without a time get the move's.
pub const SALES: &str = "SELECT s.event_id, e.timezone, coalesce(s.quarter, CAST(?2 AS BIGINT)), s.ticket_type_id, 'import', \
     CAST(s.units AS BIGINT), CAST(s.amount AS BIGINT), CAST(s.refunded_units AS BIGINT), CAST(s.refunded_amount AS BIGINT) \
     FROM import_sales s JOIN events e ON e.producer_id = ?1 AND e.id = s.event_id";

/// Adds the entries of the file's tickets to those of their minutes.
pub const ADD_MINUTES: &str = "INSERT INTO entries (producer_id, event_id, minute, ticket_type_id, entered) \
     SELECT CAST(?1 AS BIGINT), c.event_id, c.minute, c.ticket_type_id, c.entered FROM import_minutes c \
     WHERE c.entered > 0 ON CONFLICT (producer_id, event_id, minute, ticket_type_id) \
     DO UPDATE SET entered = entries.entered + excluded.entered";

/// Adds the file's tickets that have entered to those inside. Where they went is not known.
pub const ADD_INSIDE: &str = "INSERT INTO inside (producer_id, event_id, zone, ticket_type_id, inside) \
     SELECT CAST(?1 AS BIGINT), c.event_id, '', c.ticket_type_id, CAST(sum(c.entered) AS BIGINT) FROM import_minutes c \
     WHERE c.entered > 0 GROUP BY c.event_id, c.ticket_type_id \
     ON CONFLICT (producer_id, event_id, zone, ticket_type_id) DO UPDATE SET inside = inside.inside + excluded.inside";

/// The fault of a ticket type with more live tickets than its limit (G3). It names the ticket type's own line or that
/// of its first ticket in the file.
async fn oversold(conn: &mut Conn, tenant: Tenant) -> Result<Option<Fault>> {
    conn.query_first(OVERSOLD, params![tenant.number()], |row| {
        let (id, limit, sold) = (row.text(0)?, row.int(1)?, row.int(2)?);
        let message = format!("{id} has {sold} live tickets, more than its limit of {limit}");
        match row.opt_int(3)? {
            Some(line) => Ok(Fault { line, field: "limit", message }),
            None => Ok(Fault { line: row.int(4)?, field: "ticket_type_id", message }),
        }
    })
    .await
}

/// Finds a ticket type with more live tickets than its limit. SQLite keeps the order of a cross join, so it takes the counts first.
pub const OVERSOLD: &str = "SELECT y.id, y.stock_limit, y.sold + c.sold, i.line, \
     (SELECT min(s.line) FROM import_tickets s WHERE s.ticket_type_id = y.id OR s.bundle_id = y.id) \
     FROM import_counts c CROSS JOIN ticket_types y LEFT JOIN import_types i ON i.id = y.id \
     WHERE y.producer_id = ?1 AND y.id = c.id AND c.sold > 0 AND y.sold + c.sold > y.stock_limit \
     ORDER BY c.id LIMIT 1";
