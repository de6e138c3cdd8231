//! Who entered when.

use askama::Template;
use axum::{extract::State, response::Response};

use taquilla_domain::{
    clock::Stamp,
    config::REPORT_ENTRY_STEPS,
    days::{self, Days},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{download, formats::Dates, page, query::Query};
use taquilla_store::door::entry_curve::{self, MINUTE};

use super::{
    asked::{self, ReportRequest},
    choose::{ENTRIES, Report},
};
use crate::{
    access::{Member, SeeReports},
    csv,
    frame::Frame,
};

/// How long the steps of the curve can be, in minutes.
const STEPS: [i64; 8] = [1, 5, 15, 30, 60, 360, 720, 1440];

/// A step of the curve.
struct Step {
    /// When it begins.
    at: Stamp,
    entered: i64,
    /// How many have entered until its end.
    inside: i64,
}

impl Step {
    fn count(&self, is_sum: &bool) -> i64 {
        if *is_sum { self.inside } else { self.entered }
    }

    fn seconds(&self) -> i64 {
        self.at.micros().div_euclid(1_000_000)
    }
}

#[derive(Template)]
#[template(path = "report_entries.html")]
struct EntriesPage {
    f: Frame,
    asked: ReportRequest,
    days: Days,
    steps: Vec<Step>,
    minutes: i64,
    total: i64,
    entered: Option<String>,
    report: Report,
    /// How the page writes when a step begins.
    dates: Dates,
}

impl EntriesPage {
    /// When most people came.
    fn peak(&self) -> Option<&Step> {
        self.steps.iter().max_by_key(|step| step.entered)
    }
}

/// The page, or the file.
pub async fn get_entries(State(app): State<App>, member: Member<SeeReports>, query: Query) -> Result<Response, Error> {
    let (mut conn, tenant) = (app.store.read().await?, member.tenant());
    let asked = ReportRequest::read(&app, &mut conn, &member, &query).await?;
    let event_id = asked.event.as_ref().map(|event| event.id.clone());
    let span = match &event_id {
        Some(id) => entry_curve::span(&mut conn, tenant, id).await?,
        None => None,
    };
    let day = |at: Stamp| days::day_of(at, &asked.zone);
    let days = asked.days(span.map(|(first, last)| (day(first), day(last))));
    let mut steps = Vec::new();
    let mut minutes = STEPS[0];
    if let (Some(id), Some((first, last))) = (&event_id, span) {
        let (from, to) = (first.max(days.begin()), Stamp::from_micros(last.micros() + MINUTE).min(days.end()));
        minutes = step_minutes(from, to, asked.wants_csv);
        let counted = entry_curve::entered(&mut conn, tenant, id, (from, to), minutes * MINUTE).await?;
        steps = curve(counted, minutes * MINUTE, asked.wants_csv);
    }
    drop(conn);
    if asked.wants_csv && event_id.is_some() {
        let name = format!("entries-{}-{}.csv", days.from, days.to);
        return Ok(download::file(&name, download::CSV, file(&steps, &days, &asked.zone_name, asked.separator).into()));
    }
    let f = member.frame("reports");
    let entered = event_id.and_then(|id| asked::tickets(&f, &id, None, "scanned"));
    let total = steps.iter().map(|step| step.entered).sum();
    let (status, dates) = (asked.status(), f.dates(&asked.zone_name));
    page::show(status, &EntriesPage { f, asked, days, steps, minutes, total, entered, report: ENTRIES, dates })
}

/// The shortest step with which the curve has not too many points. A file has every minute, as far as that goes.
fn step_minutes(from: Stamp, to: Stamp, is_file: bool) -> i64 {
    let most = if is_file { 100 * REPORT_ENTRY_STEPS } else { REPORT_ENTRY_STEPS };
    let span = (to.micros() - from.micros()).max(0) / MINUTE;
    STEPS.into_iter().find(|minutes| span / minutes <= most).unwrap_or(STEPS[STEPS.len() - 1])
}

/// Every step from the first to the last in which somebody entered. A file leaves out those in which nobody did.
fn curve(counted: Vec<(Stamp, i64)>, step: i64, is_file: bool) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = 0;
    for (at, entered) in counted {
        let mut next = steps.last().map_or(at.micros(), |last| last.at.micros() + step);
        while next < at.micros() && !is_file {
            steps.push(Step { at: Stamp::from_micros(next), entered: 0, inside });
            next += step;
        }
        inside += entered;
        steps.push(Step { at, entered, inside });
    }
    steps
}

fn file(steps: &[Step], days: &Days, zone: &str, separator: csv::Separator) -> Vec<u8> {
    let mut file = csv::Lines::begin(separator, ["from", "time_zone", "from_utc", "entered", "entered_in_all"]);
    for step in steps {
        let (local, utc) = (days::clock_of(step.at, &days.zone), step.at.to_string());
        let local = local.strftime("%Y-%m-%d %H:%M").to_string();
        let cells = [(&local).into(), zone.into(), (&utc).into(), step.entered.into(), step.inside.into()];
        file.write(cells);
    }
    file.into_bytes()
}
