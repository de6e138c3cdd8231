//! The connections to one PostgreSQL database, and who may write.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use deadpool::Runtime;
use tokio::{sync::Semaphore, time::timeout};

use taquilla_domain::config::{POSTGRES_POOL, POSTGRES_WRITERS, PostgresTimeouts};
use taquilla_metrics::{Wait, Waits};

use super::{
    super::{
        error::{Error, Result},
        usage::PoolUse,
    },
    connect::{Address, Connector, Lineage, Part},
    for_each::ForEach,
    patience::Patience,
    session::{Pool, Session},
    settings,
    shares::Shares,
    turns::Turns,
};

/// One PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    /// Limits the writers. They may wait for a lock, and without a limit the waiting ones would use up the pool and
    /// leave no connection for readers.
    writers: Arc<Semaphore>,
    turns: Turns,
    shares: Shares,
    patience: Arc<Patience>,
    timeouts: PostgresTimeouts,
    lineage: Arc<Lineage>,
    /// For connections through a pooler.
    for_each: ForEach,
    /// How long was waited for all of these.
    pub waits: Waits,
}

impl Postgres {
    /// A database to read and to write.
    pub fn open(address: &str, timeouts: PostgresTimeouts) -> Result<Self> {
        let address = Address::parse(address)?.for_writing()?;
        if address.is_undecided() {
            tracing::warn!("{UNDECIDED}");
        }
        Self::connect(address, timeouts, Part::Database, Arc::default())
    }

    /// A database to look at, which may be a standby.
    pub fn open_to_look(address: &str) -> Result<Self> {
        Self::connect(Address::parse(address)?, PostgresTimeouts::default(), Part::Database, Arc::default())
    }

    /// A replica of this database. Whoever asks it does not wait longer than is worth it, so nor does a statement there.
    pub fn replica(&self, address: &str) -> Result<Self> {
        let timeouts = PostgresTimeouts { statement: self.timeouts.replica, ..self.timeouts };
        Self::connect(Address::parse(address)?, timeouts, Part::Replica, Arc::clone(&self.lineage))
    }

    /// How long a list waits for a replica.
    pub fn replica_wait(&self) -> Duration {
        self.timeouts.replica
    }

    fn connect(address: Address, timeouts: PostgresTimeouts, part: Part, lineage: Arc<Lineage>) -> Result<Self> {
        let settings = settings::pooled(timeouts);
        let connector = Connector::new(address, settings, timeouts.wait, part, Arc::clone(&lineage));
        let pool = Pool::builder(connector)
            .max_size(POSTGRES_POOL)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(timeouts.wait))
            .build()
            .map_err(Error::internal)?;
        let writers = Arc::new(Semaphore::new(POSTGRES_WRITERS));
        let waits = Waits::new(&[Wait::Turn, Wait::Permit, Wait::Connection]);
        let (turns, shares, patience) = (Turns::default(), Shares::default(), Arc::default());
        let for_each = ForEach::pooled(timeouts);
        Ok(Self { pool, writers, turns, shares, patience, timeouts, lineage, for_each, waits })
    }

    pub async fn reader(&self) -> Result<Session> {
        let began = Instant::now();
        let wanting = self.patience.want();
        let connection = self.pool.get().await;
        drop(wanting);
        self.waits.note(Wait::Connection, began);
        let deadline = self.timeouts.statement + self.timeouts.margin;
        Ok(Session::new(connection?, deadline, Arc::clone(&self.patience), &self.for_each))
    }

    /// A connection for reading what one producer has, within its share.
    pub async fn reader_of(&self, producer: i64) -> Result<Session> {
        let Ok(share) = timeout(self.timeouts.wait, self.shares.take(producer)).await else {
            return Err(Error::Unavailable("too many readers of this producer are waiting".into()));
        };
        let mut session = self.reader().await?;
        session.keep_share(share);
        Ok(session)
    }

    /// How the connections are used.
    pub fn pool_use(&self) -> PoolUse {
        let status = self.pool.status();
        PoolUse {
            max: status.max_size,
            idle: status.available,
            used: status.size.saturating_sub(status.available),
            waiting: status.waiting,
            writers: POSTGRES_WRITERS - self.writers.available_permits(),
            writers_max: POSTGRES_WRITERS,
        }
    }

    /// A connection outside the pool, with the server's ordinary planner and no time limit.
    pub async fn dedicated(&self) -> Result<Session> {
        let mut session = self.reader().await?;
        session.set(&settings::long_work(), ForEach::long_work).await?;
        session.leave_the_pool();
        Ok(session)
    }

    /// Like [`Postgres::dedicated`], but the server refuses every write.
    pub async fn look(&self) -> Result<Session> {
        let mut session = self.dedicated().await?;
        session.set("SET default_transaction_read_only = on", ForEach::look).await?;
        Ok(session)
    }

    pub async fn begin(&self) -> Result<Session> {
        let mut session = self.writer().await?;
        session.begin().await?;
        Ok(session)
    }

    /// A connection with a permit to write.
    async fn writer(&self) -> Result<Session> {
        let began = Instant::now();
        let wanting = self.patience.want();
        let permit = timeout(self.timeouts.wait, Arc::clone(&self.writers).acquire_owned()).await;
        drop(wanting);
        self.waits.note(Wait::Permit, began);
        let Ok(Ok(permit)) = permit else {
            return Err(Error::Unavailable("too many writers are waiting".into()));
        };
        let mut session = self.reader().await?;
        session.keep_permit(permit);
        Ok(session)
    }

    /// A transaction that begins with its first statement, which locks this producer's row.
    pub async fn begin_in_turn(&self, producer: i64) -> Result<Session> {
        let began = Instant::now();
        let turn = timeout(self.timeouts.turn, self.turns.take(producer)).await;
        self.waits.note(Wait::Turn, began);
        let Ok(turn) = turn else {
            return Err(Error::Unavailable("too many moves of this producer are waiting".into()));
        };
        let mut session = self.writer().await?;
        session.keep_turn(turn);
        session.begin_with_next();
        Ok(session)
    }

    /// Tells whether a transaction that writes can begin. A standby refuses that.
    pub async fn check_writable(&self) -> Result<()> {
        let mut session = self.reader().await?;
        session.begin().await?;
        session.roll_back().await
    }
}

/// What is said of an address with several servers that does not say which one may be used.
const UNDECIDED: &str = "the address of the database names several servers and no target_session_attrs: a standby that \
     answers first is used, and nothing can be sold there; write target_session_attrs=read-write";

/// A doubt about an address that can be used.
pub fn doubt(address: &str) -> Option<&'static str> {
    Address::parse(address).is_ok_and(|address| address.is_undecided()).then_some(UNDECIDED)
}

/// The servers that an address names, for a person to recognise.
pub fn servers(address: &str) -> Result<String> {
    let places = Address::parse(address)?.places;
    Ok(places.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

/// Where an address leads, without its password.
pub fn shown(address: &str) -> String {
    let Ok(address) = Address::parse(address) else { return String::new() };
    let name = address.places.first().map_or("", |place| &place.database);
    format!("in the PostgreSQL database {name}")
}
