//! What a fresh traversal has not shown.

use crate::cell::Row;

/// Rows of the mirror that the server did not list.
#[derive(Debug, Default)]
pub struct Unseen {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub rows: Vec<Row>,
    /// The digest of all of them.
    pub digest: u128,
}

/// How many of them are named.
pub const NAMED: usize = 1_000;

impl Unseen {
    pub fn add(&mut self, row: Row) {
        self.count += 1;
        self.digest = self.digest.wrapping_add(row.digest());
        if self.rows.len() < NAMED {
            self.rows.push(row);
        }
    }
}
