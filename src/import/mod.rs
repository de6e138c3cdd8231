//! Import: JSON Lines in, all or nothing, in bounded memory, while a server may be running.

mod line;

use std::{
    collections::BTreeMap,
    fmt,
    io::{BufRead, Read},
};

use crate::{
    app::Time,
    config::{IMPORT_BATCH, IMPORT_LINE_MAX},
    store::{
        self, Conn, Store,
        import::{self, Staged, Table},
        producers::Tenant,
    },
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

/// What is wrong with which line.
#[derive(Debug)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: i64,
    /// The field at fault, where it is one.
    pub field: Option<String>,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "line {}, field \"{field}\": {}", self.line, self.message),
            None => write!(f, "line {}: {}", self.line, self.message),
        }
    }
}

impl From<import::Fault> for Error {
    fn from(fault: import::Fault) -> Self {
        Self::Line(Fault { line: fault.line, field: Some(fault.field.into()), message: fault.message })
    }
}

/// What was imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "each counts the lines of its kind")]
pub struct Summary {
    pub events: u64,
    pub ticket_types: u64,
    pub bundles: u64,
    pub orders: u64,
    pub tickets: u64,
}

/// How far an import has come.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// This many bytes were read and staged.
    Read(u64),
    /// The file is read; it is being checked and made the producer's.
    Moving,
}

/// Imports a whole file for one producer, or nothing of it.
pub async fn run(
    store: &Store,
    tenant: Tenant,
    mut file: impl BufRead,
    time: &Time,
    progress: impl Fn(Progress),
) -> Result<Summary, Error> {
    let mut conn = store.dedicated().await?;
    import::begin(&mut conn).await?;
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
    import::end_staging(&mut conn).await?;
    progress(Progress::Moving);
    match import::finish(&mut conn, tenant, time.now(), number).await? {
        None => Ok(summary),
        Some(fault) => Err(fault.into()),
    }
}

/// Rows that wait to be sent together, by table.
#[derive(Default)]
struct Waiting(BTreeMap<Table, Vec<Staged>>);

impl Waiting {
    async fn push(&mut self, conn: &mut Conn, row: Staged) -> Result<(), Error> {
        let rows = self.0.entry(row.table).or_default();
        rows.push(row);
        if rows.len() >= IMPORT_BATCH {
            send(conn, rows).await?;
        }
        Ok(())
    }

    async fn flush_all(&mut self, conn: &mut Conn) -> Result<(), Error> {
        for rows in self.0.values_mut() {
            send(conn, rows).await?;
        }
        Ok(())
    }
}

async fn send(conn: &mut Conn, rows: &mut Vec<Staged>) -> Result<(), Error> {
    let fault = import::stage(conn, rows).await?;
    rows.clear();
    match fault {
        None => Ok(()),
        Some(fault) => Err(fault.into()),
    }
}
