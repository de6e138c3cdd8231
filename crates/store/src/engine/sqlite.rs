//! SQLite: readers on the calling thread, one writer that commits in groups (`group_commit.rs`).

use std::{
    any::Any,
    collections::HashMap,
    fs::OpenOptions,
    io::ErrorKind,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig, params_from_iter};

use taquilla_domain::config::{
    KNOWN_MAX, SQLITE_BUSY, SQLITE_CACHE_KIB, SQLITE_LONG_WORK_CACHE_KIB, SQLITE_MAPPED, SQLITE_PAGE, SQLITE_READ_BUSY,
    SQLITE_WAL_KEPT, SQLITE_WRITER_CACHE_KIB, STATEMENTS_MAX,
};
use taquilla_metrics::{Wait, Waits};

use super::{
    error::{Error, Result, whole_story},
    group_commit::{GroupCommit, Member, WriteCounts},
    sql::{Param, Row},
    usage::FileUse,
};

/// One SQLite file.
#[derive(Clone)]
pub struct Sqlite {
    readers: Arc<Readers>,
    writer: GroupCommit,
    /// How long writers waited for their turn.
    pub waits: Waits,
}

/// Idle reading connections. A read never waits while it holds a connection, so there are never more connections than
/// threads.
struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Reader>>,
}

/// A reading connection and what it remembers.
struct Reader {
    connection: Connection,
    /// Rows that still hold, by the text they were asked for with, each with its statement.
    remembered: HashMap<String, (&'static str, Box<dyn Any + Send>)>,
    /// The `data_version` for which they hold. It changes when anybody else, in this process or in another one, has
    /// committed anything to the file. (This connection commits nothing.)
    version: i64,
}

/// A connection as [`super::conn::Conn`] uses it.
pub enum Session {
    /// Borrowed for reading.
    Reader(Lease),
    /// The writer, as a member of a group.
    Writer(Member),
    /// A connection outside the pool, for long work.
    Own(Connection),
}

/// A reading connection on loan, in one transaction. Dropping the lease returns it.
pub struct Lease {
    reader: Option<Reader>,
    home: Arc<Readers>,
}

impl Sqlite {
    /// Opens the file. Creates it and its folder if they are missing.
    pub async fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|cause| Error::Address(format!("cannot create the folder {}: {cause}", folder.display())))?;
        }
        create_private(path)
            .map_err(|cause| Error::Address(format!("cannot create the SQLite file {}: {cause}", path.display())))?;
        is_file(path)?;
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
            .map_err(|cause| cannot_open(path, &cause))?;
        // The page size applies to a new file only; an existing file keeps its own.
        connection.pragma_update(None, "page_size", SQLITE_PAGE)?;
        enter_wal_mode(&mut connection).await?;
        // The writer waits asynchronously for other processes, so that no worker thread is blocked.
        connection.busy_timeout(Duration::ZERO)?;
        // Keep the undo data of savepoints in memory; by default it goes through a file.
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        connection.pragma_update(None, "cache_size", -SQLITE_WRITER_CACHE_KIB)?;
        let readers = Arc::new(Readers { path: path.to_owned(), idle: Mutex::default() });
        Ok(Self { readers, writer: GroupCommit::start(connection)?, waits: Waits::new(&[Wait::Writer]) })
    }

    pub fn reader(&self) -> Result<Session> {
        let idle = self.readers.idle.lock().pop();
        let reader = match idle {
            Some(reader) => reader,
            None => {
                let connection = connect(&self.readers.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
                connection.busy_timeout(SQLITE_READ_BUSY)?;
                connection.pragma_update(None, "mmap_size", SQLITE_MAPPED)?;
                Reader { connection, remembered: HashMap::new(), version: 0 }
            }
        };
        // All reads of a request share one transaction: they see one snapshot, and the file's locks are taken once
        // instead of once per statement (two system calls each).
        reader.connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(Session::Reader(Lease { reader: Some(reader), home: Arc::clone(&self.readers) }))
    }

    pub fn dedicated(&self) -> Result<Session> {
        let connection = connect(&self.readers.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.pragma_update(None, "cache_size", -SQLITE_LONG_WORK_CACHE_KIB)?;
        Ok(Session::Own(connection))
    }

    pub fn write_counts(&self) -> WriteCounts {
        self.writer.counts()
    }

    pub fn check_writable(&self) -> Result<()> {
        self.writer.check_writable()
    }

    /// Joins the group that commits next, with a savepoint in its transaction.
    pub async fn begin(&self) -> Result<Session> {
        let began = Instant::now();
        let joined = self.writer.join().await;
        self.waits.note(Wait::Writer, began);
        joined.map(Session::Writer)
    }

    /// How the file is used.
    pub fn file_use(&self) -> FileUse {
        let size = |path: &Path| path.metadata().ok().map(|found| found.len());
        let path = &self.readers.path;
        let (bytes, log_bytes) = (size(path), size(&log_of(path)));
        FileUse { path: path.clone(), writes: self.write_counts(), bytes, log_bytes }
    }
}

/// The write-ahead log of a file.
fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// A connection to look at a file that is there. It creates no database and refuses to write.
///
/// It is opened for writing all the same: SQLite needs two more files to read a database in WAL mode, and only a
/// connection that may write removes them at its end. A log that was there before, from a server that runs or was
/// killed, stays as it is: its content is not moved into the database.
pub fn look(path: &Path) -> Result<Session> {
    is_file(path)?;
    let had_log = log_of(path).exists();
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(|cause| cannot_open(path, &cause))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, had_log)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cache_size", -SQLITE_LONG_WORK_CACHE_KIB)?;
    Ok(Session::Own(connection))
}

