//! The pages of the door: which events there are, one of them live, and the same for a big screen.

use std::time::Duration;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::NIGHTS_MAX, personal::Sees, role::Right, status::EventStatus};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, formats::ShownTime, page, query::Query};
use taquilla_store::door::nights::{self, Night};

use super::{
    figures::{self, Figures},
    view::{Part, Reader, ScreenPart, View},
};
use crate::{
    access::{Member, SeeDoor},
    frame::Frame,
};

/// How far from now the start of an event may be that is tonight's: it may have begun, and doors open before.
const TONIGHT: Duration = Duration::from_hours(12);

/// An event on the page.
struct NightRow {
    night: Night,
    path: String,
    starts: ShownTime,
}

#[derive(Template)]
#[template(path = "doors.html")]
struct DoorsPage {
    f: Frame,
    tonight: Vec<NightRow>,
    next: Vec<NightRow>,
    before: Vec<NightRow>,
}

impl DoorsPage {
    /// The key of the name of a state in which no door is expected.
    fn state(&self, night: &Night) -> Option<&'static str> {
        match night.status {
            EventStatus::Published => None,
            EventStatus::Draft => Some("door-draft"),
            EventStatus::Finished => Some("door-finished"),
            EventStatus::Cancelled => Some("door-cancelled"),
        }
    }
}

/// When an event begins, by the clocks there.
fn starts(night: &Night, f: &Frame) -> ShownTime {
    let at = night.starts_at.map(|at| f.time_of_event(&at, &night.time_zone));
    at.unwrap_or_else(|| ShownTime::none(String::new()))
}

/// The events, those of tonight first.
pub async fn get_doors(State(app): State<App>, member: Member<SeeDoor>, query: Query) -> Result<Response, Error> {
    let (tenant, now) = (member.tenant(), app.time.now());
    let mut conn = app.store.read().await?;
    let from = nights::from(&mut conn, tenant, now.minus(TONIGHT), NIGHTS_MAX).await?;
    let mut before = nights::before(&mut conn, tenant, now.minus(TONIGHT), NIGHTS_MAX).await?;
    before.extend(nights::undated(&mut conn, tenant, NIGHTS_MAX).await?);
    drop(conn);
    let f = member.frame("door").done(&query);
    let row = |night: Night| NightRow {
        path: member.path(&format!("/door/{}", in_path(&night.event_id))),
        starts: starts(&night, &f),
        night,
    };
    let is_tonight = |night: &Night| night.starts_at.is_some_and(|at| at <= now.plus(TONIGHT));
    let (tonight, next): (Vec<Night>, Vec<Night>) = from.into_iter().partition(is_tonight);
    let rows = |nights: Vec<Night>| nights.into_iter().map(row).collect();
    let (tonight, next, before) = (rows(tonight), rows(next), rows(before));
    page::show(StatusCode::OK, &DoorsPage { f, tonight, next, before })
}

/// How this member sees figures.
pub fn reader(member: &Member<SeeDoor>, on_screen: bool) -> Reader {
    Reader {
        language: member.layout.t.0,
        // A screen is seen by everybody, whoever opened it.
        sees: if on_screen { Sees::COVERED } else { member.sees() },
        opens_tickets: member.may(Right::SeeOrders) && !on_screen,
        manages: member.may(Right::ManageDoor) && !on_screen,
        on_screen,
    }
}

async fn read(app: &App, member: &Member<SeeDoor>, event_id: &str) -> Result<Figures, Error> {
    let mut conn = app.store.read().await?;
    let found = figures::read(&mut conn, member.tenant(), event_id, app.time.now()).await?;
    found.ok_or(Error::NotFound("event"))
}

#[derive(Template)]
#[template(path = "door_live.html")]
struct LivePage<'a> {
    f: Frame,
    v: View<'a>,
    path: String,
    starts: ShownTime,
    is_masked: bool,
}

/// One event, live. With `part=figures` it is the part that changes.
pub async fn get_live(
    State(app): State<App>,
    member: Member<SeeDoor>,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let figures = read(&app, &member, &event_id).await?;
    let producer = member.path("");
    let v = View::new(&figures, reader(&member, false), &producer);
    if query.get("part") == Some("figures") {
        return page::show(StatusCode::OK, &Part { v });
    }
    let f = member.frame("door").by_clocks_of(&figures.night.time_zone).done(&query);
    let page = LivePage {
        v,
        path: member.path(&format!("/door/{}", in_path(&event_id))),
        starts: starts(&figures.night, &f),
        f,
        is_masked: !member.sees().people(),
    };
    page::show(StatusCode::OK, &page)
}

#[derive(Template)]
#[template(path = "door_screen.html")]
struct ScreenPage<'a> {
    f: Frame,
    v: View<'a>,
    path: String,
}

/// The same for a big screen: few figures, readable from afar, and no names.
pub async fn get_screen(
    State(app): State<App>,
    member: Member<SeeDoor>,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let figures = read(&app, &member, &event_id).await?;
    let producer = member.path("");
    let v = View::new(&figures, reader(&member, true), &producer);
    if query.get("part") == Some("figures") {
        return page::show(StatusCode::OK, &ScreenPart { v });
    }
    let path = member.path(&format!("/door/{}", in_path(&event_id)));
    page::show(StatusCode::OK, &ScreenPage { f: member.frame("door"), v, path })
}
