//! When keys were last used: noted at most once a minute, and never while a request waits.

use std::collections::HashMap;

use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    config::{LAST_USED_EVERY, LAST_USED_QUEUE},
    domain::clock::Stamp,
    store::{
        self, Store,
        keys::{self, Checked},
    },
    transaction,
};

/// Takes notes of keys being used.
pub struct LastUsed(mpsc::Sender<(String, Stamp)>);

impl LastUsed {
    /// Starts the task that writes the notes. It ends, all written, once this is dropped.
    pub fn start(store: Store) -> (Self, JoinHandle<()>) {
        let (sender, mut receiver) = mpsc::channel(LAST_USED_QUEUE);
        let writing = tokio::spawn(async move {
            let mut uses = Vec::new();
            while receiver.recv_many(&mut uses, LAST_USED_QUEUE).await > 0 {
                // Many requests of one key queue up before the first is written; one note is enough.
                let latest: HashMap<String, Stamp> = uses.drain(..).collect();
                if let Err(cause) = write(&store, &latest).await {
                    tracing::warn!(%cause, "the last use of some keys was not noted");
                }
            }
        });
        (Self(sender), writing)
    }

    /// Notes a use, unless one was noted within the minute.
    pub fn note(&self, key: &Checked, now: Stamp) {
        if key.last_used_at.is_none_or(|last| last <= due(now)) {
            // Full queue: the next use after it will be noted.
            let _skipped = self.0.try_send((key.id.clone(), now));
        }
    }
}

async fn write(store: &Store, uses: &HashMap<String, Stamp>) -> Result<(), store::Error> {
    transaction!(store, |tx| {
        for (id, now) in uses {
            keys::touch(tx, id, *now, due(*now)).await?;
        }
        Ok(())
    })
}

/// A use noted at or before this is due to be noted again.
fn due(now: Stamp) -> Stamp {
    Stamp::from_micros(now.micros() - LAST_USED_EVERY.as_micros() as i64)
}
