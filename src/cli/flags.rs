//! Reading the values of flags: each by the type that has its rules.

use crate::domain::{clock::Stamp, invalid::Invalid};

/// A point in time.
pub fn stamp(text: &str) -> Result<Stamp, Invalid> {
    Stamp::parse(text).ok_or_else(|| Invalid::new("this is not a time such as 2027-01-01T21:00:00Z"))
}

/// A value, or `none`.
pub fn or_none<T>(text: &str, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<Option<T>, Invalid> {
    if text == "none" { Ok(None) } else { parse(text).map(Some) }
}

/// One of the values that have these names.
pub fn named<T: Copy>(text: &str, all: &[T], name_of: fn(T) -> &'static str) -> Result<T, Invalid> {
    all.iter().copied().find(|value| name_of(*value) == text).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|value| name_of(*value)).collect();
        Invalid::new(format!("one of {} is expected", names.join(", ")))
    })
}
