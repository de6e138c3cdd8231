//! Questions in the background that may not take long.

use std::time::Duration;

use tokio::time::timeout;

use taquilla_store::{Error, Result, Store};

/// Asks something, for so long at the most where another process runs the database. SQLite answers at once, or everybody
/// waits for the same writer.
pub(crate) async fn in_time<T, E: From<Error>>(
    store: &Store,
    most: Duration,
    asked: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    if !store.is_remote() {
        return asked.await;
    }
    let late = |_| Err(Error::Unavailable(format!("no answer for {} ms", most.as_millis())).into());
    timeout(most, asked).await.unwrap_or_else(late)
}
