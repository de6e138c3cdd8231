//! What a report is asked for: one event or all, and some days.

use axum::http::StatusCode;
use jiff::{ToSpan, civil::Date, tz::TimeZone};

use taquilla_domain::{
    clock::Stamp,
    config::{REPORT_DAYS, REPORT_DAYS_MAX},
    days::{self, Days},
    role::Right,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, query::Query};
use taquilla_store::Conn;

use crate::{
    access::{Member, SeeReports, WRONG},
    chosen_event::{self, ChosenEvent},
    csv::Separator,
    exports::query::separator,
    frame::Frame,
};

/// What was asked for.
pub struct ReportRequest {
    /// The event; `None` is all.
    pub event: Option<ChosenEvent>,
    /// The events to choose from.
    pub events: Vec<ChosenEvent>,
    /// The form with the days, and what is wrong with them.
    pub form: Form,
    /// Whose clocks count: the event's or the producer's.
    pub zone: TimeZone,
    /// Its name.
    pub zone_name: String,
    /// Whether a file is wanted.
    pub wants_csv: bool,
    /// What separates the cells of the file.
    pub separator: Separator,
    given: (Option<Date>, Option<Date>),
    now: Stamp,
}

impl ReportRequest {
    /// Reads the query. An event that is not there is a 404.
    pub async fn read(app: &App, conn: &mut Conn, member: &Member<SeeReports>, query: &Query) -> Result<Self, Error> {
        let event = chosen_event::named(conn, member.tenant(), query.get("event")).await?;
        let events = chosen_event::choice(conn, member.tenant(), query.get("event")).await?;
        let zone_name = event.as_ref().map_or(&member.producer.time_zone, |event| &event.time_zone).clone();
        let text = |name: &str| query.get(name).unwrap_or_default().trim().to_owned();
        let (from, to) = (text("from"), text("to"));
        let mut form = Form::filled(&[("from", &from), ("to", &to)]);
        let mut day = |name: &'static str| {
            let text = form.value(name).to_owned();
            let day = days::parse(&text);
            if day.is_none() && !text.is_empty() {
                form.wrong(name, member.layout.t.text("report-wrong-day"));
            }
            day
        };
        let given = (day("from"), day("to"));
        if let (Some(from), Some(to)) = given {
            let count = days::number(to) - days::number(from) + 1;
            if count < 1 {
                form.wrong("to", member.layout.t.text("report-wrong-order"));
            } else if count > REPORT_DAYS_MAX {
                form.wrong("to", member.layout.t.with("report-too-long", "days", REPORT_DAYS_MAX));
            }
        }
        let zone = days::zone(&zone_name);
        let wants_csv = query.get("format") == Some("csv") && form.errors().is_empty();
        let separator = separator(member, query)?;
        Ok(Self { event, events, form, zone, zone_name, wants_csv, separator, given, now: app.time.now() })
    }

    /// The days: those that were given, else all from the first to the last of which there is something to show, else the
    /// last ones. A missing end is as far away as a report goes.
    pub fn days(&self, span: Option<(Date, Date)>) -> Days {
        let today = days::day_of(self.now, &self.zone);
        let (first, last) = span.unwrap_or((before(today, REPORT_DAYS - 1), today));
        let (from, to) = match self.given {
            (Some(from), Some(to)) => (from, to),
            (Some(from), None) => (from, last.max(from).min(before(from, 1 - REPORT_DAYS_MAX))),
            (None, Some(to)) => (first.min(to).max(before(to, REPORT_DAYS_MAX - 1)), to),
            (None, None) => (first.max(before(last, REPORT_DAYS_MAX - 1)), last),
        };
        let to = if self.form.errors().is_empty() { to } else { from };
        Days { from, to, zone: self.zone.clone() }
    }

    /// The last days and tomorrow, where some event has it already.
    pub fn last_days_and_tomorrow(&self) -> (Date, Date) {
        let today = days::day_of(self.now, &self.zone);
        (before(today, REPORT_DAYS - 1), before(today, -1))
    }

    /// What the lines of sales are, and what their table is called: items of one event, or all events.
    pub fn part(&self) -> (&'static str, &'static str) {
        match self.event {
            Some(_) => ("report-item", "report-by-item"),
            None => ("report-event", "report-by-event"),
        }
    }

    /// Says that there would be too much on the page.
    pub fn too_much(&mut self, message: String) {
        self.form.wrong("to", message);
        self.wants_csv = false;
    }

    /// The status of the page.
    pub fn status(&self) -> StatusCode {
        if self.form.errors().is_empty() { StatusCode::OK } else { WRONG }
    }

    /// The id of the event, or an empty text.
    pub fn event_id(&self) -> &str {
        self.event.as_ref().map_or("", |event| &event.id)
    }

    /// The days as the form shows them: those that were given wrong, else those of the report.
    pub fn fields(&self, days: &Days) -> [(&'static str, String); 2] {
        [("from", days.from), ("to", days.to)].map(|(name, day)| match self.form.error(name) {
            Some(_) => (name, self.form.value(name).to_owned()),
            None => (name, day.to_string()),
        })
    }

    /// The query of the same report as a file.
    pub fn file_query(&self, days: &Days) -> String {
        let event = match &self.event {
            Some(event) => format!("event={}&", in_path(&event.id)),
            None => String::new(),
        };
        format!("{event}from={}&to={}&format=csv", days.from, days.to)
    }
}

fn before(day: Date, days: i64) -> Date {
    day.checked_sub(days.days()).unwrap_or(day)
}

/// The address of the tickets behind a figure, of one ticket type or of all, for those who may see them.
pub fn tickets(f: &Frame, event_id: &str, ticket_type_id: Option<&str>, status: &str) -> Option<String> {
    let of_type = ticket_type_id.map(|id| format!("&type={}", in_path(id))).unwrap_or_default();
    let page = format!("/tickets?event={}{of_type}&status={status}", in_path(event_id));
    f.may(Right::SeeOrders).then(|| f.path(&page))
}

/// The key of a channel's name.
pub fn channel_key(channel: &str) -> String {
    match channel {
        "" => "report-channel-unknown".to_owned(),
        channel => format!("report-channel-{}", channel.replace('_', "-")),
    }
}

/// Characters of a name that fit under a bar.
const TICK: usize = 14;

/// A name as the axis of a chart shows it.
pub fn tick(name: &str) -> String {
    match name.char_indices().nth(TICK) {
        Some((end, _)) => format!("{}…", name[..end].trim_end()),
        None => name.to_owned(),
    }
}
