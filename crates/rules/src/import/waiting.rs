//! Rows on their way into the staging tables. While the database takes one batch, the next lines are read.

use std::{collections::BTreeMap, mem, sync::Arc};

use tokio_util::task::AbortOnDropHandle;

use taquilla_domain::config::IMPORT_BATCH;
use taquilla_store::{
    Dedicated,
    import::staging::{self, Import, Staged, Table},
};

use super::error::Error;

/// Rows that wait to be staged together, by table, and the connection that they go over.
pub(super) struct Waiting {
    import: Arc<Import>,
    rows: BTreeMap<Table, Vec<Staged>>,
    line: Line,
}

/// The connection. One batch is under way at most, so memory stays flat.
enum Line {
    Free(Dedicated),
    Busy(AbortOnDropHandle<taquilla_store::Result<Dedicated>>),
    /// A batch has failed, and nothing more is sent.
    Lost,
}

impl Waiting {
    pub(super) fn new(conn: Dedicated, import: Arc<Import>) -> Self {
        Self { import, rows: BTreeMap::new(), line: Line::Free(conn) }
    }

    /// Takes a row. Batches are sent when they are full.
    pub(super) async fn push(&mut self, row: Staged) -> Result<(), Error> {
        let table = row.table;
        let rows = self.rows.entry(table).or_default();
        rows.push(row);
        if rows.len() >= IMPORT_BATCH {
            let full = mem::take(rows);
            self.send(full).await?;
        }
        Ok(())
    }

    async fn send(&mut self, rows: Vec<Staged>) -> Result<(), Error> {
        let mut conn = self.free().await?;
        let import = Arc::clone(&self.import);
        let sent = async move { staging::stage(&mut conn, &import, &rows).await.map(|()| conn) };
        self.line = Line::Busy(AbortOnDropHandle::new(tokio::spawn(sent)));
        Ok(())
    }

    /// The connection, once the batch before is staged.
    async fn free(&mut self) -> Result<Dedicated, Error> {
        let broken = || taquilla_store::Error::Internal("the rows of an import were not staged".into());
        match mem::replace(&mut self.line, Line::Lost) {
            Line::Free(conn) => Ok(conn),
            Line::Busy(sent) => Ok(sent.await.map_err(|_| broken())??),
            Line::Lost => Err(broken().into()),
        }
    }

    /// Sends nothing more, and waits for the batch that is under way.
    pub(super) async fn give_up(mut self) {
        let _ = self.free().await;
    }

    /// Sends what is left, and ends the staging.
    pub(super) async fn end(mut self) -> Result<Dedicated, Error> {
        for rows in mem::take(&mut self.rows).into_values() {
            self.send(rows).await?;
        }
        let mut conn = self.free().await?;
        match staging::end(&mut conn, &self.import).await? {
            None => Ok(conn),
            Some(fault) => Err(fault.into()),
        }
    }
}
