//! The second step: who buys. What was chosen can still be changed here.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::ID_MAX, event::KeptEvent, id};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, page_headers::SHOP, query::Query};

use super::{
    asked::{Asked, Entrance, MINE, TERMS},
    choice::{self, Line},
};
use crate::pages::{carried::Carried, event::EventPage, frame::Frame, guest::Guest, offer, offered};

#[derive(Template)]
#[template(path = "details.html")]
struct DetailsPage<'a> {
    f: &'a Frame,
    event: &'a KeptEvent,
    form: &'a Form,
    lines: &'a [Line<'a>],
    asked: &'a Asked,
    entrances: Vec<Entrance<'a>>,
    key: String,
    /// The address of the event's page, with what was chosen.
    back: String,
}

/// The key of a form, which makes its order safe to repeat. A form without one that can be used gets a new one.
pub fn key_of(form: &Form) -> String {
    match form.value("key") {
        given if !given.is_empty() && given.len() <= ID_MAX / 2 => given.to_owned(),
        _ => id::new_ticket_id(),
    }
}

/// The page, with what is wrong if something is.
pub fn show(f: &Frame, event: &KeptEvent, form: &Form, lines: &[Line<'_>], asked: &Asked) -> Result<Response, Error> {
    let status = if form.errors().is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let back = choice::address(lines, &event.id, "", f);
    page::show_at(
        SHOP,
        status,
        &DetailsPage { f, event, form, lines, asked, entrances: asked.entrances(lines), key: key_of(form), back },
    )
}

/// The step with what was chosen before, which its address says. If that cannot be bought, the event's page says why.
pub async fn get_order(
    State(app): State<App>,
    guest: Guest,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let f = guest.frame(&app, Carried::in_query(&query));
    let offer = offer::find(&app, f.keeper.tenant, &event_id, f.carried.access_code()).await?;
    let items = offered::all(&offer, f.now);
    let event = offer.event;
    let mut form = query.into_form();
    let lines = choice::read(&mut form, &items, &event, &f);
    if form.errors().is_empty() {
        let asked = Asked::of(&app, &f, &event).await?;
        return show(&f, &event, &form, &lines, &asked);
    }
    let f = f.at_event(&event_id);
    EventPage { f, event, items, form }.show()
}
