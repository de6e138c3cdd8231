//! How many lines of each kind there were.

/// What was imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "each counts the lines of its kind")]
pub struct Summary {
    pub events: u64,
    pub ticket_types: u64,
    pub bundles: u64,
    pub orders: u64,
    pub tickets: u64,
}
