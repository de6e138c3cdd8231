//! Creating users, their passwords, and disabling them.

use taquilla_domain::{
    audit::{Action, By},
    config::{INVITATION_LASTS, RESET_LASTS},
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
    password_links::take_with_user,
    sessions::{self, Device},
};

/// What [`create`] made.
pub struct Created {
    /// The user.
    pub user: User,
    /// The link to hand over.
    pub link: Secret,
    /// Whether the user is new and chooses a password with the link. Else the link is an invitation, and nothing has changed yet.
    pub is_new: bool,
}

/// Creates a user in a producer's team and gives the link with which the user chooses a password.
///
/// If the e-mail address has a user already, it gives an invitation for that user. Nobody proves that an address is theirs, so the
/// account may be somebody else's, who took the address first: whoever is handed the link and can sign in joins.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    email: &Email,
    name: &Name,
    role: &str,
    is_operator: bool,
    by: &By,
) -> ChangeResult<Created> {
    let id = id::new_id("us", by.now);
    transaction!(store.begin_unstamped(), |tx| {
        let new = NewUser { id: &id, email, name, password_hash: "", is_operator };
        let is_new = users::insert(tx, &new, by.now).await?;
        let user = users::by_email(tx, email).await?.ok_or(Refusal::NotFound("user"))?;
        let details = [("email", user.email.as_str()), ("role", role), ("operator", "yes")];
        let details = if is_operator { &details[..] } else { &details[..2] };
        let whom = For { user_id: Some(&user.id), email: &user.email, ..For::default() };
        let link = match is_new {
            true => {
                members::insert(tx, tenant, &user.id, role, by.now).await?;
                audit::add(tx, None, by, Action::UserCreated, &user.id, &details[..1]).await?;
                audit::add(tx, Some(tenant), by, Action::MemberJoined, &user.id, details).await?;
                links::make(tx, Purpose::Reset, &whom, RESET_LASTS, by.now).await?.1
            }
            false if members::find(tx, tenant, &user.id).await?.is_some() => return Err(Refusal::AlreadyMember.into()),
            false => {
                let whom = For { tenant: Some(tenant), role, makes_operator: is_operator, ..whom };
                let (link, token) = links::make(tx, Purpose::Invitation, &whom, INVITATION_LASTS, by.now).await?;
                audit::add(tx, Some(tenant), by, Action::MemberInvited, &link.id, details).await?;
                token
            }
        };
        Ok(Created { user, link, is_new })
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
        let (_, user) = take_with_user(tx, link, Purpose::SignIn, by).await?;
        sessions::begin_in(tx, &user, device, &By { actor: user.email.clone(), ..by.clone() }).await
    })
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
pub async fn rename(store: &Store, user_id: &str, name: &Name, by: &By) -> ChangeResult<()> {
    Ok(transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        users::set_name(tx, user_id, name).await
    })?)
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
