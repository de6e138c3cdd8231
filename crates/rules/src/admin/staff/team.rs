//! A producer's team: invitations, roles of members, and leaving.

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::{INVITATION_LASTS, TEAM_MAX},
    email::Email,
    id,
    key::Secret,
    refusal::Refusal,
    role::{BuiltInRole, Right, Rights},
    text::Name,
};
use taquilla_store::{
    ChangeResult, Conn, Result, Store, Tenant, Unstamped, producers,
    staff::{
        audit, authority, links as rows,
        links::{Link, Purpose},
        members::{self, Member},
        roles,
        users::{self, NewUser, User},
    },
    transaction,
};

use super::{
    links::{self, For},
    sessions::{self, Device},
};
use crate::admin::producers::{Producer, create_in};

/// The rights of a role of a producer, by its id. `None` if there is no such role.
pub async fn rights_of(conn: &mut Conn, tenant: Tenant, role: &str) -> Result<Option<Rights>> {
    match BuiltInRole::parse(role) {
        Some(role) => Ok(Some(role.rights())),
        None => Ok(roles::find(conn, tenant, role).await?.map(|role| role.rights)),
    }
}

/// Nobody gives a role that may do more than they may themselves.
async fn check_role(conn: &mut Conn, tenant: Tenant, role: &str, own: Rights) -> ChangeResult<()> {
    let rights = rights_of(conn, tenant, role).await?;
    match rights {
        None => Err(Refusal::invalid("role", "there is no such role").into()),
        Some(rights) if !own.include(rights) => Err(Refusal::BeyondOwnRights.into()),
        Some(_) => Ok(()),
    }
}

/// The member who invites somebody.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// The user.
    pub user_id: &'a str,
    /// What the user may do.
    pub rights: Rights,
}

/// Invites somebody to the team. This is the only time that the link's token is returned.
pub async fn invite(
    store: &Store,
    tenant: Tenant,
    email: &Email,
    role: &str,
    host: Host<'_>,
    by: &By,
) -> ChangeResult<(Link, Secret)> {
    transaction!(store.begin_unstamped(), |tx| {
        check_role(tx, tenant, role, host.rights).await?;
        let team = members::of_producer(tx, tenant).await?;
        if team.iter().any(|member| member.email == email.as_str()) {
            return Err(Refusal::AlreadyMember.into());
        }
        let open = rows::invitations(tx, tenant, by.now).await?;
        if team.len() + open.len() >= TEAM_MAX {
            return Err(Refusal::Full(format!("a team has {TEAM_MAX} members and invitations at most")).into());
        }
        // A new invitation replaces those before, so that a lost link opens nothing.
        for old in open.iter().filter(|link| link.email == email.as_str()) {
            rows::withdraw(tx, tenant, &old.id).await?;
        }
        let whom = For { tenant: Some(tenant), email: email.as_str(), role, made_by: host.user_id, ..For::default() };
        let made = links::make(tx, Purpose::Invitation, &whom, INVITATION_LASTS, by.now).await?;
        let details = [("email", email.as_str()), ("role", role)];
        audit::add(tx, Some(tenant), by, Action::MemberInvited, &made.0.id, &details).await?;
        Ok(made)
    })
}

/// Withdraws an invitation.
pub async fn withdraw(store: &Store, tenant: Tenant, id: &str, own: Rights, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        let link = rows::withdraw(tx, tenant, id).await?.ok_or(Refusal::NotFound("invitation"))?;
        let given = rights_of(tx, tenant, &link.role).await?.unwrap_or_default();
        if !own.include(given) {
            return Err(Refusal::BeyondOwnRights.into());
        }
        let details = [("email", link.email.as_str())];
        Ok(audit::add(tx, Some(tenant), by, Action::InvitationWithdrawn, id, &details).await?)
    })
}

/// Who accepts an invitation.
pub enum Guest<'a> {
    /// A user who has signed in.
    User(&'a User),
    /// Somebody new, with a name and the hash of a password.
    New(&'a Name, &'a str),
}

/// Accepts an invitation. Somebody new becomes a user and is signed in; the token of that session is returned. An e-mail
/// address that has a user is not taken over by who has the link: that user must sign in first.
pub async fn accept(
    store: &Store,
    link: &Secret,
    guest: Guest<'_>,
    device: &Device,
    by: &By,
) -> ChangeResult<(String, Option<Secret>)> {
    let id = id::new_id("us", by.now);
    transaction!(store.begin_unstamped(), |tx| {
        let link = links::take(tx, link, Purpose::Invitation, by.now).await?.ok_or(Refusal::NotFound("link"))?;
        let tenant = link.tenant.ok_or(Refusal::NotFound("link"))?;
        if !is_still_meant(tx, tenant, &link).await? {
            return Err(Refusal::NotFound("link").into());
        }
        let (user_id, email, is_new) = match guest {
            Guest::User(user) => {
                // Links from before are looked at under this lock, too.
                let user = users::lock(tx, &user.id).await?.filter(|user| user.disabled_at.is_none());
                let user = user.ok_or(Refusal::NotFound("user"))?;
                if link.user_id.as_ref().is_some_and(|meant| *meant != user.id) {
                    return Err(Refusal::NotFound("link").into());
                }
                (user.id, user.email, false)
            }
            Guest::New(name, password_hash) => {
                let email = Email::parse(&link.email).map_err(|_| Refusal::NotFound("link"))?;
                let new = NewUser { id: &id, email: &email, name, password_hash, is_operator: false };
                if !users::insert(tx, &new, by.now).await? {
                    return Err(Refusal::IdTaken("user").into());
                }
                (id.clone(), email.into(), true)
            }
        };
        let by = By { actor: email.clone(), ..by.clone() };
        if !members::insert(tx, tenant, &user_id, &link.role, by.now).await? {
            return Err(Refusal::AlreadyMember.into());
        }
        // A link with which the user's former team gives a new password would open this one.
        rows::withdraw_of_user(tx, &user_id).await?;
        let details = [("email", email.as_str()), ("role", link.role.as_str()), ("operator", "yes")];
        let details = if link.makes_operator { &details[..] } else { &details[..2] };
        if link.makes_operator {
            users::make_operator(tx, &user_id).await?;
        }
        audit::add(tx, Some(tenant), &by, Action::MemberJoined, &user_id, details).await?;
        let token = match is_new {
            true => {
                let user = users::find(tx, &user_id).await?.ok_or(Refusal::NotFound("user"))?;
                Some(sessions::begin_in(tx, &user, device, &by).await?)
            }
            false => None,
        };
        Ok((producers::get(tx, tenant).await?.0, token))
    })
}

