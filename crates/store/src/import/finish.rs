//! The end of an import: the staged rows are prepared, then one move makes them the producer's, all or nothing.
//!
//! The move holds the producer's lock, so nothing is done in it that could be done before. It is still one move and not
//! several small ones: between those, a sale could take the stock that the rest of the file needs, and a crash would
//! leave half a file.
//!
//! On PostgreSQL the rows of a large file are inserted before the lock is taken, in the same transaction (`Ahead`). SQLite has one
//! writer, so there everybody waits from the first row on.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use taquilla_domain::{
    audit::By,
    clock::Stamp,
    config::{
        IMPORT_AHEAD_END, IMPORT_AHEAD_LEAST, IMPORT_AHEAD_LINES, IMPORT_AHEAD_QUIET, IMPORT_AHEAD_TIMES,
        IMPORT_AHEAD_TRIES, WRITE_ATTEMPTS,
    },
    order_number::OrderNumber,
};

use super::{
    inserts::{INSERT_TICKETS, INSERTS, Insert},
    pools,
    prepare::{Prepared, prepare},
    prices,
    staging::{Fault, Import, keyed},
};
use crate::{
    Conn, Dedicated, Error, Move, Result,
    catalogue::{
        changes,
        created::{self, CreatedRow},
    },
    engine::{
        sql::{Row, params},
        transaction::Transaction,
    },
    producers,
    sales::{self, figures},
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
    pub made: &'a [CreatedRow],
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
    /// The producer has moved past the stamp of the rows.
    TooLate,
    Store(Error),
}

impl From<Error> for Undone {
    fn from(cause: Error) -> Self {
        Self::Store(cause)
    }
}

/// What is done with staged rows.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// They are checked. Sales go on.
    Checking,
    /// They are written, and nobody sees them yet. Sales go on.
    Writing,
    /// They become the producer's. Sales wait.
    Saving,
}

/// What an attempt to move the rows leaves: nothing, or the free connection and why nothing has changed.
type Attempt = Option<(Dedicated, Undone)>;

/// Checks all staged rows and inserts them as the producer's, all or nothing. Tells each step, so
/// [`Step::Saving`] each time that it waits for the producer's lock.
pub async fn finish(
    mut conn: Dedicated,
    import: &Import,
    now: Stamp,
    file: &File<'_>,
    told: impl Fn(Step),
) -> Result<Finished> {
    let mut failed: Option<Error> = None;
    let mut ahead = if conn.is_remote() && file.lines >= IMPORT_AHEAD_LINES { IMPORT_AHEAD_TRIES } else { 0 };
    let mut quiet = IMPORT_AHEAD_QUIET;
    for _ in 0..WRITE_ATTEMPTS {
        let began = Instant::now();
        told(Step::Checking);
        match prepare(&mut conn, import, file.digest.as_deref()).await? {
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
        let attempt = if ahead > 0 {
            let lead = IMPORT_AHEAD_LEAST + began.elapsed() * IMPORT_AHEAD_TIMES;
            move_after_writing(conn, import, file, (quiet, lead), &told).await?
        } else {
            move_at_once(conn, import, now, file, &told).await?
        };
        match attempt {
            None => return Ok(Finished::Done),
            Some((_, Undone::Fault(fault))) => return Ok(Finished::Faulty(fault)),
            Some((free, undone)) => {
                conn = free;
                match undone {
                    Undone::TooLate => {
                        ahead -= 1;
                        // Whatever the clock says, this producer sells.
                        quiet = Duration::MAX;
                    }
                    Undone::Store(cause) => failed = Some(cause),
                    Undone::Fault(_) | Undone::Outdated => {}
                }
            }
        }
    }
    Err(failed.unwrap_or_else(|| Error::Unavailable("the file's orders were changed again and again".into())))
}

/// What the rows of a file count from.
struct Origin<'a> {
    import: &'a Import,
    stamp: Stamp,
    /// Rows have later seqs.
    seq: i64,
    /// Orders have later numbers.
    number: OrderNumber,
}

