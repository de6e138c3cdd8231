//! What the shop asks of an event's buyers before they order: who comes, and terms to accept.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{asked::AttendeesAsked, event::KeptEvent};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin::catalogue::{EventChange, change_event};
use taquilla_store::sales::terms;

use super::{
    common::{event_path, find_event},
    present::Present,
};
use crate::{
    access::{ManageEvents, Member, WRONG},
    frame::Frame,
    terms_form,
};

#[derive(Template)]
#[template(path = "event_checkout.html")]
struct CheckoutPage {
    f: Frame,
    form: Form,
    base: String,
    event: KeptEvent,
    choices: &'static [AttendeesAsked],
    /// Whether buyers accept the producer's terms as long as the event has none of its own.
    has_other_terms: bool,
    /// Nobody else writes these forms.
    present: Present,
}

/// Both forms. Of the one that was sent `form` has the fields, and the other has what is saved.
async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<ManageEvents>,
    event: KeptEvent,
    query: &Query,
    mut form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let own = terms::made_for(&mut conn, member.tenant(), Some(&event.id)).await?;
    let others = terms::made_for(&mut conn, member.tenant(), None).await?;
    drop(conn);
    if status == StatusCode::OK {
        terms_form::fill(&mut form, own.as_ref());
    }
    form.set("attendees", event.attendees_asked.as_str());
    let page = CheckoutPage {
        f: member.frame("events").done(query),
        form,
        base: event_path(member, &event.id),
        event,
        choices: AttendeesAsked::ALL,
        has_other_terms: others.is_some(),
        present: Present::default(),
    };
    page::show(status, &page)
}

/// The forms.
pub async fn get_checkout(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    show(StatusCode::OK, &app, &member, event, &query, Form::default()).await
}

/// Changes what buyers say of those who come.
pub async fn post_checkout(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    let Some(asked) = AttendeesAsked::parse(form.value("attendees")) else {
        return show(StatusCode::OK, &app, &member, event, &Query::default(), Form::default()).await;
    };
    let change = EventChange { attendees_asked: Some(asked), ..EventChange::default() };
    change_event(&app.store, member.tenant(), &id, &change, None, member.by()).await?;
    Ok(go(&format!("{}/checkout?done=saved", event_path(&member, &id))))
}

/// Has buyers accept these terms of the event, or none of its own if nothing is written.
pub async fn post_terms(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    match terms_form::save(&app, &member, Some(&id), &mut form).await? {
        true => Ok(go(&format!("{}/checkout?done=saved", event_path(&member, &id)))),
        false => show(WRONG, &app, &member, event, &Query::default(), form).await,
    }
}
