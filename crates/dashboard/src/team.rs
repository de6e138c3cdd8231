//! The team: members, invitations, and whether a second factor is required.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    email::Email,
    folded::folded,
    refusal::{Reason, Refusal},
    role::{BuiltInRole, Right, Rights},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, query::Query, redirects::go, texts::Texts};
use taquilla_rules::admin::staff::{
    password_links,
    team::{self, Host},
};
use taquilla_store::{
    ChangeError,
    staff::{
        links::{self, Link},
        members::{self, Member as Row, Membership},
        roles::{self, Role},
        users,
    },
};

use super::{
    access::{ManageTeam, Member, SeeTeam, WRONG},
    frame::Frame,
    handed_link,
    sorting::{Sort, SortHead},
};

/// A role that can be chosen: its id, its name, and whether this user may give it.
pub struct Choice {
    /// Its id.
    pub id: String,
    /// Its name, in the reader's language if it is a built-in one.
    pub name: String,
    /// What it may do.
    pub rights: Rights,
}

/// The name of a role.
fn role_name(t: Texts, id: &str, own_name: Option<&str>) -> String {
    match (BuiltInRole::parse(id), own_name) {
        (Some(role), _) => t.text(&format!("role-{}", role.as_str().replace('_', "-"))),
        (None, Some(name)) => name.to_owned(),
        (None, None) => t.text("role-gone"),
    }
}

/// Every role of a producer.
pub fn choices(t: Texts, own: &[Role]) -> Vec<Choice> {
    let built_in = BuiltInRole::ALL.iter().map(|role| Choice {
        id: role.as_str().to_owned(),
        name: role_name(t, role.as_str(), None),
        rights: role.rights(),
    });
    let own = own.iter().map(|role| Choice { id: role.id.clone(), name: role.name.clone(), rights: role.rights });
    built_in.chain(own).collect()
}

#[derive(Template)]
#[template(path = "team.html")]
struct TeamPage {
    f: Frame,
    members: Vec<(Row, String)>,
    invitations: Vec<(Link, String)>,
    roles: Vec<Choice>,
    own_id: String,
    needs_second_factor: bool,
    may_free: bool,
    may_change: bool,
    form: Form,
    by_name: SortHead,
    by_email: SortHead,
    by_role: SortHead,
}

impl TeamPage {
    fn is_reader(&self, row: &Row) -> bool {
        row.user_id == self.own_id
    }

    fn may_begin_inviting(&self) -> bool {
        self.may_change && !self.form.has("ready", "yes")
    }

    /// Whether the form of an invitation is shown.
    fn is_inviting(&self) -> bool {
        self.may_change && (self.form.has("ready", "yes") || self.form.error("email").is_some())
    }
}

async fn show<N>(
    status: StatusCode,
    app: &App,
    member: &Member<N>,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let (mut conn, t) = (app.store.read().await?, member.layout.t);
    let own_roles = roles::list(&mut conn, member.tenant()).await?;
    let found = members::of_producer(&mut conn, member.tenant()).await?;
    let may_change = member.may(Right::ManageTeam);
    let open = match may_change {
        true => links::invitations(&mut conn, member.tenant(), app.time.now()).await?,
        false => Vec::new(),
    };
    let own_name = |id: &str| own_roles.iter().find(|role| role.id == id).map(|role| role.name.as_str());
    let members = found.into_iter().map(|row| (role_name(t, &row.role, own_name(&row.role)), row));
    let invitations = open.into_iter().map(|link| (role_name(t, &link.role, own_name(&link.role)), link));
    let mut members: Vec<(Row, String)> = members.map(|(role, row)| (row, role)).collect();
    let sort = Sort::asked(query, &["name", "email", "role"]);
    if let Some(sort) = sort {
        sort.put(&mut members, |(row, role)| match sort.column {
            "name" => folded(&row.name),
            "email" => row.email.clone(),
            _ => folded(role),
        });
    }
    let f = member.frame("team").done(query);
    let head = |key: &str, column| {
        let address = |sort: &str| format!("{}?sort={sort}", f.path("/team"));
        SortHead::new(f.text(key), Sort { column, descends: false }, sort, address)
    };
    let Membership { rights, needs_second_factor, .. } = member.producer;
    let page = TeamPage {
        by_name: head("label-name", "name"),
        by_email: head("label-email", "email"),
        by_role: head("label-role", "role"),
        f,
        members,
        invitations: invitations.map(|(role, link)| (link, role)).collect(),
        roles: choices(t, &own_roles).into_iter().filter(|choice| rights.include(choice.rights)).collect(),
        own_id: member.user_id().to_owned(),
        needs_second_factor,
        may_free: team::may_free_of_second_factor(rights),
        may_change,
        form,
    };
    page::show(status, &page)
}

/// The team's page.
pub async fn get_team(State(app): State<App>, member: Member<SeeTeam>, query: Query) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &query, Form::default()).await
}

