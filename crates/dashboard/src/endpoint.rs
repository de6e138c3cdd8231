//! One webhook endpoint: how it is, what waits for it, its messages, and what can be done with it.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use tokio::time::{Instant, sleep};

use taquilla_domain::{
    clock::Stamp,
    config::{DASHBOARD_ROWS, TEST_POLL, TEST_WAIT},
    refusal::Refusal,
    role::Right,
    signature::SigningSecret,
    webhook::{DeliveryStatus, EndpointState},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    address::in_path,
    badges::{self, Badge},
    form::Form,
    page,
    query::Query,
    redirects::go,
};
use taquilla_rules::admin::endpoints::{self, EndpointChange};
use taquilla_store::{
    ChangeError, ChangeResult, Tenant,
    webhooks::{
        delivery_log::{self, Again, Logged},
        endpoints::{self as rows, Endpoint},
    },
};

use super::{
    access::{ManageWebhookSecrets, ManageWebhooks, Member, SeeWebhooks, WRONG},
    frame::Frame,
    webhooks::{health, kinds, read_endpoint, secret_page},
};

/// A message on the page.
struct MessageRow {
    logged: Logged,
    badge: Badge,
    path: String,
}

#[derive(Template)]
#[template(path = "endpoint.html")]
struct EndpointPage {
    f: Frame,
    endpoint: Endpoint,
    base: String,
    health: Badge,
    waiting: i64,
    failed: i64,
    only_failed: bool,
    messages: Vec<MessageRow>,
    older: Option<i64>,
    may_change: bool,
    /// Whether the member may also choose where it sends to, and send again.
    may_redirect: bool,
    rests_until: Option<Stamp>,
    form: Form,
}

/// The endpoint in the path.
async fn find(app: &App, tenant: Tenant, id: &str) -> Result<Endpoint, Error> {
    let found = rows::find(&mut app.store.read().await?, tenant, id).await?;
    found.ok_or(Error::NotFound("endpoint"))
}

fn base<N>(member: &Member<N>, id: &str) -> String {
    member.path(&format!("/webhooks/{}", in_path(id)))
}

async fn show<N>(
    status: StatusCode,
    app: &App,
    member: &Member<N>,
    endpoint: Endpoint,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let waiting = delivery_log::count(&mut conn, &endpoint, DeliveryStatus::Pending).await?;
    let failed = delivery_log::count(&mut conn, &endpoint, DeliveryStatus::Failed).await?;
    let only_failed = query.get("show") == Some("failed");
    let before = query.get("before").and_then(|text| text.parse().ok());
    let mut logged = match (only_failed, before) {
        (true, _) => delivery_log::last_failed(&mut conn, &endpoint, DASHBOARD_ROWS).await?,
        (false, before) => {
            delivery_log::before(&mut conn, &endpoint, before.unwrap_or(i64::MAX), DASHBOARD_ROWS + 1).await?
        }
    };
    let more = logged.len() > DASHBOARD_ROWS as usize;
    logged.truncate(DASHBOARD_ROWS as usize);
    let older = logged.last().filter(|_| more).map(|last| last.sequence);
    let (base, now) = (base(member, &endpoint.id), app.time.now());
    let messages = logged
        .into_iter()
        .map(|logged| MessageRow {
            path: format!("{base}/messages/{}", in_path(&logged.message.id)),
            badge: badges::of_delivery(logged.status),
            logged,
        })
        .collect();
    let page = EndpointPage {
        f: member.frame("webhooks").done(query),
        health: health(&endpoint, now),
        rests_until: endpoint.rest(now),
        may_redirect: may_redirect(member, &endpoint),
        endpoint,
        base,
        waiting,
        failed,
        only_failed,
        messages,
        older,
        may_change: member.may(Right::ManageWebhooks),
        form,
    };
    page::show(status, &page)
}

/// Whether the member would see in the dashboard what the endpoint is told.
fn may_redirect<N>(member: &Member<N>, endpoint: &Endpoint) -> bool {
    member.may(Right::ManageWebhooks) && (member.sees().people() || !endpoint.tells_what_is_covered())
}

/// The endpoint's page.
pub async fn get_endpoint(
    State(app): State<App>,
    member: Member<SeeWebhooks>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let endpoint = find(&app, member.tenant(), &id).await?;
    show(StatusCode::OK, &app, &member, endpoint, &query, Form::default()).await
}

