//! Changing what is on offer. New events, ticket types and bundles come in as lines of an import, also one at a time.

use super::{Result, begin};
use crate::{
    domain::{
        clock::Stamp,
        id,
        refusal::Refusal,
        status::{EventStatus, TypeStatus},
    },
    store::{Store, events, producers::Tenant, types},
    transaction,
};

/// What changes about an event; what is not named stays.
#[derive(Clone, Debug, Default)]
pub struct EventChange {
    /// Its name.
    pub name: Option<String>,
    /// Where it is.
    pub venue: Option<String>,
    /// What buyers read about it.
    pub description: Option<String>,
    /// When it begins.
    pub starts_at: Option<Stamp>,
    /// When it ends.
    pub ends_at: Option<Stamp>,
    /// Where it stands.
    pub status: Option<EventStatus>,
}

/// Changes an event.
pub async fn change_event(store: &Store, tenant: Tenant, id: &str, change: &EventChange, now: Stamp) -> Result<()> {
    transaction!(store, |tx| {
        let tick = begin(tx, tenant, now).await?;
        match events::change(tx, tenant, id, change.into(), tick.stamp).await? {
            true => Ok(()),
            false => Err(Refusal::NotFound("event").into()),
        }
    })
}

impl<'a> From<&'a EventChange> for events::Change<'a> {
    fn from(change: &'a EventChange) -> Self {
        Self {
            name: change.name.as_deref(),
            venue: change.venue.as_deref(),
            description: change.description.as_deref(),
            starts_at: change.starts_at,
            ends_at: change.ends_at,
            status: change.status.map(EventStatus::as_str),
        }
    }
}

/// What changes about a ticket type or bundle; what is not named stays.
#[derive(Clone, Debug, Default)]
pub struct TypeChange {
    /// Its name.
    pub name: Option<String>,
    /// Its list price.
    pub price: Option<i64>,
    /// How it is offered.
    pub status: Option<TypeStatus>,
    /// Its stock: a number, or infinite.
    pub limit: Option<Option<i64>>,
    /// How many one order may hold.
    pub max_per_order: Option<i64>,
    /// When it goes off sale, or never.
    pub expires_at: Option<Option<Stamp>>,
    /// Deleted or not; its tickets enter either way.
    pub deleted: Option<bool>,
}

/// Changes an item. One that becomes hidden gets the code that its access link carries, which is told.
pub async fn change_type(
    store: &Store,
    tenant: Tenant,
    id: &str,
    change: &TypeChange,
    now: Stamp,
) -> Result<Option<String>> {
    transaction!(store, |tx| {
        let tick = begin(tx, tenant, now).await?;
        let item = types::for_sale(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket type"))?;
        let offer = item.offer;
        let limit = change.limit.unwrap_or(offer.limit);
        if limit.is_some_and(|limit| limit < offer.sold) {
            return Err(Refusal::LimitBelowSold(offer.sold).into());
        }
        let status = change.status.unwrap_or(offer.status);
        let access_code = match offer.access_code {
            None if status == TypeStatus::Hidden => Some(id::new_ticket_id()),
            code => code,
        };
        let after = types::Changed {
            name: change.name.as_deref().unwrap_or(&item.name),
            price: change.price.unwrap_or(item.price),
            status: status.as_str(),
            limit,
            max_per_order: change.max_per_order.unwrap_or(offer.max_per_order),
            expires_at: change.expires_at.unwrap_or(offer.expires_at),
            deleted: change.deleted.unwrap_or(offer.deleted),
            access_code: access_code.as_deref(),
        };
        types::change(tx, tenant, id, &after, tick.stamp).await?;
        Ok(access_code.filter(|_| status == TypeStatus::Hidden))
    })
}
