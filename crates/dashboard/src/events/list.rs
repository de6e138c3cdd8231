//! The list of events, newest first.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{clock::Stamp, config::DASHBOARD_ROWS, event::KeptEvent, role::Right, status::EventStatus};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{formats::ShownTime, page, query::Query};
use taquilla_store::{
    catalogue::events::{self, EVENTS},
    lists::{self, End, Position},
};

use super::common::{event_badge, event_path, event_status_key};
use crate::{
    access::{Member, SeeEvents},
    frame::Frame,
};

/// An event on the page.
struct EventRow {
    event: KeptEvent,
    path: String,
    badge: &'static str,
    status: String,
    starts: Option<ShownTime>,
}

#[derive(Template)]
#[template(path = "events.html")]
struct EventsPage {
    f: Frame,
    events: Vec<EventRow>,
    statuses: Vec<(&'static str, String)>,
    status: Option<EventStatus>,
    is_first: bool,
    older: Option<String>,
    may_change: bool,
}

/// A position in an address, such as `1790000000000000.17`.
fn position(text: &str) -> Option<Position> {
    let (stamp, seq) = text.split_once('.')?;
    Some(Position { stamp: Stamp::from_micros(stamp.parse().ok()?), seq: seq.parse().ok()? })
}

/// The list.
pub async fn get_events(State(app): State<App>, member: Member<SeeEvents>, query: Query) -> Result<Response, Error> {
    let status = query.get("status").and_then(EventStatus::parse);
    let from = query.get("before").and_then(position);
    let start = from.unwrap_or(Position::above(Stamp::END));
    let f = member.frame("events").done(&query);
    let mut found = Vec::new();
    let mut conn = app.store.read().await?;
    let (filter, limit) = (events::filter_by_status(status), DASHBOARD_ROWS as usize);
    let end = lists::page(&mut conn, member.tenant(), &EVENTS, &filter, start, limit, |row| {
        found.push(events::listed(row)?.kept());
        Ok(())
    })
    .await?;
    let row = |event: KeptEvent| EventRow {
        path: event_path(&member, &event.id),
        badge: event_badge(event.status),
        status: f.text(&event_status_key(event.status)),
        starts: event.starts_at.map(|at| f.dates(&event.timezone).time(&at)),
        event,
    };
    let older = match end {
        End::More(Position { stamp, seq }) => {
            let status = status.map(|status| format!("&status={}", status.as_str())).unwrap_or_default();
            Some(format!("before={}.{seq}{status}", stamp.micros()))
        }
        End::Complete => None,
    };
    let page = EventsPage {
        events: found.into_iter().map(row).collect(),
        statuses: EventStatus::ALL.iter().map(|each| (each.as_str(), f.text(&event_status_key(*each)))).collect(),
        status,
        is_first: from.is_none(),
        older,
        may_change: member.may(Right::ManageEvents),
        f,
    };
    page::show(StatusCode::OK, &page)
}
