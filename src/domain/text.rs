//! Texts with rules: names, and longer texts such as descriptions.

use super::invalid::Invalid;
use crate::config::{NAME_MAX, TEXT_MAX};

/// A name: not empty, on one line, not too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Parses a name that is given now.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let name = Self::imported(text)?;
        match text.chars().any(char::is_control) {
            true => Err(Invalid::new("a name cannot hold control characters")),
            false => Ok(name),
        }
    }

    /// Accepts a name from another system as it is, even with control characters that [`Name::parse`] refuses.
    pub fn imported(text: &str) -> Result<Self, Invalid> {
        if text.trim().is_empty() {
            return Err(Invalid::new("a name cannot be empty"));
        }
        bounded(text, NAME_MAX).map(Self)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name without the spaces around it.
    pub fn trimmed(self) -> Self {
        Self(self.0.trim().to_owned())
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

/// A description, a place or an address of limited length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// Reads a text.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        bounded(text, TEXT_MAX).map(Self)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0
    }
}

/// A personal detail from another system; it may be empty.
pub fn imported_detail(text: &str) -> Result<String, Invalid> {
    bounded(text, NAME_MAX)
}

fn bounded(text: &str, longest: usize) -> Result<String, Invalid> {
    // PostgreSQL accepts every character except this one.
    if text.contains('\0') {
        return Err(Invalid::new("a text cannot hold the character NUL"));
    }
    match text.chars().nth(longest) {
        None => Ok(text.to_owned()),
        Some(_) => Err(Invalid::new(format!("the text is longer than {longest} characters"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_something_that_people_can_read() {
        assert_eq!(Name::parse("Sala Aurora").unwrap().as_str(), "Sala Aurora");
        assert!(Name::parse(&"ñ".repeat(NAME_MAX)).is_ok(), "characters are counted, not bytes");
        for wrong in ["", "  \t ", "a\nb", "a\0b", &"x".repeat(NAME_MAX + 1)] {
            assert!(Name::parse(wrong).is_err(), "{wrong:?}");
        }
        assert!(Name::imported("a\nb").is_ok() && Name::imported("a\0b").is_err() && Name::imported(" ").is_err());
    }

    #[test]
    fn a_text_may_have_lines_and_an_end() {
        assert!(Text::parse("").is_ok() && Text::parse("two\nlines").is_ok());
        assert!(Text::parse(&"x".repeat(TEXT_MAX + 1)).is_err() && Text::parse("a\0b").is_err());
    }
}
