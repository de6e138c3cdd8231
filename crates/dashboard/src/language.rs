//! Choosing the language of the pages.

use axum::{
    http::{HeaderValue, header},
    response::Response,
};

use taquilla_pages::{form::Form, texts::Language};

use super::frame::{go, safe_next, with_header};

/// Remembers the language and returns to the page.
pub async fn post_language(form: Form) -> Response {
    let back = form.value("next");
    let response = go(if back == "/" { "/" } else { safe_next(back) });
    let cookie =
        Language::parse(form.value("language")).and_then(|language| HeaderValue::try_from(language.cookie()).ok());
    with_header(response, header::SET_COOKIE, cookie)
}
