//! The third step: all of it once more, before it is confirmed.

use std::time::Duration;

use askama::Template;
use axum::{http::StatusCode, response::Response};

use taquilla_domain::{event::KeptEvent, person::Person};
use taquilla_http::errors::Error;
use taquilla_pages::{form::Form, page, page_headers::SHOP};

use super::{
    asked::{Asked, Entrance, MINE, TERMS},
    bill::Bill,
    choice::Line,
    form_key::key_of,
};
use crate::pages::frame::Frame;

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage<'a> {
    f: &'a Frame,
    event: &'a KeptEvent,
    lines: &'a [Line<'a>],
    buyer: &'a Person,
    form: &'a Form,
    asked: &'a Asked,
    entrances: Vec<Entrance<'a>>,
    bill: Bill,
    total: i64,
    currency: &'a str,
    key: String,
    /// The proof of when the form was given out.
    entry: &'a str,
    /// How many minutes there are to pay.
    minutes: u64,
}

impl ReviewPage<'_> {
    /// Who comes with an entrance.
    fn comes(&self, entrance: &Entrance<'_>) -> &str {
        let is_buyer = self.form.has(MINE, &entrance.key);
        if is_buyer { &self.buyer.name } else { self.form.value(&entrance.name).trim() }
    }
}

#[expect(clippy::too_many_arguments, reason = "a page shows all of it")]
/// The page. Nothing is bought or held yet.
pub fn show(
    f: &Frame,
    event: &KeptEvent,
    form: &Form,
    lines: &[Line<'_>],
    buyer: &Person,
    asked: &Asked,
    bill: Bill,
    hold: Duration,
) -> Result<Response, Error> {
    let page = ReviewPage {
        f,
        event,
        lines,
        buyer,
        form,
        asked,
        entrances: asked.entrances(lines),
        total: bill.total,
        bill,
        currency: lines.first().map_or(event.currency.as_str(), |line| &line.offered.item.currency),
        key: key_of(form),
        entry: form.value("entry"),
        minutes: hold.as_secs() / 60,
    };
    page::show_at(SHOP, StatusCode::OK, &page)
}
