//! The lines of a backup.
//!
//! A backup is JSON Lines, compressed with zstd. The first line says what it is. Then come the tables: a line with the
//! table's name and columns, a line for each row, which is an array of its values, and a line with the number of rows and
//! their digest. The last line says that it is the last.

use serde::{Deserialize, Serialize};

/// The format that is written, and the newest one that is read.
pub const FORMAT: u64 = 1;

/// What every backup begins with.
pub const FIRST: &[u8] = b"{\"taquilla_backup\":";

/// A line that is no row.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupLine {
    /// The first line.
    TaquillaBackup(Header),
    /// A table begins.
    Table(Table),
    /// A table ends.
    Sum(Total),
    /// The last line.
    End(End),
}

/// What a backup is of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    /// How it is written.
    pub format: u64,
    /// The version of the schema.
    pub schema: i64,
    /// The engine that the database was on.
    pub engine: String,
    /// What tells its database from others.
    pub database: String,
    /// The moment whose state it is.
    pub taken_at: String,
    /// The Taquilla that wrote it.
    pub written_by: String,
}

/// The part of a header that is read first, whatever the format is.
#[derive(Debug, Deserialize)]
pub struct AnyHeader {
    /// See [`Line::TaquillaBackup`].
    pub taquilla_backup: AnyFormat,
}

/// See [`AnyHeader`].
#[derive(Debug, Deserialize)]
pub struct AnyFormat {
    /// See [`Header::format`].
    pub format: u64,
}

/// A table and its columns.
#[derive(Debug, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in the order of each row's values.
    pub columns: Vec<String>,
}

/// How many rows a table has, and their digest.
#[derive(Debug, Serialize, Deserialize)]
pub struct Total {
    /// How many.
    pub rows: u64,
    /// The digest, in hexadecimal.
    pub digest: String,
}

/// The end of a backup.
#[derive(Debug, Serialize, Deserialize)]
pub struct End {
    /// How many tables came before.
    pub tables: usize,
}
