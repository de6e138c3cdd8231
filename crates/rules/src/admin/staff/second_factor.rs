//! Setting up, checking and removing the second factor.

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    key::Secret,
    refusal::Refusal,
    second_factor::{RecoveryCodes, TotpSecret, recovery_hash},
};
use taquilla_store::{
    ChangeError, ChangeResult, Result, Store, Unstamped,
    staff::{
        audit, authority, links as rows,
        links::Purpose,
        sessions as session_rows,
        users::{self, User},
    },
    transaction,
};

use super::{
    links,
    sessions::{self, Device},
};

/// The secret to show to a user who sets up a second factor: one that was shown before and not confirmed, or a new one.
pub async fn pending_secret(store: &Store, user: &User, by: &By) -> ChangeResult<TotpSecret> {
    if let Some(secret) = &user.totp_pending {
        return Ok(secret.clone());
    }
    let secret = TotpSecret::generate();
    transaction!(store.begin_unstamped(), |tx| {
        // A session that has just ended must not leave a secret that it has seen.
        authority::look(tx, by).await?;
        users::set_pending_totp(tx, &user.id, &secret).await
    })?;
    Ok(secret)
}

/// Sets up the second factor once a code shows that the app has the secret. Gives recovery codes. All sessions but this one
/// end: they began without a second factor.
pub async fn set_up(store: &Store, user_id: &str, kept: &str, code: &str, by: &By) -> ChangeResult<RecoveryCodes> {
    let codes = RecoveryCodes::generate();
    transaction!(store.begin_unstamped(), |tx| {
        let user = users::lock(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?;
        if user.totp.is_some() {
            return Err(Refusal::ChangedMeanwhile.into());
        }
        let secret = user.totp_pending.ok_or(Refusal::NotFound("second factor"))?;
        let step = secret.step_of(code, by.now).ok_or_else(wrong_code)?;
        users::set_totp(tx, user_id, Some(&secret), step).await?;
        users::set_recovery_codes(tx, user_id, &hashes(user_id, &codes)).await?;
        session_rows::end_others(tx, user_id, Some(kept)).await?;
        audit::add_for_user(tx, user_id, by, Action::SecondFactorOn, user_id, &[]).await?;
        Ok::<_, ChangeError>(())
    })?;
    Ok(codes)
}

/// Makes new recovery codes for who shows a code; those before no longer work.
pub async fn renew_codes(store: &Store, user_id: &str, code: &str, by: &By) -> ChangeResult<RecoveryCodes> {
    let codes = RecoveryCodes::generate();
    transaction!(store.begin_unstamped(), |tx| {
        show_code(tx, user_id, code, by).await?;
        users::set_recovery_codes(tx, user_id, &hashes(user_id, &codes)).await?;
        Ok::<_, ChangeError>(audit::add_for_user(tx, user_id, by, Action::RecoveryCodesMade, user_id, &[]).await?)
    })?;
    Ok(codes)
}

fn hashes(user_id: &str, codes: &RecoveryCodes) -> Vec<String> {
    codes.reveal().iter().map(|code| recovery_hash(user_id, code)).collect()
}

/// Removes the second factor of a user who shows a code of it.
pub async fn remove(store: &Store, user_id: &str, code: &str, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        show_code(tx, user_id, code, by).await?;
        Ok(remove_in(tx, user_id, by).await?)
    })
}

/// Removes a user's second factor as a part of a larger change.
pub(super) async fn remove_in(tx: &mut Unstamped, user_id: &str, by: &By) -> Result<()> {
    users::set_totp(tx, user_id, None, 0).await?;
    users::set_recovery_codes(tx, user_id, &[]).await?;
    audit::add_for_user(tx, user_id, by, Action::SecondFactorOff, user_id, &[]).await
}

/// Takes a code of a user who changes the second factor: whoever found a session open has none.
async fn show_code(tx: &mut Unstamped, user_id: &str, code: &str, by: &By) -> ChangeResult<()> {
    let user = users::lock(tx, user_id).await?.ok_or(Refusal::NotFound("user"))?;
    match take_code(tx, &user, code, by.now).await? {
        true => Ok(()),
        false => Err(wrong_code().into()),
    }
}

/// The user who is to show the second factor, if the token of that step still works.
pub async fn expected(store: &Store, token: &Secret, now: Stamp) -> Result<Option<User>> {
    let mut conn = store.read().await?;
    let link = rows::find(&mut conn, token, now).await?.filter(|link| link.purpose == Purpose::SecondFactor);
    let Some(user_id) = link.and_then(|link| link.user_id) else { return Ok(None) };
    Ok(users::find(&mut conn, &user_id).await?.filter(|user| user.disabled_at.is_none()))
}

/// Signs in whoever shows a code of the second factor, or a recovery code, after the password. Neither is taken twice.
pub async fn sign_in(store: &Store, token: &Secret, code: &str, device: &Device, by: &By) -> ChangeResult<Secret> {
    transaction!(store.begin_unstamped(), |tx| {
        let link = rows::find(tx, token, by.now).await?.filter(|link| link.purpose == Purpose::SecondFactor);
        let user_id = link.and_then(|link| link.user_id).ok_or(Refusal::NotFound("link"))?;
        let user = users::lock(tx, &user_id).await?.filter(|user| user.disabled_at.is_none());
        let user = user.ok_or(Refusal::NotFound("link"))?;
        if !take_code(tx, &user, code, by.now).await? {
            return Err(wrong_code().into());
        }
        links::take(tx, token, Purpose::SecondFactor, by.now).await?.ok_or(Refusal::NotFound("link"))?;
        sessions::begin_in(tx, &user, device, by).await
    })
}

/// Takes a code of the app or a recovery code, if it is right and was not taken before.
async fn take_code(tx: &mut Unstamped, user: &User, code: &str, now: Stamp) -> Result<bool> {
    match user.totp.as_ref().and_then(|secret| secret.step_of(code, now)) {
        Some(step) => users::take_totp_step(tx, &user.id, step).await,
        None => users::take_recovery_code(tx, &user.id, &recovery_hash(&user.id, code)).await,
    }
}

fn wrong_code() -> Refusal {
    Refusal::invalid("code", "this code is not right, or it was used already")
}
