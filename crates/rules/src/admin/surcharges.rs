//! Making and ending surcharges.

use taquilla_domain::{
    audit::{Action, By},
    config::SURCHARGES_MAX,
    id,
    pricing::{Per, Rate},
    refusal::Refusal,
    surcharge::Surcharge,
    text::Name,
};
use taquilla_store::{ChangeResult, Store, Tenant, catalogue::events, sales::surcharges, staff::audit, transaction};

/// Makes a surcharge. Orders that are placed from now on have it.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    event_id: &str,
    name: &Name,
    (rate, per): (Rate, Per),
    by: &By,
) -> ChangeResult<Surcharge> {
    let mut surcharge = Surcharge {
        id: id::new_id("su", by.now),
        event_id: event_id.to_owned(),
        name: String::from(name.clone().trimmed()),
        per,
        rate,
        created_at: by.now,
        ended_at: None,
    };
    transaction!(store.begin_move(tenant, by.now), |tx| {
        if !events::exists(tx, tenant, event_id).await? {
            return Err(Refusal::NotFound("event").into());
        }
        if surcharges::of_event(tx, tenant, event_id).await?.len() >= SURCHARGES_MAX {
            let message = format!("an event has {SURCHARGES_MAX} surcharges at most; end one first");
            return Err(Refusal::Full(message).into());
        }
        surcharge.created_at = tx.stamp();
        surcharges::insert(tx, &surcharge).await?;
        let details = [("name", surcharge.name.as_str()), ("event", event_id)];
        audit::add(tx, Some(tenant), by, Action::SurchargeCreated, &surcharge.id, &details).await?;
        Ok(surcharge.clone())
    })
}

/// Ends a surcharge. Orders that have it keep it.
pub async fn end(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<Surcharge> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let surcharge = surcharges::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("surcharge"))?;
        if surcharge.ended_at.is_some() {
            return Ok(surcharge);
        }
        surcharges::end(tx, id).await?;
        let details = [("name", surcharge.name.as_str()), ("event", &surcharge.event_id)];
        audit::add(tx, Some(tenant), by, Action::SurchargeEnded, id, &details).await?;
        Ok(Surcharge { ended_at: Some(tx.stamp()), ..surcharge })
    })
}
