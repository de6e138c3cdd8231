//! How many people should be inside an event and its zones at most.

use taquilla_domain::{
    audit::{Action, By},
    config::ZONES_MAX,
    count::Count,
    refusal::Refusal,
    text::Name,
};
use taquilla_store::{ChangeResult, Store, Tenant, catalogue::events, door::inside, staff::audit, transaction};

/// Gives an event these limits and no others. The zone with an empty name is the whole event. It is a move, so that pages
/// that are open see it at once.
pub async fn set_limits(
    store: &Store,
    tenant: Tenant,
    event_id: &str,
    limits: &[(String, Count)],
    by: &By,
) -> ChangeResult<()> {
    if limits.len() > ZONES_MAX {
        return Err(Refusal::invalid("zone", format!("{ZONES_MAX} zones at most have limits")).into());
    }
    for (zone, _) in limits.iter().filter(|(zone, _)| !zone.is_empty()) {
        Name::parse(zone).map_err(|invalid| invalid.in_field("zone"))?;
    }
    let limits: Vec<(String, i64)> = limits.iter().map(|(zone, people)| (zone.clone(), people.get())).collect();
    let of_zone =
        |(zone, people): &(String, i64)| if zone.is_empty() { people.to_string() } else { format!("{zone}: {people}") };
    let told = limits.iter().map(of_zone).collect::<Vec<_>>().join(", ");
    let told = if told.is_empty() { "none".to_owned() } else { told };
    transaction!(store.begin_move(tenant, by.now), |tx| {
        if !events::exists(tx, tenant, event_id).await? {
            return Err(Refusal::NotFound("event").into());
        }
        inside::set_limits(tx, event_id, &limits).await?;
        Ok(audit::add(tx, Some(tenant), by, Action::DoorLimitsChanged, event_id, &[("limit", &told)]).await?)
    })
}
