//! What is wrong with a line.

use std::fmt;

/// What is wrong with a line.
#[derive(Debug)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: i64,
    /// The field at fault, where it is one.
    pub field: Option<String>,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "line {}, field \"{field}\": {}", self.line, self.message),
            None => write!(f, "line {}: {}", self.line, self.message),
        }
    }
}
