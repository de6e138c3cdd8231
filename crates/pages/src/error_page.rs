//! Errors as a page for browsers, in the reader's language, and as a problem document for programs.

use askama::Template;
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};

use taquilla_http::{codes, edge::ErrorContext, errors::Error, problem};

use super::page::{self, Layout};

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    l: Layout,
    title: &'static str,
    advice: &'static str,
    status: &'a str,
    request_id: &'a str,
}

/// Shows an error as a page if the client asks for HTML.
pub fn render(error: &Error, context: &ErrorContext, request_id: &str, response: &mut Response) {
    if !wants_a_page(context) {
        return problem::render(error, context, request_id, response);
    }
    let code = error.code();
    let (title, advice) = texts(code);
    let page = ErrorPage { l: layout(context), title, advice, status: code.status.as_str(), request_id };
    if let Ok(shown) = page::show(code.status, &page) {
        let (parts, body) = shown.into_parts();
        *response.body_mut() = body;
        response.headers_mut().extend(parts.headers);
    }
}

fn layout(context: &ErrorContext) -> Layout {
    let mut headers = HeaderMap::new();
    let languages = context.languages.clone().map(|value| (header::ACCEPT_LANGUAGE, value));
    let cookies: Option<(_, HeaderValue)> = context.cookies.clone().map(|value| (header::COOKIE, value));
    let referrer = context.referrer.clone().map(|value| (header::REFERER, value));
    headers.extend(languages.into_iter().chain(cookies).chain(referrer));
    Layout::asked(&context.method, &context.uri, &headers)
}

/// Paths that only programs call: a mistyped one is answered to a program, whatever the program says that it accepts.
const FOR_PROGRAMS: [&str; 3] = ["/api/", "/shop/v1/", "/door/v1/"];

/// Whether a person looks at the answer: the client names HTML, as browsers do, and the path is not for programs.
fn wants_a_page(context: &ErrorContext) -> bool {
    let accepts = context.accept.as_ref().and_then(|value| value.to_str().ok()).unwrap_or_default();
    let names_html =
        accepts.split(',').any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim() == "text/html"));
    names_html && !FOR_PROGRAMS.iter().any(|prefix| context.uri.path().starts_with(prefix))
}

/// The keys of the texts: what happened, and what to do.
fn texts(code: &codes::Code) -> (&'static str, &'static str) {
    match (code.name, code.status) {
        ("forbidden", _) => ("error-forbidden", "error-forbidden-advice"),
        ("form_used", _) => ("error-form-used", "error-form-used-advice"),
        ("body_too_large", _) => ("error-too-large", "error-too-large-advice"),
        ("cross_origin", _) => ("error-cross-origin", "error-cross-origin-advice"),
        (_, StatusCode::NOT_FOUND) => ("error-not-found", "error-not-found-advice"),
        (_, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) => ("error-busy", "error-busy-advice"),
        _ => ("error-other", "error-other-advice"),
    }
}
