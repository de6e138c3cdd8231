//! Which reports there are.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_http::{app::App, errors::Error};
use taquilla_pages::page;

use crate::{
    access::{Member, SeeReports},
    chosen_event::{self, ChosenEvent},
    frame::Frame,
};

/// A report.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Its page.
    pub path: &'static str,
    /// The key of its name.
    pub key: &'static str,
    /// Whether it can be about all events; the others are about one.
    pub has_all_events: bool,
}

/// What was sold.
pub const SALES: Report = Report { path: "/reports/sales", key: "report-sales", has_all_events: true };
/// What promoters sold.
pub const PROMOTERS: Report = Report { path: "/reports/promoters", key: "report-promoters", has_all_events: false };
/// Who entered when.
pub const ENTRIES: Report = Report { path: "/reports/entries", key: "report-entries", has_all_events: false };
/// Who had a ticket and did not come.
pub const NO_SHOWS: Report = Report { path: "/reports/no-shows", key: "report-no-shows", has_all_events: true };
/// Whether the counts agree.
pub const STOCK: Report = Report { path: "/reports/stock", key: "report-stock", has_all_events: false };

#[derive(Template)]
#[template(path = "reports.html")]
struct ReportsPage {
    f: Frame,
    events: Vec<ChosenEvent>,
    reports: [Report; 5],
}

/// The page.
pub async fn get_reports(State(app): State<App>, member: Member<SeeReports>) -> Result<Response, Error> {
    let events = chosen_event::choice(&mut app.store.read().await?, member.tenant(), None).await?;
    let reports = [SALES, PROMOTERS, ENTRIES, NO_SHOWS, STOCK];
    page::show(StatusCode::OK, &ReportsPage { f: member.frame("reports"), events, reports })
}
