//! The second step: who buys. What was chosen can still be changed here.

use std::sync::Arc;

use askama::Template;
use axum::{
    Extension,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::event::KeptEvent;
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{cookies::with_cookie, form::Form, page, page_headers::SHOP, query::Query};

use super::{
    asked::{Asked, Entrance, MINE, TERMS},
    choice::{self, Line},
    form_key::key_of,
};
use crate::{
    line::{
        entry,
        gate::{self, Way},
        waiting,
    },
    pages::{
        carried::Carried,
        copies::{Copies, Seen},
        event::EventPage,
        frame::Frame,
        guest::{Guest, Passerby},
        offered,
    },
};

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
    /// The proof of when the form was given out.
    entry: &'a str,
    /// The address of the event's page, with what was chosen.
    back: String,
}

/// The page, with what is wrong if something is.
pub fn show(f: &Frame, event: &KeptEvent, form: &Form, lines: &[Line<'_>], asked: &Asked) -> Result<Response, Error> {
    let status = if form.errors().is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let back = choice::address(lines, &event.id, "", f);
    page::show_at(
        SHOP,
        status,
        &DetailsPage {
            f,
            event,
            form,
            lines,
            asked,
            entrances: asked.entrances(lines),
            key: key_of(form),
            entry: form.value("entry"),
            back,
        },
    )
}

/// The step with what was chosen before, which its address says. If that cannot be bought, the event's page says why.
pub async fn get_order(
    State(app): State<App>,
    Extension(copies): Extension<Arc<Copies>>,
    Passerby { visitor, producer_id }: Passerby,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let carried = Carried::in_query(&query);
    let copy = copies.find(&app, Seen::by(producer_id, &event_id, &carried)).await?;
    let f = Guest { visitor: visitor.clone(), keeper: copy.keeper.clone() }.frame(&app, carried);
    let items = offered::all(&copy.offer, f.now);
    let event = copy.offer.event.clone();
    let mut form = query.into_form();
    let lines = choice::read(&mut form, &items, &event, &f);
    if form.errors().is_empty() {
        let tenant = f.keeper.tenant;
        return match gate::begin(&app, &visitor, tenant, &event_id).await? {
            Way::Wait(wait) => waiting::show(&f, &event, wait),
            Way::Open(cookie) => {
                let asked = Asked::of(&app, &f, &event).await?;
                entry::give(&app, tenant, &event_id, &mut form, f.now)?;
                Ok(with_cookie(show(&f, &event, &form, &lines, &asked)?, cookie))
            }
        };
    }
    let f = f.at_event(&event_id);
    EventPage { f, event, items, form }.show()
}
