//! Reading the values of flags: each by the type that has its rules. What does not fit is said in the words of those
//! rules, never in a parser's.

use std::{ops::RangeInclusive, time::Duration};

use taquilla_domain::{clock::Stamp, config::COUNT_MAX, count::Count, id, invalid::Invalid};

/// An id, of something that exists or is to exist.
pub fn id(text: &str) -> Result<String, Invalid> {
    if id::is_plausible(text) { Ok(text.to_owned()) } else { Err(Invalid::new(id::FORM)) }
}

/// A point in time.
pub fn stamp(text: &str) -> Result<Stamp, Invalid> {
    Stamp::parse(text).ok_or_else(|| Invalid::new("a time such as 2027-01-01T21:00:00Z is expected"))
}

/// A place in an order, which may be negative.
pub fn place(text: &str) -> Result<Count, Invalid> {
    Count::parse_at_least(-COUNT_MAX, text)
}

/// How many rows to show.
pub fn limit(text: &str) -> Result<i64, Invalid> {
    Count::parse_at_least(1, text).map(Count::get)
}

/// A whole number in a range.
pub fn number(text: &str, range: RangeInclusive<u64>) -> Result<u64, Invalid> {
    let (least, most) = (*range.start(), *range.end());
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| Invalid::new(format!("a whole number from {least} to {most} is expected")))
}

/// A span of time: a number and a unit, such as `30m`.
pub fn span(text: &str, longest: Duration) -> Result<Duration, Invalid> {
    let seconds = |unit: char| match unit {
        's' => Some(1),
        'm' => Some(60),
        'h' => Some(3_600),
        'd' => Some(24 * 3_600),
        _ => None,
    };
    let (number, unit) = text.split_at(text.len() - text.chars().last().map_or(0, char::len_utf8));
    let number: Option<u64> = number.parse().ok().filter(|number| *number > 0);
    let span = number.zip(unit.chars().next().and_then(seconds)).and_then(|(number, unit)| number.checked_mul(unit));
    span.map(Duration::from_secs).filter(|span| *span <= longest).ok_or_else(|| {
        let days = longest.as_secs() / (24 * 3_600);
        Invalid::new(format!("a time such as 90s, 30m, 2h or 3d is expected, up to {days}d"))
    })
}

/// How many of which item: `TYPE=QUANTITY`, at least one.
pub fn quantity_of(text: &str) -> Option<(String, i64)> {
    let (item, quantity) = text.rsplit_once('=')?;
    Some((id(item).ok()?, Count::parse_at_least(1, quantity).ok()?.get()))
}

/// A value, or `none`.
pub fn or_none<T>(text: &str, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<Option<T>, Invalid> {
    match text {
        "none" => Ok(None),
        text => parse(text).map(Some).map_err(|invalid| Invalid::new(format!("{invalid}, or none"))),
    }
}

/// One of the values that have these names.
pub fn named<T: Copy>(text: &str, all: &[T], name_of: fn(T) -> &'static str) -> Result<T, Invalid> {
    all.iter().copied().find(|value| name_of(*value) == text).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|value| name_of(*value)).collect();
        Invalid::new(format!("one of {} is expected", names.join(", ")))
    })
}
