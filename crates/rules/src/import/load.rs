//! Imports a whole file: read line by line, staged in batches, inserted at the end.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::{IMPORT_BATCH, IMPORT_LINE_MAX},
    key::hexadecimal,
    time_source::TimeSource,
};
use taquilla_store::{
    Dedicated, Store, Tenant,
    catalogue::created::CreatedRow,
    import::{
        finish::{File, Finished, Note, Step, check as check_staged, finish},
        remove::remove,
        staging::{self, Import, Staged},
    },
};
use taquilla_wire::Time;

use super::{
    catalogue::New,
    error::Error,
    fault::Fault,
    line,
    lines::Lines,
    summary::Summary,
    table::{self, Table as Tickets},
    values::LinePlace,
    waiting::Waiting,
};

/// How far an import has come.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// This many bytes were read and staged.
    Read(u64),
    /// The whole file is staged, and its rows are being checked. Sales and scans go on.
    Checking,
    /// The rows are being written, and nobody sees them yet. Sales and scans go on.
    Writing,
    /// The rows are being saved. Sales and scans of the producer wait, on SQLite those of every producer.
    Saving,
}

/// Imports a whole file for one producer, all or nothing. A file that was imported before changes nothing, so that an
/// import whose end was not seen can be repeated.
pub async fn run(
    store: &Store,
    tenant: Tenant,
    file: impl Lines,
    by: &By,
    time: &TimeSource,
    progress: impl Fn(Progress),
) -> Result<Summary, Error> {
    let import = Arc::new(Import::new(tenant, time.now()));
    let outcome = staged_and_saved(store, &import, file, by, time, progress).await;
    forget(store, &import).await;
    outcome
}

/// Deletes what was staged. If that fails, housekeeping does it later.
async fn forget(store: &Store, import: &Import) {
    if let Err(cause) = remove(store, import).await {
        tracing::warn!(%cause, "what an import had staged was not deleted; that is done tomorrow");
    }
}

async fn staged_and_saved(
    store: &Store,
    import: &Arc<Import>,
    file: impl Lines,
    by: &By,
    time: &TimeSource,
    progress: impl Fn(Progress),
) -> Result<Summary, Error> {
    let Staging { conn, summary, lines, digest } = stage(store, import, file, || time.now(), &progress).await?;
    let details = vec![("orders", summary.orders.to_string()), ("tickets", summary.tickets.to_string())];
    let made = [CreatedRow { action: Action::Imported, subject: String::new(), details }];
    let file = File { lines, digest: Some(digest), note: Some(Note { by, made: &made }) };
    let told = |step| {
        progress(match step {
            Step::Checking => Progress::Checking,
            Step::Writing => Progress::Writing,
            Step::Saving => Progress::Saving,
        });
    };
    ended(finish(conn, import, time.now(), &file, told).await?, summary)
}

/// The rows of new events and items, in the order in which they can be inserted. What is wrong names the line that it would
/// have in a file.
pub fn rows(new: Vec<New>, now: Stamp) -> Result<Vec<Staged>, Fault> {
    let mut rows = Vec::new();
    for (number, new) in (1..).zip(new) {
        rows.extend(new.rows(LinePlace { number, now })?);
    }
    rows.sort_by_key(|row| row.table);
    Ok(rows)
}

/// Does everything that an import does before it changes anything, and says what it would bring. Only whether there is room
/// for all tickets is decided by the import itself, because sales go on.
pub async fn check(
    store: &Store,
    tenant: Tenant,
    file: impl Lines,
    time: &TimeSource,
    progress: impl Fn(Progress),
) -> Result<Summary, Error> {
    let import = Arc::new(Import::new(tenant, time.now()));
    let checked = async {
        let Staging { conn, summary, lines, digest } = stage(store, &import, file, || time.now(), &progress).await?;
        progress(Progress::Checking);
        let file = File { lines, digest: Some(digest), note: None };
        ended(check_staged(conn, &import, &file).await?, summary)
    };
    let outcome = checked.await;
    forget(store, &import).await;
    outcome
}

fn ended(finished: Finished, summary: Summary) -> Result<Summary, Error> {
    match finished {
        Finished::Done => Ok(summary),
        Finished::Before(at) => Ok(Summary { already_imported_at: Some(Time(at)), ..summary }),
        Finished::Faulty(fault) => Err(fault.into()),
    }
}

/// A file whose rows are all staged.
struct Staging {
    conn: Dedicated,
    summary: Summary,
    lines: i64,
    digest: String,
}

async fn stage(
    store: &Store,
    import: &Arc<Import>,
    file: impl Lines,
    now: impl Fn() -> Stamp,
    progress: impl Fn(Progress),
) -> Result<Staging, Error> {
    let mut conn = store.dedicated().await?;
    staging::begin(&mut conn, import, now()).await?;
    let mut waiting = Waiting::new(conn, Arc::clone(import));
    match read_lines(file, &mut waiting, now, progress).await {
        Ok((summary, lines, digest)) => Ok(Staging { conn: waiting.end().await?, summary, lines, digest }),
        Err(error) => {
            // A batch that is under way would arrive after everything was forgotten, and stay.
            waiting.give_up().await;
            Err(error)
        }
    }
}

/// Reads the file and stages its rows: what it brings, how many lines it has, and its digest.
async fn read_lines(
    mut file: impl Lines,
    waiting: &mut Waiting,
    now: impl Fn() -> Stamp,
    progress: impl Fn(Progress),
) -> Result<(Summary, i64, String), Error> {
    let mut summary = Summary::default();
    let mut digest = Sha256::new();
    let mut bytes = 0;
    let mut number = 0;
    let mut text = Vec::new();
    let (mut is_first, mut table) = (true, None);
    loop {
        text.clear();
        let begun = number + 1;
        // A cell of a table may have several lines.
        let read = loop {
            let read = file.next(&mut text).await?;
            number += i64::from(read > 0);
            if text.len() > IMPORT_LINE_MAX {
                let message = format!("the line is longer than {IMPORT_LINE_MAX} bytes");
                return Err(Error::Line(Fault { line: begun, field: None, message }));
            }
            if read == 0 || table.is_none() || !table::goes_on(&text) {
                break text.len();
            }
        };
        if read == 0 {
            break;
        }
        bytes += read as u64;
        digest.update(&text);
        if text.trim_ascii().is_empty() {
            continue;
        }
        if std::mem::take(&mut is_first) {
            table = Tickets::begin(&text, begun).map_err(Error::Line)?;
            if table.is_some() {
                continue;
            }
        }
        let rows = match &table {
            None => line::parse(&text, begun, now(), &mut summary),
            Some(table) => {
                let line = table.row(&text, begun).map_err(Error::Line)?;
                line::parse(&line, begun, now(), &mut summary).map_err(table::in_column)
            }
        };
        for row in rows.map_err(Error::Line)? {
            waiting.push(row).await?;
        }
        if number % IMPORT_BATCH as i64 == 0 {
            progress(Progress::Read(bytes));
        }
    }
    Ok((summary, number, hexadecimal(&digest.finalize())))
}
