//! What those who wait are shown. The page looks again by itself, without JavaScript.

use askama::Template;
use axum::{
    http::{HeaderValue, StatusCode, header::REFRESH},
    response::Response,
};

use taquilla_domain::event::KeptEvent;
use taquilla_http::errors::Error;
use taquilla_pages::{cookies::with_cookie, page, page_headers::SHOP, texts::Texts};

use super::gate::Wait;
use crate::pages::frame::Frame;

#[derive(Template)]
#[template(path = "waiting.html")]
struct WaitingPage<'a> {
    f: &'a Frame,
    event: &'a KeptEvent,
    before: String,
    lasts: String,
}

/// How many are before somebody.
fn before(t: Texts, wait: &Wait) -> String {
    t.with("line-before", "count", wait.before)
}

/// How long they wait, in whole minutes.
fn lasts(t: Texts, wait: &Wait) -> String {
    t.with("line-lasts", "minutes", wait.lasts.as_secs().div_ceil(60))
}

/// Both in a line, for a form that cannot go on yet.
pub fn said(t: Texts, wait: &Wait) -> String {
    format!("{} {} {}", t.text("line-form"), before(t, wait), lasts(t, wait))
}

/// The page.
pub fn show(f: &Frame, event: &KeptEvent, wait: Wait) -> Result<Response, Error> {
    let t = f.l.t;
    let page = WaitingPage { f, event, before: before(t, &wait), lasts: lasts(t, &wait) };
    let mut response = page::show_at(SHOP, StatusCode::OK, &page)?;
    response.headers_mut().insert(REFRESH, HeaderValue::from(wait.looks_again.as_secs()));
    Ok(with_cookie(response, wait.cookie))
}
