//! Reads a backup into an empty database.
//!
//! A restore is all or nothing. One transaction makes the schema of the backup's version, inserts, reads everything
//! back, compares the digests, brings the schema up to date and sets right what must not go on. A server that is
//! started meanwhile waits for it.

use std::{
    borrow::Cow,
    io::{BufRead, BufReader, Read},
};

use zstd::stream::read::Decoder;

use taquilla_domain::{
    audit::By,
    clock::Stamp,
    config::{RESTORE_BATCH, RESTORE_BATCH_BYTES, RESTORE_LINE_MAX},
};
use taquilla_store::{
    backup::{
        Cell, Columns, Sum,
        afterwards::{Restoration, Revoked},
        filling::Filling,
    },
    migrate,
};

use super::{
    error::Error,
    format::{AnyHeader, BackupLine, End, FIRST, FORMAT, Header, Table, Total},
};

/// What a restore is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The file is read, and its rows are inserted.
    Reading,
    /// What the database has now is compared with what the backup says, so many rows of all.
    Comparing {
        /// The rows of the tables that were compared.
        compared: u64,
        /// Those of all tables.
        rows: u64,
    },
    /// Everything is made durable.
    Saving,
}

/// A backup that was restored.
#[derive(Debug)]
pub struct Restored {
    /// The moment whose state it is.
    pub taken_at: Stamp,
    /// The version of its schema, before it was brought up to date.
    pub schema: i64,
    /// The engine that it came from.
    pub engine: String,
    /// Every table in it, with its sum.
    pub tables: Vec<(&'static str, Sum)>,
    /// How many keys, door links and users were revoked that the backup does not know to be.
    pub revoked: usize,
}

impl Restored {
    /// The rows of all tables.
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|(_, sum)| sum.rows).sum()
    }
}

/// Fills the database at an address, which must have no data of ours. All or nothing is there at the end.
pub async fn restore(
    file: impl Read,
    address: &str,
    by: &By,
    revoked: &[Revoked],
    phase: impl Fn(Phase),
) -> Result<Restored, Error> {
    let mut lines = Lines::begin(file)?;
    let header = lines.header()?;
    let taken_at = Stamp::parse(&header.taken_at).ok_or_else(|| damaged("it does not say when it was made"))?;
    if header.schema > migrate::LATEST {
        return Err(Error::NewerSchema { found: header.schema, known: migrate::LATEST });
    }
    let mut filling = Filling::begin(address, header.schema).await?;
    phase(Phase::Reading);
    let tables = fill(&mut filling, &mut lines).await?;
    let (mut compared, rows) = (0, tables.iter().map(|(_, sum)| sum.rows).sum());
    phase(Phase::Comparing { compared, rows });
    for (table, said) in &tables {
        let found = filling.sum(table).await?;
        if found != *said {
            let table = table.table;
            let (rows, of) = (found.rows, said.rows);
            return Err(damaged(format!("{table} has {rows} rows of {of}, or they are not those that were written")));
        }
        compared += said.rows;
        // Nothing said of no rows: that is the beginning.
        if compared > 0 {
            phase(Phase::Comparing { compared, rows });
        }
    }
    phase(Phase::Saving);
    let restoration = Restoration { taken_at: Some(taken_at), by, revoked };
    let revoked = filling.finish(&restoration).await?;
    let tables = tables.into_iter().map(|(table, sum)| (table.table, sum)).collect();
    Ok(Restored { taken_at, schema: header.schema, engine: header.engine, tables, revoked })
}

fn damaged(what: impl Into<String>) -> Error {
    Error::Damaged(what.into())
}

/// Inserts the rows of all tables. Gives the tables with the sums that the backup has of them.
async fn fill(filling: &mut Filling, lines: &mut Lines<impl Read>) -> Result<Vec<(Columns, Sum)>, Error> {
    let mut filled: Vec<(Columns, Sum)> = Vec::new();
    loop {
        match lines.next()? {
            Next::Line(BackupLine::Table(Table { name, columns })) => {
                let known = filling.tables.iter().find(|known| known.table == name);
                let known = known.ok_or_else(|| damaged("it has a table that its schema has not"))?.clone();
                if known.names != columns || filled.iter().any(|(table, _)| table.table == known.table) {
                    return Err(damaged(format!("it has other columns of {} than its schema", known.table)));
                }
                let sum = fill_table(filling, &known, lines).await?;
                filled.push((known, sum));
            }
            Next::Line(BackupLine::End(End { tables })) => {
                if tables != filled.len() || tables != filling.tables.len() {
                    return Err(damaged("it lacks tables"));
                }
                lines.ends()?;
                return Ok(filled);
            }
            _ => return Err(damaged("it has a line that does not belong where it is")),
        }
    }
}

