//! Whether a pooler is between this server and PostgreSQL, and whether it can be worked with.
//!
//! A pooler such as PgBouncer may give each transaction another connection to PostgreSQL. A setting of our own goes along
//! with every new connection. PostgreSQL itself keeps it; a pooler refuses it or forgets it. So nobody has to say that there is one.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio_postgres::{Config, Error, error::SqlState};

use super::super::client::Client;

/// The setting that reaches PostgreSQL on a direct connection only.
const DIRECT: &str = "taquilla.direct";

/// What a pooler must do: keep statements that were prepared, whichever connection they are used on. It gives them names of its own
/// for that. Ours are `s0`, `s1` and so on.
const NAME: &str = "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%how a pooler calls this%'";

/// What is known of poolers.
pub struct Pooler {
    /// Whether the address says that there is one that keeps a connection for whoever has it.
    is_session: bool,
    /// Whether one was seen that does not.
    is_seen: AtomicBool,
    /// Whether it was found to keep statements.
    is_fit: AtomicBool,
}

/// Why a connection cannot be used.
pub enum Unfit {
    /// Something was refused.
    Refused(Error),
    /// The pooler forgets prepared statements.
    Forgets,
}

impl From<Error> for Unfit {
    fn from(cause: Error) -> Self {
        Self::Refused(cause)
    }
}

impl Pooler {
    pub fn new(is_session: bool) -> Self {
        Self { is_session, is_seen: AtomicBool::new(false), is_fit: AtomicBool::new(false) }
    }

    /// Notes that there is one.
    pub fn note(&self) {
        self.is_seen.store(true, Ordering::Relaxed);
    }

    /// Puts the mark into what a connection begins with.
    pub fn mark(&self, config: &mut Config) {
        if !self.is_session && !self.is_seen.load(Ordering::Relaxed) {
            let options = config.get_options().map_or_else(String::new, |options| format!("{options} "));
            config.options(format!("{options}-c {DIRECT}=on"));
        }
    }

    /// Begins to use a connection, with these settings where nobody else will find them. Tells whether transactions must bring
    /// their own.
    pub async fn begin(&self, client: &Client, settings: &str) -> Result<bool, Unfit> {
        if self.is_session {
            client.batch_execute(settings).await?;
            return Ok(false);
        }
        if !self.is_seen.load(Ordering::Relaxed) {
            // If the first statement fails, none of the others is run.
            match client.batch_execute(&format!("SHOW {DIRECT}; {settings}")).await {
                Ok(()) => return Ok(false),
                Err(cause) if cause.code() == Some(&SqlState::UNDEFINED_OBJECT) => self.note(),
                Err(cause) => return Err(cause.into()),
            }
        }
        if !self.is_fit.load(Ordering::Relaxed) {
            self.try_statements(client).await?;
            self.is_fit.store(true, Ordering::Relaxed);
            tracing::info!("a pooler is between this server and PostgreSQL; every transaction brings its settings");
        }
        Ok(true)
    }

    /// Looks under which name PostgreSQL knows a statement. All of it happens on one connection, because it is one transaction.
    async fn try_statements(&self, client: &Client) -> Result<(), Unfit> {
        client.batch_execute("START TRANSACTION READ ONLY").await?;
        let asked = async {
            let statement = client.prepare(&format!("/* how a pooler calls this */ {NAME}")).await?;
            client.query(&statement, &[]).await
        };
        let rows = match asked.await {
            Ok(rows) => rows,
            // Somebody else has prepared one of this name on the same connection.
            Err(cause) if cause.code() == Some(&SqlState::DUPLICATE_PSTATEMENT) => return Err(Unfit::Forgets),
            Err(cause) => return Err(cause.into()),
        };
        client.batch_execute("COMMIT").await?;
        let is_ours = |name: &str| name.strip_prefix('s').is_some_and(|number| number.parse::<u64>().is_ok());
        let mut names = rows.iter().map(|row| row.try_get::<_, &str>(0).unwrap_or_default());
        if names.any(is_ours) || rows.is_empty() { Err(Unfit::Forgets) } else { Ok(()) }
    }
}
