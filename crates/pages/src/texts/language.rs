//! The languages that pages speak, and which one a reader gets.

use axum::http::{HeaderMap, header};

use taquilla_domain::named;

named! {
    /// A language of the pages.
    Language {
        /// English.
        English = "en",
        /// Spanish.
        Spanish = "es",
    }
}

/// The cookie with the language that a reader chose.
const COOKIE: &str = "taquilla-language";

impl Language {
    /// The language's name for itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Spanish => "Español",
        }
    }

    /// The language that the reader chose, else the first of the browser's that there is, else English.
    pub fn asked(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let chosen = text(header::COOKIE).split(';').find_map(|cookie| {
            let (name, value) = cookie.trim().split_once('=')?;
            (name == COOKIE).then(|| Self::parse(value)).flatten()
        });
        let preferred = || {
            let mut tags = text(header::ACCEPT_LANGUAGE).split(',');
            tags.find_map(|tag| Self::parse(&tag.trim().get(..2)?.to_ascii_lowercase()))
        };
        chosen.or_else(preferred).unwrap_or(Self::English)
    }

    /// The cookie that remembers this language for a year.
    pub fn cookie(self) -> String {
        format!("{COOKIE}={}; Path=/; Max-Age=31536000; SameSite=Lax", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn asked(accept: &'static str, cookie: &'static str) -> Language {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accept));
        headers.insert(header::COOKIE, HeaderValue::from_static(cookie));
        Language::asked(&headers)
    }

    #[test]
    fn a_choice_comes_before_the_browsers_languages() {
        assert_eq!(asked("fr, es-AR;q=0.9, en;q=0.8", ""), Language::Spanish);
        assert_eq!(asked("", ""), Language::English);
        assert_eq!(asked("es", "a=b; taquilla-language=en"), Language::English);
        assert_eq!(asked("ES", "taquilla-language=xx"), Language::Spanish);
    }
}
