//! API keys: which there are, making one, and revoking one.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    clock::Stamp,
    key::{Key, Permission, Permissions},
    role::Right,
    text::Name,
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
use taquilla_rules::admin;
use taquilla_store::{ChangeError, keys};

use super::{
    access::{Administer, Member, SeeKeys, WRONG},
    frame::Frame,
};

/// A key on the page.
struct KeyRow {
    key: Key,
    permissions: String,
    works: bool,
    badge: Badge,
}

impl KeyRow {
    fn new(key: Key, now: Stamp) -> Self {
        let (works, badge) = (key.life.works(now), badges::of_key(key.life.state(now)));
        Self { permissions: key.permissions.to_string(), works, badge, key }
    }
}

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    f: Frame,
    keys: Vec<KeyRow>,
    may_change: bool,
}

/// The list.
pub async fn get_keys(State(app): State<App>, member: Member<SeeKeys>, query: Query) -> Result<Response, Error> {
    let found = keys::list(&mut app.store.read().await?, member.tenant()).await?;
    let now = app.time.now();
    let keys = found.into_iter().map(|key| KeyRow::new(key, now)).collect();
    let may_change = member.may(Right::Administer);
    page::show(StatusCode::OK, &KeysPage { f: member.frame("keys").done(&query), keys, may_change })
}

#[derive(Template)]
#[template(path = "key_new.html")]
struct NewKeyPage {
    f: Frame,
    form: Form,
    permissions: &'static [Permission],
}

/// How long keys work: the values of the form, in days. The first is proposed.
const LIVES_DAYS: [(&str, Option<u64>); 4] = [("365", Some(365)), ("90", Some(90)), ("30", Some(30)), ("never", None)];

/// The key of the text that explains a permission.
pub fn about(permission: &Permission) -> &'static str {
    match permission {
        Permission::EventsRead => "permission-events",
        Permission::OrdersRead => "permission-orders",
        Permission::TicketsRead => "permission-tickets",
    }
}

fn new_key_page(status: StatusCode, member: &Member<Administer>, form: Form) -> Result<Response, Error> {
    page::show(status, &NewKeyPage { f: member.frame("keys"), form, permissions: Permission::ALL })
}

/// The form for a new key.
pub async fn get_new_key(member: Member<Administer>) -> Result<Response, Error> {
    new_key_page(StatusCode::OK, &member, Form::filled(&[("expires", LIVES_DAYS[0].0)]))
}

#[derive(Template)]
#[template(path = "key_made.html")]
struct KeyMadePage {
    f: Frame,
    name: String,
    secret: String,
    curl: String,
}

/// Makes a key and shows it, this once.
pub async fn post_keys(State(app): State<App>, member: Member<Administer>, mut form: Form) -> Result<Response, Error> {
    let t = member.layout.t;
    let name = form.read("name", Name::parse, |_| t.text("wrong-name"));
    let permissions: Permissions = form.values("permission").filter_map(Permission::parse).collect();
    if permissions == Permissions::default() {
        form.wrong("permission", t.text("wrong-permission"));
    }
    if permissions.sees().people() && !member.sees().people() {
        form.wrong("permission", t.text("refused-beyond_own_rights"));
    }
    let life = LIVES_DAYS.iter().find(|(value, _)| *value == form.value("expires")).map(|(_, days)| *days);
    if life.is_none() {
        form.wrong("expires", t.text("wrong-expires"));
    }
    let (Some(name), Some(days), true) = (name, life, form.errors().is_empty()) else {
        return new_key_page(WRONG, &member, form);
    };
    let now = app.time.now();
    let expires_at = days.map(|days| now.plus(taquilla_domain::config::days(days)));
    let made =
        admin::keys::create(&app.store, member.tenant(), name, permissions, expires_at, &member.by_form(&form)).await;
    match made {
        Ok((key, secret)) => {
            let path = if permissions.allow(Permission::EventsRead) { "/me" } else { first_path(permissions) };
            let curl = format!(
                "curl -H 'Authorization: Bearer {}' '{}/api/v1{path}'",
                secret.reveal(),
                member.service_address(&app)
            );
            let (f, name) = (member.frame("keys"), key.name);
            page::show(StatusCode::OK, &KeyMadePage { f, name, secret: secret.reveal().to_owned(), curl })
        }
        Err(ChangeError::Refused(refusal)) => {
            form.wrong("name", member.frame("keys").refusal(&refusal));
            new_key_page(WRONG, &member, form)
        }
        Err(error) => Err(error.into()),
    }
}

/// A path that a key without `EVENTS_READ` can read.
fn first_path(permissions: Permissions) -> &'static str {
    if permissions.allow(Permission::OrdersRead) { "/orders?limit=1" } else { "/tickets?limit=1" }
}

#[derive(Template)]
#[template(path = "key_revoke.html")]
struct RevokePage {
    f: Frame,
    row: KeyRow,
    action: String,
}

/// The page that says what will stop.
pub async fn get_revoke(
    State(app): State<App>,
    member: Member<Administer>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let found = keys::find(&mut app.store.read().await?, member.tenant(), &id).await?;
    let key = found.ok_or(Error::NotFound("key"))?;
    let action = member.path(&format!("/keys/{}/revoke", in_path(&key.id)));
    page::show(StatusCode::OK, &RevokePage { f: member.frame("keys"), row: KeyRow::new(key, app.time.now()), action })
}

/// Revokes a key.
pub async fn post_revoke(
    State(app): State<App>,
    member: Member<Administer>,
    Path((_, id)): Path<(String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    admin::keys::revoke(&app.store, member.tenant(), &id, member.by()).await?;
    Ok(go(&member.path("/keys?done=key-revoked")))
}
