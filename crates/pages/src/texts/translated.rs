//! Messages that programs and the command line get in English, in the reader's language.
//!
//! The English texts of a prefix are what such messages look like, with their values; so the same files that have the
//! words of a message say how it is recognised.

use std::sync::LazyLock;

use fluent_bundle::FluentArgs;

use super::{catalogue::Texts, language::Language};

/// The names of the values in a message, in their order.
const VALUES: [&str; 3] = ["value", "second", "third"];
/// Stands for a value. No message has these characters: they are control characters.
const MARKS: [&str; 3] = ["\u{1}", "\u{2}", "\u{3}"];

/// The texts that begin so are messages of an import.
const IMPORT: &str = "import-says-";

/// What messages of an import look like: the key, and what stands before, between and after the values.
static OF_IMPORT: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let english = Texts(Language::English);
    let mut known: Vec<(String, Vec<String>)> = Texts::keys(Language::English)
        .into_iter()
        .filter(|key| key.starts_with(IMPORT))
        .map(|key| {
            let text = english.say(&key, Some(&args(&MARKS)));
            let parts = text.split(|letter| MARKS.iter().any(|mark| mark.starts_with(letter)));
            let parts = parts.map(str::to_owned).collect();
            (key, parts)
        })
        .collect();
    // A message with more words of its own is told from one that would take them for a value.
    known.sort_by_key(|(_, parts)| std::cmp::Reverse(parts.iter().map(String::len).sum::<usize>()));
    known
});

fn args<'a>(values: &[&'a str]) -> FluentArgs<'a> {
    VALUES.iter().zip(values).map(|(name, value)| (*name, *value)).collect()
}

/// The values of a message that looks like this.
fn values<'a>(message: &'a str, parts: &[String]) -> Option<Vec<&'a str>> {
    let (first, rest) = parts.split_first()?;
    let mut left = message.strip_prefix(first.as_str())?;
    let mut values = Vec::new();
    for (number, part) in rest.iter().enumerate() {
        // What stands last ends the message.
        let at = if number + 1 == rest.len() { left.len().checked_sub(part.len())? } else { left.find(part.as_str())? };
        values.push(left.get(..at)?);
        left = left.get(at..)?.strip_prefix(part.as_str())?;
    }
    left.is_empty().then_some(values)
}

/// What an import says, in the reader's language. `None` if it is not known, and for who reads English.
pub fn of_import(t: Texts, message: &str) -> Option<String> {
    if t.0 == Language::English {
        return None;
    }
    let found = OF_IMPORT.iter().find_map(|(key, parts)| Some((key, values(message, parts)?)));
    found.map(|(key, values)| t.say(key, Some(&args(&values))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_recognised_with_its_values() {
        let spanish = |message: &str| of_import(Texts(Language::Spanish), message);
        assert_eq!(spanish("there is no event ev_x").as_deref(), Some("no existe el evento ev_x"));
        assert_eq!(
            spanish("tt has 12 live tickets, more than its limit of 10").as_deref(),
            Some("tt tiene 12 entradas en vigor, más que su límite de 10")
        );
        assert_eq!(spanish("something else"), None);
        assert_eq!(of_import(Texts(Language::English), "there is no event ev_x"), None);
    }
}
