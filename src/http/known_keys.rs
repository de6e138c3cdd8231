//! Keys that were seen before: whose they are, so that their next check can travel with what they ask for.
//!
//! Only whose a key is and what it may read are taken from here, which never change. Whether it still works is asked of
//! the database every time, and when it was last used comes with that answer.

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
