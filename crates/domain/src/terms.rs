//! Terms that buyers accept: those of an event, or else those of its producer.
//!
//! Terms never change once they are made. Others replace them, so that what an order keeps is what its buyer saw.

use super::{
    clock::Stamp,
    invalid::Invalid,
    text::{Text, web_address},
};

/// Terms, as they are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Their id.
    pub id: String,
    /// The event that they are for; `None` is every event of the producer without terms of its own.
    pub event_id: Option<String>,
    /// What they say.
    pub text: Option<String>,
    /// Where they can be read.
    pub url: Option<String>,
    /// Since when buyers accept them.
    pub created_at: Stamp,
    /// Since when they do not any more.
    pub ended_at: Option<Stamp>,
}

/// Terms about to be made: a text, an address where there is one, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTerms {
    text: Option<Text>,
    url: Option<Text>,
}

impl NewTerms {
    /// Terms that say something. The field at fault is named.
    pub fn parse(text: Option<&str>, url: Option<&str>) -> Result<Self, (&'static str, Invalid)> {
        let given = |value: Option<&str>| value.map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
        let text = given(text).map(|text| Text::parse(&text.replace("\r\n", "\n"))).transpose();
        let url = given(url).map(|url| web_address(&url)).transpose();
        let invalid = "a web address is expected, such as https://example.com/terms";
        let (text, url) =
            (text.map_err(|invalid| ("text", invalid))?, url.map_err(|_| ("url", Invalid::new(invalid)))?);
        match (&text, &url) {
            (None, None) => Err(("text", Invalid::new("terms have a text, an address, or both"))),
            _ => Ok(Self { text, url }),
        }
    }

    /// What they say.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(Text::as_str)
    }

    /// Where they can be read.
    pub fn url(&self) -> Option<&str> {
        self.url.as_ref().map(Text::as_str)
    }

    /// Whether these terms say the same.
    pub fn are(&self, terms: &Terms) -> bool {
        (self.text(), self.url()) == (terms.text.as_deref(), terms.url.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_say_something() {
        let at_fault = |text: &str, url: &str| NewTerms::parse(Some(text), Some(url)).map_err(|(field, _)| field);
        let both = at_fault(" No dogs.\r\nNo cats. ", "https://x.example/terms").unwrap();
        assert_eq!((both.text(), both.url()), (Some("No dogs.\nNo cats."), Some("https://x.example/terms")));
        assert!(at_fault("No dogs.", " ").is_ok() && at_fault("", "https://x.example/terms").is_ok());
        assert_eq!(at_fault("", " "), Err("text"));
        assert_eq!(at_fault("No dogs.", "javascript:alert(1)"), Err("url"));
        assert_eq!(at_fault("No \u{202e}dogs.", ""), Err("text"));
    }
}
