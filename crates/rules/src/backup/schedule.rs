//! Backups that servers make by themselves. Of several servers on one database one makes each.
//!
//! The turn is a lease of 30 s on the one row of `backup_turn`, which also has when the last backup was made.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::Path,
    sync::Arc,
};

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use taquilla_domain::{
    clock::Stamp,
    config::{BACKUP_AGAIN, BACKUP_ALIVE, BACKUP_LEASE, BACKUP_POLL, Backups},
    time_source::TimeSource,
};
use taquilla_metrics::Metrics;
use taquilla_store::{
    Store,
    backup::{snapshot::Snapshot, turn},
    transaction,
};

use super::{
    error::Error,
    file::NewFile,
    old_files,
    write::{BackupSummary, write},
};
use crate::task::{Rounds, Task};

/// Starts to make backups. If the task is dropped, a backup that is being made is given up.
pub fn start(store: Store, backups: Backups, time: TimeSource, metrics: Arc<Metrics>) -> Task {
    Task::every(BACKUP_POLL, Keeper { store, backups, time, metrics })
}

/// Makes sure that backups can be kept in a folder, which is created if it is missing.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // Tried, because only that tells. The file vanishes at once.
    NewFile::begin(&folder.join("taquilla-can-write-here")).map(drop)
}

/// What making backups needs.
#[derive(Clone)]
struct Keeper {
    store: Store,
    backups: Backups,
    time: TimeSource,
    metrics: Arc<Metrics>,
}

/// What one round of the schedule did: a backup, and what became of older ones.
struct BackupRound {
    made: BackupSummary,
    file: String,
    bytes: u64,
    deleted: io::Result<usize>,
}

impl Rounds for Keeper {
    type Error = taquilla_store::Error;

    const TROUBLE: &'static str = "the schedule of backups is interrupted; it goes on in a moment";

    /// Makes a backup if it is time for one.
    async fn round(&mut self) -> Result<(), taquilla_store::Error> {
        let now = self.time.now();
        let (every, until) = (self.backups.every, now.plus(BACKUP_LEASE));
        if !turn::is_due(&mut self.store.read().await?, now, every).await? {
            return Ok(());
        }
        // Another server may have been quicker.
        if !transaction!(self.store.begin_unstamped(), |tx| turn::take(tx, now, every, until).await)? {
            return Ok(());
        }
        let mut until = until;
        let kept = tokio::select! {
            kept = self.clone().make(now) => kept,
            lost = self.stay(&mut until) => { lost?; Err(Error::Stopped) }
        };
        self.metrics.count_backup(kept.is_ok());
        let BackupRound { made, file, bytes, deleted } = match kept {
            Ok(kept) => kept,
            Err(cause) => {
                tracing::error!(%cause, again_in_s = BACKUP_AGAIN.as_secs(), "no backup was made");
                let later = self.time.now().plus(BACKUP_AGAIN);
                return transaction!(self.store.begin_unstamped(), |tx| turn::keep(tx, until, later).await).map(|_| ());
            }
        };
        tracing::info!(file, bytes, rows = made.rows(), "a backup was made");
        match deleted {
            Ok(0) => {}
            Ok(files) => tracing::info!(files, "old backups were deleted"),
            Err(cause) => tracing::error!(%cause, advice = "they will fill the disk", "old backups cannot be deleted"),
        }
        transaction!(self.store.begin_unstamped(), |tx| turn::done(tx, made.taken_at).await)
    }
}

impl Keeper {
    /// Says again and again that this server is at it, until it is another server's turn.
    async fn stay(&self, until: &mut Stamp) -> Result<(), taquilla_store::Error> {
        loop {
            tokio::time::sleep(BACKUP_ALIVE).await;
            let (had, later) = (*until, self.time.now().plus(BACKUP_LEASE));
            if !transaction!(self.store.begin_unstamped(), |tx| turn::keep(tx, had, later).await)? {
                return Ok(());
            }
            *until = later;
        }
    }

    /// Makes a backup on a thread of its own, because reading SQLite, compressing and writing the file block one.
    async fn make(self, now: Stamp) -> Result<BackupRound, Error> {
        let stop = CancellationToken::new();
        // Tells the thread when nobody waits for its backup any more.
        let _waiting = stop.clone().drop_guard();
        let handle = Handle::current();
        let made = tokio::task::spawn_blocking(move || handle.block_on(self.make_here(now, &stop)));
        made.await.map_err(|cause| Error::Store(taquilla_store::Error::internal(cause)))?
    }

    async fn make_here(&self, now: Stamp, stop: &CancellationToken) -> Result<BackupRound, Error> {
        let snapshot = Snapshot::of(&self.store, now).await?;
        let database = snapshot.database.clone();
        let (folder, file) = (&self.backups.folder, old_files::name_of(now));
        let new = NewFile::begin(&folder.join(&file))?;
        let goes_on = |_| !stop.is_cancelled();
        let made = write(snapshot, &new.file, goes_on).await?;
        new.keep()?;
        let bytes = fs::metadata(folder.join(&file)).map_or(0, |found| found.len());
        // Only now: there is never one fewer than there should be.
        let deleted = old_files::forget(folder, &database, self.backups.kept);
        Ok(BackupRound { made, file, bytes, deleted })
    }
}
