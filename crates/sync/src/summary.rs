//! What a mirror has after a run.

/// A mirror after a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Each of its tables.
    pub lists: Vec<ListSummary>,
}

/// A table after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListSummary {
    /// The table's name.
    pub table: &'static str,
    /// How many rows it has.
    pub rows: u64,
    /// How many rows were read and stored in this run.
    pub stored: u64,
    /// Whether this run read all of them.
    pub is_full: bool,
    /// Whether the key may not read them.
    pub is_refused: bool,
}