/// Whether an invitation may still be accepted. Whoever made it must still be able to, or somebody who left could come back by
/// it. One that nobody of the team made is the operator's.
async fn is_still_meant(conn: &mut Conn, tenant: Tenant, link: &Link) -> Result<bool> {
    let Some(given) = rights_of(conn, tenant, &link.role).await? else { return Ok(false) };
    if link.made_by.is_empty() {
        return Ok(true);
    }
    let host = members::find(conn, tenant, &link.made_by).await?.filter(|host| !host.is_disabled);
    let own = host.map_or_else(Rights::default, |host| host.rights);
    Ok(own.allow(Right::ManageTeam) && own.include(given))
}

/// Makes a producer with an operator as its first administrator, and returns its id.
pub async fn found_producer(store: &Store, producer: &Producer, user_id: &str, by: &By) -> ChangeResult<String> {
    let id = id::new_id("pr", by.now);
    transaction!(store.begin_unstamped(), |tx| {
        let tenant = create_in(tx, &id, producer, by).await?;
        let role = BuiltInRole::Administrator.as_str();
        members::insert(tx, tenant, user_id, role, by.now).await?;
        rows::withdraw_of_user(tx, user_id).await?;
        let details = [("email", by.actor.as_str()), ("role", role)];
        audit::add(tx, Some(tenant), by, Action::MemberJoined, user_id, &details).await?;
        Ok(id.clone())
    })
}

/// Gives a member another role.
pub async fn set_role(
    store: &Store,
    tenant: Tenant,
    user_id: &str,
    role: &str,
    own: Rights,
    by: &By,
) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        check_role(tx, tenant, role, own).await?;
        let member = changeable(tx, tenant, user_id, own, role).await?;
        members::set_role(tx, tenant, user_id, role).await?;
        let details = [("email", member.email.as_str()), ("role", role), ("role_before", &member.role)];
        Ok(audit::add(tx, Some(tenant), by, Action::MemberRoleChanged, user_id, &details).await?)
    })
}

/// Takes a member out of the team. The user can still sign in, and sees other producers.
pub async fn remove(store: &Store, tenant: Tenant, user_id: &str, own: Rights, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        let member = changeable(tx, tenant, user_id, own, "").await?;
        members::remove(tx, tenant, user_id).await?;
        let details = [("email", member.email.as_str()), ("role", &member.role)];
        Ok(audit::add(tx, Some(tenant), by, Action::MemberRemoved, user_id, &details).await?)
    })
}

/// The member to be changed. Nobody changes a member who may do more than they may themselves, and one administrator stays.
async fn changeable(
    tx: &mut Unstamped,
    tenant: Tenant,
    user_id: &str,
    own: Rights,
    new_role: &str,
) -> ChangeResult<Member> {
    const ADMINISTRATOR: &str = BuiltInRole::Administrator.as_str();
    members::lock(tx, tenant).await?;
    let member = members::find(tx, tenant, user_id).await?.ok_or(Refusal::NotFound("member"))?;
    if !own.include(member.rights) {
        return Err(Refusal::BeyondOwnRights.into());
    }
    let leaves = member.role == ADMINISTRATOR && new_role != ADMINISTRATOR && !member.is_disabled;
    if leaves && members::count_with_role(tx, tenant, ADMINISTRATOR).await? <= 1 {
        return Err(Refusal::LastAdministrator.into());
    }
    Ok(member)
}

/// Whether somebody with these rights may free the team of the second factor. It guards administrators, too, so it takes as much
/// as they may do.
pub fn may_free_of_second_factor(own: Rights) -> bool {
    own.include(BuiltInRole::Administrator.rights())
}

/// Sets whether the team must use a second factor.
pub async fn require_second_factor(
    store: &Store,
    tenant: Tenant,
    needs: bool,
    own: Rights,
    by: &By,
) -> ChangeResult<()> {
    if !needs && !may_free_of_second_factor(own) {
        return Err(Refusal::BeyondOwnRights.into());
    }
    Ok(transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        producers::set_needs_second_factor(tx, tenant, needs).await?;
        let details = [("required", if needs { "yes" } else { "no" })];
        audit::add(tx, Some(tenant), by, Action::SecondFactorRequired, "", &details).await
    })?)
}

/// The open invitation with this token and the producer that it is to.
pub async fn invitation(store: &Store, token: &Secret, now: Stamp) -> Result<Option<(Link, String)>> {
    let mut conn = store.read().await?;
    let link = rows::find(&mut conn, token, now).await?.filter(|link| link.purpose == Purpose::Invitation);
    match link.as_ref().and_then(|link| link.tenant) {
        Some(tenant) => {
            let (_, name) = producers::get(&mut conn, tenant).await?;
            Ok(link.map(|link| (link, name)))
        }
        None => Ok(None),
    }
}
