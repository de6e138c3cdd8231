//! Beginning and ending sessions.

use taquilla_domain::{
    audit::{Action, By},
    config::{DEVICE_MAX, SECOND_FACTOR_LASTS, SESSIONS_MAX},
    id,
    key::{Opens, Secret},
    refusal::Refusal,
    text,
};
use taquilla_store::{
    ChangeResult, Result, Store, Unstamped,
    staff::{
        audit, authority,
        links::Purpose,
        sessions::{self, Session},
        users::{self, User},
    },
    transaction,
};

use super::links::{self, For};

/// Where somebody signs in from.
#[derive(Clone, Debug)]
pub struct Device {
    /// The address of the request.
    pub address: String,
    /// What the browser says of itself.
    pub name: String,
}

impl Device {
    /// A device. Of its name as much is kept as a person reads.
    pub fn new(address: String, name: &str) -> Self {
        let plain = name.chars().filter(|letter| !text::is_obeyed(*letter)).take(DEVICE_MAX).collect();
        Self { address, name: plain }
    }
}

/// Signs in a user whose password was right, and gives the session's token. If too many sessions of the user are open, the
/// oldest ends.
pub async fn begin(store: &Store, user: &User, device: &Device, by: &By) -> ChangeResult<Secret> {
    transaction!(store.begin_unstamped(), |tx| {
        let is_enough = lock_unchanged(tx, user).await?.totp.is_none();
        if !is_enough {
            return Err(Refusal::ChangedMeanwhile.into());
        }
        begin_in(tx, user, device, by).await
    })
}

/// The user whose password was compared a moment ago, if neither disabled nor given another password since.
async fn lock_unchanged(tx: &mut Unstamped, user: &User) -> ChangeResult<User> {
    let now = users::lock(tx, &user.id).await?;
    let is_same = |now: &User| now.disabled_at.is_none() && now.password_hash == user.password_hash;
    Ok(now.filter(is_same).ok_or(Refusal::ChangedMeanwhile)?)
}

/// Signs a user in as a part of a larger change.
pub(super) async fn begin_in(tx: &mut Unstamped, user: &User, device: &Device, by: &By) -> ChangeResult<Secret> {
    let (token, now) = (Secret::generate(Opens::Session), by.now);
    let session = Session {
        id: id::new_id("se", now),
        user_id: user.id.clone(),
        created_at: now,
        seen_at: now,
        confirmed_at: now,
        address: device.address.clone(),
        device: device.name.clone(),
    };
    sessions::insert(tx, &session, &token).await?;
    for old in sessions::of_user(tx, &user.id).await?.iter().skip(SESSIONS_MAX) {
        sessions::end(tx, &user.id, &old.id).await?;
    }
    audit::add_for_user(tx, &user.id, by, Action::SignedIn, &user.id, &[("device", &device.name)]).await?;
    Ok(token)
}

/// Writes down that somebody failed to sign in. It takes as long whether the user exists or not.
pub async fn note_failure(store: &Store, user: Option<&User>, by: &By) -> ChangeResult<()> {
    let id = user.map_or("", |user| user.id.as_str());
    let add = async |tx: &mut Unstamped| audit::add_for_user(tx, id, by, Action::SignInFailed, id, &[]).await;
    Ok(transaction!(store.begin_unstamped(), |tx| add(tx).await)?)
}

/// The password was right: gives the token with which the browser shows the second factor.
pub async fn ask_for_second_factor(store: &Store, user: &User, by: &By) -> ChangeResult<Secret> {
    let whom = For { user_id: Some(&user.id), email: &user.email, ..For::default() };
    transaction!(store.begin_unstamped(), |tx| {
        lock_unchanged(tx, user).await?;
        Ok(links::make(tx, Purpose::SecondFactor, &whom, SECOND_FACTOR_LASTS, by.now).await?.1)
    })
}

/// Notes that a session was used.
pub async fn touch(store: &Store, session: &Session, by: &By) -> Result<()> {
    transaction!(store.begin_unstamped(), |tx| {
        tx.need_not_reach_disk().await?;
        sessions::touch(tx, &session.id, by.now).await
    })
}

/// Notes that the user has shown the password again.
pub async fn confirm(store: &Store, session: &Session, by: &By) -> ChangeResult<()> {
    Ok(transaction!(store.begin_unstamped(), |tx| sessions::confirm(tx, &session.id, by.now).await)?)
}

/// Ends one of a user's sessions.
pub async fn end(store: &Store, user_id: &str, id: &str, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        if !sessions::end(tx, user_id, id).await? {
            return Err(Refusal::NotFound("session").into());
        }
        Ok(audit::add_for_user(tx, user_id, by, Action::SessionEnded, id, &[]).await?)
    })
}

/// Ends all of a user's sessions but one. What they may have seen of a second factor that is being set up is forgotten. Where
/// there are none, nothing is written down: the history is kept for ever, and this can be asked for without end.
pub async fn end_others(store: &Store, user_id: &str, kept: &str, by: &By) -> ChangeResult<()> {
    Ok(transaction!(store.begin_unstamped(), |tx| {
        if sessions::end_others(tx, user_id, Some(kept)).await? == 0 {
            return Ok(());
        }
        users::forget_pending_totp(tx, user_id).await?;
        audit::add_for_user(tx, user_id, by, Action::SessionEnded, "", &[("which", "all others")]).await
    })?)
}
