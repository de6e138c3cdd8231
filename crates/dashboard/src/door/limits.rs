//! How many people should be inside an event and its zones at most. Pages and phones warn; nobody is refused by a limit.

use std::collections::BTreeSet;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    config::{LIVE_LINKS, ZONES_MAX},
    count::Count,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, redirects::go};
use taquilla_rules::admin;
use taquilla_store::door::{
    inside, links,
    nights::{self, Night},
};

use crate::{
    access::{ManageDoor, Member, WRONG},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "door_limits.html")]
struct LimitsPage {
    f: Frame,
    form: Form,
    night: Night,
    /// The address of the event's door.
    door: String,
    /// Zones with what the form says of them; the first is the whole event.
    zones: Vec<(String, String)>,
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<ManageDoor>,
    event_id: &str,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let night = nights::find(&mut conn, member.tenant(), event_id).await?.ok_or(Error::NotFound("event"))?;
    let known = inside::by_zone(&mut conn, member.tenant(), event_id).await?;
    let links = links::of_event(&mut conn, member.tenant(), event_id, LIVE_LINKS).await?;
    let names: BTreeSet<&str> =
        known.iter().map(|zone| zone.name.as_str()).chain(links.iter().map(|link| link.zone.as_str())).collect();
    let written: Vec<(&str, &str)> = form.values("zone").zip(form.values("people")).collect();
    let people = |name: &str| match written.iter().find(|(zone, _)| *zone == name) {
        Some((_, people)) => (*people).to_owned(),
        None => {
            let limit = known.iter().find(|zone| zone.name == name).and_then(|zone| zone.limit);
            limit.map(|limit| limit.to_string()).unwrap_or_default()
        }
    };
    let zones = names.into_iter().take(ZONES_MAX).map(|name| (name.to_owned(), people(name))).collect();
    let door = member.path(&format!("/door/{}", in_path(event_id)));
    page::show(status, &LimitsPage { f: member.frame("door"), form, night, door, zones })
}

/// The form with the limits.
pub async fn get_limits(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id)): Path<(String, String)>,
) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &event_id, Form::default()).await
}

/// Sets the limits.
pub async fn post_limits(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let mut limits: Vec<(String, Count)> = Vec::new();
    let mut is_wrong = false;
    for (zone, people) in form.values("zone").zip(form.values("people")).take(ZONES_MAX) {
        match people.trim() {
            "" => {}
            text => match Count::parse_at_least(1, text) {
                Ok(people) if !limits.iter().any(|(known, _)| known == zone) => limits.push((zone.to_owned(), people)),
                _ => is_wrong = true,
            },
        }
    }
    if is_wrong {
        form.wrong("people", member.layout.t.text("door-wrong-limit"));
        return show(WRONG, &app, &member, &event_id, form).await;
    }
    admin::inside::set_limits(&app.store, member.tenant(), &event_id, &limits, member.by()).await?;
    Ok(go(&member.path(&format!("/door/{}?done=door-limits-saved", in_path(&event_id)))))
}
