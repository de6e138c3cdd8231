//! The languages that pages speak, and which one a reader gets.

use std::time::Duration;

use axum::http::{HeaderMap, header};
use cookie::Cookie;
use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use unic_langid::LanguageIdentifier;

use taquilla_domain::named;

use crate::cookies;

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

/// How long a choice is remembered: a year, so that a reader who comes back next season need not choose again.
const REMEMBERED_FOR: Duration = Duration::from_hours(365 * 24);

impl Language {
    /// The language that the reader chose, else the one of ours that the browser likes best, else English.
    pub fn asked(headers: &HeaderMap) -> Self {
        let chosen = cookies::find(headers, COOKIE).and_then(Self::parse);
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        chosen.or_else(|| Self::liked_best(accepted?)).unwrap_or(Self::English)
    }

    /// The language of ours that comes first in an `Accept-Language` header, by its weights.
    fn liked_best(accepted: &str) -> Option<Self> {
        let ours: Vec<LanguageIdentifier> = Self::ALL.iter().map(|language| language.identifier()).collect();
        let found = negotiate_languages(&by_weight(accepted), &ours, None, NegotiationStrategy::Filtering);
        Self::parse(found.first()?.language.as_str())
    }

    /// The language as programs name it.
    pub fn identifier(self) -> LanguageIdentifier {
        self.as_str().parse().unwrap_or_default()
    }

    /// The cookie that remembers this language.
    pub fn cookie(self) -> Cookie<'static> {
        cookies::plain(COOKIE, self.as_str(), REMEMBERED_FOR)
    }
}

/// The languages of an `Accept-Language` header that can be read, the one with the greatest weight first. One with the weight
/// 0 is not wanted.
fn by_weight(accepted: &str) -> Vec<LanguageIdentifier> {
    let mut weighted: Vec<(f32, LanguageIdentifier)> = accepted
        .split(',')
        .filter_map(|range| {
            let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
            let weight = weight.trim().strip_prefix("q=")?.parse().ok()?;
            Some((weight, tag.trim().parse().ok()?))
        })
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    weighted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    weighted.into_iter().map(|(_, tag)| tag).collect()
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

    #[test]
    fn the_browsers_weights_count() {
        assert_eq!(asked("es;q=0.5, en;q=0.9", ""), Language::English);
        assert_eq!(asked("en;q=0.5,es-419", ""), Language::Spanish);
        assert_eq!(asked("en;q=0.5, es;q=0.5", ""), Language::English, "the first of two that are liked as well");
        assert_eq!(asked("en;q=0, es;q=0.1", ""), Language::Spanish, "English is not wanted");
        assert_eq!(asked("de, *;q=0.5, es;q=0.1", ""), Language::Spanish);
        assert_eq!(asked("es;q=x, ;, *", ""), Language::English, "what cannot be read is not there");
    }

    #[test]
    fn a_choice_is_remembered_for_a_year() {
        let cookie = Language::Spanish.cookie().to_string();
        assert_eq!(cookie, "taquilla-language=es; SameSite=Lax; Path=/; Max-Age=31536000");
    }
}
