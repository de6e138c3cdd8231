//! The third step: all of it once more, before it is confirmed.

use std::time::Duration;

use askama::Template;
use axum::{http::StatusCode, response::Response};

use taquilla_domain::{event::KeptEvent, person::Person};
use taquilla_http::errors::Error;
use taquilla_pages::{form::Form, page, page_headers::SHOP};

use super::{bill::Bill, choice::Line, details::key_of};
use crate::pages::frame::Frame;

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage<'a> {
    f: &'a Frame,
    event: &'a KeptEvent,
    lines: &'a [Line<'a>],
    buyer: &'a Person,
    bill: Bill,
    total: i64,
    currency: &'a str,
    key: String,
    /// How many minutes there are to pay.
    minutes: u64,
}

/// The page. Nothing is bought or held yet.
pub fn show(
    f: &Frame,
    event: &KeptEvent,
    form: &Form,
    lines: &[Line<'_>],
    buyer: &Person,
    bill: Bill,
    hold: Duration,
) -> Result<Response, Error> {
    let page = ReviewPage {
        f,
        event,
        lines,
        buyer,
        total: bill.total,
        bill,
        currency: lines.first().map_or(event.currency.as_str(), |line| &line.offered.item.currency),
        key: key_of(form),
        minutes: hold.as_secs() / 60,
    };
    page::show_at(SHOP, StatusCode::OK, &page)
}
