//! The connections to one PostgreSQL database, and who may write.

use std::{str::FromStr, sync::Arc};

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio::{sync::Semaphore, time::timeout};
use tokio_postgres::{Config, NoTls};

use super::{
    super::error::{Error, Result},
    session::Session,
    settings,
    turns::Turns,
};
use crate::config::{
    POSTGRES_KEEPALIVE_IDLE, POSTGRES_KEEPALIVE_INTERVAL, POSTGRES_KEEPALIVE_RETRIES, POSTGRES_LOST, POSTGRES_POOL,
    POSTGRES_WRITERS, PostgresTimeouts,
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
}

impl Postgres {
    pub fn open(address: &str, timeouts: PostgresTimeouts) -> Result<Self> {
        let mut config = parse(address)?;
        config
            .connect_timeout(timeouts.wait)
            .application_name("taquilla")
            .keepalives(true)
            .keepalives_idle(POSTGRES_KEEPALIVE_IDLE)
            .keepalives_interval(POSTGRES_KEEPALIVE_INTERVAL)
            .keepalives_retries(POSTGRES_KEEPALIVE_RETRIES)
            .tcp_user_timeout(POSTGRES_LOST);
        let manager = Manager::from_config(config, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let pooled = settings::pooled(timeouts);
        let pool = Pool::builder(manager)
            .max_size(POSTGRES_POOL)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(timeouts.wait))
            .create_timeout(Some(timeouts.wait))
            .post_create(Hook::async_fn(move |client, _| {
                let pooled = pooled.clone();
                Box::pin(async move {
                    match timeout(timeouts.wait, client.batch_execute(&pooled)).await {
                        Ok(set) => set.map_err(HookError::Backend),
                        Err(_) => Err(HookError::message("a new connection does not answer")),
                    }
                })
            }))
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

fn parse(address: &str) -> Result<Config> {
    // The parser's own message may quote the password.
    let unreadable = "the PostgreSQL address cannot be read; it is postgres://USER:PASSWORD@HOST:PORT/NAME";
    Config::from_str(address).map_err(|_| Error::Address(unreadable.into()))
}

/// Where an address leads, without its password.
pub fn shown(address: &str) -> String {
    let Ok(config) = parse(address) else { return String::new() };
    let name = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
    format!("in the PostgreSQL database {name}")
}
