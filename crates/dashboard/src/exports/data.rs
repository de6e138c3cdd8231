//! The page from which data is taken out and brought in.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::role::Right;
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{page, query::Query};

use super::query::Kind;
use crate::{
    access::{ExportOrImport, Member},
    chosen_event::{self, ChosenEvent},
    csv::Separator,
    frame::Frame,
};

#[derive(Template)]
#[template(path = "data.html")]
struct DataPage {
    f: Frame,
    events: Vec<ChosenEvent>,
    kinds: [Kind; 4],
    may_export: bool,
    sees_people: bool,
    event: String,
    /// What separates cells where nobody chooses.
    separator: Separator,
}

/// The page.
pub async fn get_data(State(app): State<App>, member: Member<ExportOrImport>, query: Query) -> Result<Response, Error> {
    let (mut conn, tenant) = (app.store.read().await?, member.tenant());
    let chosen = chosen_event::named(&mut conn, tenant, query.get("event")).await?;
    let events = chosen_event::choice(&mut conn, tenant, query.get("event")).await?;
    drop(conn);
    let page = DataPage {
        f: member.frame("data").done(&query),
        events,
        kinds: Kind::ALL,
        may_export: member.may(Right::Export),
        sees_people: member.sees().people(),
        event: chosen.map(|event| event.id).unwrap_or_default(),
        separator: Separator::of(member.layout.t.0),
    };
    page::show(StatusCode::OK, &page)
}