/// Takes the producer's lock, and inserts everything.
async fn move_at_once(
    conn: Dedicated,
    import: &Import,
    now: Stamp,
    file: &File<'_>,
    told: &impl Fn(Step),
) -> Result<Attempt> {
    told(Step::Saving);
    // One seq for each line, and one that the lines' seqs count from. A line makes two messages at most: of a ticket
    // type and of its event.
    let mut tx = conn.begin_move(import.tenant, now, 3 * file.lines + 1).await?;
    let moved = async {
        let seq = tx.next_seqs(file.lines + 1)?;
        let origin = Origin { import, stamp: tx.stamp(), seq, number: tx.last_order_number() };
        let orders = insert_rows(&mut tx, &origin).await?;
        let counted = producers::count_orders(&tx, origin.number.plus(orders));
        tx.write_all(vec![counted]).await?;
        settle(&mut tx, import, seq, file).await
    };
    match moved.await {
        Ok(()) => tx.end(Ok(None)).await,
        Err(undone) => Ok(Some((tx.undo().await?, undone))),
    }
}

/// Inserts the rows, which nobody sees yet, and takes the producer's lock for the rest: a fraction of it.
async fn move_after_writing(
    mut conn: Dedicated,
    import: &Import,
    file: &File<'_>,
    (quiet, lead): (Duration, Duration),
    told: &impl Fn(Step),
) -> Result<Attempt> {
    let began = Instant::now();
    told(Step::Writing);
    let counted = keyed("SELECT count(*) FROM import_orders s WHERE [s]");
    let orders = conn.query_first(&counted, &import.and(&[]), |row| row.int(0)).await?.unwrap_or(0);
    let (mut ahead, lead) = conn.begin_ahead(import.tenant, (file.lines + 1, orders), quiet, lead).await?;
    let seq = ahead.first_seq;
    let origin = Origin { import, stamp: ahead.stamp, seq, number: ahead.last_order_number };
    if let Err(cause) = insert_rows(&mut ahead, &origin).await {
        return Ok(Some((ahead.undo().await?, cause.into())));
    }
    // The stamp's time should have come, so that the producer's clock is not ahead of the world's.
    tokio::time::sleep(lead.saturating_sub(began.elapsed() + IMPORT_AHEAD_END)).await;
    told(Step::Saving);
    let mut tx = match ahead.begin_move(2 * file.lines).await? {
        Ok(tx) => tx,
        Err(conn) => return Ok(Some((conn, Undone::TooLate))),
    };
    match settle(&mut tx, import, seq, file).await {
        Ok(()) => tx.end(Ok(None)).await,
        Err(undone) => Ok(Some((tx.undo().await?, undone))),
    }
}

/// Inserts the file's rows: all that needs no lock of the producer. Tells how many orders there are.
async fn insert_rows(tx: &mut Transaction, origin: &Origin<'_>) -> Result<i64> {
    let Origin { import, stamp, seq, number } = *origin;
    let mut orders = 0;
    for insert in INSERTS {
        match insert {
            Insert::Plain(sql) => tx.execute(&keyed(sql), &import.and(&[])).await?,
            Insert::Dated(sql) => tx.execute(&keyed(sql), &import.and(params![stamp])).await?,
            Insert::Stamped(sql) => tx.execute(&keyed(sql), &import.and(params![seq, stamp])).await?,
            Insert::Rendered(sql) => {
                let [waits, told] = [sales::documents::WAITING, stamp].map(sales::documents::stamp_part);
                let uncounted = sales::documents::number_part(OrderNumber::NONE);
                let values = params![seq, stamp, &waits, &told, &uncounted, number.get()];
                let inserted = tx.execute(&keyed(sql), &import.and(values)).await?;
                orders += inserted as i64;
                inserted
            }
        };
    }
    let (_, waiting) = documents::waiting();
    let told = documents::stamp_part(stamp);
    tx.execute(&keyed(INSERT_TICKETS), &import.and(params![seq, stamp, &waiting, &told])).await?;
    Ok(orders)
}

/// Whether PostgreSQL still has what was staged. A crash or a promotion empties all of these tables, which are not logged, and
/// a pooler or a coordinator keeps the connection meanwhile: this row would be gone with the others.
const BEGUN: &str = "SELECT 1 FROM import_runs r WHERE [r]";

