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
use taquilla_pages::page;
use taquilla_rules::webhooks::payload;
use taquilla_store::webhooks::{
    delivery_log::{self, Logged, LoggedAttempt},
    endpoints::{self as rows, Endpoint},
};

use super::{
    access::{Member, SeeWebhooks},
    badges::{self, Badge},
    frame::{Frame, Query, in_path},
    masked::{MASK, mask},
};

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
    attempts: Vec<LoggedAttempt>,
    may_change: bool,
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
    let mut attempts = delivery_log::attempts(&mut conn, &endpoint, Some(place), DASHBOARD_ROWS).await?;
    let sent = payload::body(&endpoint, logged.sequence, &logged.message)?;
    let mut body: Value =
        serde_json::from_str(&sent).map_err(|cause| Error::Internal(format!("a message is no JSON: {cause}")))?;
    let is_masked = !member.may(Right::SeePersonalData);
    if is_masked {
        mask(&mut body);
        // A receiver may repeat what it was sent.
        for attempt in attempts.iter_mut().filter(|attempt| !attempt.response.is_empty()) {
            attempt.response = MASK.to_owned();
        }
    }
    let page = MessagePage {
        f: member.frame("webhooks").done(&query),
        base: member.path(&format!("/webhooks/{}", in_path(&endpoint.id))),
        endpoint,
        badge: badges::of_delivery(logged.status),
        is_pending: logged.status == DeliveryStatus::Pending,
        logged,
        body: serde_json::to_string_pretty(&body).unwrap_or_default(),
        is_masked,
        attempts,
        may_change: member.may(Right::ManageWebhooks),
    };
    page::show(StatusCode::OK, &page)
}