/// Shows the page again with what was refused, or goes on.
async fn finish(
    app: &App,
    member: &Member<ManageTeam>,
    outcome: Result<(), ChangeError>,
    field: &'static str,
    mut form: Form,
    next: &str,
) -> Result<Response, Error> {
    match outcome {
        Ok(()) => Ok(go(&member.path(next))),
        Err(ChangeError::Refused(refusal)) if refusal.reason() != Reason::NotFound => {
            form.wrong(field, member.frame("").refusal(&refusal));
            show(WRONG, app, member, &Query::default(), form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The page with the form for an invitation: it asks for the password first if that was a while ago.
pub async fn get_invite(State(app): State<App>, member: Member<ManageTeam>, query: Query) -> Result<Response, Error> {
    let form = Form::filled(&[("role", BuiltInRole::Viewer.as_str()), ("ready", "yes")]);
    show(StatusCode::OK, &app, &member, &query, form).await
}

/// Invites somebody and shows the link, this once.
pub async fn post_invite(
    State(app): State<App>,
    member: Member<ManageTeam>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let Some(email) = form.read("email", Email::parse, |_| t.text("wrong-email")) else {
        return show(WRONG, &app, &member, &Query::default(), form).await;
    };
    let host = Host { user_id: member.user_id(), rights: member.producer.rights };
    match team::invite(&app.store, member.tenant(), &email, form.value("role"), host, &member.by_form(&form)).await {
        Ok((link, token)) => {
            handed_link::show(member.frame("team"), "invited", &link.email, &member.service_address(&app), &token)
        }
        Err(error) => finish(&app, &member, Err(error), "email", form, "").await,
    }
}

/// Withdraws an invitation.
pub async fn post_withdraw(
    State(app): State<App>,
    member: Member<ManageTeam>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let outcome = team::withdraw(&app.store, member.tenant(), &id, member.producer.rights, member.by()).await;
    finish(&app, &member, outcome, "team", form, "/team?done=withdrawn").await
}

/// Gives a member another role.
pub async fn post_role(
    State(app): State<App>,
    member: Member<ManageTeam>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let (tenant, rights) = (member.tenant(), member.producer.rights);
    let outcome = team::set_role(&app.store, tenant, &id, form.value("role"), rights, member.by()).await;
    finish(&app, &member, outcome, "team", form, "/team?done=role-changed").await
}

#[derive(Template)]
#[template(path = "member.html")]
struct MemberPage {
    f: Frame,
    member: Row,
    role: String,
    roles: Vec<Choice>,
    base: String,
    may_reset: bool,
}

/// The page of one member: another role, a new password, leaving.
pub async fn get_member(
    State(app): State<App>,
    member: Member<ManageTeam>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let (mut conn, t) = (app.store.read().await?, member.layout.t);
    let found = members::find(&mut conn, member.tenant(), &id).await?.ok_or(Error::NotFound("member"))?;
    let own_roles = roles::list(&mut conn, member.tenant()).await?;
    let rights = member.producer.rights;
    let user = users::find(&mut conn, &id).await?.ok_or(Error::NotFound("member"))?;
    let may_reset = password_links::may_be_made(&mut conn, member.tenant(), member.user_id(), &user).await?;
    let page = MemberPage {
        f: member.frame("team"),
        role: role_name(t, &found.role, found.role_name.as_deref()),
        roles: choices(t, &own_roles).into_iter().filter(|choice| rights.include(choice.rights)).collect(),
        base: member.path(&format!("/team/members/{}", in_path(&id))),
        may_reset,
        member: found,
    };
    page::show(StatusCode::OK, &page)
}

/// Makes a link with which a member chooses a new password, and shows it, this once.
pub async fn post_reset(
    State(app): State<App>,
    member: Member<ManageTeam>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let (tenant, own_id) = (member.tenant(), member.user_id());
    let without_second_factor = form.has("second_factor", "yes");
    let by = member.by_form(&form);
    let made = password_links::make_for_member(&app.store, tenant, &id, own_id, without_second_factor, &by).await;
    match made {
        Ok((user, token)) => {
            handed_link::show(member.frame("team"), "reset", &user.email, &member.service_address(&app), &token)
        }
        Err(ChangeError::Refused(Refusal::BeyondOwnRights)) => Err(Error::Forbidden),
        Err(error) => Err(error.into()),
    }
}

/// Takes a member out of the team.
pub async fn post_remove(
    State(app): State<App>,
    member: Member<ManageTeam>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let outcome = team::remove(&app.store, member.tenant(), &id, member.producer.rights, member.by()).await;
    let own = id == member.user_id();
    if own && outcome.is_ok() {
        return Ok(go("/dashboard"));
    }
    finish(&app, &member, outcome, "team", form, "/team?done=removed").await
}

/// Sets whether the team must use a second factor. Who requires it has one; who frees the team of it may do everything.
pub async fn post_second_factor(
    State(app): State<App>,
    member: Member<ManageTeam>,
    mut form: Form,
) -> Result<Response, Error> {
    let needs = form.has("required", "yes");
    if needs && !member.user.has_second_factor {
        form.wrong("required", member.layout.t.text("own-second-factor-first"));
        return show(WRONG, &app, &member, &Query::default(), form).await;
    }
    let rights = member.producer.rights;
    let outcome = team::require_second_factor(&app.store, member.tenant(), needs, rights, member.by()).await;
    finish(&app, &member, outcome, "required", form, "/team?done=second-factor-set").await
}
