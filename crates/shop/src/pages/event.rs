//! One event, and what it sells: the first step of buying.

use std::sync::Arc;

use askama::Template;
use axum::{
    Extension,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::TARGET_MAX, event::KeptEvent, status::EventStatus};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, page_headers::SHOP, query::Query, redirects::go};

use super::{
    carried::Carried,
    copies::{Copies, Seen},
    frame::Frame,
    guest::{Guest, Passerby},
    offered::{self, Offered, QUANTITY, State as OfferState},
    sharing::Sharing,
};
use crate::checkout::choice;

#[derive(Template)]
#[template(path = "event.html")]
pub(crate) struct EventPage {
    pub f: Frame,
    pub event: KeptEvent,
    pub items: Vec<Offered>,
    pub form: Form,
}

impl EventPage {
    fn sharing(&self) -> Sharing {
        Sharing::of_event(&self.f, &self.event, &self.items, self.picture())
    }

    fn is_cancelled(&self) -> bool {
        self.event.status == EventStatus::Cancelled
    }

    fn is_over(&self) -> bool {
        self.event.status == EventStatus::Finished
    }

    /// Whether anything can be bought now.
    fn is_open(&self) -> bool {
        self.items.iter().any(|offered| offered.most().is_some())
    }

    /// A picture that is safe to show: browsers load no other into a page that came over https.
    fn picture(&self) -> Option<&str> {
        self.event.image_url.as_deref().filter(|address| address.starts_with("https://"))
    }

    /// The page, with what is wrong if something is.
    pub fn show(self) -> Result<Response, Error> {
        let is_right = self.form.errors().is_empty();
        page::show_at(SHOP, if is_right { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY }, &self)
    }
}

/// The page. A link may say how many of what are chosen already.
pub async fn get_event(
    State(app): State<App>,
    Extension(copies): Extension<Arc<Copies>>,
    Passerby { visitor, producer_id }: Passerby,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let carried = Carried::in_query(&query);
    let copy = copies.find(&app, Seen::by(producer_id, &event_id, &carried)).await?;
    let f = Guest { visitor, keeper: copy.keeper.clone() }.frame(&app, carried);
    let form = query.into_form();
    let page = |f: Frame, form| {
        let items = offered::all(&copy.offer, f.now);
        EventPage { f, event: copy.offer.event.clone(), items, form }
    };
    let is_same_for_all = f.carried.only_opens() && !form.names().any(|name| name.starts_with(QUANTITY));
    if !(copy.is_shared() && is_same_for_all) {
        return page(f, form).show();
    }
    let (language, service) = (f.l.t.0, f.service.clone());
    let html = copy.page(language, &service, || {
        // Nothing of this visitor is in it: not what else their address says, nor when they came.
        page::written(&page(Frame { now: copy.now, ..f }.at_event(&event_id), Form::default()))
    });
    Ok(page::answer(SHOP, StatusCode::OK, html?))
}

/// Takes what was chosen to the next step. It is in the address of that step, so that going back and reloading ask nothing.
pub async fn post_event(
    State(app): State<App>,
    Extension(copies): Extension<Arc<Copies>>,
    Passerby { visitor, producer_id }: Passerby,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let carried = Carried::in_form(&form);
    let copy = copies.find(&app, Seen::by(producer_id, &event_id, &carried)).await?;
    let f = Guest { visitor, keeper: copy.keeper.clone() }.frame(&app, carried).at_event(&event_id);
    let (event, items) = (copy.offer.event.clone(), offered::all(&copy.offer, f.now));
    let chosen = choice::read(&mut form, &items, &event, &f);
    let next = choice::next_step(&chosen, &event_id, &f);
    // An address may have only so many characters.
    if next.len() > TARGET_MAX / 2 {
        form.wrong("items", f.text("shop-too-many-kinds"));
    }
    match form.errors() {
        [] => Ok(go(&next)),
        _ => EventPage { f, event, items, form }.show(),
    }
}
