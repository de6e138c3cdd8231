//! Moves of one producer take turns on this server, before they take a connection.
//!
//! They follow one another anyway, by the lock on the producer's row. If they waited there, a producer whose row is held
//! for long, by an import for instance, would take every connection that may write, and no other producer could sell.
//!
//! Every wait has an end that is answered with 503: for the turn, for the permit to write, for a connection, for a
//! lock.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::{Mutex as Queue, OwnedMutexGuard};

/// The producers that have moves under way on this server, and nobody else.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<i64, Producer>>>);

#[derive(Default)]
struct Producer {
    /// Those who wait get their turn in the order in which they came.
    queue: Arc<Queue<()>>,
    /// How many have a turn or wait for one. The last one removes the entry.
    members: usize,
}

/// A producer's turn, or the wait for it. The next one's begins when this is dropped.
pub struct Turn {
    turns: Turns,
    producer: i64,
    _held: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    pub async fn take(&self, producer: i64) -> Turn {
        let queue = {
            let mut producers = self.0.lock();
            let entry = producers.entry(producer).or_default();
            entry.members += 1;
            Arc::clone(&entry.queue)
        };
        let mut turn = Turn { turns: self.clone(), producer, _held: None };
        turn._held = Some(queue.lock_owned().await);
        turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut producers = self.turns.0.lock();
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
    async fn a_producer_has_one_turn_at_a_time_and_is_forgotten_afterwards() {
        let turns = Turns::default();
        let first = turns.take(1).await;
        let mut second = Box::pin(turns.take(1));
        let mut third = Box::pin(turns.take(1));
        assert!(poll!(&mut second).is_pending() && poll!(&mut third).is_pending());
        let other = turns.take(2).await;
        assert_eq!(turns.0.lock().len(), 2);
        drop(second);
        drop(first);
        drop(third.await);
        drop(other);
        assert!(turns.0.lock().is_empty());
    }
}
