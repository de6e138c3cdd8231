//! A span of time whose history was lost.

use super::clock::Stamp;

/// The stamps of a producer's clock whose rows are gone, because the database was restored from a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostSpan {
    /// What was stamped up to this is there.
    pub after: Stamp,
    /// What was stamped after this is there.
    pub until: Stamp,
    /// When the database was restored.
    pub restored_at: Stamp,
}

impl LostSpan {
    /// Whether rows with this stamp were lost.
    pub fn contains(&self, stamp: Stamp) -> bool {
        self.after < stamp && stamp <= self.until
    }
}
