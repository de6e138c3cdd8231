//! Creating users, their passwords, and disabling them.

use taquilla_domain::{
    audit::{Action, By},
    config::RESET_LASTS,
    email::Email,
    id,
    key::Secret,
    refusal::Refusal,
    text::Name,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    staff::{
        audit, authority, links as rows,
        links::Purpose,
        members, sessions as session_rows,
        users::{self, NewUser, User},
    },
    transaction,
};

use super::{
    links::{self, For},
    sessions::{self, Device},
};

/// Creates a user in a producer's team and gives the link with which the user chooses a password. If the e-mail address has
/// a user already, that one joins the team, and no link is needed.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    email: &Email,
    name: &Name,
    role: &str,
    is_operator: bool,
    by: &By,
) -> ChangeResult<(User, Option<Secret>)> {
    let id = id::new_id("us", by.now);
    transaction!(store.begin_unstamped(), |tx| {
        let is_new =
            users::insert(tx, &NewUser { id: &id, email, name, password_hash: "", is_operator }, by.now).await?;
        let user = users::by_email(tx, email).await?.ok_or(Refusal::NotFound("user"))?;
        if !members::insert(tx, tenant, &user.id, role, by.now).await? {
            return Err(Refusal::AlreadyMember.into());
        }
        if is_operator {
            users::make_operator(tx, &user.id).await?;
        }
        let details = [("email", user.email.as_str()), ("role", role)];
        let token = match is_new {
            true => {
                audit::add(tx, None, by, Action::UserCreated, &user.id, &details[..1]).await?;
                let whom = For { user_id: Some(&user.id), email: &user.email, ..For::default() };
                Some(links::make(tx, Purpose::Reset, &whom, RESET_LASTS, by.now).await?.1)
            }
            false => None,
        };
        audit::add(tx, Some(tenant), by, Action::MemberJoined, &user.id, &details).await?;
        Ok((user, token))
    })
}

/// Makes a link with which a user chooses a new password. Links from before end.
pub async fn reset_link(store: &Store, user_id: &str, by: &By) -> ChangeResult<(User, Secret)> {
    transaction!(store.begin_unstamped(), |tx| {
        let user = users::lock(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?;
        rows::withdraw_of_user(tx, user_id).await?;
        let whom = For { user_id: Some(user_id), email: &user.email, ..For::default() };
        let (_, token) = links::make(tx, Purpose::Reset, &whom, RESET_LASTS, by.now).await?;
        audit::add_for_user(tx, user_id, by, Action::PasswordResetLink, user_id, &[]).await?;
        Ok((user, token))
    })
}

/// Makes a link that signs the demo's user in at once, and gives the user another password for pages that ask for one.
pub async fn sign_in_link(store: &Store, user_id: &str, password_hash: &str, by: &By) -> ChangeResult<Secret> {
    transaction!(store.begin_unstamped(), |tx| {
        let user = users::lock(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?;
        users::set_password(tx, user_id, password_hash).await?;
        rows::withdraw_of_user(tx, user_id).await?;
        let whom = For { user_id: Some(user_id), email: &user.email, ..For::default() };
        Ok(links::make(tx, Purpose::SignIn, &whom, RESET_LASTS, by.now).await?.1)
    })
}

/// Signs in whoever has a link for that.
pub async fn sign_in_by_link(store: &Store, link: &Secret, device: &Device, by: &By) -> ChangeResult<Secret> {
    transaction!(store.begin_unstamped(), |tx| {
        let user = user_of(tx, link, Purpose::SignIn, by).await?;
        sessions::begin_in(tx, &user, device, &By { actor: user.email.clone(), ..by.clone() }).await
    })
}

/// Sets the password of whoever has a link for that, ends all sessions, and signs the user in. A second factor is still
/// asked for: then there is no session yet, and the user signs in with the new password.
pub async fn reset_password(
    store: &Store,
    link: &Secret,
    password_hash: &str,
    device: &Device,
    by: &By,
) -> ChangeResult<Option<Secret>> {
    transaction!(store.begin_unstamped(), |tx| {
        let user = user_of(tx, link, Purpose::Reset, by).await?;
        let by = By { actor: user.email.clone(), ..by.clone() };
        users::set_password(tx, &user.id, password_hash).await?;
        session_rows::end_others(tx, &user.id, None).await?;
        rows::withdraw_of_user(tx, &user.id).await?;
        audit::add_for_user(tx, &user.id, &by, Action::PasswordChanged, &user.id, &[]).await?;
        match user.totp {
            None => Ok(Some(sessions::begin_in(tx, &user, device, &by).await?)),
            Some(_) => Ok(None),
        }
    })
}

/// The user that a link is for, who must not be disabled. The link is used up.
async fn user_of(tx: &mut taquilla_store::Unstamped, link: &Secret, purpose: Purpose, by: &By) -> ChangeResult<User> {
    let link = links::take(tx, link, purpose, by.now).await?.ok_or(Refusal::NotFound("link"))?;
    let user = users::lock(tx, link.user_id.as_deref().unwrap_or_default()).await?;
    Ok(user.filter(|user| user.disabled_at.is_none()).ok_or(Refusal::NotFound("link"))?)
}

/// Changes a user's own password. All other sessions of the user end.
pub async fn change_password(store: &Store, user_id: &str, hash: &str, kept: &str, by: &By) -> ChangeResult<()> {
    Ok(transaction!(store.begin_unstamped(), |tx| {
        users::set_password(tx, user_id, hash).await?;
        session_rows::end_others(tx, user_id, Some(kept)).await?;
        rows::withdraw_of_user(tx, user_id).await?;
        audit::add_for_user(tx, user_id, by, Action::PasswordChanged, user_id, &[]).await
    })?)
}

/// Changes a user's own name.
pub async fn rename(store: &Store, user_id: &str, name: &Name) -> ChangeResult<()> {
    Ok(transaction!(store.begin_unstamped(), |tx| users::set_name(tx, user_id, name).await)?)
}

/// Disables a user: all sessions and links end at once, and nobody can sign in as this user.
pub async fn disable(store: &Store, user_id: &str, by: &By) -> ChangeResult<User> {
    transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        users::lock(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?;
        users::set_disabled(tx, user_id, Some(by.now)).await?;
        session_rows::end_others(tx, user_id, None).await?;
        rows::withdraw_of_user(tx, user_id).await?;
        audit::add_for_user(tx, user_id, by, Action::UserDisabled, user_id, &[]).await?;
        Ok(users::find(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?)
    })
}

/// Lets a disabled user sign in again, with the password from before.
pub async fn enable(store: &Store, user_id: &str, by: &By) -> ChangeResult<User> {
    transaction!(store.begin_unstamped(), |tx| {
        users::lock(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?;
        users::set_disabled(tx, user_id, None).await?;
        audit::add_for_user(tx, user_id, by, Action::UserEnabled, user_id, &[]).await?;
        Ok(users::find(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?)
    })
}
