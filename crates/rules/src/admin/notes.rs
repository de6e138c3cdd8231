//! Notes about orders.

use taquilla_domain::{
    audit::{Action, By},
    config::ORDER_NOTES_MAX,
    refusal::Refusal,
    text::Text,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    sales::{notes, orders},
    staff::audit,
    transaction,
};

/// Writes a note about an order. The history says that there is one, and not what it says: what is in the history stays.
pub async fn write(store: &Store, tenant: Tenant, order_id: &str, text: &Text, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        if orders::find(tx, tenant, order_id).await?.is_none() {
            return Err(Refusal::NotFound("order").into());
        }
        audit::add(tx, Some(tenant), by, Action::OrderNoted, order_id, &[]).await?;
        match notes::add(tx, order_id, &by.actor, text.as_str()).await? {
            true => Ok(()),
            false => Err(Refusal::Full(format!("an order has {ORDER_NOTES_MAX} notes at most")).into()),
        }
    })
}
