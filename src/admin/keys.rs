//! Creating and revoking API keys.

use crate::{
    domain::{
        clock::Stamp,
        credential::Life,
        id,
        key::{Key, Opens, Permissions, Secret},
        refusal::Refusal,
        text::Name,
    },
    store::{
        ChangeResult, Store, Tenant,
        credentials::{self, Credential},
        keys,
    },
    transaction,
};

/// Creates a key. This is the only time that the secret is returned; only its hash is stored.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    name: Name,
    permissions: Permissions,
    expires_at: Option<Stamp>,
    now: Stamp,
) -> ChangeResult<(Key, Secret)> {
    let secret = Secret::generate(Opens::Api);
    let key = Key {
        id: id::new_id("key", now),
        name: name.into(),
        permissions,
        last_four: secret.last_four().to_owned(),
        life: Life::begin(now, expires_at).map_err(|invalid| invalid.in_field("expires_at"))?,
    };
    transaction!(store.begin_move(tenant, now), |tx| keys::insert(tx, &key, &secret).await)?;
    Ok((key, secret))
}

/// Revokes a producer's key: the next call with it fails (G9).
pub async fn revoke(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> ChangeResult<Key> {
    transaction!(store.begin_unstamped(), |tx| {
        credentials::revoke(tx, tenant, Credential::Key, id, now).await?;
        Ok(keys::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("key"))?)
    })
}
