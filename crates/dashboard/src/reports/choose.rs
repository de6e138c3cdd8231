//! Which reports there are.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_http::{app::App, errors::Error};
use taquilla_pages::page;

use crate::{
    access::{Member, SeeReports},
    chosen_event::{self, Chosen},
    frame::Frame,
};

/// The reports: the page, and the key of its name.
const REPORTS: [(&str, &str); 4] = [
    ("/reports/sales", "report-sales"),
    ("/reports/entries", "report-entries"),
    ("/reports/no-shows", "report-no-shows"),
    ("/reports/stock", "report-stock"),
];

#[derive(Template)]
#[template(path = "reports.html")]
struct ReportsPage {
    f: Frame,
    events: Vec<Chosen>,
    reports: [(&'static str, &'static str); 4],
}

/// The page.
pub async fn get_reports(State(app): State<App>, member: Member<SeeReports>) -> Result<Response, Error> {
    let events = chosen_event::choice(&mut app.store.read().await?, member.tenant(), None).await?;
    page::show(StatusCode::OK, &ReportsPage { f: member.frame("reports"), events, reports: REPORTS })
}
