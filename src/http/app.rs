//! The state that all handlers share.

use std::{ops::Deref, sync::Arc};

use super::{cursor::Sealer, known_keys::KnownKeys, last_used::LastUsed, rate::Limits};
use crate::{
    store::{Store, tickets::type_names::TypeNames},
    time_source::TimeSource,
};

/// The shared state of a server; cheap to clone.
#[derive(Clone)]
pub struct App(pub(crate) Arc<Shared>);

/// The content of [`App`].
pub struct Shared {
    /// The database.
    pub store: Store,
    /// Seals cursors.
    pub sealer: Sealer,
    /// Tells the time.
    pub time: TimeSource,
    /// Rate limits.
    pub limits: Limits,
    /// Remembers the producers and permissions of keys.
    pub known_keys: KnownKeys,
    /// Remembers the names of ticket types.
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
