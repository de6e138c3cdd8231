//! Links with which somebody chooses a new password: who may make one for whom, and using it.
//!
//! Such a link signs in as that user. So one that a team made carries the team and the member who made it, and is looked at
//! again when it is used: in between the user may have joined another team, got another role or become an operator.

use taquilla_domain::{
    audit::{Action, By},
    config::RESET_LASTS,
    key::Secret,
    refusal::Refusal,
    role::Right,
};
use taquilla_store::{
    ChangeResult, Conn, Result, Store, Tenant, Unstamped,
    staff::{
        audit, links as rows,
        links::{Link, Purpose},
        members, sessions as session_rows,
        users::{self, User},
    },
    transaction,
};

use super::{
    links::{self, For},
    second_factor,
    sessions::{self, Device},
};

/// Whether a member of a team may give another member a new password. The other one must belong to no other team and be no
/// operator, and may do no more than the first. Nobody does it for themselves: that would avoid the current password.
pub async fn may_be_made(conn: &mut Conn, tenant: Tenant, maker_id: &str, user: &User) -> Result<bool> {
    let maker = members::find(conn, tenant, maker_id).await?.filter(|maker| !maker.is_disabled);
    let found = members::find(conn, tenant, &user.id).await?;
    let (Some(maker), Some(found)) = (maker, found) else { return Ok(false) };
    let is_only_here = members::of_user(conn, &user.id).await?.len() == 1 && !user.is_operator;
    let may = maker.rights.allow(Right::ManageTeam) && maker.rights.include(found.rights);
    Ok(may && is_only_here && maker_id != user.id)
}

/// Makes a link for a member of a team. `without_second_factor` takes that away at once.
pub async fn make_for_member(
    store: &Store,
    tenant: Tenant,
    user_id: &str,
    maker_id: &str,
    without_second_factor: bool,
    by: &By,
) -> ChangeResult<(User, Secret)> {
    transaction!(store.begin_unstamped(), |tx| {
        let user = users::lock(tx, user_id).await?.ok_or(Refusal::NotFound("member"))?;
        members::find(tx, tenant, user_id).await?.ok_or(Refusal::NotFound("member"))?;
        if !may_be_made(tx, tenant, maker_id, &user).await? {
            return Err(Refusal::BeyondOwnRights.into());
        }
        let whom = For { tenant: Some(tenant), made_by: maker_id, ..For::default() };
        make_in(tx, user, whom, without_second_factor, by).await
    })
}

/// Makes a link for any user, as an operator does.
pub async fn make(store: &Store, user_id: &str, without_second_factor: bool, by: &By) -> ChangeResult<(User, Secret)> {
    transaction!(store.begin_unstamped(), |tx| {
        let user = users::lock(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?;
        make_in(tx, user, For::default(), without_second_factor, by).await
    })
}

/// Makes the link. Links from before end.
async fn make_in(
    tx: &mut Unstamped,
    user: User,
    whom: For<'_>,
    without_second_factor: bool,
    by: &By,
) -> ChangeResult<(User, Secret)> {
    if without_second_factor {
        second_factor::remove_in(tx, &user.id, by).await?;
    }
    rows::withdraw_of_user(tx, &user.id).await?;
    let whom = For { user_id: Some(&user.id), email: &user.email, ..whom };
    let (_, token) = links::make(tx, Purpose::Reset, &whom, RESET_LASTS, by.now).await?;
    audit::add_for_user(tx, &user.id, by, Action::PasswordResetLink, &user.id, &[]).await?;
    Ok((user, token))
}

/// Sets the password of whoever has a link for that, ends all sessions, and signs the user in. A second factor is still
/// asked for: then there is no session yet, and the user signs in with the new password.
pub async fn use_up(
    store: &Store,
    link: &Secret,
    password_hash: &str,
    device: &Device,
    by: &By,
) -> ChangeResult<Option<Secret>> {
    transaction!(store.begin_unstamped(), |tx| {
        let (link, user) = take_with_user(tx, link, Purpose::Reset, by).await?;
        if let Some(tenant) = link.tenant
            && !may_be_made(tx, tenant, &link.made_by, &user).await?
        {
            return Err(Refusal::NotFound("link").into());
        }
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

/// A link and the user that it is for, who must not be disabled. The link is used up. The user is locked first, as by whoever
/// withdraws links, so that neither waits for the other in a circle.
pub(super) async fn take_with_user(
    tx: &mut Unstamped,
    token: &Secret,
    purpose: Purpose,
    by: &By,
) -> ChangeResult<(Link, User)> {
    let found = rows::find(tx, token, by.now).await?.and_then(|link| link.user_id);
    let user = users::lock(tx, found.as_deref().unwrap_or_default()).await?;
    let user = user.filter(|user| user.disabled_at.is_none()).ok_or(Refusal::NotFound("link"))?;
    let link = links::take(tx, token, purpose, by.now).await?.ok_or(Refusal::NotFound("link"))?;
    Ok((link, user))
}
