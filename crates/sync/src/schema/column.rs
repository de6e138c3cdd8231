//! Tables and columns, as values.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Boolean,
    /// A point in time in UTC: `timestamptz` in PostgreSQL, elsewhere a text with six decimals, which sorts as time does.
    Time,
}

/// A column, and what it means.
#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    pub meaning: &'static str,
}

/// A table. Rows come whole: each replaces the one with the same key, with all of its children.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    pub meaning: &'static str,
    pub columns: &'static [Column],
    /// How many columns are the key. They come first.
    pub key: usize,
    /// What a row has several of, with its key in their first column.
    pub children: Option<&'static Table>,
    /// The columns that views and joins look for.
    pub indexes: &'static [&'static str],
}

impl Table {
    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().map(|column| column.name)
    }

    /// The names of the key's columns.
    pub fn key_names(&self) -> Vec<&'static str> {
        self.names().take(self.key).collect()
    }
}

pub(super) const fn text(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Text, meaning }
}

pub(super) const fn integer(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Integer, meaning }
}

pub(super) const fn boolean(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Boolean, meaning }
}

pub(super) const fn time(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Time, meaning }
}
