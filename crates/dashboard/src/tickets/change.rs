//! What staff do with one ticket: cancel it, pass it on, hide it.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::refusal::Refusal;
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, redirects::go};
use taquilla_rules::boxoffice::Request;
use taquilla_store::{
    ChangeError, ChangeResult,
    tickets::{
        rows,
        staff::{self, Held},
    },
};

use super::{
    one::{find, id_for_rules},
    row,
};
use crate::{
    access::{ManageTickets, Member, WRONG},
    frame::Frame,
    people::read_person,
};

#[derive(Template)]
#[template(path = "ticket_change.html")]
struct ChangePage {
    f: Frame,
    form: Form,
    base: String,
    /// `cancel` or `hide`.
    change: &'static str,
    title: String,
    about: String,
    attendee: String,
}

fn ask(
    status: StatusCode,
    member: &Member<ManageTickets>,
    held: &Held,
    change: &'static str,
    form: Form,
) -> Result<Response, Error> {
    let f = member.frame("tickets");
    let (title, about) = match change {
        "cancel" => (f.text("ticket-cancel"), f.text("ticket-cancel-about")),
        _ => (f.text("ticket-hide"), f.text("ticket-hide-about")),
    };
    let attendee = held.state.clone().seen_by(member.sees()).attendee.name;
    page::show(status, &ChangePage { base: row::path(member, held), f, form, change, title, about, attendee })
}

/// Goes back to the ticket, or shows the page again with why it was refused.
fn answer(
    changed: ChangeResult<rows::State>,
    member: &Member<ManageTickets>,
    held: &Held,
    change: &'static str,
    done: &str,
    mut form: Form,
) -> Result<Response, Error> {
    match changed {
        Ok(_) => Ok(go(&format!("{}?done={done}", row::path(member, held)))),
        Err(ChangeError::Refused(refusal)) => {
            form.wrong("change", member.frame("").refusal(&refusal));
            ask(WRONG, member, held, change, form)
        }
        Err(error) => Err(error.into()),
    }
}

/// The page that says what cancelling means.
pub async fn get_cancel(
    State(app): State<App>,
    member: Member<ManageTickets>,
    Path((_, handle)): Path<(String, String)>,
) -> Result<Response, Error> {
    let held = find(&app, member.tenant(), &handle).await?;
    ask(StatusCode::OK, &member, &held, "cancel", Form::default())
}

/// Cancels a ticket.
pub async fn post_cancel(
    State(app): State<App>,
    member: Member<ManageTickets>,
    Path((_, handle)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let held = find(&app, member.tenant(), &handle).await?;
    let cancelled = app.queue.ask(member.tenant(), Request::cancel(id_for_rules(&held)).by(member.by())).await;
    answer(cancelled, &member, &held, "cancel", "ticket-cancelled", form)
}

/// The page that says what hiding means.
pub async fn get_hide(
    State(app): State<App>,
    member: Member<ManageTickets>,
    Path((_, handle)): Path<(String, String)>,
) -> Result<Response, Error> {
    let held = find(&app, member.tenant(), &handle).await?;
    ask(StatusCode::OK, &member, &held, "hide", Form::default())
}

/// Hides a ticket.
pub async fn post_hide(
    State(app): State<App>,
    member: Member<ManageTickets>,
    Path((_, handle)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let held = find(&app, member.tenant(), &handle).await?;
    let hidden = app.queue.ask(member.tenant(), Request::hide(id_for_rules(&held)).by(member.by())).await;
    answer(hidden, &member, &held, "hide", "ticket-hidden", form)
}

#[derive(Template)]
#[template(path = "ticket_pass_on.html")]
struct PassOnPage {
    f: Frame,
    form: Form,
    base: String,
    attendee: String,
}

fn pass_on_page(
    status: StatusCode,
    member: &Member<ManageTickets>,
    held: &Held,
    form: Form,
) -> Result<Response, Error> {
    let attendee = held.state.clone().seen_by(member.sees()).attendee.name;
    let (f, base) = (member.frame("tickets"), row::path(member, held));
    page::show(status, &PassOnPage { f, form, base, attendee })
}

/// The form for the new holder.
pub async fn get_pass_on(
    State(app): State<App>,
    member: Member<ManageTickets>,
    Path((_, handle)): Path<(String, String)>,
) -> Result<Response, Error> {
    let held = find(&app, member.tenant(), &handle).await?;
    pass_on_page(StatusCode::OK, &member, &held, Form::default())
}

/// Passes a ticket on, and leads to the new one.
pub async fn post_pass_on(
    State(app): State<App>,
    member: Member<ManageTickets>,
    Path((_, handle)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let (tenant, t) = (member.tenant(), member.layout.t);
    let held = find(&app, tenant, &handle).await?;
    let to = read_person(&form);
    if to.name.is_empty() {
        form.wrong("name", t.text("wrong-name"));
        return pass_on_page(WRONG, &member, &held, form);
    }
    let passed_on = match Request::transfer(id_for_rules(&held), to) {
        Ok(request) => app.queue.ask(tenant, request.by(member.by())).await,
        Err(error) => Err(error),
    };
    match passed_on {
        Ok(new) => {
            let new = staff::with_ids(&mut app.store.read().await?, tenant, &[&new.id]).await?.pop();
            let new = new.ok_or_else(|| Error::Internal("the new ticket is not there".into()))?;
            Ok(go(&format!("{}?done=ticket-passed-on", row::path(&member, &new))))
        }
        Err(ChangeError::Refused(refusal)) => {
            let message = match refusal {
                Refusal::Invalid { .. } => t.text("wrong-person"),
                refusal => member.frame("").refusal(&refusal),
            };
            form.wrong("name", message);
            pass_on_page(WRONG, &member, &held, form)
        }
        Err(error) => Err(error.into()),
    }
}
