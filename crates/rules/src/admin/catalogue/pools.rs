//! Making, changing and ending pools. A pool is refused that would be fuller than it may be, so none ever is (G3).

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::{POOLS_OF_EVENT_MAX, POOLS_OF_ITEM_MAX},
    count::Count,
    pool::{NewPool, Pool, are_pool_items},
    refusal::Refusal,
    status::ItemKind,
    text::Name,
};
use taquilla_store::{
    ChangeResult, Move, Store, Tenant,
    catalogue::{events, pools, ticket_types},
    staff::audit,
    transaction,
};

use super::differences::{Differences, check_unchanged};
use crate::boxoffice::PastHolds;

/// A change to a pool. `None` leaves a field as it is.
#[derive(Clone, Debug, Default)]
pub struct PoolChange {
    /// Its name.
    pub name: Option<Name>,
    /// How many places it has.
    pub limit: Option<Count>,
    /// All items that are to share it.
    pub items: Option<Vec<String>>,
}

/// Makes a pool. Unless staff pass over holds, what is held of its items must have room in it, too.
pub async fn create_pool(
    store: &Store,
    tenant: Tenant,
    pool: &NewPool,
    past_holds: PastHolds,
    by: &By,
) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        if !events::exists(tx, tenant, &pool.event_id).await? {
            return Err(Refusal::NotFound("event").into());
        }
        if pools::find(tx, tenant, &pool.id).await?.is_some() {
            return Err(Refusal::IdTaken("pool").into());
        }
        check_items(tx, &pool.event_id, &pool.items, None).await?;
        if pools::of_event(tx, tenant, &pool.event_id).await?.len() >= POOLS_OF_EVENT_MAX {
            return Err(Refusal::Full(format!("An event has {POOLS_OF_EVENT_MAX} pools at most")).into());
        }
        let (name, limit) = (pool.name.as_str(), pool.limit.get());
        pools::insert(tx, &pool.id, &pool.event_id, name, limit, &pool.items).await?;
        check_room(tx, &pool.id, past_holds).await?;
        let (limit, items) = (limit.to_string(), pool.items.join(" "));
        let event = pool.event_id.as_str();
        let details = [("name", name), ("event", event), ("limit", limit.as_str()), ("ticket_types", items.as_str())];
        Ok(audit::add(tx, Some(tenant), by, Action::PoolCreated, &pool.id, &details).await?)
    })
}

/// Changes a pool. A change that changes nothing leaves no trace. `expected` is the `updated_at` that whoever changes it has
/// seen: if it was changed since, that is refused.
pub async fn change_pool(
    store: &Store,
    tenant: Tenant,
    id: &str,
    change: &PoolChange,
    past_holds: PastHolds,
    expected: Option<Stamp>,
    by: &By,
) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let before = pools::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("pool"))?;
        check_unchanged(expected, before.updated_at)?;
        let name = change.name.as_ref().map_or(before.name.as_str(), Name::as_str);
        let limit = change.limit.map_or(before.places.limit, Count::get);
        let items = change.items.as_ref().unwrap_or(&before.items);
        let differences = differences(&before, name, limit, items);
        if differences.is_empty() {
            return Ok(());
        }
        if change.items.is_some() {
            check_items(tx, &before.event_id, items, Some(id)).await?;
        }
        pools::change(tx, id, name, limit, items).await?;
        let takes_away = limit < before.places.limit || items.iter().any(|item| !before.items.contains(item));
        check_room(tx, id, if takes_away { past_holds } else { PastHolds::Yes }).await?;
        Ok(audit::add(tx, Some(tenant), by, Action::PoolChanged, id, &differences.details()).await?)
    })
}

/// Ends a pool: its items sell by their own limits alone. Returns what it was.
pub async fn end_pool(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<Pool> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let pool = pools::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("pool"))?;
        pools::remove(tx, id).await?;
        let details = [("name", pool.name.as_str()), ("event", pool.event_id.as_str())];
        audit::add(tx, Some(tenant), by, Action::PoolEnded, id, &details).await?;
        Ok(pool)
    })
}

fn differences(before: &Pool, name: &str, limit: i64, items: &[String]) -> Differences {
    let sorted = |items: &[String]| {
        let mut sorted = items.to_vec();
        sorted.sort_unstable();
        sorted.join(" ")
    };
    let mut differences = Differences::default();
    differences.compare_value("name", before.name.as_str(), name, |name| (*name).to_owned());
    differences.compare_value("limit", before.places.limit, limit, i64::to_string);
    differences.compare_value("ticket_types", sorted(&before.items), sorted(items), String::clone);
    differences
}

/// Refuses what is no single item of the event, and an item that is in too many pools besides this one.
async fn check_items(tx: &mut Move, event_id: &str, items: &[String], own: Option<&str>) -> ChangeResult<()> {
    const FIELD: &str = "ticket_type_ids";
    are_pool_items(items).map_err(|invalid| invalid.in_field(FIELD))?;
    let tenant = tx.tenant();
    let known = ticket_types::of_event(tx, tenant, event_id, true).await?;
    let pools = pools::of_event(tx, tenant, event_id).await?;
    for id in items {
        match known.iter().find(|item| item.id == *id).map(|item| item.kind) {
            Some(ItemKind::TicketType) => {}
            Some(ItemKind::Bundle) => {
                let message = format!("{id} is a bundle, which takes places by what it includes; name those items");
                return Err(Refusal::invalid(FIELD, message).into());
            }
            None => return Err(Refusal::invalid(FIELD, format!("the event has no ticket type {id}")).into()),
        }
        let others = pools.iter().filter(|pool| Some(pool.id.as_str()) != own && pool.items.contains(id));
        if others.count() >= POOLS_OF_ITEM_MAX {
            return Err(Refusal::Full(format!("{id} is in {POOLS_OF_ITEM_MAX} pools, which is the most")).into());
        }
    }
    Ok(())
}

/// Refuses a pool, as it is now, with more live tickets than places and, unless staff pass over holds, one without room for what
/// is held.
async fn check_room(tx: &mut Move, id: &str, past_holds: PastHolds) -> ChangeResult<()> {
    let (tenant, now) = (tx.tenant(), tx.now());
    let places = pools::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("pool"))?.places;
    if places.taken > places.limit {
        return Err(Refusal::LimitBelowSold(places.taken).into());
    }
    if past_holds == PastHolds::No {
        places.is_free(0, id, now)?;
    }
    Ok(())
}
