//! Which websites may ask a producer's shop from their pages.

use taquilla_domain::{
    audit::{Action, By},
    config::SHOP_ORIGINS_MAX,
    refusal::Refusal,
    web_origin::WebOrigin,
};
use taquilla_store::{ChangeResult, Store, Tenant, shop_origins, staff::audit, transaction};

/// Replaces the list. Each website is kept once, in the order of their names.
pub async fn set(store: &Store, tenant: Tenant, mut origins: Vec<WebOrigin>, by: &By) -> ChangeResult<Vec<WebOrigin>> {
    origins.sort();
    origins.dedup();
    if origins.len() > SHOP_ORIGINS_MAX {
        return Err(Refusal::invalid("origins", format!("{SHOP_ORIGINS_MAX} websites at most are taken")).into());
    }
    let names = origins.iter().map(WebOrigin::as_str).collect::<Vec<_>>().join(" ");
    transaction!(store.begin_unstamped(), |tx| {
        shop_origins::set(tx, tenant, &origins).await?;
        audit::add(tx, Some(tenant), by, Action::ShopOriginsChanged, "", &[("websites", &names)]).await?;
        Ok(origins.clone())
    })
}
