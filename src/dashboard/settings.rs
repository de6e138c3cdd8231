//! What is said of the producer: its name, time zone and currency.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    access::{Administer, Member, WRONG},
    frame::{Frame, Query, go},
    links::{read_producer, zones},
};
use crate::{
    admin,
    http::{app::App, errors::Error, form::Form, page},
};

#[derive(Template)]
#[template(path = "dashboard/settings.html")]
struct SettingsPage {
    f: Frame,
    form: Form,
    producer_id: String,
    zones: Vec<String>,
}

fn show(status: StatusCode, member: &Member<Administer>, query: &Query, form: Form) -> Result<Response, Error> {
    let (f, producer_id) = (member.frame("settings").done(query), member.producer.producer_id.clone());
    page::show(status, &SettingsPage { f, form, producer_id, zones: zones() })
}

/// The form.
pub async fn get_settings(member: Member<Administer>, query: Query) -> Result<Response, Error> {
    let producer = &member.producer;
    let values = [
        ("name", producer.producer_name.as_str()),
        ("time_zone", &producer.time_zone),
        ("currency", &producer.currency),
    ];
    show(StatusCode::OK, &member, &query, Form::filled(&values))
}

/// Changes the producer.
pub async fn post_settings(
    State(app): State<App>,
    member: Member<Administer>,
    mut form: Form,
) -> Result<Response, Error> {
    let Some(producer) = read_producer(&mut form, "name", member.layout.t) else {
        return show(WRONG, &member, &Query::default(), form);
    };
    admin::producers::change(&app.store, member.tenant(), &producer, member.by()).await?;
    Ok(go(&member.path("/settings?done=saved")))
}
