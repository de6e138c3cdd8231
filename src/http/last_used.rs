//! When keys and door links were last used: noted at most once a minute, and never while a request waits.

use std::collections::HashMap;

use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    config::{LAST_USED_EVERY, LAST_USED_QUEUE},
    domain::clock::Stamp,
    store::{
        self, Store, Tenant,
        credentials::{self, Credential},
    },
    transaction,
};

/// A credential: what it is, whose, and its id.
type Used = (Credential, Tenant, String);

/// Takes notes of keys and door links being used.
pub struct LastUsed(mpsc::Sender<(Used, Stamp)>);

impl LastUsed {
    /// Starts the task that writes the notes. It ends, all written, once this is dropped.
    pub fn start(store: Store) -> (Self, JoinHandle<()>) {
        let (sender, mut receiver) = mpsc::channel(LAST_USED_QUEUE);
        let writing = tokio::spawn(async move {
            let mut uses = Vec::new();
            while receiver.recv_many(&mut uses, LAST_USED_QUEUE).await > 0 {
                // Many requests of one key queue up before the first is written; one note is enough.
                let latest: HashMap<Used, Stamp> = uses.drain(..).collect();
                if let Err(cause) = write(&store, &latest).await {
                    tracing::warn!(%cause, "the last use of some keys or door links was not noted");
                }
            }
        });
        (Self(sender), writing)
    }

    /// Notes a use, unless one was noted within the minute before.
    pub fn note(&self, what: Credential, tenant: Tenant, id: &str, last_used_at: Option<Stamp>, now: Stamp) {
        if last_used_at.is_none_or(|last| last <= due(now)) {
            // Full queue: the next use after it will be noted.
            let _skipped = self.0.try_send(((what, tenant, id.to_owned()), now));
        }
    }
}

async fn write(store: &Store, uses: &HashMap<Used, Stamp>) -> Result<(), store::Error> {
    transaction!(store.begin_unstamped(), |tx| {
        for ((what, tenant, id), now) in uses {
            credentials::touch(tx, *tenant, *what, id, *now, due(*now)).await?;
        }
        Ok(())
    })
}

/// A use noted at or before this is due to be noted again.
fn due(now: Stamp) -> Stamp {
    now.minus(LAST_USED_EVERY)
}
