//! The places of a browser: a few of them, each of one line, in one cookie.

use axum::http::HeaderValue;

use taquilla_domain::{
    config::{LINE_PLACE_LASTS, LINE_PLACES_MAX},
    line::Line,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{cookies::SealedCookie, visitor::Visitor};
use taquilla_store::{Tenant, lists::Position};

const COOKIE: SealedCookie = SealedCookie { name: "taquilla-line", lasts: LINE_PLACE_LASTS };

/// What a place is in: this line of this event, and no later one.
fn binding(tenant: Tenant, event_id: &str, line: &Line) -> String {
    format!("place in line\n{}\n{event_id}\n{}", tenant.number(), line.opened_at.micros())
}

/// The places in a browser's cookie, sealed.
fn sealed<'a>(visitor: &'a Visitor, app: &App) -> impl Iterator<Item = &'a str> {
    visitor.sealed_cookie(COOKIE, app).unwrap_or_default().split('.').take(LINE_PLACES_MAX)
}

/// The place that a browser has in a line.
pub fn of(visitor: &Visitor, app: &App, tenant: Tenant, event_id: &str, line: &Line) -> Option<i64> {
    sealed(visitor, app).find_map(|text| in_text(text, app, tenant, event_id, line))
}

/// The place that a text gives in a line.
pub fn in_text(text: &str, app: &App, tenant: Tenant, event_id: &str, line: &Line) -> Option<i64> {
    app.sealer.place(&binding(tenant, event_id, line), text).map(|place| place.seq)
}

/// A place as a text that only this database makes.
pub fn text(app: &App, tenant: Tenant, event_id: &str, line: &Line, place: i64) -> Result<String, Error> {
    app.sealer.handle(&binding(tenant, event_id, line), Position { stamp: line.opened_at, seq: place })
}

/// The cookie with a new place, and with the latest others.
pub fn cookie(visitor: &Visitor, app: &App, new: &str) -> Option<HeaderValue> {
    let others = sealed(visitor, app).filter(|other| !other.is_empty()).take(LINE_PLACES_MAX - 1);
    let places: Vec<&str> = std::iter::once(new).chain(others).collect();
    COOKIE.set(&places.join("."), visitor.https)
}
