//! Group commit: one SQLite connection writes, and one wait for the disk serves all writers that queued during the
//! previous wait.
//!
//! A writer waits for the connection, works in a savepoint of the open transaction, and hands the connection on. A
//! separate thread then commits all finished savepoints together. A writer gets its answer after that commit.

use std::{
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use parking_lot::Mutex as Counter;
use rusqlite::{Connection, ErrorCode};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use taquilla_domain::config::SQLITE_BUSY;

use super::error::{Error, Result};

/// A handle to the one writing connection. Cheap to clone.
#[derive(Clone)]
pub struct GroupCommit {
    writer: Arc<Mutex<Writer>>,
    /// Beside the writer, so that reading it never waits for another process that writes.
    counts: Arc<Counter<WriteCounts>>,
    /// Tells the committing thread that there is something to commit. The thread ends when this is dropped.
    wake: mpsc::Sender<()>,
    /// SQLite opens a file that it may not write to for reading, and then begins writing transactions too.
    read_only: bool,
}

/// What group commit has done so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteCounts {
    /// Commits, each with one wait for the disk.
    pub commits: u64,
    /// Transactions that they made durable.
    pub transactions: u64,
    /// Statements of transactions. One that ran for many rows is one.
    pub statements: u64,
}

/// The one connection that writes, and the group of transactions that its next commit will make durable.
struct Writer {
    connection: Connection,
    /// Whether `BEGIN` was run. The committing thread runs the `COMMIT`.
    open: bool,
    counts: Arc<Counter<WriteCounts>>,
    /// Writers that wait for the commit of their finished transaction.
    waiting: Vec<oneshot::Sender<Result<(), String>>>,
}

/// One transaction of a group. It holds the connection alone until it is committed or dropped.
pub struct Member {
    writer: Option<OwnedMutexGuard<Writer>>,
    wake: mpsc::Sender<()>,
}

impl GroupCommit {
    /// Takes over the connection and starts the committing thread.
    pub fn start(connection: Connection) -> Result<Self> {
        let read_only = connection.is_readonly(rusqlite::MAIN_DB)?;
        let counts = Arc::<Counter<WriteCounts>>::default();
        let writer = Writer { connection, open: false, counts: Arc::clone(&counts), waiting: Vec::new() };
        let writer = Arc::new(Mutex::new(writer));
        let (wake, woken) = mpsc::channel();
        let committing = Arc::clone(&writer);
        std::thread::Builder::new()
            .name("sqlite-commit".into())
            .spawn(move || {
                while woken.recv().is_ok() {
                    committing.blocking_lock().commit();
                }
            })
            .map_err(Error::internal)?;
        Ok(Self { writer, counts, wake, read_only })
    }

    /// The counts so far.
    pub fn counts(&self) -> WriteCounts {
        *self.counts.lock()
    }

    /// Tells whether a transaction that writes can begin. Does not wait: if somebody writes at this moment, here or in
    /// another process, then it can.
    pub fn check_writable(&self) -> Result<()> {
        if self.read_only {
            return Err(Error::Unavailable(
                "the SQLite file can only be read; make it writable and start again".into(),
            ));
        }
        let Ok(writer) = self.writer.try_lock() else { return Ok(()) };
        if writer.open {
            return Ok(());
        }
        match writer.connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK") {
            Err(cause) if !is_busy(&cause) => Err(cause.into()),
            _ => Ok(()),
        }
    }

    /// Waits for the connection and opens a savepoint for one member.
    pub async fn join(&self) -> Result<Member> {
        let mut writer = Arc::clone(&self.writer).lock_owned().await;
        writer.begin().await?;
        Ok(Member { writer: Some(writer), wake: self.wake.clone() })
    }
}

impl Member {
    /// The connection, as long as the transaction lasts.
    pub fn connection(&self) -> Result<&Connection> {
        self.writer.as_ref().map(|writer| &writer.connection).ok_or_else(|| Error::internal("the transaction is over"))
    }

    /// Counts a statement, however many rows it runs for.
    pub fn count_statement(&self) {
        if let Some(writer) = &self.writer {
            writer.counts.lock().statements += 1;
        }
    }

    /// Adds this member's changes to the group and waits for the group's commit.
    ///
    /// While the committing thread waits for the disk, further writers queue for the connection; they form the next group.
    pub async fn commit(mut self) -> Result<()> {
        let Some(mut writer) = self.writer.take() else { return Err(Error::internal("the transaction is over")) };
        let (done, wait) = oneshot::channel();
        let ended = writer.end(true);
        if ended.is_ok() {
            writer.waiting.push(done);
        }
        drop(writer);
        self.wake.send(()).map_err(|_| Error::internal("the committing thread is gone"))?;
        ended?;
        match wait.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(cause)) => Err(Error::Unavailable(cause)),
            Err(_) => Err(Error::internal("the commit was abandoned")),
        }
    }
}

impl Drop for Member {
    /// Undoes the changes of a member that was not committed.
    fn drop(&mut self) {
        if let Some(mut writer) = self.writer.take() {
            if let Err(cause) = writer.end(false) {
                tracing::error!(%cause, "a write could not be undone by itself");
            }
            drop(writer);
            // Sending fails if the committing thread is gone. The group is then never committed, so this member's
            // changes are lost, as they should be.
            let _gone = self.wake.send(());
        }
    }
}