#[derive(Template)]
#[template(path = "endpoint_change.html")]
struct ChangePage {
    f: Frame,
    form: Form,
    base: String,
    kinds: Vec<(&'static str, String)>,
}

/// The form that changes an endpoint.
pub async fn get_change(
    State(app): State<App>,
    member: Member<ManageWebhookSecrets>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let endpoint = find(&app, member.tenant(), &id).await?;
    if !may_redirect(&member, &endpoint) {
        return Err(Error::Forbidden);
    }
    let personal_data = if endpoint.personal_data { "yes" } else { "" };
    let mut values = vec![("url", endpoint.url.as_str()), ("personal_data", personal_data)];
    values.extend(endpoint.kinds.iter().map(|kind| ("kind", kind.as_str())));
    let (f, base) = (member.frame("webhooks"), base(&member, &id));
    page::show(StatusCode::OK, &ChangePage { f, form: Form::filled(&values), base, kinds: kinds() })
}

/// Changes an endpoint.
pub async fn post_change(
    State(app): State<App>,
    member: Member<ManageWebhookSecrets>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let base = base(&member, &id);
    let before = find(&app, member.tenant(), &id).await?;
    let read = read_endpoint(&mut form, &app, member.layout.t, member.sees());
    let Some((url, wanted, personal_data)) = read else {
        return page::show(WRONG, &ChangePage { f: member.frame("webhooks"), form, base, kinds: kinds() });
    };
    // An address that stays is not set again: that would send at once what waits for its time.
    let url = Some(url).filter(|url| url.as_str() != before.url);
    let change = EndpointChange { url, kinds: Some(wanted), personal_data: Some(personal_data) };
    endpoints::change(&app.store, member.tenant(), &id, &change, member.producer.rights, member.by()).await?;
    Ok(go(&format!("{base}?done=endpoint-changed")))
}

/// Pauses an endpoint.
pub async fn post_pause(
    State(app): State<App>,
    member: Member<ManageWebhooks>,
    Path((_, id)): Path<(String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    endpoints::set_state(&app.store, member.tenant(), &id, EndpointState::Paused, member.by()).await?;
    Ok(go(&format!("{}?done=endpoint-paused", base(&member, &id))))
}

/// Sends to an endpoint again.
pub async fn post_resume(
    State(app): State<App>,
    member: Member<ManageWebhooks>,
    Path((_, id)): Path<(String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    endpoints::set_state(&app.store, member.tenant(), &id, EndpointState::Active, member.by()).await?;
    Ok(go(&format!("{}?done=endpoint-resumed", base(&member, &id))))
}

/// Gives an endpoint a new secret and shows it, this once.
pub async fn post_rotate(
    State(app): State<App>,
    member: Member<ManageWebhookSecrets>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let secret = SigningSecret::generate();
    let rights = member.producer.rights;
    match endpoints::rotate(&app.store, member.tenant(), &id, &secret, rights, &member.by_form(&form)).await {
        Ok(_) => secret_page(member.frame("webhooks"), "webhook-rotated", secret.reveal(), base(&member, &id)),
        Err(ChangeError::Refused(Refusal::Full(_))) => {
            form.wrong("rotate", member.layout.t.text("secrets-full"));
            let endpoint = find(&app, member.tenant(), &id).await?;
            show(WRONG, &app, &member, endpoint, &Query::default(), form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Sends a test message, waits a little for what comes of it, and shows that.
pub async fn post_test(
    State(app): State<App>,
    member: Member<ManageWebhooks>,
    Path((_, id)): Path<(String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    let tenant = member.tenant();
    find(&app, tenant, &id).await?;
    let message_id = endpoints::add_test(&app.store, tenant, &id, member.by()).await?;
    let deadline = Instant::now() + TEST_WAIT;
    loop {
        let mut conn = app.store.read().await?;
        let endpoint = rows::find(&mut conn, tenant, &id).await?.ok_or(Error::NotFound("endpoint"))?;
        let place = delivery_log::sequence_of(&mut conn, &endpoint, &message_id).await?;
        let attempts = match place {
            Some(place) => delivery_log::attempts(&mut conn, &endpoint, Some(place), 1).await?,
            None => Vec::new(),
        };
        drop(conn);
        if !attempts.is_empty() || !endpoint.state.is_sent_to() || Instant::now() >= deadline {
            break;
        }
        sleep(TEST_POLL).await;
    }
    Ok(go(&format!("{}/messages/{}?done=test-sent", base(&member, &id), in_path(&message_id))))
}

/// Sends messages again: one, all that failed, or all of a time.
pub async fn post_replay(
    State(app): State<App>,
    member: Member<ManageWebhooks>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let endpoint = find(&app, member.tenant(), &id).await?;
    let message = form.value("message").to_owned();
    let zone = member.producer.time_zone.clone();
    let again = match form.value("which") {
        "message" => Some(Again::One(&message)),
        "failed" => Some(Again::Failed),
        "range" => range(&form, &zone).map(|(from, to)| Again::Between(from, to)),
        _ => None,
    };
    let Some(again) = again else {
        form.wrong("since", member.layout.t.text("wrong-range"));
        return show(WRONG, &app, &member, endpoint, &Query::default(), form).await;
    };
    let one = matches!(again, Again::One(_));
    endpoints::replay(&app.store, &endpoint, again, member.producer.rights, member.by()).await?;
    let base = base(&member, &id);
    Ok(go(&match one {
        true => format!("{base}/messages/{}?done=replayed", in_path(&message)),
        false => format!("{base}?done=replayed"),
    }))
}

/// The times of a form, by the clocks of the producer.
fn range(form: &Form, zone: &str) -> Option<(Stamp, Stamp)> {
    let read = |name: &str| -> Option<Stamp> {
        let local: jiff::civil::DateTime = form.value(name).trim().parse().ok()?;
        Some(Stamp::from_micros(local.in_tz(zone).ok()?.timestamp().as_microsecond()))
    };
    let until = if form.value("until").trim().is_empty() { Some(Stamp::END) } else { read("until") };
    read("since").zip(until).filter(|(since, until)| since < until)
}

#[derive(Template)]
#[template(path = "endpoint_delete.html")]
struct DeletePage {
    f: Frame,
    endpoint: Endpoint,
    base: String,
    waiting: i64,
}

/// The page that says what will be gone.
pub async fn get_delete(
    State(app): State<App>,
    member: Member<ManageWebhookSecrets>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let endpoint = find(&app, member.tenant(), &id).await?;
    let waiting = delivery_log::count(&mut app.store.read().await?, &endpoint, DeliveryStatus::Pending).await?;
    let (f, base) = (member.frame("webhooks"), base(&member, &id));
    page::show(StatusCode::OK, &DeletePage { f, endpoint, base, waiting })
}

/// Deletes an endpoint.
pub async fn post_delete(
    State(app): State<App>,
    member: Member<ManageWebhookSecrets>,
    Path((_, id)): Path<(String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    let deleted: ChangeResult<()> = endpoints::delete(&app.store, member.tenant(), &id, member.by()).await;
    deleted?;
    Ok(go(&member.path("/webhooks?done=endpoint-deleted")))
}
