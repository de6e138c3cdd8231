//! Pages that this server writes: what all of them need, and their headers.

use askama::Template;
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};

use taquilla_http::errors::Error;

use super::{assets, page_headers};
use crate::texts::{Language, Texts};

/// What every page needs.
#[derive(Clone)]
pub struct Layout {
    /// The words, in the reader's language.
    pub t: Texts,
}

impl Layout {
    /// The layout of a page for whoever asks.
    pub fn asked(headers: &HeaderMap) -> Self {
        Self { t: Texts(Language::asked(headers)) }
    }

    /// The language's tag.
    pub fn language(&self) -> &'static str {
        self.t.0.as_str()
    }

    /// The other languages there are: their tags and their own names.
    pub fn other_languages(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let others = Language::ALL.iter().filter(|language| **language != self.t.0);
        others.map(|language| (language.as_str(), language.own_name()))
    }

    /// The address of the style sheet.
    pub fn styles(&self) -> &'static str {
        &assets::STYLES
    }

    /// The address of the script.
    pub fn script(&self) -> &'static str {
        &assets::SCRIPT
    }

    /// The address of the icon.
    pub fn icon(&self) -> &'static str {
        &assets::ICON
    }
}

/// Answers with a page that no cache keeps.
pub fn show(status: StatusCode, page: &impl Template) -> Result<Response, Error> {
    let html = page.render().map_err(|cause| Error::Internal(format!("a page could not be written: {cause}")))?;
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-language, cookie"));
    page_headers::protect(headers, page_headers::PAGE);
    Ok(response)
}
