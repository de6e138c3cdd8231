//! Keys that this server has seen before, so that the check of such a key can travel with the request's first
//! statement.
//!
//! Only a key's producer and permissions are taken from here; these never change. The database is asked every time
//! whether the key still works, and its answer includes the last use.

use std::collections::HashMap;

use parking_lot::RwLock;

use crate::{config::KNOWN_KEYS_MAX, store::keys::Checked};

/// The keys that one server has seen, by their hash.
#[derive(Default)]
pub struct KnownKeys(RwLock<HashMap<String, Checked>>);

impl KnownKeys {
    /// A key that was seen before.
    pub fn get(&self, hash: &str) -> Option<Checked> {
        self.0.read().get(hash).cloned()
    }

    /// Remembers a key that works.
    pub fn remember(&self, hash: String, key: Checked) {
        let mut known = self.0.write();
        if known.len() >= KNOWN_KEYS_MAX {
            known.clear();
        }
        known.insert(hash, key);
    }

    /// Forgets a key that was refused.
    pub fn forget(&self, hash: &str) {
        self.0.write().remove(hash);
    }
}
