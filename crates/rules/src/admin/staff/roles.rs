//! Roles that a producer makes.

use taquilla_domain::{
    audit::{Action, By},
    config::ROLES_MAX,
    id,
    refusal::Refusal,
    role::Rights,
    text::Name,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    staff::{audit, authority, members, roles},
    transaction,
};

/// Creates a role and returns its id. Nobody makes a role that may do more than they may themselves.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    name: &Name,
    rights: Rights,
    own: Rights,
    by: &By,
) -> ChangeResult<String> {
    check(rights, own)?;
    let id = id::new_id("ro", by.now);
    transaction!(store.begin_unstamped(), |tx| {
        if roles::list(tx, tenant).await?.len() >= ROLES_MAX {
            return Err(
                Refusal::Full(format!("a producer has {ROLES_MAX} roles of its own at most; delete one")).into()
            );
        }
        roles::save(tx, tenant, &id, name, rights).await?;
        let details = [("name", name.as_str()), ("rights", &rights.to_string())];
        audit::add(tx, Some(tenant), by, Action::RoleCreated, &id, &details).await?;
        Ok(id.clone())
    })
}

/// Changes a role. Everybody who has it may do what it says from now on.
pub async fn change(
    store: &Store,
    tenant: Tenant,
    id: &str,
    name: &Name,
    rights: Rights,
    own: Rights,
    by: &By,
) -> ChangeResult<()> {
    check(rights, own)?;
    transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        let before = roles::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("role"))?;
        check(before.rights, own)?;
        roles::save(tx, tenant, id, name, rights).await?;
        let details =
            [("name", name.as_str()), ("rights", &rights.to_string()), ("rights_before", &before.rights.to_string())];
        Ok(audit::add(tx, Some(tenant), by, Action::RoleChanged, id, &details).await?)
    })
}

/// Deletes a role that nobody has.
pub async fn delete(store: &Store, tenant: Tenant, id: &str, own: Rights, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        let role = roles::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("role"))?;
        check(role.rights, own)?;
        if members::of_producer(tx, tenant).await?.iter().any(|member| member.role == id) {
            return Err(Refusal::RoleInUse.into());
        }
        roles::delete(tx, tenant, id).await?;
        Ok(audit::add(tx, Some(tenant), by, Action::RoleDeleted, id, &[("name", &role.name)]).await?)
    })
}

fn check(rights: Rights, own: Rights) -> Result<(), Refusal> {
    match own.include(rights) {
        true => Ok(()),
        false => Err(Refusal::BeyondOwnRights),
    }
}
