//! Notes when keys and door links were last used, at most once a minute, without making a request wait.

use std::collections::HashMap;

use tokio::{sync::mpsc, task::JoinHandle};

use taquilla_domain::{
    clock::Stamp,
    config::{LAST_USED_EVERY, LAST_USED_QUEUE},
};
use taquilla_store as store;
use taquilla_store::{
    Store, Tenant,
    credentials::{self, Credential},
    transaction,
};

/// A credential: its kind, its producer and its id.
type Used = (Credential, Tenant, String);

/// Queues uses of keys and door links to be noted.
pub struct LastUsed(mpsc::Sender<(Used, Stamp)>);

impl LastUsed {
    /// Starts the task that writes the notes. Once this is dropped, the task writes the rest and ends.
    pub fn start(store: Store) -> (Self, JoinHandle<()>) {
        let (sender, mut receiver) = mpsc::channel(LAST_USED_QUEUE);
        let writing = tokio::spawn(async move {
            let mut uses = Vec::new();
            while receiver.recv_many(&mut uses, LAST_USED_QUEUE).await > 0 {
                // Many uses of one key may queue up before the first is written; one note is enough for all.
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
        if is_due(last_used_at, now) {
            // If the queue is full this use is skipped, and a later one is noted.
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

/// Whether a use is noted now, if this is the last one that was.
pub fn is_due(last_used_at: Option<Stamp>, now: Stamp) -> bool {
    last_used_at.is_none_or(|last| last <= due(now))
}

/// If the last noted use is at or before this time, a new one is noted.
fn due(now: Stamp) -> Stamp {
    now.minus(LAST_USED_EVERY)
}
