//! Publishing, finishing and cancelling events, and what each means.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::EVENT_LASTS, event::KeptEvent, refusal::Refusal, role::Right, status::EventStatus};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin::catalogue::{EventChange, change_event};
use taquilla_store::{ChangeError, catalogue::ticket_types};

use super::{
    common::{event_path, expected, find_event},
    event,
};
use crate::{
    access::{ManageEvents, Member, WRONG},
    frame::Frame,
};

/// A page that says what the end of an event means.
#[derive(Template)]
#[template(path = "event_end.html")]
struct EndPage {
    f: Frame,
    event: KeptEvent,
    base: String,
    is_cancelled: bool,
    sold: i64,
    may_refund: bool,
}

async fn end_page(app: &App, member: &Member<ManageEvents>, id: &str, is_cancelled: bool) -> Result<Response, Error> {
    let event = find_event(app, member.tenant(), id).await?;
    let items = ticket_types::of_event(&mut app.store.read().await?, member.tenant(), id, true).await?;
    let page = EndPage {
        f: member.frame("events"),
        base: event_path(member, id),
        event,
        is_cancelled,
        sold: items.iter().map(|item| item.sold).sum(),
        may_refund: member.may(Right::Refund),
    };
    page::show(StatusCode::OK, &page)
}

/// The page that says what finishing an event means.
pub async fn get_finish(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    end_page(&app, &member, &id, false).await
}

/// The page that says what cancelling an event means.
pub async fn get_cancel(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    end_page(&app, &member, &id, true).await
}

async fn set_status(
    app: &App,
    member: &Member<ManageEvents>,
    id: &str,
    status: EventStatus,
    mut form: Form,
    done: &str,
) -> Result<Response, Error> {
    let change = EventChange { status: Some(status), ..EventChange::default() };
    match change_event(&app.store, member.tenant(), id, &change, expected(&form), member.by()).await {
        Ok(()) => Ok(go(&format!("{}?done={done}", event_path(member, id)))),
        Err(ChangeError::Refused(refusal @ Refusal::ChangedMeanwhile)) => {
            form.wrong("status", member.frame("").refusal(&refusal));
            let event = find_event(app, member.tenant(), id).await?;
            event::show(StatusCode::CONFLICT, app, member, event, &Query::default(), form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Why an event may not be meant to be published yet, in words.
async fn doubts(app: &App, member: &Member<ManageEvents>, event: &KeptEvent) -> Result<Vec<String>, Error> {
    let t = member.layout.t;
    let ends = event.ends_at.or(event.starts_at.map(|at| at.plus(EVENT_LASTS)));
    let items = ticket_types::of_event(&mut app.store.read().await?, member.tenant(), &event.id, false).await?;
    let doubts = [
        (ends.is_some_and(|at| at <= app.time.now()), "wrong-publish-over"),
        (items.is_empty(), "wrong-publish-nothing"),
    ];
    Ok(doubts.into_iter().filter(|(is_so, _)| *is_so).map(|(_, key)| t.text(key)).collect())
}

/// Publishes an event, also one that was finished or cancelled. One that is over or sells nothing is asked about first.
pub async fn post_publish(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    if !form.has("sure", "yes") {
        let event = find_event(&app, member.tenant(), &id).await?;
        let doubts = doubts(&app, &member, &event).await?;
        if !doubts.is_empty() {
            form.wrong("sure", doubts.join(" "));
            return event::show(WRONG, &app, &member, event, &Query::default(), form).await;
        }
    }
    set_status(&app, &member, &id, EventStatus::Published, form, "event-published").await
}

/// Finishes an event.
pub async fn post_finish(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    set_status(&app, &member, &id, EventStatus::Finished, form, "event-finished").await
}

/// Cancels an event.
pub async fn post_cancel(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    set_status(&app, &member, &id, EventStatus::Cancelled, form, "event-cancelled").await
}
