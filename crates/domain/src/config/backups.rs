//! Backups.

use std::{path::PathBuf, time::Duration};

use super::lengths::days;

/// Backups that servers make by themselves.
#[derive(Clone, Debug)]
pub struct Backups {
    /// The folder that they are in.
    pub folder: PathBuf,
    /// How often one is made.
    pub every: Duration,
    /// How many are kept.
    pub kept: usize,
}

/// How often servers make a backup by themselves, if they are to and nobody says how often.
pub const BACKUP_EVERY: Duration = Duration::from_hours(24);
/// The shortest time between two backups that servers make by themselves: each goes through the whole database.
pub const BACKUP_EVERY_MIN: Duration = Duration::from_mins(5);
/// The longest.
pub const BACKUP_EVERY_MAX: Duration = days(30);
/// Backups that are kept of those that servers made by themselves, if nobody says how many: a week.
pub const BACKUPS_KEPT: u64 = 7;
/// The most that can be kept.
pub const BACKUPS_KEPT_MAX: u64 = 10_000;
/// How often a server looks whether it is time for a backup.
pub const BACKUP_POLL: Duration = Duration::from_secs(1);
/// How long the turn to make a backup belongs to a server that says nothing more of it.
pub const BACKUP_LEASE: Duration = Duration::from_secs(30);
/// How often a server says that it is still at a backup.
pub const BACKUP_ALIVE: Duration = Duration::from_secs(5);
/// After a backup failed, no server tries again before this has passed.
pub const BACKUP_AGAIN: Duration = Duration::from_mins(10);
/// A time of a backup, or of the turn to make one, that is further ahead than this was written by a wrong clock.
pub const BACKUP_PLAUSIBLE: Duration = Duration::from_hours(1);
/// How hard backups are compressed, as zstd counts. Higher levels take much longer and make little smaller.
pub const BACKUP_COMPRESSION: i32 = 3;
/// Rows after which a backup says how far it is, and looks whether it is to stop.
pub const BACKUP_STEP: u64 = 1_000;
/// Rows of a backup that are sent to the database together.
pub const RESTORE_BATCH: usize = 1_000;
/// Bytes of rows that are sent together, about: a message of an order with 500 items is large.
pub const RESTORE_BATCH_BYTES: usize = 4 * 1024 * 1024;
/// Bytes of the longest line of a backup that is read. The largest rows are messages and answers of some megabytes.
pub const RESTORE_LINE_MAX: u64 = 64 * 1024 * 1024;
/// How far the clocks of servers may be apart at most. A restored producer's clock begins this much after the present, so
/// that no server has given out a later stamp before.
pub const CLOCKS_DIFFER_MAX: Duration = Duration::from_mins(1);
/// How long a database may have been quiet before the time that is given for its restored state. A slip of a day is longer.
pub const QUIET_BEFORE_BACKUP_MAX: Duration = Duration::from_hours(24);
/// The places of an endpoint's messages go on at the next multiple of this after a restore: more messages than any endpoint
/// gets between two backups.
pub const RESTORED_SEQUENCE_STEP: i64 = 1_000_000_000;
/// Bytes of a list of revoked keys, or of erasures.
pub const RESTORE_LIST_MAX: u64 = 64 * 1024 * 1024;
