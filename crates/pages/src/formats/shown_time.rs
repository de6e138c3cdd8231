//! A moment or a day on a page.

use std::fmt;

use askama::filters::{Html, HtmlSafe, escape};
use fluent_bundle::FluentValue;

/// A moment or a day as people read it, which programs can read, too: in a page it is a `<time>`, in a text only its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownTime {
    iso: String,
    text: String,
}

impl ShownTime {
    /// A moment or a day: as programs write it, and as people do.
    pub(super) fn new(iso: String, text: String) -> Self {
        Self { iso, text }
    }

    /// Words in place of a moment that has not come.
    pub fn none(text: String) -> Self {
        Self { iso: String::new(), text }
    }

    /// The words alone, for where a page can have no element.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ShownTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(text) = escape(&self.text, Html);
        match self.iso.as_str() {
            "" => write!(f, "{text}"),
            iso => write!(f, "<time datetime=\"{iso}\">{text}</time>"),
        }
    }
}

/// It writes its own element and escapes what is in it.
impl HtmlSafe for ShownTime {}

impl From<ShownTime> for FluentValue<'_> {
    fn from(time: ShownTime) -> Self {
        time.text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_an_element_and_a_text_has_words() {
        let time = ShownTime::new("2026-11-28".to_owned(), "Sat <28> Nov".to_owned());
        assert_eq!(time.to_string(), "<time datetime=\"2026-11-28\">Sat &#60;28&#62; Nov</time>");
        assert_eq!(time.text(), "Sat <28> Nov");
        assert_eq!(ShownTime::none("never".to_owned()).to_string(), "never");
    }
}
