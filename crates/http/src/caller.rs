//! Who makes a request, for its line in the log.
//!
//! Whoever checks a credential says here whose it is, and the edge asks once the answer is there. It is kept in the task and
//! not in the request, because that would cost every request a piece of memory.

use std::{cell::OnceCell, pin::Pin, sync::Arc};

use tokio::task::futures::TaskLocalFuture;

use taquilla_store::keys;

/// Who makes a request: ids that the lists of keys, links and producers show, and that open nothing.
#[derive(Debug)]
pub enum Caller {
    /// A key of a producer.
    Key(Arc<keys::Checked>),
    /// A door link of a producer.
    DoorLink {
        /// The link's id.
        id: String,
        /// The producer's id.
        producer: String,
    },
    /// Whoever it is, it is about this producer.
    Producer(String),
}

tokio::task_local! {
    static CALLER: OnceCell<Caller>;
}

/// Notes who makes the request that this task answers. The first note counts.
pub fn is(caller: Caller) {
    // Without a request there is nobody to note, as in tests.
    let _nobody = CALLER.try_with(|known| known.set(caller).is_ok());
}

/// Notes that the request is about this producer, whoever makes it.
pub fn is_about(producer: &str) {
    is(Caller::Producer(producer.to_owned()));
}

/// An answer under way, during which [`is`] can be called.
pub type Answering<F> = TaskLocalFuture<OnceCell<Caller>, F>;

/// Begins to answer a request.
pub fn answering<F: Future>(answer: F) -> Answering<F> {
    CALLER.scope(OnceCell::new(), answer)
}

/// Who makes the request, if somebody said so.
pub fn of<F: Future>(answering: Pin<&mut Answering<F>>) -> Option<Caller> {
    answering.take_value()?.into_inner()
}

impl Caller {
    /// The producer's id.
    pub fn producer(&self) -> &str {
        match self {
            Self::Key(key) => &key.producer,
            Self::DoorLink { producer, .. } | Self::Producer(producer) => producer,
        }
    }

    /// The key's id.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(&key.id),
            _ => None,
        }
    }

    /// The door link's id.
    pub fn door_link(&self) -> Option<&str> {
        match self {
            Self::DoorLink { id, .. } => Some(id),
            _ => None,
        }
    }
}
