//! The database.

use std::time::Duration;

/// How long PostgreSQL may take. The values are [`PostgresTimeouts::default`]; tests take shorter ones.
#[derive(Clone, Copy, Debug)]
pub struct PostgresTimeouts {
    /// How long a move waits for its producer's turn before the request gets 503. Nothing is held meanwhile, and a
    /// hundred buyers at once may need seconds, so this is longer than the next one.
    pub turn: Duration,
    /// How long a transaction waits for a permit to write, and anybody for a connection, before the request gets 503.
    pub wait: Duration,
    /// PostgreSQL cancels a statement that takes longer than this, such as a wait for a lock.
    pub statement: Duration,
    /// If no answer has come this long after that, the connection is lost: it is closed, and others are used.
    pub margin: Duration,
    /// How long a list waits for a replica before the database itself is asked. Where a replica answers, it takes a few
    /// milliseconds.
    pub replica: Duration,
}

impl Default for PostgresTimeouts {
    fn default() -> Self {
        // A request is answered within 15 s; a connection that is lost is found before that.
        let seconds = Duration::from_secs;
        let replica = Duration::from_millis(500);
        Self { turn: seconds(10), wait: seconds(5), statement: seconds(10), margin: seconds(2), replica }
    }
}

/// Prepared statements kept per connection: room for every shape of every list.
pub const STATEMENTS_MAX: usize = 512;
/// Keys, door links and payment processors that a server remembers, of each this many, about 200 bytes each. A reading
/// connection to SQLite remembers as many keys.
pub const KNOWN_MAX: usize = 10_000;
/// Names of ticket types that a server remembers, a few hundred bytes each. Learning a new name copies all names of its
/// producer, so they must not grow without end.
pub const TYPE_NAMES_MAX: usize = 20_000;
/// Tickets read together by work that goes through all of them.
pub const TICKETS_AT_A_TIME: i64 = 1_000;
/// Orders read together by work that goes through all of them; each may have [`ITEMS_MAX`](super::ITEMS_MAX) items.
pub const ORDERS_AT_A_TIME: i64 = 200;
/// Connections to PostgreSQL per server.
pub const POSTGRES_POOL: usize = 16;
/// How many of these connections may write at the same time; the others are for readers.
pub const POSTGRES_WRITERS: usize = 10;
/// How many of these connections the readers of one producer may have at the same time: a quarter, so that a producer whose
/// place does not answer leaves the others theirs.
pub const POSTGRES_SHARE: usize = POSTGRES_POOL / 4;
/// A statement without an answer for this long hangs. Nearly all are answered within a hundredth of it.
pub const POSTGRES_HANGS_AFTER: Duration = Duration::from_secs(1);
/// A statement that hangs for this long gives its connection up to others even if nobody is answered. Those who wait for a
/// connection leave after [`PostgresTimeouts::wait`].
pub const POSTGRES_HANGS_MAX: Duration = Duration::from_secs(3);
/// How often one that hangs looks whether somebody needs its connection more.
pub const POSTGRES_HANGS_LOOK: Duration = Duration::from_millis(100);
/// Statements that may hang until their deadline although others wait for a connection.
pub const POSTGRES_HANGING: usize = POSTGRES_POOL / 4;
/// How long a replica is left alone that did not answer, so that a dead one delays one list and not all of them.
pub const REPLICA_LEFT_ALONE: Duration = Duration::from_secs(10);
/// A connection to PostgreSQL that was silent for this long is probed, by both ends.
pub const POSTGRES_KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
/// The pause between two probes.
pub const POSTGRES_KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
/// A connection is lost after this many probes without an answer.
pub const POSTGRES_KEEPALIVE_RETRIES: u32 = 4;
/// A connection is lost if nothing that was sent arrives for this long. Long work has no other deadline.
pub const POSTGRES_LOST: Duration = Duration::from_secs(30);
/// How long an upgrade of PostgreSQL's schema waits for a lock. Whoever sells or reads waits behind it meanwhile.
pub const SCHEMA_LOCK_WAIT: Duration = Duration::from_secs(2);
/// The pause until it tries again. Everybody goes on in between.
pub const SCHEMA_LOCK_AGAIN: Duration = Duration::from_secs(5);
/// How many times it tries: for about twelve minutes, which most backups take less than. After that the command ends, and
/// nothing has changed.
pub const SCHEMA_LOCK_ATTEMPTS: u32 = 100;
/// How many times a write is tried in all, if it meets deadlocks, serialization failures or other conflicts.
pub const WRITE_ATTEMPTS: u32 = 8;
/// How long a read waits for another process that has locked the whole SQLite file. In WAL mode that hardly ever happens,
/// and a waiting read keeps a thread from all other requests.
pub const SQLITE_READ_BUSY: Duration = Duration::from_secs(1);
/// How long a write waits for another process that is writing to the same SQLite file (an import, say).
pub const SQLITE_BUSY: Duration = Duration::from_secs(300);
/// Bytes of a page in a new SQLite file. A ticket takes about 900, so a page of a list needs few reads. With 16 kB,
/// reading is hardly faster and writes log more bytes.
pub const SQLITE_PAGE: i64 = 8 * 1024;
/// Page cache of one SQLite connection, in KiB.
pub const SQLITE_CACHE_KIB: i64 = 8 * 1024;
/// Bytes of a SQLite file that reading connections see where the operating system keeps them, instead of copying each page
/// into a cache of their own: the most that SQLite takes. What lies beyond is copied, and so is what the write-ahead log has.
pub const SQLITE_MAPPED: i64 = 0x7fff_0000;
/// Page cache of the one connection that writes, in KiB. It is larger because a scan changes a dozen pages all over the
/// file.
pub const SQLITE_WRITER_CACHE_KIB: i64 = 32 * 1024;
/// Page cache of a connection that does long work such as an import, in KiB. It is larger because such work touches all
/// parts of every index.
pub const SQLITE_LONG_WORK_CACHE_KIB: i64 = 128 * 1024;
/// How often it is tried to empty the write-ahead log, which needs a moment in which nobody reads or writes.
pub const SQLITE_EMPTY_TRIES: u32 = 100;
/// The pause between two tries.
pub const SQLITE_EMPTY_AGAIN: Duration = Duration::from_millis(50);
/// Bytes that the write-ahead log may keep on disk once its content is in the database.
pub const SQLITE_WAL_KEPT: i64 = 64 * 1024 * 1024;
/// A clock that is ahead by more than this between two moves is logged: more than any daylight saving time that somebody
/// forgot, or a time server's correction, should do.
pub const CLOCK_JUMP: Duration = Duration::from_hours(1);
/// How often a server looks at its database's clock and at the version of its schema, beside every move. A server that sells
/// nothing still delivers messages, and must not go on long after an upgrade.
pub const DATABASE_WATCHED: Duration = Duration::from_secs(2);
