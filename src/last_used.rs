//! When keys and door links were last used: noted at most once a minute, and never while a request waits.

use std::collections::HashMap;

use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    config::{LAST_USED_EVERY, LAST_USED_QUEUE},
    domain::clock::Stamp,
    store::{self, Store, door_links, keys},
    transaction,
};

/// What is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Used {
    /// An API key.
    Key,
    /// A door link.
    DoorLink,
}

/// Takes notes of keys and door links being used.
pub struct LastUsed(mpsc::Sender<((Used, String), Stamp)>);

impl LastUsed {
    /// Starts the task that writes the notes. It ends, all written, once this is dropped.
    pub fn start(store: Store) -> (Self, JoinHandle<()>) {
        let (sender, mut receiver) = mpsc::channel(LAST_USED_QUEUE);
        let writing = tokio::spawn(async move {
            let mut uses = Vec::new();
            while receiver.recv_many(&mut uses, LAST_USED_QUEUE).await > 0 {
                // Many requests of one key queue up before the first is written; one note is enough.
                let latest: HashMap<(Used, String), Stamp> = uses.drain(..).collect();
                if let Err(cause) = write(&store, &latest).await {
                    tracing::warn!(%cause, "the last use of some keys or door links was not noted");
                }
            }
        });
        (Self(sender), writing)
    }

    /// Notes a use, unless one was noted within the minute before.
    pub fn note(&self, what: Used, id: &str, last_used_at: Option<Stamp>, now: Stamp) {
        if last_used_at.is_none_or(|last| last <= due(now)) {
            // Full queue: the next use after it will be noted.
            let _skipped = self.0.try_send(((what, id.to_owned()), now));
        }
    }
}

async fn write(store: &Store, uses: &HashMap<(Used, String), Stamp>) -> Result<(), store::Error> {
    transaction!(store, |tx| {
        for ((what, id), now) in uses {
            match what {
                Used::Key => keys::touch(tx, id, *now, due(*now)).await?,
                Used::DoorLink => door_links::touch(tx, id, *now, due(*now)).await?,
            }
        }
        Ok(())
    })
}

/// A use noted at or before this is due to be noted again.
fn due(now: Stamp) -> Stamp {
    Stamp::from_micros(now.micros() - LAST_USED_EVERY.as_micros() as i64)
}
