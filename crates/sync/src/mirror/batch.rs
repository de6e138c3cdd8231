//! What is written at once.

use crate::{cell::Row, schema::Table};

/// What is written in one transaction: all of it, or nothing.
#[derive(Debug, Default)]
pub struct Batch {
    /// What goes before the rows come.
    pub clear: Vec<Clear>,
    /// Rows, each of which replaces the one with its id.
    pub rows: Option<(&'static Table, Vec<Row>)>,
    /// The traversal that the rows are from.
    pub traversal: i64,
    /// What is to be read again.
    pub queue: Vec<(Queue, String)>,
    /// What goes once all of that is there.
    pub sweep: Vec<Clear>,
    /// What has been read again.
    pub done: Vec<(Queue, String)>,
    /// What the mirror remembers.
    pub state: Vec<(String, String)>,
}

/// Rows that go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clear {
    /// All that no traversal since this one has shown.
    NotSeenSince(&'static str, i64),
    /// The ticket types of an event.
    TypesOf(String),
    /// The ticket types of events that are gone.
    TypesOfNoEvent,
    /// Tickets that have left the books.
    Hidden,
    /// What is known of hidden tickets: a full traversal begins, which does not show them.
    KnownHidden,
}

/// What is remembered by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Events whose ticket types are to be read again.
    Event,
    /// Orders whose tickets are to be read again.
    Order,
    /// Tickets that have left the books.
    Hidden,
}

impl Queue {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Order => "order",
            Self::Hidden => "hidden",
        }
    }
}

impl Batch {
    /// Of rows with the same id only the last: it was read last. A page may have one twice.
    pub fn without_repeats(rows: Vec<Row>) -> Vec<Row> {
        let mut last: std::collections::HashMap<String, usize> = std::collections::HashMap::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            last.insert(row.id().to_owned(), at);
        }
        if last.len() == rows.len() {
            return rows;
        }
        rows.into_iter().enumerate().filter(|(at, row)| last.get(row.id()) == Some(at)).map(|(_, row)| row).collect()
    }
}