impl Session {
    fn connection(&self) -> Result<&Connection> {
        match self {
            Self::Reader(lease) => lease.reader.as_ref().map(|reader| &reader.connection).ok_or_else(lease_is_over),
            Self::Writer(member) => member.connection(),
            Self::Own(connection) => Ok(connection),
        }
    }

    /// Counts a statement that a transaction runs, however many rows it runs for.
    pub fn count_statement(&self) {
        if let Self::Writer(member) = self {
            member.count_statement();
        }
    }

    pub fn query(
        &self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut (impl FnMut(&Row<'_>) -> Result<bool> + Send),
    ) -> Result<()> {
        let mut statement = self.connection()?.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(params))?;
        while let Some(row) = rows.next()? {
            if !each(&Row::Sqlite(row))? {
                break;
            }
        }
        Ok(())
    }

    /// The row that this statement gave for this text, if it was remembered and nothing was committed since. The version
    /// is the one of this transaction's snapshot, which all its statements see.
    pub fn recall<T: Clone + 'static>(&mut self, sql: &'static str, text: &str) -> Result<Option<T>> {
        let Self::Reader(lease) = self else { return Ok(None) };
        let reader = lease.reader.as_mut().ok_or_else(lease_is_over)?;
        let version = reader.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        if reader.version != version {
            reader.version = version;
            reader.remembered.clear();
        }
        let remembered = reader.remembered.get(text).filter(|(asked, _)| *asked == sql);
        Ok(remembered.and_then(|(_, row)| row.downcast_ref()).cloned())
    }

    /// Remembers the row that this statement gave for this text, after [`Session::recall`] in the same transaction.
    pub fn remember<T: Send + 'static>(&mut self, sql: &'static str, text: &str, row: T) {
        let Self::Reader(Lease { reader: Some(reader), .. }) = self else { return };
        if reader.remembered.len() >= KNOWN_MAX {
            reader.remembered.clear();
        }
        reader.remembered.insert(text.to_owned(), (sql, Box::new(row)));
    }

    pub fn execute(&self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        let changed = self.connection()?.prepare_cached(sql)?.execute(params_from_iter(params))?;
        Ok(changed as u64)
    }

    /// Shrinks the write-ahead log, which long work leaves as large as all it wrote. PASSIVE moves the log's content
    /// into the database without blocking anybody. TRUNCATE then frees the disk space, but only if nobody reads or
    /// writes at this moment. If somebody does, a later writer starts the log from its beginning.
    pub fn shrink_log(&self) {
        if let Err(cause) = self.empty_log() {
            tracing::warn!(%cause, "the write-ahead log was not shrunk");
        }
    }

    /// The same, and tells whether the log is empty now.
    pub fn empty_log(&self) -> Result<bool> {
        let connection = self.connection()?;
        connection.busy_timeout(Duration::ZERO)?;
        let mut is_empty = false;
        for mode in ["PASSIVE", "TRUNCATE"] {
            self.query(&format!("PRAGMA wal_checkpoint({mode})"), &[], &mut |row| {
                // The first column tells whether somebody was in the way.
                is_empty = row.int(0)? == 0;
                Ok(true)
            })?;
        }
        connection.busy_timeout(SQLITE_BUSY)?;
        Ok(is_empty)
    }

    pub fn batch(&self, sql: &str) -> Result<()> {
        Ok(self.connection()?.execute_batch(sql)?)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(reader) = self.reader.take() else { return };
        let ended = reader.connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        match ended {
            Ok(_) => self.home.idle.lock().push(reader),
            // The next reader opens another one.
            Err(cause) => tracing::warn!(%cause, "a reading connection was given up"),
        }
    }
}

