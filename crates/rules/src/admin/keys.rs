//! Creating and revoking API keys.

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    credential::Life,
    id,
    key::{Key, Opens, Permissions, Secret},
    refusal::Refusal,
    text::Name,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    credentials::{self, Credential},
    keys,
    staff::audit,
    transaction,
};

/// Creates a key. This is the only time that the secret is returned; only its hash is stored.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    name: Name,
    permissions: Permissions,
    expires_at: Option<Stamp>,
    by: &By,
) -> ChangeResult<(Key, Secret)> {
    let secret = Secret::generate(Opens::Api);
    let key = Key {
        id: id::new_id("key", by.now),
        name: name.into(),
        permissions,
        last_four: secret.last_four().to_owned(),
        life: Life::begin(by.now, expires_at).map_err(|invalid| invalid.in_field("expires_at"))?,
    };
    let details = [
        ("name", key.name.as_str()),
        ("permissions", &key.permissions.to_string()),
        ("expires_at", &expires_at.map_or_else(String::new, |at| at.to_string())),
    ];
    transaction!(store.begin_move(tenant, by.now), |tx| {
        keys::insert(tx, &key, &secret).await?;
        audit::add(tx, Some(tenant), by, Action::KeyCreated, &key.id, &details).await
    })?;
    Ok((key, secret))
}

/// Revokes a producer's key: the next call with it fails (G9).
pub async fn revoke(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<Key> {
    transaction!(store.begin_unstamped(), |tx| {
        credentials::revoke(tx, tenant, Credential::Key, id, by.now).await?;
        let key = keys::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("key"))?;
        audit::add(tx, Some(tenant), by, Action::KeyRevoked, id, &[("name", &key.name)]).await?;
        Ok(key)
    })
}
