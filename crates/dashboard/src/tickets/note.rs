//! What the scanner shows with one ticket. It may be about the attendee, so it is covered for who sees no people: they may write
//! another one, and are told that it replaces what they cannot read.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::DOOR_NOTE_MAX, door_note::DoorNote};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, redirects::go};
use taquilla_rules::boxoffice::Request;
use taquilla_store::tickets::staff::Held;

use super::{
    one::{find, id_for_rules},
    row,
};
use crate::{
    access::{ManageTickets, Member, WRONG},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "ticket_note.html")]
struct NotePage {
    f: Frame,
    form: Form,
    base: String,
    attendee: String,
    /// There is a note that whoever writes does not see.
    is_covered: bool,
}

fn shown(status: StatusCode, member: &Member<ManageTickets>, held: &Held, form: Form) -> Result<Response, Error> {
    let sees = member.sees();
    let state = held.state.clone().seen_by(sees);
    let is_covered = !sees.people() && state.door_note.get().is_some();
    let (f, base) = (member.frame("tickets"), row::path(member, held));
    page::show(status, &NotePage { f, form, base, attendee: state.attendee.name, is_covered })
}

/// The form for the note.
pub async fn get_note(
    State(app): State<App>,
    member: Member<ManageTickets>,
    Path((_, handle)): Path<(String, String)>,
) -> Result<Response, Error> {
    let held = find(&app, member.tenant(), &handle).await?;
    let note = held.state.clone().seen_by(member.sees()).door_note;
    let form = match member.sees().people() {
        true => Form::filled(&[("door_note", note.as_str())]),
        false => Form::default(),
    };
    shown(StatusCode::OK, &member, &held, form)
}

/// Writes the note, or removes it.
pub async fn post_note(
    State(app): State<App>,
    member: Member<ManageTickets>,
    Path((_, handle)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let held = find(&app, member.tenant(), &handle).await?;
    let t = member.layout.t;
    let wrong = t.with("wrong-door_note", "most", DOOR_NOTE_MAX as i64);
    let Some(note) = form.read("door_note", DoorNote::parse, |_| wrong) else {
        return shown(WRONG, &member, &held, form);
    };
    app.queue.ask(member.tenant(), Request::note(id_for_rules(&held), note).by(member.by())).await?;
    Ok(go(&format!("{}?done=ticket-noted", row::path(&member, &held))))
}
