//! How many lines of each kind there were.

use taquilla_wire::Time;

/// Few files have some of these.
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// What was imported.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
#[expect(missing_docs, reason = "each counts the lines of its kind")]
pub struct Summary {
    pub events: u64,
    pub ticket_types: u64,
    pub bundles: u64,
    #[serde(skip_serializing_if = "is_none")]
    pub pools: u64,
    #[serde(skip_serializing_if = "is_none")]
    pub coupons: u64,
    #[serde(skip_serializing_if = "is_none")]
    pub surcharges: u64,
    pub orders: u64,
    pub tickets: u64,
    /// When the same file was imported before; nothing was changed this time.
    pub already_imported_at: Option<Time>,
}
