//! Imports a whole file: read line by line, staged in batches, inserted at the end.

use std::{
    collections::BTreeMap,
    io::{BufRead, Read},
};

use super::{fault::Fault, line, summary::Summary};
use crate::{
    config::{IMPORT_BATCH, IMPORT_LINE_MAX},
    store::{
        self, Dedicated, Store, Tenant,
        import::{
            finish::finish,
            staging::{self, Staged, Table},
        },
    },
    time_source::TimeSource,
};

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A line is wrong.
    #[error("{}", .0)]
    Line(Fault),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<staging::Fault> for Error {
    fn from(fault: staging::Fault) -> Self {
        Self::Line(Fault { line: fault.line, field: Some(fault.field.into()), message: fault.message })
    }
}

/// How far an import has come.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// This many bytes were read and staged.
    Read(u64),
    /// The whole file is staged; its rows are being checked and inserted.
    Moving,
}

/// Imports a whole file for one producer, all or nothing.
pub async fn run(
    store: &Store,
    tenant: Tenant,
    mut file: impl BufRead,
    time: &TimeSource,
    progress: impl Fn(Progress),
) -> Result<Summary, Error> {
    let mut conn = store.dedicated().await?;
    staging::begin(&mut conn).await?;
    let mut waiting = Waiting::default();
    let mut summary = Summary::default();
    let mut bytes = 0;
    let mut number = 0;
    let mut text = Vec::new();
    loop {
        text.clear();
        let read = file.by_ref().take(IMPORT_LINE_MAX as u64 + 1).read_until(b'\n', &mut text)?;
        if read == 0 {
            break;
        }
        number += 1;
        bytes += read as u64;
        if read > IMPORT_LINE_MAX {
            let message = format!("the line is longer than {IMPORT_LINE_MAX} bytes");
            return Err(Error::Line(Fault { line: number, field: None, message }));
        }
        if !text.trim_ascii().is_empty() {
            let rows = line::parse(&text, number, time.now(), &mut summary).map_err(Error::Line)?;
            for row in rows {
                waiting.push(&mut conn, row).await?;
            }
        }
        if number % IMPORT_BATCH as i64 == 0 {
            progress(Progress::Read(bytes));
        }
    }
    waiting.flush_all(&mut conn).await?;
    staging::end(&mut conn).await?;
    progress(Progress::Moving);
    match finish(conn, tenant, time.now(), number).await? {
        None => Ok(summary),
        Some(fault) => Err(fault.into()),
    }
}

/// Rows that wait to be staged together, by table.
#[derive(Default)]
struct Waiting(BTreeMap<Table, Vec<Staged>>);

impl Waiting {
    async fn push(&mut self, conn: &mut Dedicated, row: Staged) -> Result<(), Error> {
        let rows = self.0.entry(row.table).or_default();
        rows.push(row);
        if rows.len() >= IMPORT_BATCH {
            send(conn, rows).await?;
        }
        Ok(())
    }

    async fn flush_all(&mut self, conn: &mut Dedicated) -> Result<(), Error> {
        for rows in self.0.values_mut() {
            send(conn, rows).await?;
        }
        Ok(())
    }
}

async fn send(conn: &mut Dedicated, rows: &mut Vec<Staged>) -> Result<(), Error> {
    let fault = staging::stage(conn, rows).await?;
    rows.clear();
    match fault {
        None => Ok(()),
        Some(fault) => Err(fault.into()),
    }
}
