//! Choosing the language of the pages.

use axum::{http::HeaderValue, response::Response};

use super::{
    cookies::with_cookie,
    form::Form,
    redirects::{go, safe_next},
    texts::Language,
};

/// Remembers the language and returns to the page.
pub async fn post_language(form: Form) -> Response {
    let chosen = Language::parse(form.value("language"));
    let cookie = chosen.and_then(|language| HeaderValue::try_from(language.cookie().to_string()).ok());
    with_cookie(go(safe_next(form.value("next"), "/")), cookie)
}