/// Looks whether the file still fits, counts its rows, and tells of them.
async fn settle(tx: &mut Move, import: &Import, base: i64, file: &File<'_>) -> Result<(), Undone> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    tx.concerns(tenant);
    let key = import.and(&[]);
    if tx.is_remote() && tx.query_first(&keyed(BEGUN), &key, |_| Ok(())).await?.is_none() {
        return Err(
            Error::Unavailable("the database lost the rows that were staged; import the file again".into()).into()
        );
    }
    for changed in [CHANGED_ORDERS, CHANGED_CURRENCIES] {
        if tx.query_first(&keyed(changed), &key, |_| Ok(())).await?.is_some() {
            return Err(Undone::Outdated);
        }
    }
    tx.execute(&new_bundles(), &import.and(params![base, base + file.lines])).await?;
    if let Some(fault) = oversold(tx, import).await? {
        return Err(Undone::Fault(fault));
    }
    if let Some(fault) = prices::too_many(tx, import).await? {
        return Err(Undone::Fault(fault));
    }
    if let Some(fault) = pools::overfull(tx, import).await? {
        return Err(Undone::Fault(fault));
    }
    tx.execute(&keyed(ADD_COUNTS), &key).await?;
    tx.execute(&keyed(ADD_ENTRIES), &key).await?;
    let sums = figures::from_quarters(tx, &keyed(SALES), &import.and(params![stamp])).await?;
    tx.write_all(figures::write(tenant, &sums).into()).await?;
    tx.execute(&keyed(ADD_MINUTES), &key).await?;
    tx.execute(&keyed(ADD_INSIDE), &key).await?;
    if let Some(digest) = &file.digest {
        tx.execute(
            "INSERT INTO imports (producer_id, digest, imported_at) VALUES (?1, ?2, ?3)",
            params![tenant.number(), digest, stamp],
        )
        .await?;
    }
    if let Some(Note { by, made }) = &file.note {
        created::note(tx, by, made).await?;
    }
    tell_catalogue(tx, import).await?;
    Ok(())
}

/// Checks all staged rows, and inserts none.
pub async fn check(mut conn: Dedicated, import: &Import, file: &File<'_>) -> Result<Finished> {
    match prepare(&mut conn, import, file.digest.as_deref()).await? {
        Prepared::Faulty(fault) => Ok(Finished::Faulty(fault)),
        Prepared::Before(at) => Ok(Finished::Before(at)),
        Prepared::Ready => Ok(Finished::Done),
    }
}

