//! The first start: the first administrator and the first producer.

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::RESET_LASTS,
    email::Email,
    id,
    key::Secret,
    refusal::Refusal,
    role::BuiltInRole,
    text::Name,
};
use taquilla_store::{
    ChangeResult, Result, Store,
    staff::{
        audit, links as rows,
        links::Purpose,
        members,
        users::{self, NewUser},
    },
    transaction,
};

use super::{
    links::{self, For},
    sessions::{self, Device},
};
use crate::admin::producers::{self, Producer};

/// A link that begins the service, if nobody can sign in yet. Each start makes a new one, and those before end.
pub async fn link(store: &Store, now: Stamp) -> Result<Option<Secret>> {
    if users::any(&mut store.read().await?).await? {
        return Ok(None);
    }
    transaction!(store.begin_unstamped(), |tx| {
        rows::withdraw_all(tx, Purpose::FirstStart).await?;
        let (_, token) = links::make(tx, Purpose::FirstStart, &For::default(), RESET_LASTS, now).await?;
        Ok(Some(token))
    })
}

/// The person who begins.
pub struct Administrator {
    /// The e-mail address.
    pub email: Email,
    /// The name.
    pub name: Name,
    /// The hash of the password.
    pub password_hash: String,
}

/// Makes the first administrator and the first producer, and signs the administrator in. Returns the producer's id and the
/// session's token.
pub async fn begin(
    store: &Store,
    link: &Secret,
    administrator: &Administrator,
    producer: &Producer,
    device: &Device,
    by: &By,
) -> ChangeResult<(String, Secret)> {
    let (user_id, producer_id) = (id::new_id("us", by.now), id::new_id("pr", by.now));
    transaction!(store.begin_unstamped(), |tx| {
        let taken = links::take(tx, link, Purpose::FirstStart, by.now).await?;
        if taken.is_none() || users::any(tx).await? {
            return Err(Refusal::NotFound("link").into());
        }
        let tenant = producers::create_in(tx, &producer_id, producer, by).await?;
        let Administrator { email, name, password_hash } = administrator;
        users::insert(tx, &NewUser { id: &user_id, email, name, password_hash, is_operator: true }, by.now).await?;
        members::insert(tx, tenant, &user_id, BuiltInRole::Administrator.as_str(), by.now).await?;
        audit::add_for_user(tx, &user_id, by, Action::UserCreated, &user_id, &[("email", email.as_str())]).await?;
        let user = users::find(tx, &user_id).await?.ok_or(Refusal::NotFound("user"))?;
        let token = sessions::begin_in(tx, &user, device, by).await?;
        Ok((producer_id.clone(), token))
    })
}
