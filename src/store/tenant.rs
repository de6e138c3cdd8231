//! The producer whose rows a statement may see.

/// A producer, as every statement names it. It comes from a checked key or door link, from a producer's public id, from
/// the reference of an order, or from an operator who looks something up (`owners.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tenant(i64);

impl Tenant {
    pub(super) fn from_column(number: i64) -> Self {
        Self(number)
    }

    /// The number that begins every key of this producer's rows.
    pub fn number(self) -> i64 {
        self.0
    }
}
