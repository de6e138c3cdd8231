//! The readers of one producer have a share of the connections and no more.
//!
//! A producer whose rows are somewhere that is frozen gets no answers, and everybody who asks for it waits until the
//! deadline. If they took every connection, nobody could read anything of other producers either. Whoever finds the share
//! taken waits for it as for a connection, and is told 503 in the end.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use taquilla_domain::config::POSTGRES_SHARE;

/// The producers that are being read, and nobody else.
#[derive(Clone, Default)]
pub struct Shares(Arc<Mutex<HashMap<i64, Producer>>>);

struct Producer {
    places: Arc<Semaphore>,
    /// How many have a place or wait for one. The last one removes the entry.
    members: usize,
}

impl Default for Producer {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(POSTGRES_SHARE)), members: 0 }
    }
}

/// A place in a producer's share, or the wait for it.
pub struct Share {
    shares: Shares,
    producer: i64,
    _place: Option<OwnedSemaphorePermit>,
}

impl Shares {
    pub async fn take(&self, producer: i64) -> Share {
        let places = {
            let mut producers = self.0.lock();
            let entry = producers.entry(producer).or_default();
            entry.members += 1;
            Arc::clone(&entry.places)
        };
        let mut share = Share { shares: self.clone(), producer, _place: None };
        // The semaphore is never closed.
        share._place = places.acquire_owned().await.ok();
        share
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut producers = self.shares.0.lock();
        if let Some(entry) = producers.get_mut(&self.producer) {
            entry.members -= 1;
            if entry.members == 0 {
                producers.remove(&self.producer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    #[tokio::test]
    async fn a_producer_has_its_share_and_others_have_theirs() {
        let shares = Shares::default();
        let mut taken = Vec::new();
        for _ in 0..POSTGRES_SHARE {
            taken.push(shares.take(1).await);
        }
        let mut late = Box::pin(shares.take(1));
        assert!(poll!(&mut late).is_pending());
        let other = shares.take(2).await;
        taken.pop();
        taken.push(late.await);
        drop((taken, other));
        assert!(shares.0.lock().is_empty(), "who is not read is forgotten");
    }
}
