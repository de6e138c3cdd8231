//! Pages that this server writes: what all of them need, and their headers.

use askama::Template;
use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};

use taquilla_http::errors::Error;

use super::{
    assets,
    page_headers::{self, Face, protect},
    redirects::referring_page,
};
use crate::texts::{Language, Texts};

/// What every page needs.
#[derive(Clone)]
pub struct Layout {
    /// The words, in the reader's language.
    pub t: Texts,
    /// The address of the page with its query, to show it again in another language.
    pub here: String,
}

impl Layout {
    /// The layout of a page for whoever asks. What answers a form is not asked for again: the page with the form is.
    pub fn asked(method: &Method, uri: &Uri, headers: &HeaderMap) -> Self {
        let here = match *method == Method::GET {
            true => uri.path_and_query().map_or("/", |target| target.as_str()).to_owned(),
            false => referring_page(headers).unwrap_or_else(|| "/dashboard".to_owned()),
        };
        Self { t: Texts(Language::asked(headers)), here }
    }

    /// The language's tag.
    pub fn language(&self) -> &'static str {
        self.t.0.as_str()
    }

    /// The other languages there are: their tags and their own names.
    pub fn other_languages(&self) -> impl Iterator<Item = (&'static str, String)> {
        let others = Language::ALL.iter().filter(|language| **language != self.t.0);
        others.map(|language| (language.as_str(), Texts(*language).text("language-name")))
    }

    /// The address of the style sheet.
    pub fn styles(&self) -> &'static str {
        &assets::STYLES
    }

    /// The address of the style sheet of buyers' pages.
    pub fn shop_styles(&self) -> &'static str {
        &assets::SHOP_STYLES
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

/// Answers with a page of staff, or one that says what went wrong.
pub fn show(status: StatusCode, page: &impl Template) -> Result<Response, Error> {
    show_at(page_headers::DASHBOARD, status, page)
}

/// Answers with a page of this face, which no cache keeps.
pub fn show_at(face: Face, status: StatusCode, page: &impl Template) -> Result<Response, Error> {
    Ok(answer(face, status, written(page)?.into()))
}

/// A page as it is sent.
pub fn written(page: &impl Template) -> Result<String, Error> {
    page.render().map_err(|cause| Error::Internal(format!("a page could not be written: {cause}")))
}

/// Answers with a page of this face that is written already.
pub fn answer(face: Face, status: StatusCode, html: Bytes) -> Response {
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-language, cookie"));
    protect(headers, face);
    response
}
