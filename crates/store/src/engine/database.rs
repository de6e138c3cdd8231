//! The database itself: which engine runs it, and the connections it gives out.

use std::{path::Path, sync::Arc};

use futures_util::FutureExt;

use taquilla_domain::{config::PostgresTimeouts, time_source::TimeSource};

use super::{
    commits::Followed,
    conn::{Conn, Link},
    dedicated::Dedicated,
    error::{Error, Result},
    group_commit::WriteCounts,
    postgres::{self, Postgres},
    replicas::{AtReplica, ReplicaState, Replicas},
    seen::LastSeen,
    sqlite::{self, Sqlite},
    transaction::Transaction,
    usage::Usage,
};
use crate::tenant::Tenant;

/// The database, whichever engine runs it. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    engine: Engine,
    /// See [`Conn::clock`].
    clock: TimeSource,
    seen: Arc<LastSeen>,
    /// Replicas that may answer lists.
    replicas: Option<Arc<Replicas>>,
}

#[derive(Clone)]
enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// Which engine an address names, and where it is.
enum Address<'a> {
    Sqlite(&'a Path),
    Postgres(&'a str),
}

impl<'a> Address<'a> {
    fn parse(address: &'a str) -> Result<Self> {
        match address.strip_prefix("sqlite:") {
            Some("") => Err(Error::Address("a SQLite address names a file, such as sqlite:data/taquilla.db".into())),
            Some(path) => Ok(Self::Sqlite(path.as_ref())),
            None if address.starts_with("postgres://") || address.starts_with("postgresql://") => {
                Ok(Self::Postgres(address))
            }
            // The address may hold a password: say what is expected, not what was given.
            None => {
                Err(Error::Address("a database address is sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME".into()))
            }
        }
    }
}

impl Store {
    /// Connects to `sqlite:PATH` or `postgres://…` without looking at the schema.
    pub(crate) async fn connect(
        address: &str,
        timeouts: PostgresTimeouts,
        clock: TimeSource,
        known_schema: i64,
    ) -> Result<Self> {
        let engine = match Address::parse(address)? {
            Address::Sqlite(path) => Engine::Sqlite(Sqlite::open(path).await?),
            Address::Postgres(address) => Engine::Postgres(Postgres::open(address, timeouts)?),
        };
        Ok(Self { engine, clock, seen: Arc::new(LastSeen::new(known_schema)), replicas: None })
    }

    /// The same database with replicas, which [`Store::replica`] gives in turn. They are not looked at yet.
    pub fn with_replicas(mut self, addresses: &[String]) -> Result<Self> {
        if addresses.is_empty() {
            return Ok(self);
        }
        let Engine::Postgres(postgres) = &self.engine else {
            return Err(Error::Address("a SQLite file has no replicas; they are for PostgreSQL".into()));
        };
        if addresses.iter().any(|address| !matches!(Address::parse(address), Ok(Address::Postgres(_)))) {
            return Err(Error::Address("the address of a replica is postgres://USER:PASSWORD@HOST/NAME".into()));
        }
        self.replicas = Some(Arc::new(Replicas::open(postgres, addresses)?));
        Ok(self)
    }

    /// Whether there are replicas.
    pub fn has_replicas(&self) -> bool {
        self.replicas.is_some()
    }

    /// How each replica was when it was last asked.
    pub fn replica_states(&self) -> Vec<ReplicaState> {
        self.replicas.as_ref().map(|replicas| replicas.states()).unwrap_or_default()
    }

    /// A replica to ask, if there is one that is not left alone.
    pub fn replica(&self) -> Option<AtReplica> {
        AtReplica::next(self.replicas.as_ref()?, &self.clock, &self.seen)
    }

    /// A doubt about an address that can be used.
    pub fn doubt(address: &str) -> Option<&'static str> {
        match Address::parse(address) {
            Ok(Address::Postgres(address)) => postgres::doubt(address),
            _ => None,
        }
    }

    /// The servers of a PostgreSQL address, for a person to recognise.
    pub fn servers(address: &str) -> Result<String> {
        postgres::servers(address)
    }

    /// A connection to look at a database that is there, for long work. It creates nothing, and it cannot write.
    pub(crate) async fn look(address: &str) -> Result<Conn> {
        let link = match Address::parse(address)? {
            Address::Sqlite(path) => Link::Sqlite(sqlite::look(path)?),
            Address::Postgres(address) => Link::Postgres(Box::new(Postgres::open_to_look(address)?.look().await?)),
        };
        // It cannot write, so it minds no version.
        Ok(Conn { link, clock: TimeSource::System, seen: Arc::new(LastSeen::new(i64::MAX)) })
    }

    /// Where an address leads, for a person to recognise. A password is not shown.
    pub(crate) fn shown(address: &str) -> String {
        match Address::parse(address) {
            Ok(Address::Sqlite(path)) => format!("at {}", path.display()),
            Ok(Address::Postgres(address)) => postgres::shown(address),
            Err(_) => String::new(),
        }
    }

    /// The file that an address names, if it is a SQLite address.
    pub fn file(address: &str) -> Option<&Path> {
        match Address::parse(address) {
            Ok(Address::Sqlite(path)) => Some(path),
            _ => None,
        }
    }

    fn conn(&self, link: Link) -> Conn {
        Conn { link, clock: self.clock.clone(), seen: Arc::clone(&self.seen) }
    }

    /// A connection for reading. It cannot write. Each statement sees one consistent state; on SQLite all statements of
    /// one connection see the same state, so later writes show on a new connection only.
    pub async fn read(&self) -> Result<Conn> {
        let link = match &self.engine {
            Engine::Sqlite(sqlite) => Link::Sqlite(sqlite.reader()?),
            Engine::Postgres(postgres) => Link::Postgres(Box::new(postgres.reader().boxed().await?)),
        };
        Ok(self.conn(link))
    }

    /// A connection for reading what one producer has. On PostgreSQL the readers of a producer have a share of the
    /// connections, so that one that is slow, or cannot be reached, leaves the others theirs.
    pub async fn read_of(&self, tenant: Tenant) -> Result<Conn> {
        let link = match &self.engine {
            Engine::Sqlite(sqlite) => Link::Sqlite(sqlite.reader()?),
            Engine::Postgres(postgres) => Link::Postgres(Box::new(postgres.reader_of(tenant.number()).boxed().await?)),
        };
        Ok(self.conn(link))
    }

    /// A connection for reading several things of a producer that belong together: all its statements see the same state, on PostgreSQL
    /// too. Give it back by [`Conn::end_state`]; one that is dropped is closed, and the next reader waits for a new one.
    pub async fn read_state(&self, tenant: Tenant) -> Result<Conn> {
        let mut conn = self.read_of(tenant).await?;
        if let Link::Postgres(session) = &mut conn.link {
            session.begin_state().boxed().await?;
        }
        Ok(conn)
    }

    /// A bare writing transaction. [`Move`](crate::Move) and [`Unstamped`](crate::Unstamped) wrap it.
    pub(crate) async fn begin(&self) -> Result<Transaction> {
        self.seen.may_write()?;
        let link = match &self.engine {
            Engine::Sqlite(sqlite) => Link::Sqlite(sqlite.begin().boxed().await?),
            Engine::Postgres(postgres) => Link::Postgres(Box::new(postgres.begin().boxed().await?)),
        };
        Ok(self.conn(link).into())
    }

    /// A writing transaction that will lock this producer's row. On PostgreSQL those of one producer take turns before
    /// they take a connection, so that they cannot keep all connections from other producers.
    pub(crate) async fn begin_in_turn(&self, producer: i64) -> Result<Transaction> {
        self.seen.may_write()?;
        let mut transaction = match &self.engine {
            Engine::Sqlite(_) => self.begin().await?,
            Engine::Postgres(postgres) => {
                self.conn(Link::Postgres(Box::new(postgres.begin_in_turn(producer).boxed().await?))).into()
            }
        };
        transaction.concerns(Tenant::from_column(producer));
        Ok(transaction)
    }

    /// Follows which producers the commits of this process concern.
    pub fn follow_commits(&self) -> Followed {
        self.seen.commits.follow()
    }

    /// Whether another process runs the database: then it can be slow for one producer and quick for another.
    pub fn is_remote(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }

    /// Empties SQLite's write-ahead log. `false` if somebody read or wrote at this moment. PostgreSQL's is its own.
    pub(crate) fn empty_log(&self) -> Result<bool> {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.dedicated()?.empty_log(),
            Engine::Postgres(_) => Ok(true),
        }
    }

    /// Tells whether the database can be written to, without writing and without a turn to write. A SQLite file that
    /// somebody writes to at this moment can be.
    pub async fn check_writable(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.check_writable(),
            Engine::Postgres(postgres) => postgres.check_writable().boxed().await,
        }
    }

    /// A connection outside the pool, for long work such as an import or a check.
    pub async fn dedicated(&self) -> Result<Dedicated> {
        let link = match &self.engine {
            Engine::Sqlite(sqlite) => Link::Sqlite(sqlite.dedicated()?),
            Engine::Postgres(postgres) => Link::Postgres(Box::new(postgres.dedicated().boxed().await?)),
        };
        Ok(Dedicated(self.conn(link)))
    }

    /// How the database is used at this moment.
    pub fn usage(&self) -> Usage<'_> {
        match &self.engine {
            Engine::Sqlite(sqlite) => {
                Usage { engine: "sqlite", waits: &sqlite.waits, file: Some(sqlite.file_use()), pool: None }
            }
            Engine::Postgres(postgres) => {
                Usage { engine: "postgres", waits: &postgres.waits, file: None, pool: Some(postgres.pool_use()) }
            }
        }
    }

    /// How many commits this server made and how many transactions they held. `None` on PostgreSQL, which commits for
    /// itself.
    pub fn write_counts(&self) -> Option<WriteCounts> {
        match &self.engine {
            Engine::Sqlite(sqlite) => Some(sqlite.write_counts()),
            Engine::Postgres(_) => None,
        }
    }
}
