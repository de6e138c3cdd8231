//! What every handler shares.

use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use crate::{
    domain::clock::Stamp,
    known_keys::KnownKeys,
    last_used::LastUsed,
    page::Sealer,
    rate::Limits,
    store::{Store, type_names::TypeNames},
};

/// The shared state of a server; cheap to clone.
#[derive(Clone)]
pub struct App(pub(crate) Arc<Shared>);

/// See [`App`].
pub struct Shared {
    /// The database.
    pub store: Store,
    /// Seals cursors.
    pub sealer: Sealer,
    /// Tells the time.
    pub time: Time,
    /// Who may ask how often.
    pub limits: Limits,
    /// Remembers whose keys are whose.
    pub known_keys: KnownKeys,
    /// Remembers what tickets say of their types.
    pub type_names: TypeNames,
    /// Notes when keys are used.
    pub last_used: LastUsed,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Where the present comes from: the machine's clock, or a test that steps it.
#[derive(Clone, Debug, Default)]
pub enum Time {
    /// The machine's clock.
    #[default]
    System,
    /// Microseconds that stand still until somebody moves them.
    Stepped(Arc<AtomicI64>),
}

impl Time {
    /// The present.
    pub fn now(&self) -> Stamp {
        Stamp::from_micros(match self {
            Self::System => jiff::Timestamp::now().as_microsecond(),
            Self::Stepped(micros) => micros.load(Ordering::SeqCst),
        })
    }
}
