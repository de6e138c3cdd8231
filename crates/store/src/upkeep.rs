//! Leaving nothing behind of what was deleted.
//!
//! SQLite overwrites with zeros what is deleted (`secure_delete`), but its log keeps older pages until somebody writes over
//! them. And a page that was divided long ago may have pieces of rows in its free space; only writing everything anew leaves
//! none. PostgreSQL does both by its own vacuum.

use taquilla_domain::config::{SQLITE_EMPTY_AGAIN, SQLITE_EMPTY_TRIES};

use super::{Result, Store};

impl Store {
    /// Empties SQLite's log, as soon as nobody reads or writes for a moment. Says so in the log if there is no such moment.
    pub async fn leave_no_log(&self) {
        for _ in 0..SQLITE_EMPTY_TRIES {
            match self.empty_log() {
                Ok(true) => return,
                Ok(false) => tokio::time::sleep(SQLITE_EMPTY_AGAIN).await,
                Err(cause) => return tracing::warn!(%cause, "SQLite's log was not emptied"),
            }
        }
        tracing::warn!(
            "SQLite's log was not emptied: somebody read or wrote all the time. A stop of the server empties it"
        );
    }

    /// Writes every table anew, without what was deleted.
    pub async fn vacuum(&self) -> Result<()> {
        self.dedicated().await?.batch("VACUUM").await?;
        self.leave_no_log().await;
        Ok(())
    }
}
