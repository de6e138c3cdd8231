//! Creating and revoking door links.

use taquilla_domain::{
    audit::{Action, By},
    config::{DOOR_LIST_MAX, LINK_EVENTS_MAX},
    credential::Life,
    door_link::{DoorLink, NewDoorLink},
    id,
    key::{Opens, Secret, hexadecimal},
    refusal::Refusal,
};
use taquilla_store::{
    ChangeError, ChangeResult, Move, Store, Tenant,
    catalogue::{events, ticket_types},
    credentials::{self, Credential},
    door::links,
    staff::audit,
    transaction,
};

/// Creates a door link. This is the only time that the token is returned; only its hash is stored.
pub async fn create(store: &Store, tenant: Tenant, new: NewDoorLink, by: &By) -> ChangeResult<(DoorLink, Secret)> {
    if new.scope.ticket_types.len() > DOOR_LIST_MAX {
        let message = format!("a link names {DOOR_LIST_MAX} ticket types at most");
        return Err(Refusal::invalid("ticket_type", message).into());
    }
    new.options.check().map_err(|invalid| invalid.in_field("option"))?;
    let mut more_events: Vec<String> = Vec::new();
    for id in new.more_events {
        if id != new.event_id && !more_events.contains(&id) {
            more_events.push(id);
        }
    }
    if more_events.len() >= LINK_EVENTS_MAX {
        return Err(Refusal::invalid("event", format!("a link is for {LINK_EVENTS_MAX} events at most")).into());
    }
    let token = Secret::generate(Opens::Door);
    let id = id::new_id("dl", by.now);
    let link = DoorLink {
        pin_hash: new.pin.map(|pin| pin.hash(&id)),
        id,
        event_id: new.event_id,
        more_events,
        label: new.label.into(),
        scope: new.scope,
        stations: new.stations.into(),
        zone: new.zone.map(|zone| String::from(zone.trimmed())).unwrap_or_default(),
        options: new.options,
        last_four: token.last_four().to_owned(),
        salt: hexadecimal(&rand::random::<[u8; 16]>()),
        life: Life::begin(by.now, new.expires_at).map_err(|invalid| invalid.in_field("expires_at"))?,
    };
    let events = link.events().collect::<Vec<_>>().join(", ");
    let details = [("label", link.label.as_str()), ("event", &events)];
    transaction!(store.begin_move(tenant, by.now), |tx| {
        check_targets(tx, &link).await?;
        links::insert(tx, &link, &token).await?;
        audit::add(tx, Some(tenant), by, Action::DoorLinkCreated, &link.id, &details).await?;
        Ok::<_, ChangeError>(())
    })?;
    Ok((link, token))
}

/// Refuses a link one of whose events or ticket types does not exist, because it would admit nobody.
async fn check_targets(tx: &mut Move, link: &DoorLink) -> ChangeResult<()> {
    let (tenant, mut there) = (tx.tenant(), Vec::new());
    for event_id in link.events() {
        if !events::exists(tx, tenant, event_id).await? {
            let message = format!("there is no event {event_id}; GET /api/v1/events lists the producer's");
            return Err(Refusal::invalid("event", message).into());
        }
        there.extend(ticket_types::single_items(tx, tenant, event_id).await?);
    }
    match link.scope.ticket_types.iter().find(|id| !there.contains(id)) {
        // Tickets that come out of a bundle have the ticket types that it includes.
        Some(id) => {
            let message = format!(
                "there is no ticket type {id} at {}; for a bundle name what it includes",
                link.events().collect::<Vec<_>>().join(" or ")
            );
            Err(Refusal::invalid("ticket_type", message).into())
        }
        None => Ok(()),
    }
}

/// Revokes a producer's door link: the next scan with it is refused (G9).
pub async fn revoke(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<DoorLink> {
    transaction!(store.begin_unstamped(), |tx| {
        credentials::revoke(tx, tenant, Credential::DoorLink, id, by.now).await?;
        let link = links::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("door link"))?;
        audit::add(tx, Some(tenant), by, Action::DoorLinkRevoked, id, &[("label", &link.label)]).await?;
        Ok(link)
    })
}