/// Tells of new events and ticket types, and of the events that got new ticket types. Orders and tickets may be millions,
/// so no message tells of them.
async fn tell_catalogue(tx: &mut Move, import: &Import) -> Result<()> {
    let sql = "SELECT s.id, NULL FROM import_events s WHERE [s] UNION ALL \
               SELECT s.event_id, s.id FROM import_types s WHERE [s] ORDER BY 1, 2";
    let mut changed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    tx.query(&keyed(sql), &import.and(&[]), |row| {
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
     AND x.id = s.event_id WHERE [s] AND s.currency <> x.currency LIMIT 1";
/// Finds an order whose status is not what the staged tickets were prepared with.
pub const CHANGED_ORDERS: &str = "SELECT k.id FROM import_known_orders k WHERE [k] AND EXISTS (SELECT 1 FROM orders x \
     WHERE x.producer_id = ?1 AND x.id = k.id AND x.status <> k.status) LIMIT 1";

/// Adds the bundles to the counts. A bundle that had a live ticket before counts as sold; the file's tickets, whose seqs are
/// later than `?3` and up to `?4`, do not make it so.
pub fn new_bundles() -> String {
    let live = LIVE_OF_BUNDLE.replace("?2", "u.bundle_id").replace("?3", "u.unit").replace("?4", "u.order_id");
    keyed(&format!(
        "INSERT INTO import_counts (producer_id, import_id, id, sold, valid, scanned) \
         SELECT u.producer_id, u.import_id, u.bundle_id, count(*), 0, 0 FROM import_units u \
         WHERE [u] AND ({live} AND (seq <= CAST(?3 AS BIGINT) OR seq > CAST(?4 AS BIGINT))) = 0 \
         GROUP BY u.producer_id, u.import_id, u.bundle_id"
    ))
}

/// Adds the counts of the file's tickets to those of their ticket types.
pub const ADD_COUNTS: &str = "UPDATE ticket_types SET \
     sold = sold + (SELECT c.sold FROM import_counts c WHERE [c] AND c.id = ticket_types.id), \
     valid_tickets = valid_tickets + (SELECT c.valid FROM import_counts c WHERE [c] AND c.id = ticket_types.id), \
     scanned_tickets = scanned_tickets + (SELECT c.scanned FROM import_counts c WHERE [c] AND c.id = ticket_types.id) \
     WHERE producer_id = ?1 AND id IN (SELECT c.id FROM import_counts c WHERE [c])";

/// Adds the entries of the file's tickets to those of their stations. SQLite takes `ON` for a join's without the `WHERE`.
pub const ADD_ENTRIES: &str = "INSERT INTO station_entries (producer_id, ticket_type_id, station, entered) \
     SELECT c.producer_id, c.ticket_type_id, c.station, c.entered FROM import_entries c WHERE [c] AND c.entered > 0 \
     ON CONFLICT (producer_id, ticket_type_id, station) \
     DO UPDATE SET entered = station_entries.entered + excluded.entered";

/// What the file's orders add to the sums of sales. Those of orders without a time get the move's.
pub const SALES: &str = "SELECT s.event_id, e.timezone, coalesce(s.quarter, CAST(?3 AS BIGINT)), s.ticket_type_id, 'import', \
     CAST(s.units AS BIGINT), CAST(s.amount AS BIGINT), CAST(s.refunded_units AS BIGINT), CAST(s.refunded_amount AS BIGINT) \
     FROM import_sales s JOIN events e ON e.producer_id = ?1 AND e.id = s.event_id WHERE [s]";

/// Adds the entries of the file's tickets to those of their minutes.
pub const ADD_MINUTES: &str = "INSERT INTO entries (producer_id, event_id, minute, ticket_type_id, entered) \
     SELECT c.producer_id, c.event_id, c.minute, c.ticket_type_id, c.entered FROM import_minutes c \
     WHERE [c] AND c.entered > 0 ON CONFLICT (producer_id, event_id, minute, ticket_type_id) \
     DO UPDATE SET entered = entries.entered + excluded.entered";

/// Adds the file's tickets that have entered to those inside. Where they went is not known.
pub const ADD_INSIDE: &str = "INSERT INTO inside (producer_id, event_id, zone, ticket_type_id, inside) \
     SELECT c.producer_id, c.event_id, '', c.ticket_type_id, CAST(sum(c.entered) AS BIGINT) FROM import_minutes c \
     WHERE [c] AND c.entered > 0 GROUP BY c.producer_id, c.event_id, c.ticket_type_id \
     ON CONFLICT (producer_id, event_id, zone, ticket_type_id) DO UPDATE SET inside = inside.inside + excluded.inside";

/// The fault of a ticket type with more live tickets than its limit (G3). It names the ticket type's own line or that
/// of its first ticket in the file.
async fn oversold(conn: &mut Conn, import: &Import) -> Result<Option<Fault>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), [row.int(1)?, row.int(2)?], row.opt_int(3)?));
    let Some((id, [limit, sold], own)) = conn.query_first(&keyed(OVERSOLD), &import.and(&[]), read).await? else {
        return Ok(None);
    };
    let message = format!("{id} has {sold} live tickets, more than its limit of {limit}");
    if let Some(line) = own {
        return Ok(Some(Fault { line, field: "limit", message }));
    }
    let first = conn.query_first(&keyed(FIRST_TICKET), &import.and(params![&id]), |row| row.int(0)).await?;
    Ok(Some(Fault { line: first.unwrap_or(0), field: "ticket_type_id", message }))
}

/// Finds a ticket type with more live tickets than its limit. SQLite keeps the order of a cross join, so it takes the counts first.
pub const OVERSOLD: &str = "SELECT y.id, y.stock_limit, y.sold + c.sold, i.line \
     FROM import_counts c CROSS JOIN ticket_types y LEFT JOIN import_types i ON [i] AND i.id = y.id \
     WHERE [c] AND y.producer_id = ?1 AND y.id = c.id AND c.sold > 0 AND y.sold + c.sold > y.stock_limit \
     ORDER BY c.id LIMIT 1";

/// The first line with a ticket of a ticket type or bundle.
const FIRST_TICKET: &str =
    "SELECT min(s.line) FROM import_tickets s WHERE [s] AND (s.ticket_type_id = ?3 OR s.bundle_id = ?3)";
