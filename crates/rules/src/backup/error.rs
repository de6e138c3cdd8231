//! What can go wrong with a backup.

use std::io;

use taquilla_store as store;

/// Why a backup was not made, or not restored. The file is named by whoever asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be written or read.
    #[error("{0}")]
    File(io::Error),
    /// It is something else.
    #[error("it is no backup of Taquilla")]
    NotABackup,
    /// A newer Taquilla writes backups in another way.
    #[error(
        "it has the format {found}, and this taquilla reads formats up to {known}; restore it with a newer taquilla"
    )]
    NewerFormat {
        /// The format of the file.
        found: u64,
        /// The newest one that can be read.
        known: u64,
    },
    /// It is of a database with a newer schema.
    #[error(
        "its schema has version {found}, but this taquilla knows only versions up to {known}; restore it with a newer \
         taquilla"
    )]
    NewerSchema {
        /// The version of the backup.
        found: i64,
        /// The newest one that is known.
        known: i64,
    },
    /// The file ends too early.
    #[error("it ends in the middle: it was cut off, or is still being written")]
    CutOff,
    /// The file was changed.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// Rows of a table cannot be kept by this database.
    #[error("the rows of {table} cannot be kept here: {cause}")]
    Table {
        /// The table.
        table: &'static str,
        /// Why.
        cause: store::Error,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// Somebody asked to stop.
    #[error("it was stopped")]
    Stopped,
}

impl From<io::Error> for Error {
    fn from(cause: io::Error) -> Self {
        Self::File(cause)
    }
}

impl Error {
    /// A file that cannot be read further. What the system did not say, the decompression did.
    pub(super) fn of_reading(cause: io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutOff,
            _ if cause.raw_os_error().is_some() => Self::File(cause),
            _ => Self::Damaged(cause.to_string()),
        }
    }
}
