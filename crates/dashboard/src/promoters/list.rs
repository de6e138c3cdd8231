//! The promoters of an event.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::PROMOTERS_MAX, role::Right};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{page, query::Query};

use super::rows::{PromoterRow, list_path, of_event};
use crate::{
    access::{Member, SeeEvents},
    chosen_event::{self, ChosenEvent},
    events::event_path,
    frame::Frame,
};

#[derive(Template)]
#[template(path = "promoters.html")]
struct PromotersPage {
    f: Frame,
    event: ChosenEvent,
    event_path: String,
    path: String,
    promoters: Vec<PromoterRow>,
    may_change: bool,
    sees_money: bool,
}

/// The page.
pub async fn get_promoters(
    State(app): State<App>,
    member: Member<SeeEvents>,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let event = chosen_event::find(&mut conn, member.tenant(), &event_id).await?;
    let f = member.frame("events").done(&query).by_clocks_of(&event.time_zone);
    let promoters = of_event(&app, &mut conn, &member, &f, (&event.id, &event.currency), PROMOTERS_MAX).await?;
    drop(conn);
    let page = PromotersPage {
        event_path: event_path(&member, &event.id),
        path: list_path(&member, &event.id),
        promoters,
        may_change: member.may(Right::ManageEvents) && member.may(Right::SeeReports),
        sees_money: member.may(Right::SeeReports),
        event,
        f,
    };
    page::show(StatusCode::OK, &page)
}