impl Writer {
    /// Opens the group's transaction if none is open, and a savepoint for one member.
    async fn begin(&mut self) -> Result<()> {
        let deadline = Instant::now() + SQLITE_BUSY;
        let mut pause = Duration::from_millis(1);
        while !self.open {
            match self.connection.execute_batch("BEGIN IMMEDIATE") {
                Ok(()) => self.open = true,
                Err(cause) => {
                    if !is_busy(&cause) || Instant::now() > deadline {
                        return Err(cause.into());
                    }
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_millis(50));
                }
            }
        }
        self.connection.execute_batch("SAVEPOINT member").map_err(|cause| {
            self.abandon(&cause.to_string());
            cause.into()
        })
    }

    /// Keeps or undoes one member's changes. If that fails, the whole group is undone.
    fn end(&mut self, keep: bool) -> Result<()> {
        let sql = if keep { "RELEASE member" } else { "ROLLBACK TO member; RELEASE member" };
        // On a full or broken disk SQLite undoes the whole transaction by itself, and this statement fails too.
        self.connection.execute_batch(sql).map_err(|cause| {
            self.abandon(&cause.to_string());
            cause.into()
        })
    }

    /// Commits the group and answers its members.
    fn commit(&mut self) {
        if !self.open {
            return;
        }
        match self.connection.execute_batch("COMMIT") {
            Ok(()) => {
                self.open = false;
                let mut counts = self.counts.lock();
                counts.commits += 1;
                counts.transactions += self.waiting.len() as u64;
                drop(counts);
                for done in self.waiting.drain(..) {
                    // Sending fails if the client has gone; the write stands.
                    let _gone = done.send(Ok(()));
                }
            }
            Err(cause) => {
                let cause = cause.to_string();
                tracing::error!(%cause, "a commit failed");
                self.abandon(&cause);
            }
        }
    }

    /// Undoes the whole group and answers its members with the cause.
    fn abandon(&mut self, cause: &str) {
        if !self.connection.is_autocommit() && self.connection.execute_batch("ROLLBACK").is_err() {
            tracing::error!("a failed transaction could not be undone");
        }
        self.open = false;
        for done in self.waiting.drain(..) {
            let _gone = done.send(Err(cause.to_owned()));
        }
    }
}

/// Whether another process writes to the file, so that waiting helps.
fn is_busy(cause: &rusqlite::Error) -> bool {
    matches!(cause.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer on a new file, and the file's path.
    fn writer(folder: &tempfile::TempDir) -> (GroupCommit, std::path::PathBuf) {
        let path = folder.path().join("group.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; CREATE TABLE parents (id INTEGER PRIMARY KEY); \
                 CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, \
                 parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)",
            )
            .unwrap();
        (GroupCommit::start(connection).unwrap(), path)
    }

    async fn insert(group: GroupCommit, id: i64, parent: Option<i64>) -> Result<i64> {
        let member = group.join().await?;
        member
            .connection()?
            .execute("INSERT INTO rows VALUES (?1, ?2, ?3)", (id, "x".repeat(3_000), parent))
            .map_err(Error::from)?;
        member.commit().await?;
        Ok(id)
    }

    fn stored(path: &std::path::Path) -> Vec<i64> {
        let connection = Connection::open(path).unwrap();
        let mut rows = connection.prepare("SELECT id FROM rows ORDER BY id").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(std::result::Result::unwrap).collect()
    }

    #[tokio::test]
    async fn a_full_disk_takes_back_whole_groups_and_nothing_acknowledged() {
        let folder = tempfile::tempdir().unwrap();
        let (group, path) = writer(&folder);
        group.join().await.unwrap().connection().unwrap().execute_batch("PRAGMA max_page_count = 60").unwrap();
        let writing: Vec<_> = (0..200).map(|id| tokio::spawn(insert(group.clone(), id, None))).collect();
        let (mut kept, mut refused) = (Vec::new(), 0);
        for written in writing {
            match written.await.unwrap() {
                Ok(id) => kept.push(id),
                Err(Error::Unavailable(_)) => refused += 1,
                Err(other) => panic!("{other}"),
            }
        }
        kept.sort_unstable();
        assert!(!kept.is_empty() && refused > 0, "{} were kept, {refused} refused", kept.len());
        assert_eq!(stored(&path), kept, "exactly what was acknowledged is there");
        // Once there is room again, writing works again.
        group.join().await.unwrap().connection().unwrap().execute_batch("PRAGMA max_page_count = 6000").unwrap();
        assert_eq!(insert(group, 1_000, None).await.unwrap(), 1_000);
        assert_eq!(stored(&path).last(), Some(&1_000));
    }

    #[tokio::test]
    async fn a_commit_that_fails_is_told_to_everybody_in_its_group() {
        let folder = tempfile::tempdir().unwrap();
        let (group, path) = writer(&folder);
        let first = group.join().await.unwrap();
        first.connection().unwrap().execute_batch("INSERT INTO rows (id) VALUES (1)").unwrap();
        // The second writer queues for the connection before the first releases it, so both are in one group. Its row
        // names a missing parent, which SQLite notices only at the commit.
        let second = tokio::spawn(insert(group.clone(), 2, Some(7)));
        tokio::task::yield_now().await;
        let (first, second) = tokio::join!(first.commit(), second);
        assert!(matches!(first, Err(Error::Unavailable(_))), "{first:?}");
        assert!(matches!(second.unwrap(), Err(Error::Unavailable(_))));
        assert_eq!(stored(&path), [0_i64; 0], "nothing of the group is there");
        assert_eq!(insert(group.clone(), 3, None).await.unwrap(), 3, "the next group is not held back");
        assert_eq!(stored(&path), [3]);
        assert_eq!(group.counts().transactions, 1);
    }
}
