//! Making a draft like an event that there is.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{event::KeptEvent, text::Name};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, redirects::go};
use taquilla_rules::admin::catalogue::copy_event;

use super::{
    common::{STARTS_AT, event_path, find_event},
    present::Present,
};
use crate::{
    access::{ManageEvents, Member, WRONG},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "event_copy.html")]
struct CopyPage {
    f: Frame,
    form: Form,
    base: String,
    event: KeptEvent,
    /// Nobody else writes this form.
    present: Present,
}

fn show(status: StatusCode, member: &Member<ManageEvents>, event: KeptEvent, form: Form) -> Result<Response, Error> {
    let (f, base) = (member.frame("events"), event_path(member, &event.id));
    page::show(status, &CopyPage { f, form, base, event, present: Present::default() })
}

/// The page that asks for the name and the start.
pub async fn get_duplicate(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    let form = Form::filled(&[("name", &event.name)]);
    show(StatusCode::OK, &member, event, form)
}

/// Makes the draft.
pub async fn post_duplicate(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let event = find_event(&app, member.tenant(), &id).await?;
    let name = form.read("name", |text| Name::parse(text.trim()), |_| t.text("wrong-name"));
    let starts_at = STARTS_AT.read(&mut form, &event.zone(), t);
    let (Some(name), Some(starts_at)) = (name, starts_at) else { return show(WRONG, &member, event, form) };
    let copy = copy_event(&app.store, member.tenant(), &id, &name, starts_at, member.by()).await?;
    Ok(go(&format!("{}?done=event-copied", event_path(&member, &copy))))
}
