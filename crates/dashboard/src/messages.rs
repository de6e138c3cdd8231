//! One message of a webhook endpoint: its body, and every attempt to deliver it.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use serde_json::Value;

use taquilla_domain::{config::DASHBOARD_ROWS, role::Right, webhook::DeliveryStatus};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    address::in_path,
    badges::{self, Badge},
    page,
    query::Query,
};
use taquilla_rules::webhooks::payload;
use taquilla_store::webhooks::{
    delivery_log::{self, Logged, LoggedAttempt},
    endpoints::{self as rows, Endpoint},
};

use super::{
    access::{Member, SeeWebhooks},
    frame::Frame,
};

/// An attempt on the page.
struct AttemptRow {
    logged: LoggedAttempt,
    /// What the member sees of the answer.
    response: String,
}

#[derive(Template)]
#[template(path = "message.html")]
struct MessagePage {
    f: Frame,
    endpoint: Endpoint,
    base: String,
    logged: Logged,
    badge: Badge,
    is_pending: bool,
    body: String,
    is_masked: bool,
    attempts: Vec<AttemptRow>,
    may_send_again: bool,
}

/// The message's page.
pub async fn get_message(
    State(app): State<App>,
    member: Member<SeeWebhooks>,
    Path((_, id, message_id)): Path<(String, String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let found = rows::find(&mut conn, member.tenant(), &id).await?;
    let endpoint = found.ok_or(Error::NotFound("endpoint"))?;
    let place = delivery_log::sequence_of(&mut conn, &endpoint, &message_id).await?;
    let place = place.ok_or(Error::NotFound("message"))?;
    let mut found = delivery_log::after(&mut conn, &endpoint, place - 1, 1).await?;
    let logged = found.pop().ok_or(Error::NotFound("message"))?;
    let attempts = delivery_log::attempts(&mut conn, &endpoint, Some(place), DASHBOARD_ROWS).await?;
    let sees = member.sees();
    let body = payload::body(&endpoint, logged.sequence, &logged.message)?.seen_by(sees).into_text();
    let body: Value =
        serde_json::from_str(&body).map_err(|cause| Error::Internal(format!("a message is no JSON: {cause}")))?;
    let row = |logged: LoggedAttempt| AttemptRow { response: logged.response.clone().seen_by(sees), logged };
    let page = MessagePage {
        f: member.frame("webhooks").done(&query),
        base: member.path(&format!("/webhooks/{}", in_path(&endpoint.id))),
        may_send_again: member.may(Right::ManageWebhooks) && (sees.people() || !endpoint.tells_what_is_covered()),
        endpoint,
        badge: badges::of_delivery(logged.status),
        is_pending: logged.status == DeliveryStatus::Pending,
        logged,
        body: serde_json::to_string_pretty(&body).unwrap_or_default(),
        is_masked: !sees.people(),
        attempts: attempts.into_iter().map(row).collect(),
    };
    page::show(StatusCode::OK, &page)
}
