//! Bookkeeping: writes without a tick of a producer's clock, because no feed shows them and no move depends on them.

use std::ops::{Deref, DerefMut};

use super::{Error, Result, Store, engine::transaction::Transaction};

/// A writing transaction that takes no stamp from a producer's clock, so it delays no sale and no scan. It is for new
/// producers, settings, last uses and revocations of keys and door links, changes and deliveries of webhook endpoints,
/// and deleting what is old.
pub struct Unstamped(Transaction);

impl Store {
    /// Begins bookkeeping. Use it in [`transaction!`](crate::transaction), which runs it again after a conflict.
    pub async fn begin_unstamped(&self) -> Result<Unstamped> {
        Ok(Unstamped(self.begin().await?))
    }
}

impl Unstamped {
    /// Commits if the outcome is `Ok`, and undoes everything otherwise.
    pub async fn end<T, E: From<Error>>(self, outcome: Result<T, E>) -> Result<T, E> {
        self.0.end(outcome).await
    }
}

impl Deref for Unstamped {
    type Target = Transaction;

    fn deref(&self) -> &Transaction {
        &self.0
    }
}

impl DerefMut for Unstamped {
    fn deref_mut(&mut self) -> &mut Transaction {
        &mut self.0
    }
}
