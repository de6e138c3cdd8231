//! What is told while it happens.

use std::sync::Arc;

/// What happens, for whoever watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A traversal begins or goes on, with so many rows stored already, of about so many.
    Began {
        /// The list.
        list: &'static str,
        /// How many rows of it are stored.
        stored: u64,
        /// How many there will be, where that can be told.
        expected: Option<u64>,
    },
    /// So many more rows are stored, or compared.
    Rows(u64),
    /// The traversal is over.
    Ended,
    /// Something to know.
    Note(String),
}

/// Whoever watches.
pub type Watcher = Arc<dyn Fn(Told) + Send + Sync>;
