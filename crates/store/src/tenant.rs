//! The producer whose rows a statement may see.

use super::engine::sql::Param;

/// A producer, as every statement names it. It comes from a checked key or door link, from a producer's public id, from
/// the reference of an order, or from an operator who looks something up (`owners.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tenant(i64);

impl Tenant {
    pub(super) fn from_column(number: i64) -> Self {
        Self(number)
    }

    /// The number that begins every key of this producer's rows.
    pub fn number(self) -> i64 {
        self.0
    }

    /// The keys of rows with these ids, as sets of parameters.
    pub(super) fn keys<'a>(self, ids: &[&'a str]) -> Vec<Vec<Param<'a>>> {
        ids.iter().map(|id| vec![self.0.into(), (*id).into()]).collect()
    }
}
