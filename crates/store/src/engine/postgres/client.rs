//! A connection with the statements that were prepared on it.

use std::{collections::HashMap, ops::Deref};

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
    /// Reads from and writes to the socket.
    _speaking: AbortOnDropHandle<()>,
}

impl Client {
    /// A new connection, and the task that reads from and writes to its socket.
    pub fn new(client: tokio_postgres::Client, speaking: JoinHandle<()>) -> Self {
        let speaking = AbortOnDropHandle::new(speaking);
        Self { client, prepared: RwLock::default(), has_citus: false, timeline: None, _speaking: speaking }
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
}

impl Deref for Client {
    type Target = tokio_postgres::Client;

    fn deref(&self) -> &Self::Target {
        &self.client
    }
}
