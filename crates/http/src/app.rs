//! The state that all handlers share.

use std::{
    ops::Deref,
    sync::{Arc, atomic::AtomicBool},
};

use tokio::sync::watch;

use taquilla_domain::{config::Config, signature::SigningSecret, time_source::TimeSource};
use taquilla_metrics::Metrics;
use taquilla_rules::{
    admin::staff::passwords::Passwords, boxoffice::Queue, on_sale::Everywhere, paying::Cashier,
    waiting_lines::WaitingLines,
};
use taquilla_store::{Store, keys, tickets::type_names::TypeNames};

use super::{
    cursor::Sealer, export_places::ExportPlaces, known::Known, last_used::LastUsed, lost_marks::LostMarks, rate::Limits,
};

/// The shared state of a server; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

impl App {
    /// The state of a server that begins.
    pub fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }
}

/// The content of [`App`].
pub struct Shared {
    /// The server's settings.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// Decides orders, payments and scans.
    pub queue: Queue,
    /// Asks payment processors.
    pub cashier: Cashier,
    /// Seals cursors.
    pub sealer: Sealer,
    /// Marks of clients from history that was lost.
    pub lost_marks: LostMarks,
    /// Tells the time.
    pub time: TimeSource,
    /// Rate limits.
    pub limits: Limits,
    /// Keys that were right, by their hash, with their producers and permissions.
    pub known_keys: Known<Arc<keys::Checked>>,
    /// Door links that were right, by the hash of their token.
    pub known_door_links: Known<()>,
    /// Payment processors whose signature was right, by their producer's id, with the secret they signed with.
    pub known_processors: Known<SigningSecret>,
    /// Remembers the names of ticket types.
    pub type_names: TypeNames,
    /// Remembers what is on sale.
    pub on_sale: Everywhere,
    /// Who has to wait before they buy.
    pub lines: WaitingLines,
    /// Hashes passwords.
    pub passwords: Passwords,
    /// Places for exports.
    pub exports: ExportPlaces,
    /// Notes when keys are used.
    pub last_used: LastUsed,
    /// Counts what happens.
    pub metrics: Arc<Metrics>,
    /// Whether the server was told to stop, and sends clients elsewhere: it is not ready, and keeps no connection.
    pub leaving: Arc<AtomicBool>,
    /// Whether the server stops. An answer without an end ends then.
    pub stopping: watch::Sender<bool>,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
