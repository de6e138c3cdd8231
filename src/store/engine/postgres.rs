//! PostgreSQL: a pool of connections, prepared statements, transactions that are run again after a conflict.

use std::{
    collections::HashMap,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use deadpool_postgres::{
    ClientWrapper, Hook, HookError, Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
};
use futures_util::future::{try_join, try_join_all};
use parking_lot::RwLock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::{Config, NoTls, Row as PgRow, error::SqlState, types::ToSql};

use super::{
    error::{Error, Result, whole_story},
    sql::{Param, Row},
};
use crate::config::{POSTGRES_POOL, POSTGRES_STATEMENT_TIMEOUT, POSTGRES_WAIT, POSTGRES_WRITERS};

/// Every list is meant to be read along one index (G8). The planner guesses from statistics and may prefer to sort or
/// to scan; these settings forbid both, so that the plan does not depend on the day's statistics. The generic plan is
/// the same for every parameter and is made once per statement.
const READING: &str = "SET default_transaction_read_only = on; SET plan_cache_mode = force_generic_plan; \
     SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off; SET enable_incremental_sort = off; \
     SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off; SET jit = off; ";

/// The advisory lock that servers starting at the same time wait for ("taquilla" in ASCII).
const SCHEMA_LOCK: i64 = 0x7461_7175_696c_6c61;

/// One PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    /// Limits the writers. They wait for each other at a producer's lock, and without a limit the waiting ones would
    /// use up the pool and leave no connection for readers.
    writers: Arc<Semaphore>,
}

/// A connection as [`super::conn::Conn`] uses it.
pub struct Session {
    client: Option<Client>,
    _writer: Option<OwnedSemaphorePermit>,
    /// A query that is sent together with the next statement.
    along: Option<Along>,
    /// Whether the session is between `BEGIN` and `COMMIT`. A session dropped there closes its connection, which undoes
    /// the work.
    in_transaction: bool,
}

/// A query with one text parameter, and the check of its answer.
struct Along {
    sql: &'static str,
    text: String,
    check: Check,
}

