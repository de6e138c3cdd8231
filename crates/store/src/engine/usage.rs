//! How a database is used at this moment, for metrics.

use std::path::PathBuf;

use taquilla_metrics::Waits;

use super::group_commit::WriteCounts;

/// How a database is used.
pub struct Usage<'a> {
    /// The engine's name.
    pub engine: &'static str,
    /// How long was waited for it.
    pub waits: &'a Waits,
    /// The file, if it is SQLite's.
    pub file: Option<FileUse>,
    /// The connections, if it is PostgreSQL's.
    pub pool: Option<PoolUse>,
}

/// A SQLite file. A size is `None` if the file is not there.
pub struct FileUse {
    /// Where it is.
    pub path: PathBuf,
    /// What was written.
    pub writes: WriteCounts,
    /// Its size.
    pub bytes: Option<u64>,
    /// The size of its write-ahead log.
    pub log_bytes: Option<u64>,
}

/// The connections to PostgreSQL.
pub struct PoolUse {
    /// How many there may be.
    pub max: usize,
    /// How many are open and not in use.
    pub idle: usize,
    /// How many are in use, or are just being made.
    pub used: usize,
    /// How many requests wait for one.
    pub waiting: usize,
    /// How many have a permit to write.
    pub writers: usize,
    /// How many may have one.
    pub writers_max: usize,
}
