//! The connections to one PostgreSQL database, and who may write.

use std::sync::Arc;

use deadpool::Runtime;
use tokio::{sync::Semaphore, time::timeout};

use super::{
    super::error::{Error, Result},
    connect::{Address, Connector},
    session::{Pool, Session},
    settings,
    turns::Turns,
};
use crate::config::{POSTGRES_POOL, POSTGRES_WRITERS, PostgresTimeouts};

/// One PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    /// Limits the writers. They may wait for a lock, and without a limit the waiting ones would use up the pool and
    /// leave no connection for readers.
    writers: Arc<Semaphore>,
    turns: Turns,
    timeouts: PostgresTimeouts,
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
        Ok(Self { pool, writers: Arc::new(Semaphore::new(POSTGRES_WRITERS)), turns: Turns::default(), timeouts })
    }

    pub async fn reader(&self) -> Result<Session> {
        Ok(Session::new(self.pool.get().await?, self.timeouts.statement + self.timeouts.margin))
    }

    /// A connection outside the pool, with the server's ordinary planner and no time limit.
    pub async fn dedicated(&self) -> Result<Session> {
        let mut session = self.reader().await?;
        session.batch(&settings::long_work()).await?;
        session.leave_the_pool();
        Ok(session)
    }

    /// Like [`Postgres::dedicated`], but the server refuses every write.
    pub async fn look(&self) -> Result<Session> {
        let mut session = self.dedicated().await?;
        session.batch("SET default_transaction_read_only = on").await?;
        Ok(session)
    }

    pub async fn begin(&self) -> Result<Session> {
        let mut session = self.writer().await?;
        session.begin().await?;
        Ok(session)
    }

    /// A connection with a permit to write.
    async fn writer(&self) -> Result<Session> {
        let permit = timeout(self.timeouts.wait, Arc::clone(&self.writers).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Error::Unavailable("too many writers are waiting".into()));
        };
        let mut session = self.reader().await?;
        session.keep_permit(permit);
        Ok(session)
    }

    /// A transaction that begins with its first statement, which locks this producer's row.
    pub async fn begin_in_turn(&self, producer: i64) -> Result<Session> {
        let Ok(turn) = timeout(self.timeouts.turn, self.turns.take(producer)).await else {
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