type Check = Box<dyn FnOnce(Option<&Row<'_>>) -> Result<()> + Send + Sync>;

enum Client {
    Pooled(Object),
    Own(ClientWrapper),
}

impl Postgres {
    pub fn open(address: &str) -> Result<Self> {
        let mut config = parse(address)?;
        config.connect_timeout(POSTGRES_WAIT).application_name("taquilla");
        let manager = Manager::from_config(config, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let timeout = POSTGRES_STATEMENT_TIMEOUT.as_millis();
        // A Taquilla server that vanishes in the middle of a transaction must not hold a producer's clock for hours.
        let reading =
            format!("{READING} SET statement_timeout = {timeout}; SET idle_in_transaction_session_timeout = {timeout}");
        let pool = Pool::builder(manager)
            .max_size(POSTGRES_POOL)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(POSTGRES_WAIT))
            .create_timeout(Some(POSTGRES_WAIT))
            .post_create(Hook::async_fn(move |client, _| {
                let reading = reading.clone();
                Box::pin(async move { client.batch_execute(&reading).await.map_err(HookError::Backend) })
            }))
            .build()
            .map_err(Error::internal)?;
        Ok(Self { pool, writers: Arc::new(Semaphore::new(POSTGRES_WRITERS)) })
    }

    pub async fn reader(&self) -> Result<Session> {
        Ok(Session {
            client: Some(Client::Pooled(self.pool.get().await?)),
            _writer: None,
            along: None,
            in_transaction: false,
        })
    }

    /// A connection outside the pool, with the server's ordinary planner and no time limit.
    pub async fn dedicated(&self) -> Result<Session> {
        let client = Object::take(self.pool.get().await?);
        client.batch_execute("RESET ALL; SET statement_timeout = 0").await?;
        Ok(Session { client: Some(Client::Own(client)), _writer: None, along: None, in_transaction: false })
    }

    /// Like [`Postgres::dedicated`], but the server refuses every write.
    pub async fn look(&self) -> Result<Session> {
        let session = self.dedicated().await?;
        session.client()?.batch_execute("SET default_transaction_read_only = on").await?;
        Ok(session)
    }

    pub async fn begin(&self) -> Result<Session> {
        let permit = tokio::time::timeout(POSTGRES_WAIT, Arc::clone(&self.writers).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Error::Unavailable("too many writers are waiting".into()));
        };
        let mut session = self.reader().await?;
        session._writer = Some(permit);
        session.begin().await?;
        Ok(session)
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

impl Session {
    fn client(&self) -> Result<&ClientWrapper> {
        match &self.client {
            Some(Client::Pooled(object)) => Ok(object),
            Some(Client::Own(client)) => Ok(client),
            None => Err(Error::internal("the session is over")),
        }
    }

    pub fn check_along(&mut self, sql: &'static str, text: String, check: Check) {
        self.along = Some(Along { sql, text, check });
    }

    pub fn is_settled(&self) -> bool {
        self.along.is_none()
    }

    pub async fn settle(&mut self) -> Result<()> {
        let Some(Along { sql, text, check }) = self.along.take() else { return Ok(()) };
        let rows = self.query(sql, &[Param::from(&text)]).await?;
        check(rows.first().map(Row::Postgres).as_ref())
    }

    pub async fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<PgRow>> {
        let along = self.along.take();
        let client = self.client()?;
        let statement = client.prepare_cached(&translated(sql)).await?;
        let bound = bound(params);
        let Some(Along { sql, text, check }) = along else { return Ok(client.query(&statement, &bound).await?) };
        let question = client.prepare_cached(&translated(sql)).await?;
        // Both queries are sent before the first answer arrives. The answers come in this order.
        let (answer, rows) = try_join(client.query(&question, &[&text]), client.query(&statement, &bound)).await?;
        check(answer.first().map(Row::Postgres).as_ref())?;
        Ok(rows)
    }

    pub async fn query_many(&mut self, sql: &str, sets: &[[Param<'_>; 2]]) -> Result<Vec<Vec<PgRow>>> {
        self.settle().await?;
        let client = self.client()?;
        let statement = client.prepare_cached(&translated(sql)).await?;
        let statement = &statement;
        let sent = sets.iter().map(|params| async move { client.query(statement, &bound(params)).await });
        Ok(try_join_all(sent).await?)
    }

    /// Explains the generic plan that serves all parameters, not a plan made for these values.
    pub async fn explain(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<PgRow>> {
        self.settle().await?;
        let values: Vec<String> = params
            .iter()
            .map(|param| match param {
                Param::Int(value) => value.map_or("NULL".into(), |value| value.to_string()),
                Param::Text(value) => value.map_or("NULL".into(), |value| format!("'{}'", value.replace('\'', "''"))),
            })
            .collect();
        let arguments = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
        let client = self.client()?;
        // One statement at the most: this is for looking, and nothing else is to happen.
        client.execute(&format!("PREPARE explained AS {}", translated(sql)), &[]).await?;
        let rows = client.query(&format!("EXPLAIN EXECUTE explained{arguments}"), &[]).await;
        client.batch_execute("DEALLOCATE explained").await?;
        Ok(rows?)
    }

    pub async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        self.settle().await?;
        let client = self.client()?;
        let statement = client.prepare_cached(&translated(sql)).await?;
        Ok(client.execute(&statement, &bound(params)).await?)
    }

    pub async fn execute_many(&mut self, sql: &str, sets: &[Vec<Param<'_>>]) -> Result<Vec<u64>> {
        self.settle().await?;
        let client = self.client()?;
        let statement = client.prepare_cached(&translated(sql)).await?;
        let statement = &statement;
        let sent = sets.iter().map(|params| async move { client.execute(statement, &bound(params)).await });
        Ok(try_join_all(sent).await?)
    }

    pub async fn batch(&mut self, sql: &str) -> Result<()> {
        self.settle().await?;
        Ok(self.client()?.batch_execute(sql).await?)
    }

    pub async fn begin(&mut self) -> Result<()> {
        // The flag is set before `BEGIN` and cleared after `COMMIT`, so that a connection whose state is uncertain
        // never returns to the pool.
        self.in_transaction = true;
        self.batch("START TRANSACTION READ WRITE").await
    }

    pub async fn commit(&mut self) -> Result<()> {
        self.batch("COMMIT").await?;
        self.in_transaction = false;
        Ok(())
    }

    pub async fn roll_back(&mut self) -> Result<()> {
        self.batch("ROLLBACK").await?;
        self.in_transaction = false;
        Ok(())
    }

    pub async fn lock_schema(&mut self) -> Result<()> {
        self.batch(&format!("SELECT pg_advisory_xact_lock({SCHEMA_LOCK})")).await
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.in_transaction
            && let Some(Client::Pooled(object)) = self.client.take()
        {
            drop(Object::take(object));
        }
    }
}

/// A statement in PostgreSQL's dialect: `$N` for `?N` (no statement of ours has a question mark anywhere else), and
/// without `INDEXED BY`, which PostgreSQL lacks; there a list's number selects the index (`lists.rs`). The code can
/// write a limited number of statements, so every translation is kept.
fn translated(sql: &str) -> Arc<str> {
    static KNOWN: LazyLock<RwLock<HashMap<String, Arc<str>>>> = LazyLock::new(RwLock::default);
    if let Some(known) = KNOWN.read().get(sql) {
        return Arc::clone(known);
    }
    let mut text = sql.replace('?', "$");
    while let Some(at) = text.find(" INDEXED BY ") {
        let name = at + " INDEXED BY ".len();
        let end = text[name..].find(' ').map_or(text.len(), |length| name + length);
        text.replace_range(at..end, "");
    }
    let text: Arc<str> = text.into();
    KNOWN.write().insert(sql.to_owned(), Arc::clone(&text));
    text
}

fn bound<'p>(params: &'p [Param<'_>]) -> Vec<&'p (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

impl From<tokio_postgres::Error> for Error {
    fn from(cause: tokio_postgres::Error) -> Self {
        let Some(state) = cause.code() else {
            // No SQL state: the connection itself failed, or a value did not fit its column's type.
            let reached = !cause.is_closed()
                && std::error::Error::source(&cause).is_none_or(|source| !source.is::<std::io::Error>());
            return if reached { Self::Internal(whole_story(&cause)) } else { Self::Unavailable(whole_story(&cause)) };
        };
        // The story leaves out the details of a violation, because they quote the row.
        let story = cause.as_db_error().map_or_else(String::new, |error| {
            format!("{} {} {}", error.code().code(), error.message(), error.constraint().unwrap_or_default())
        });
        match *state {
            // Statements handle expected conflicts with ON CONFLICT clauses; any other unique violation is a lost race.
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::UNIQUE_VIOLATION => {
                Self::Again(story)
            }
            SqlState::QUERY_CANCELED
            | SqlState::TOO_MANY_CONNECTIONS
            | SqlState::ADMIN_SHUTDOWN
            | SqlState::CRASH_SHUTDOWN
            | SqlState::CANNOT_CONNECT_NOW
            | SqlState::CONNECTION_FAILURE => Self::Unavailable(story),
            _ => Self::Internal(story),
        }
    }
}

impl From<PoolError> for Error {
    /// Without a connection the statement has not run, whatever the reason.
    fn from(cause: PoolError) -> Self {
        Self::Unavailable(whole_story(&cause))
    }
}
