//! The page that shows a one-time link, this once, to whoever hands it over.

use askama::Template;
use axum::{http::StatusCode, response::Response};

use taquilla_domain::key::Secret;
use taquilla_http::errors::Error;
use taquilla_pages::page;

use super::frame::Frame;

#[derive(Template)]
#[template(path = "handed_link.html")]
struct HandedLinkPage {
    f: Frame,
    title: String,
    explanation: String,
    url: String,
}

/// Shows the link for the person with this e-mail address. `key` begins the keys of its texts, and `service` is the address
/// of this service.
pub fn show(f: Frame, key: &str, email: &str, service: &str, token: &Secret) -> Result<Response, Error> {
    let title = f.l.t.with(&format!("{key}-title"), "email", email);
    let explanation = f.l.t.with(&format!("{key}-explanation"), "email", email);
    let url = format!("{service}/dashboard/links/{}", token.reveal());
    page::show(StatusCode::OK, &HandedLinkPage { f, title, explanation, url })
}
