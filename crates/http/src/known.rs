//! Credentials that this server has seen to be right.
//!
//! The database is asked every time whether a credential still works. What is remembered serves two ends: the check of a
//! known key can be a part of the request's first statement, and whoever has shown a right credential before is not held
//! back when others guess from the same address.
//!
//! Guessing costs no database reads: an address with too many failed authentications is refused before the database is
//! asked (`Limits::may_fail`).

use std::collections::HashMap;

use parking_lot::RwLock;

use taquilla_domain::config::KNOWN_MAX;

/// Credentials of one kind, by their hash or by whose they are, with what never changes or is checked again.
pub struct Known<T>(RwLock<HashMap<String, T>>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<T: Clone> Known<T> {
    /// What is remembered of a credential.
    pub fn get(&self, name: &str) -> Option<T> {
        self.0.read().get(name).cloned()
    }

    /// Remembers a credential that works.
    pub fn remember(&self, name: String, credential: T) {
        let mut known = self.0.write();
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(name, credential);
    }

    /// Forgets a credential that was refused.
    pub fn forget(&self, name: &str) {
        self.0.write().remove(name);
    }
}
