//! Writes a backup.

use std::io::Write;

use serde::Serialize;
use zstd::stream::write::Encoder;

use taquilla_domain::{
    clock::Stamp,
    config::{BACKUP_COMPRESSION, BACKUP_STEP},
};
use taquilla_store::backup::{Sum, snapshot::Snapshot};

use super::{
    error::Error,
    format::{BackupLine, End, FORMAT, Header, Table, Total},
};

/// How far a backup has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Rows that were written.
    pub rows: u64,
    /// Rows that there are.
    pub of: u64,
}

/// A backup that was made.
#[derive(Debug)]
pub struct BackupSummary {
    /// The moment whose state it is.
    pub taken_at: Stamp,
    /// The version of the schema.
    pub schema: i64,
    /// The engine of the database.
    pub engine: &'static str,
    /// Every table in it, with its sum.
    pub tables: Vec<(&'static str, Sum)>,
}

impl BackupSummary {
    /// The rows of all tables.
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|(_, sum)| sum.rows).sum()
    }
}

/// Writes a whole database, row by row. It stops when `goes_on` says no.
pub async fn write(
    mut snapshot: Snapshot,
    file: impl Write + Send,
    goes_on: impl Fn(Progress) -> bool + Send + Sync,
) -> Result<BackupSummary, Error> {
    let mut progress = Progress { rows: 0, of: snapshot.count().await? };
    let mut lines = Lines::begin(file)?;
    lines.write(&BackupLine::TaquillaBackup(Header {
        format: FORMAT,
        schema: snapshot.version,
        engine: snapshot.engine.to_owned(),
        database: snapshot.database.clone(),
        taken_at: snapshot.taken_at.to_string(),
        written_by: env!("CARGO_PKG_VERSION").to_owned(),
    }))?;
    // Whose backup it is can be read of one that is still being written, or that never was finished.
    lines.compressed.flush()?;
    let mut tables = Vec::new();
    for table in std::mem::take(&mut snapshot.tables) {
        lines.write(&BackupLine::Table(Table { name: table.table.to_owned(), columns: table.names.clone() }))?;
        let mut sum = Sum::default();
        let rows = snapshot.rows(&table, |row| {
            if progress.rows.is_multiple_of(BACKUP_STEP) && !goes_on(progress) {
                return Err(Error::Stopped);
            }
            sum.add(row);
            progress.rows += 1;
            lines.write(&row)
        });
        rows.await?;
        lines.write(&BackupLine::Sum(Total { rows: sum.rows, digest: sum.digest() }))?;
        tables.push((table.table, sum));
    }
    lines.write(&BackupLine::End(End { tables: tables.len() }))?;
    lines.compressed.finish()?.flush()?;
    goes_on(progress);
    let Snapshot { taken_at, version: schema, engine, .. } = snapshot;
    Ok(BackupSummary { taken_at, schema, engine, tables })
}

/// Lines of JSON on their way into a compressed file.
struct Lines<W: Write> {
    compressed: Encoder<'static, W>,
    line: Vec<u8>,
}

impl<W: Write> Lines<W> {
    fn begin(file: W) -> Result<Self, Error> {
        let mut compressed = Encoder::new(file, BACKUP_COMPRESSION)?;
        compressed.include_checksum(true)?;
        Ok(Self { compressed, line: Vec::new() })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Error> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line).map_err(std::io::Error::from)?;
        self.line.push(b'\n');
        Ok(self.compressed.write_all(&self.line)?)
    }
}
