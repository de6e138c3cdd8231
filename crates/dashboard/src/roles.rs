//! Roles: what each may do, and roles of the producer's own.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    refusal::Reason,
    role::{BuiltInRole, Right, Rights},
    text::Name,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin;
use taquilla_store::{ChangeError, staff::roles};

use super::{
    access::{ManageTeam, Member, SeeTeam, WRONG},
    frame::{Frame, right_key},
    team::{Choice, choices},
};

#[derive(Template)]
#[template(path = "roles.html")]
struct RolesPage {
    f: Frame,
    roles: Vec<RoleRow>,
    may_change: bool,
}

/// A role on the page.
struct RoleRow {
    name: String,
    rights: Vec<String>,
    /// Where it can be changed, if the producer made it.
    path: Option<String>,
}

/// The table of roles and rights.
pub async fn get_roles(State(app): State<App>, member: Member<SeeTeam>, query: Query) -> Result<Response, Error> {
    let own = roles::list(&mut app.store.read().await?, member.tenant()).await?;
    let (f, may_change) = (member.frame("team").done(&query), member.may(Right::ManageTeam));
    let shown = |choice: Choice| RoleRow {
        rights: choice.rights.iter().map(|right| f.text(&right_key(right))).collect(),
        path: BuiltInRole::parse(&choice.id)
            .is_none()
            .then(|| member.path(&format!("/team/roles/{}", in_path(&choice.id)))),
        name: choice.name,
    };
    let roles = choices(member.layout.t, &own).into_iter().map(shown).collect();
    page::show(StatusCode::OK, &RolesPage { f, roles, may_change })
}

#[derive(Template)]
#[template(path = "role.html")]
struct RolePage {
    f: Frame,
    form: Form,
    action: String,
    is_new: bool,
    rights: Vec<(&'static str, String, String)>,
}

fn role_page(status: StatusCode, member: &Member<ManageTeam>, id: Option<&str>, form: Form) -> Result<Response, Error> {
    let f = member.frame("team");
    let own = Right::ALL.iter().filter(|right| member.may(**right));
    let rights = own
        .map(|right| (right.as_str(), f.text(&right_key(*right)), f.text(&format!("{}-about", right_key(*right)))))
        .collect();
    let action = match id {
        Some(id) => member.path(&format!("/team/roles/{}", in_path(id))),
        None => member.path("/team/roles"),
    };
    page::show(status, &RolePage { f, form, action, is_new: id.is_none(), rights })
}

/// The form for a new role.
pub async fn get_new_role(member: Member<ManageTeam>) -> Result<Response, Error> {
    role_page(StatusCode::OK, &member, None, Form::default())
}

/// The form for a role that there is.
pub async fn get_role(
    State(app): State<App>,
    member: Member<ManageTeam>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let found = roles::find(&mut app.store.read().await?, member.tenant(), &id).await?;
    let role = found.ok_or(Error::NotFound("role"))?;
    let mut values = vec![("name", role.name.as_str())];
    values.extend(role.rights.iter().map(|right| ("right", right.as_str())));
    role_page(StatusCode::OK, &member, Some(&id), Form::filled(&values))
}

fn read(form: &mut Form, member: &Member<ManageTeam>) -> Option<(Name, Rights)> {
    let name = form.read("name", Name::parse, |_| member.layout.t.text("wrong-name"))?;
    Some((name, form.values("right").filter_map(Right::parse).collect()))
}

/// Shows the form again with what was refused, or goes on.
fn finish(
    member: &Member<ManageTeam>,
    outcome: Result<(), ChangeError>,
    id: Option<&str>,
    mut form: Form,
) -> Result<Response, Error> {
    match outcome {
        Ok(()) => Ok(go(&member.path("/team/roles?done=role-saved"))),
        Err(ChangeError::Refused(refusal)) if refusal.reason() != Reason::NotFound => {
            form.wrong("name", member.frame("").refusal(&refusal));
            role_page(WRONG, member, id, form)
        }
        Err(error) => Err(error.into()),
    }
}

/// Makes a role.
pub async fn post_roles(State(app): State<App>, member: Member<ManageTeam>, mut form: Form) -> Result<Response, Error> {
    let Some((name, rights)) = read(&mut form, &member) else { return role_page(WRONG, &member, None, form) };
    let own = member.producer.rights;
    let made = admin::staff::roles::create(&app.store, member.tenant(), &name, rights, own, member.by()).await;
    finish(&member, made.map(|_| ()), None, form)
}

/// Changes a role.
pub async fn post_role(
    State(app): State<App>,
    member: Member<ManageTeam>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let Some((name, rights)) = read(&mut form, &member) else { return role_page(WRONG, &member, Some(&id), form) };
    let (tenant, own) = (member.tenant(), member.producer.rights);
    let changed = admin::staff::roles::change(&app.store, tenant, &id, &name, rights, own, member.by()).await;
    finish(&member, changed, Some(&id), form)
}

/// Deletes a role.
pub async fn post_delete_role(
    State(app): State<App>,
    member: Member<ManageTeam>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let deleted =
        admin::staff::roles::delete(&app.store, member.tenant(), &id, member.producer.rights, member.by()).await;
    finish(&member, deleted, Some(&id), form)
}