/// Inserts the rows of a table. Gives the sum that the backup has of them.
async fn fill_table(filling: &mut Filling, table: &Columns, lines: &mut Lines<impl Read>) -> Result<Sum, Error> {
    let mut waiting = Vec::with_capacity(RESTORE_BATCH);
    let mut bytes = 0;
    loop {
        let next = lines.next()?;
        let is_over = !matches!(next, Next::Row(..));
        if is_over || waiting.len() >= RESTORE_BATCH || bytes >= RESTORE_BATCH_BYTES {
            let inserted = filling.insert(table, &waiting).await;
            if !inserted.map_err(|cause| Error::Table { table: table.table, cause })? {
                return Err(damaged(format!("a row of {} has values that its columns do not hold", table.table)));
            }
            waiting.clear();
            bytes = 0;
        }
        match next {
            Next::Row(row, length) => {
                waiting.push(row);
                bytes += length;
            }
            Next::Line(BackupLine::Sum(Total { rows, digest })) => {
                return Sum::parse(rows, &digest).ok_or_else(|| damaged("a digest cannot be read"));
            }
            Next::Line(_) => return Err(damaged("it has a line that does not belong where it is")),
        }
    }
}

/// The lines of a backup, one after another.
struct Lines<R: Read> {
    reader: BufReader<Decoder<'static, BufReader<R>>>,
    line: Vec<u8>,
}

/// What a line is: a row, with its length, or something about rows.
enum Next {
    Row(Vec<Cell<'static>>, usize),
    Line(BackupLine),
}

impl<R: Read> Lines<R> {
    fn begin(file: R) -> Result<Self, Error> {
        Ok(Self { reader: BufReader::new(Decoder::new(file)?), line: Vec::new() })
    }

    /// The first line.
    fn header(&mut self) -> Result<Header, Error> {
        match self.advance() {
            Ok(()) => {}
            // Whatever it is, it does not begin as a backup does.
            Err(Error::Damaged(_) | Error::CutOff) if !self.line.starts_with(FIRST) => return Err(Error::NotABackup),
            Err(other) => return Err(other),
        }
        let any: AnyHeader = serde_json::from_slice(&self.line).map_err(|_| Error::NotABackup)?;
        let found = any.taquilla_backup.format;
        if found > FORMAT {
            return Err(Error::NewerFormat { found, known: FORMAT });
        }
        match serde_json::from_slice(&self.line) {
            Ok(BackupLine::TaquillaBackup(header)) => Ok(header),
            _ => Err(damaged("its first line cannot be read")),
        }
    }

    fn next(&mut self) -> Result<Next, Error> {
        self.advance()?;
        let unreadable = |_| damaged("it has a line that cannot be read");
        if self.line.first() == Some(&b'[') {
            let row: Vec<Cell<'_>> = serde_json::from_slice(&self.line).map_err(unreadable)?;
            return Ok(Next::Row(row.into_iter().map(owned).collect(), self.line.len()));
        }
        serde_json::from_slice(&self.line).map(Next::Line).map_err(unreadable)
    }

    /// Reads the next line. There must be one.
    fn advance(&mut self) -> Result<(), Error> {
        self.line.clear();
        let mut bounded = self.reader.by_ref().take(RESTORE_LINE_MAX);
        bounded.read_until(b'\n', &mut self.line).map_err(Error::of_reading)?;
        match self.line.last() {
            Some(b'\n') => Ok(()),
            _ if self.line.len() as u64 == RESTORE_LINE_MAX => Err(damaged("it has a line without an end")),
            _ => Err(Error::CutOff),
        }
    }

    /// Makes sure that nothing follows. Only now is the checksum of all that was read compared.
    fn ends(&mut self) -> Result<(), Error> {
        match self.reader.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => Err(damaged("something follows its end")),
            Err(cause) => Err(Error::of_reading(cause)),
        }
    }
}

fn owned(cell: Cell<'_>) -> Cell<'static> {
    match cell {
        Cell::Null => Cell::Null,
        Cell::Int(value) => Cell::Int(value),
        Cell::Text(value) => Cell::Text(Cow::Owned(value.into_owned())),
    }
}

/// Whose backup a file is, if it is one. It need not be whole.
pub fn database_of(file: impl Read) -> Option<String> {
    Lines::begin(file).ok()?.header().ok().map(|header| header.database)
}
