//! Webhook endpoints: which there are, and making one.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    clock::Stamp,
    endpoint_url::EndpointUrl,
    personal::Sees,
    refusal::Refusal,
    role::Right,
    webhook::{DeliveryStatus, EndpointState, MessageKind},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, badges::Badge, form::Form, page, query::Query, texts::Texts};
use taquilla_rules::admin::endpoints;
use taquilla_store::{
    ChangeError,
    webhooks::{
        delivery_log,
        endpoints::{self as rows, Endpoint},
    },
};

use super::{
    access::{ManageWebhookSecrets, Member, SeeWebhooks, WRONG},
    frame::Frame,
};

/// How an endpoint is.
pub fn health(endpoint: &Endpoint, now: Stamp) -> Badge {
    let (class, key) = match (endpoint.state, endpoint.rest(now), endpoint.failing_since) {
        (EndpointState::Active, Some(_), _) => ("warn", "health-resting"),
        (EndpointState::Active, None, Some(_)) => ("warn", "health-struggling"),
        (EndpointState::Active, None, None) => ("good", "health-active"),
        (EndpointState::Paused, ..) => ("quiet", "health-paused"),
        (EndpointState::Failing, ..) => ("bad", "health-failing"),
        (EndpointState::Gone, ..) => ("bad", "health-gone"),
    };
    Badge { class, key }
}

/// An endpoint on the page.
struct EndpointRow {
    endpoint: Endpoint,
    path: String,
    health: Badge,
    waiting: i64,
    failed: i64,
}

#[derive(Template)]
#[template(path = "webhooks.html")]
struct WebhooksPage {
    f: Frame,
    endpoints: Vec<EndpointRow>,
    may_change: bool,
}

/// The list.
pub async fn get_webhooks(
    State(app): State<App>,
    member: Member<SeeWebhooks>,
    query: Query,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let (mut endpoints, now) = (Vec::new(), app.time.now());
    for endpoint in rows::list(&mut conn, member.tenant()).await? {
        let waiting = delivery_log::count(&mut conn, &endpoint, DeliveryStatus::Pending).await?;
        let failed = delivery_log::count(&mut conn, &endpoint, DeliveryStatus::Failed).await?;
        let path = member.path(&format!("/webhooks/{}", in_path(&endpoint.id)));
        endpoints.push(EndpointRow { health: health(&endpoint, now), endpoint, path, waiting, failed });
    }
    let may_change = member.may(Right::ManageWebhooks);
    page::show(StatusCode::OK, &WebhooksPage { f: member.frame("webhooks").done(&query), endpoints, may_change })
}

/// The kinds of messages that an endpoint can ask for, with the texts' keys.
pub fn kinds() -> Vec<(&'static str, String)> {
    let asked = MessageKind::ALL.iter().filter(|kind| **kind != MessageKind::WebhookTest);
    asked.map(|kind| (kind.as_str(), format!("kind-{}", kind.as_str().replace(['.', '_'], "-")))).collect()
}

#[derive(Template)]
#[template(path = "webhook_new.html")]
struct NewWebhookPage {
    f: Frame,
    form: Form,
    kinds: Vec<(&'static str, String)>,
}

/// The form for a new endpoint.
pub async fn get_new_webhook(member: Member<ManageWebhookSecrets>) -> Result<Response, Error> {
    new_page(StatusCode::OK, &member, Form::default())
}

fn new_page(status: StatusCode, member: &Member<ManageWebhookSecrets>, form: Form) -> Result<Response, Error> {
    page::show(status, &NewWebhookPage { f: member.frame("webhooks"), form, kinds: kinds() })
}

/// Reads what an endpoint is to be. People and the ids of tickets are sent only by who may see them.
pub fn read_endpoint(
    form: &mut Form,
    app: &App,
    t: Texts,
    sees: Sees,
) -> Option<(EndpointUrl, Vec<MessageKind>, bool)> {
    let allowed = &app.config.webhooks.allow;
    let url = form.read("url", |text| EndpointUrl::parse(text.trim(), allowed), |_| t.text("wrong-url"));
    let kinds: Vec<MessageKind> = form.values("kind").filter_map(MessageKind::parse).collect();
    if kinds.is_empty() {
        form.wrong("kind", t.text("wrong-kind"));
    }
    if kinds.iter().any(|kind| kind.is_of_ticket()) && !sees.people() {
        form.wrong("kind", t.text("webhook-needs-people"));
    }
    let personal_data = form.has("personal_data", "yes");
    if personal_data && !sees.people() {
        form.wrong("personal_data", t.text("refused-beyond_own_rights"));
    }
    url.filter(|_| form.errors().is_empty()).map(|url| (url, kinds, personal_data))
}

#[derive(Template)]
#[template(path = "webhook_secret.html")]
struct SecretPage {
    f: Frame,
    title: String,
    explanation: String,
    secret: String,
    back: String,
}

/// The page that shows an endpoint's secret, once.
pub fn secret_page(f: Frame, key: &str, secret: String, back: String) -> Result<Response, Error> {
    let (title, explanation) = (f.text(&format!("{key}-title")), f.text(&format!("{key}-explanation")));
    page::show(StatusCode::OK, &SecretPage { f, title, explanation, secret, back })
}

/// Makes an endpoint and shows its secret.
pub async fn post_webhooks(
    State(app): State<App>,
    member: Member<ManageWebhookSecrets>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let Some((url, kinds, personal_data)) = read_endpoint(&mut form, &app, t, member.sees()) else {
        return new_page(WRONG, &member, form);
    };
    let (tenant, rights) = (member.tenant(), member.producer.rights);
    match endpoints::create(&app.store, tenant, &url, &kinds, personal_data, rights, &member.by_form(&form)).await {
        Ok((endpoint, secret)) => {
            let back = member.path(&format!("/webhooks/{}", in_path(&endpoint.id)));
            secret_page(member.frame("webhooks"), "webhook-made", secret.reveal(), back)
        }
        Err(ChangeError::Refused(Refusal::Full(_))) => {
            form.wrong("url", t.text("webhooks-full"));
            new_page(WRONG, &member, form)
        }
        Err(error) => Err(error.into()),
    }
}
