//! Whether somebody may go on to buying, or has to wait in the line of the event.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue};

use taquilla_domain::line::Line;
use taquilla_http::{
    app::App,
    errors::{Error, LINE_PLACE},
};
use taquilla_pages::visitor::Visitor;
use taquilla_store::Tenant;

use super::place;

/// What somebody may do.
pub enum Way {
    /// Go on. Whoever has just got a place, and is let in at once, keeps it.
    Open(Option<HeaderValue>),
    /// Wait.
    Wait(Wait),
}

/// Somebody's wait.
pub struct Wait {
    /// How many are before them.
    pub before: i64,
    /// How long it is, about.
    pub lasts: Duration,
    /// When they look again.
    pub looks_again: Duration,
    /// The cookie with their place, if it is new.
    pub cookie: Option<HeaderValue>,
}

/// For somebody who begins to buy. As long as few do, they only are counted.
pub async fn begin(app: &App, visitor: &Visitor, tenant: Tenant, event_id: &str) -> Result<Way, Error> {
    match app.lines.look(tenant, event_id).await? {
        Some(line) => in_line(app, visitor, tenant, event_id, line).await,
        None if app.lines.may_go_on(tenant, event_id) => Ok(Way::Open(None)),
        None => join(app, visitor, tenant, event_id).await,
    }
}

/// For an order without a page. It waits in the same line, with its place in a header; none begins because of it.
pub async fn order(app: &App, headers: &HeaderMap, tenant: Tenant, event_id: &str) -> Result<(), Error> {
    let Some(line) = app.lines.look(tenant, event_id).await? else { return Ok(()) };
    let given = headers.get(LINE_PLACE).and_then(|place| place.to_str().ok());
    let (place, line, new) = match given.and_then(|text| place::in_text(text, app, tenant, event_id, &line)) {
        Some(place) => (place, line, None),
        None => {
            let (place, line) = app.lines.join(tenant, event_id).await?;
            (place, line, Some(place::text(app, tenant, event_id, &line, place)?))
        }
    };
    if line.has_let_in(place) {
        return Ok(());
    }
    Err(Error::InLine {
        before: line.before(place),
        retry_after_s: line.looks_again(place).as_secs(),
        place: new.and_then(|text| HeaderValue::try_from(text).ok()),
    })
}

async fn in_line(app: &App, visitor: &Visitor, tenant: Tenant, event_id: &str, line: Line) -> Result<Way, Error> {
    match place::of(visitor, app, tenant, event_id, &line) {
        Some(place) => Ok(way(&line, place, None)),
        None => join(app, visitor, tenant, event_id).await,
    }
}

async fn join(app: &App, visitor: &Visitor, tenant: Tenant, event_id: &str) -> Result<Way, Error> {
    let (place, line) = app.lines.join(tenant, event_id).await?;
    let new = place::text(app, tenant, event_id, &line, place)?;
    Ok(way(&line, place, place::cookie(visitor, app, &new)))
}

fn way(line: &Line, place: i64, cookie: Option<HeaderValue>) -> Way {
    if line.has_let_in(place) {
        return Way::Open(cookie);
    }
    Way::Wait(Wait {
        before: line.before(place),
        lasts: line.wait(place),
        looks_again: line.looks_again(place),
        cookie,
    })
}
