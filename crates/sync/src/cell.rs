//! Values of a mirror.

use std::{fmt::Write, time::Duration, time::SystemTime};

use jiff::Timestamp;
use xxhash_rust::xxh3::Xxh3;

use taquilla_client::Time;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Null,
    Text(String),
    Integer(i64),
    Boolean(bool),
    /// Microseconds since 1970, which is as exact as PostgreSQL keeps time.
    Time(i64),
}

/// A row with what it has several of. Its id is its first value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub cells: Vec<Cell>,
    pub children: Vec<Vec<Cell>>,
}

impl Cell {
    /// A text. PostgreSQL keeps no NUL, so no mirror does.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::Text(if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text })
    }

    /// A time as texts have it.
    pub fn shown_time(micros: i64) -> String {
        Timestamp::from_microsecond(micros).map_or_else(|_| micros.to_string(), |at| Time::from(at).to_string())
    }

    /// A time as PostgreSQL's driver has it.
    pub fn system_time(micros: i64) -> SystemTime {
        let span = Duration::from_micros(micros.unsigned_abs());
        if micros < 0 { SystemTime::UNIX_EPOCH - span } else { SystemTime::UNIX_EPOCH + span }
    }

    /// The value as files have it; null is nothing.
    pub fn shown(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => text.clone(),
            Self::Integer(number) => number.to_string(),
            Self::Boolean(value) => value.to_string(),
            Self::Time(micros) => Self::shown_time(*micros),
        }
    }

    /// Adds a form of the value that no other value has.
    fn digest(&self, text: &mut String) {
        let _ = match self {
            Self::Null => write!(text, "n"),
            Self::Text(value) => write!(text, "t{}:{value}", value.len()),
            Self::Integer(number) => write!(text, "i{number};"),
            Self::Boolean(value) => write!(text, "b{};", u8::from(*value)),
            Self::Time(micros) => write!(text, "s{micros};"),
        };
    }
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Null, Self::text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<Option<i64>> for Cell {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Self::Null, Self::Integer)
    }
}

impl From<Option<Time>> for Cell {
    fn from(at: Option<Time>) -> Self {
        at.map_or(Self::Null, |at| Self::Time(at.timestamp().as_microsecond()))
    }
}

impl Row {
    /// What the API calls it by.
    pub fn id(&self) -> &str {
        match self.cells.first() {
            Some(Cell::Text(id)) => id,
            _ => "",
        }
    }

    /// A number that two rows share only if they are the same. Those of a table add up to its digest, in any order.
    pub fn digest(&self) -> u128 {
        let mut text = String::with_capacity(512);
        self.cells.iter().for_each(|cell| cell.digest(&mut text));
        for child in &self.children {
            text.push('(');
            child.iter().for_each(|cell| cell.digest(&mut text));
        }
        let mut hash = Xxh3::new();
        hash.update(text.as_bytes());
        hash.digest128()
    }
}
