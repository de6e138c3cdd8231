//! The connections to one PostgreSQL database, and who may write.

use std::{sync::Arc, time::Instant};

use deadpool::Runtime;
use tokio::{sync::Semaphore, time::timeout};

use taquilla_domain::config::{POSTGRES_POOL, POSTGRES_WRITERS, PostgresTimeouts};
use taquilla_metrics::{Wait, Waits};

use super::{
    super::{
        error::{Error, Result},
        usage::PoolUse,
    },
    connect::{Address, Connector},
    for_each::ForEach,
    session::{Pool, Session},
    settings,
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
    timeouts: PostgresTimeouts,
    /// For connections through a pooler.
    for_each: ForEach,
    /// How long was waited for all of these.
    pub waits: Waits,
}

impl Postgres {
    pub fn open(address: &str, timeouts: PostgresTimeouts) -> Result<Self> {
        let address = Address::parse(address)?;
        let connector = Connector::new(address, settings::pooled(timeouts), timeouts.wait);
        let pool = Pool::builder(connector)
            .max_size(POSTGRES_POOL)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(timeouts.wait))
            .build()
            .map_err(Error::internal)?;
        let writers = Arc::new(Semaphore::new(POSTGRES_WRITERS));
        let waits = Waits::new(&[Wait::Turn, Wait::Permit, Wait::Connection]);
        Ok(Self { pool, writers, turns: Turns::default(), timeouts, for_each: ForEach::pooled(timeouts), waits })
    }

    pub async fn reader(&self) -> Result<Session> {
        let began = Instant::now();
        let connection = self.pool.get().await;
        self.waits.note(Wait::Connection, began);
        Ok(Session::new(connection?, self.timeouts.statement + self.timeouts.margin, &self.for_each))
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
        let permit = timeout(self.timeouts.wait, Arc::clone(&self.writers).acquire_owned()).await;
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

/// Where an address leads, without its password.
pub fn shown(address: &str) -> String {
    let Ok(address) = Address::parse(address) else { return String::new() };
    let name = address.places.first().map_or("", |place| &place.database);
    format!("in the PostgreSQL database {name}")
}
