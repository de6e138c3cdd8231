//! Texts with rules: names, personal details, and longer texts such as descriptions.

use super::invalid::Invalid;
use crate::config::{NAME_MAX, TEXT_MAX};

/// Whether a terminal or a page obeys this character instead of showing it: control characters, and those that turn
/// the direction of the text around them (an override can make `exe.txt` of `txt.exe`).
pub fn is_obeyed(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name: not empty, on one line, not too long, and of characters that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        if text.trim().is_empty() {
            return Err(Invalid::new("a name cannot be empty"));
        }
        detail(text).map(Self)
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
    /// Reads a text. It may have lines and tabs.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        bounded(text, TEXT_MAX, "\n\r\t").map(Self)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The web address of a picture, which buyers' browsers load.
pub fn web_address(text: &str) -> Result<Text, Invalid> {
    let is_web = url::Url::parse(text).is_ok_and(|url| ["https", "http"].contains(&url.scheme()) && url.has_host());
    match is_web && !text.contains(char::is_whitespace) {
        true => Text::parse(text),
        false => Err(Invalid::new("a web address is expected, such as https://example.com/poster.jpg")),
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0
    }
}

/// A personal detail, such as an e-mail address: like a name, but it may be empty.
pub fn detail(text: &str) -> Result<String, Invalid> {
    bounded(text, NAME_MAX, "")
}

fn bounded(text: &str, longest: usize, allowed: &str) -> Result<String, Invalid> {
    if text.chars().any(|letter| is_obeyed(letter) && !allowed.contains(letter)) {
        return Err(Invalid::new("control characters are not taken, nor those that turn the direction of a text"));
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
        for wrong in ["", "  \t ", "a\nb", "a\0b", "\u{1b}[31m", "\u{9b}", "\u{202e}", &"x".repeat(NAME_MAX + 1)] {
            assert!(Name::parse(wrong).is_err(), "{wrong:?}");
        }
        assert!(Name::parse("שלום").is_ok() && detail("").is_ok() && detail("a\tb").is_err());
    }

    #[test]
    fn a_web_address_is_one_that_browsers_load() {
        assert!(web_address("https://example.com/a.jpg").is_ok() && web_address("http://example.com").is_ok());
        for wrong in [
            "",
            "poster.jpg",
            "javascript:alert(1)",
            "data:image/png;base64,x",
            "https://",
            "https://a b",
            " https://a",
        ] {
            assert!(web_address(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_text_may_have_lines_and_an_end() {
        assert!(Text::parse("").is_ok() && Text::parse("two\nlines").is_ok());
        for wrong in ["a\0b", "a\u{1b}b", "a\u{2066}b", &"x".repeat(TEXT_MAX + 1)] {
            assert!(Text::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
