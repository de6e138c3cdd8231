//! A connection with the statements that were prepared on it.

use std::{collections::HashMap, ops::Deref};

use futures_util::future::join3;
use parking_lot::RwLock;
use tokio::task::JoinHandle;
use tokio_postgres::{Error, Statement};
use tokio_util::task::AbortOnDropHandle;

/// A connection with the statements that were prepared on it. Dropping this closes it.
pub struct Client {
    client: tokio_postgres::Client,
    prepared: RwLock<HashMap<String, Statement>>,
    /// Whether the database may be spread over machines by Citus.
    pub has_citus: bool,
    /// The timeline that its server writes, if it said so.
    pub timeline: Option<u32>,
    /// Whether each transaction may have another connection to PostgreSQL than the one before.
    pub is_pooled: bool,
    /// Reads from and writes to the socket.
    _speaking: AbortOnDropHandle<()>,
}

impl Client {
    /// A new connection, and the task that reads from and writes to its socket.
    pub fn new(client: tokio_postgres::Client, speaking: JoinHandle<()>) -> Self {
        Self {
            client,
            prepared: RwLock::default(),
            has_citus: false,
            timeline: None,
            is_pooled: false,
            _speaking: AbortOnDropHandle::new(speaking),
        }
    }

    /// Prepares a statement, unless it was prepared before. The code has a fixed number of statements, so all are kept.
    pub async fn prepare_cached(&self, text: &str) -> Result<Statement, Error> {
        let known = self.prepared.read().get(text).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(text).await?;
        self.prepared.write().insert(text.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Sends something in a transaction that this text begins, if there is one. All is sent before the first answer
    /// arrives; a COMMIT after a failure undoes.
    pub async fn within<T>(
        &self,
        begin: Option<&str>,
        sent: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let Some(begin) = begin else { return sent.await };
        let (begun, answer, ended) =
            join3(self.client.batch_execute(begin), sent, self.client.batch_execute("COMMIT")).await;
        begun?;
        let answer = answer?;
        ended.map(|()| answer)
    }
}

impl Deref for Client {
    type Target = tokio_postgres::Client;

    fn deref(&self) -> &Self::Target {
        &self.client
    }
}
