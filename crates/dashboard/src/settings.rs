//! What is said of the producer: its name, time zone and currency; and for how long it keeps what it knows of people.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{config::RETENTION_DAYS_MAX, role::Right, time_zone};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin::{people, producers};
use taquilla_store::{ChangeError, people::due};

use super::{
    access::{Administer, ManagePersonalData, Member, WRONG},
    frame::Frame,
    producer_form::read_producer,
};

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    f: Frame,
    form: Form,
    producer_id: String,
    zones: Vec<String>,
    days_max: i64,
}

/// Shows both forms. Of the one that was sent `form` has the fields, and of the other those that are left are filled in.
async fn show<N>(
    status: StatusCode,
    app: &App,
    member: &Member<N>,
    query: &Query,
    mut form: Form,
) -> Result<Response, Error> {
    let (producer, is_sent) = (&member.producer, status != StatusCode::OK);
    let is_retention = form.error("retention_days").is_some() || form.error("sure").is_some();
    if !is_sent || is_retention {
        form.set("name", &producer.producer_name);
        form.set("time_zone", &producer.time_zone);
        form.set("currency", &producer.currency);
    }
    if !is_retention {
        let days = due::retention_days(&mut app.store.read().await?, member.tenant()).await?;
        form.set("retention_days", days.map_or_else(String::new, |days| days.to_string()));
    }
    let (f, producer_id) = (member.frame("settings").done(query), producer.producer_id.clone());
    page::show(status, &SettingsPage { f, form, producer_id, zones: time_zone::names(), days_max: RETENTION_DAYS_MAX })
}

/// The forms.
pub async fn get_settings(State(app): State<App>, member: Member<Administer>, query: Query) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &query, Form::default()).await
}

/// Changes for how long the producer keeps what it knows of people. Nothing is for ever. It needs the right that erasing a
/// person needs, because a short time erases people; who makes it shorter says that they mean it.
pub async fn post_retention(
    State(app): State<App>,
    member: Member<ManagePersonalData>,
    mut form: Form,
) -> Result<Response, Error> {
    let parse = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some),
    };
    let wrong = || member.layout.t.with("wrong-retention", "count", RETENTION_DAYS_MAX);
    let Some(days) = form.read("retention_days", parse, |_: std::num::ParseIntError| wrong()) else {
        return show(WRONG, &app, &member, &Query::default(), form).await;
    };
    let before = due::retention_days(&mut app.store.read().await?, member.tenant()).await?;
    let erases_more = days.is_some_and(|days| before.is_none_or(|before| days < before));
    if erases_more && !form.has("sure", "yes") {
        form.wrong("sure", member.layout.t.text("wrong-retention-sure"));
        return show(WRONG, &app, &member, &Query::default(), form).await;
    }
    match people::set_retention(&app.store, member.tenant(), days, member.by()).await {
        Ok(()) if member.may(Right::Administer) => Ok(go(&member.path("/settings?done=saved"))),
        Ok(()) => Ok(go(&member.path("/people"))),
        Err(ChangeError::Refused(_)) => {
            form.wrong("retention_days", wrong());
            show(WRONG, &app, &member, &Query::default(), form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Changes the producer.
pub async fn post_settings(
    State(app): State<App>,
    member: Member<Administer>,
    mut form: Form,
) -> Result<Response, Error> {
    let Some(producer) = read_producer(&mut form, "name", member.layout.t) else {
        return show(WRONG, &app, &member, &Query::default(), form).await;
    };
    producers::change(&app.store, member.tenant(), &producer, member.by()).await?;
    Ok(go(&member.path("/settings?done=saved")))
}