fn lease_is_over() -> Error {
    Error::internal("the lease is over")
}

/// Refuses a path without a file, because SQLite's own message would not say what is there instead.
fn is_file(path: &Path) -> Result<()> {
    match path.metadata() {
        Ok(found) if found.is_dir() => {
            Err(Error::Address(format!("{} is a folder; a SQLite address names a file", path.display())))
        }
        Ok(_) => Ok(()),
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(Error::NoDatabase(format!("at {}", path.display())))
        }
        Err(cause) => Err(cannot_open(path, &cause)),
    }
}

fn cannot_open(path: &Path, cause: &dyn std::error::Error) -> Error {
    Error::Address(format!("cannot open the SQLite file {}: {cause}", path.display()))
}

/// Creates a new file that only its owner may read, because it will hold personal data and secrets.
fn create_private(path: &Path) -> std::io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(cause) if cause.kind() != ErrorKind::AlreadyExists => Err(cause),
        _ => Ok(()),
    }
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    // Each connection is used by one thread at a time, so SQLite need not lock for itself.
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(SQLITE_BUSY)?;
    // Without this the bundled build parses a cached statement again at every bind (44 µs against 11 µs a point read).
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What is deleted, such as a person, is overwritten with zeros.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "cache_size", -SQLITE_CACHE_KIB)?;
    connection.pragma_update(None, "journal_size_limit", SQLITE_WAL_KEPT)?;
    Ok(connection)
}

/// Switches to WAL mode, in which readers continue while one connection writes. If two processes switch at the same
/// time, SQLite refuses one, which tries again here.
async fn enter_wal_mode(connection: &mut Connection) -> Result<()> {
    let deadline = Instant::now() + SQLITE_BUSY;
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0)) {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => {
                return Err(Error::Address(format!("the SQLite file cannot use WAL (it stays in {mode} mode)")));
            }
            Err(cause) if cause.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < deadline => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Err(cause) => return Err(cause.into()),
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(cause: rusqlite::Error) -> Self {
        match cause.sqlite_error_code() {
            // The file, its disk or this machine cannot work just now. Our statements have nothing to do with it.
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::CannotOpen
                | ErrorCode::OutOfMemory,
            ) => Self::Unavailable(whole_story(&cause)),
            _ => Self::Internal(whole_story(&cause)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_connection_that_looks_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("look.db");
        assert!(matches!(look(&path), Err(Error::NoDatabase(_))) && !path.exists());
        let written = Sqlite::open(&path).await.unwrap().dedicated().unwrap();
        written.batch("CREATE TABLE t (a BIGINT); INSERT INTO t VALUES (1)").unwrap();
        let looking = look(&path).unwrap();
        let mut rows = 0;
        looking
            .query("SELECT a FROM t", &[], &mut |_| {
                rows += 1;
                Ok(true)
            })
            .unwrap();
        assert_eq!(rows, 1);
        for write in ["INSERT INTO t VALUES (2)", "UPDATE t SET a = 2", "DROP TABLE t", "CREATE TABLE u (a BIGINT)"] {
            assert!(looking.batch(write).is_err(), "{write}");
        }
    }

    #[tokio::test]
    async fn every_connection_waits_for_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&folder.path().join("sync.db")).await.unwrap();
        let sessions = [sqlite.begin().await.unwrap(), sqlite.reader().unwrap(), sqlite.dedicated().unwrap()];
        for session in &sessions {
            let read = |pragma: &str| {
                let connection = session.connection().unwrap();
                connection.pragma_query_value(None, pragma, |row| row.get::<_, rusqlite::types::Value>(0)).unwrap()
            };
            // FULL: the log reaches the disk before a commit is acknowledged (G7).
            assert_eq!(read("synchronous"), rusqlite::types::Value::Integer(2));
            assert_eq!(read("journal_mode"), rusqlite::types::Value::Text("wal".into()));
            assert_eq!(read("foreign_keys"), rusqlite::types::Value::Integer(1));
        }
    }
}
