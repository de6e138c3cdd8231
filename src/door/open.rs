//! Opening a door link, and how many have entered.

use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;

use super::access::{DoorKeeper, LinkHolder, pass};
use crate::{
    app::App,
    body::{JsonBody, answer},
    config::DOOR_BODY_MAX,
    error::Error,
    store::{door_links::pin_hash, events, types},
    wire::{DoorEvent, DoorLinkInfo, Event, OpenedDoor},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenBody {
    pin: Option<String>,
}

/// Tells a phone what its link is for, once the PIN is right where it has one.
pub async fn open_door(
    State(app): State<App>,
    holder: LinkHolder,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    let OpenBody { pin } = body.read()?;
    let may_enter = holder.has_shown_the_pin(&app);
    let LinkHolder { link, address, .. } = holder;
    if let Some(expected) = link.pin_hash.as_ref().filter(|_| !may_enter) {
        let pin = pin.ok_or(Error::PinRequired)?;
        // Counted before it is compared, so that nobody gets many tries at once.
        app.limits.try_pin(&link.id, address)?;
        if pin_hash(&link.id, &pin) != *expected {
            return Err(Error::WrongPin);
        }
        app.limits.pin_was_right(&link.id, address);
    }
    let pass = pass(&app, &link)?;
    let mut conn = app.store.read().await?;
    let counts = types::entered(&mut conn, link.tenant, &link.event_id, &link.scope).await?;
    let shape = |event: Event<'_>| DoorEvent {
        id: event.id.to_owned(),
        name: event.name.to_owned(),
        venue: event.venue.map(str::to_owned),
        timezone: event.timezone.to_owned(),
        starts_at: event.starts_at,
        ends_at: event.ends_at,
    };
    let event = events::find(&mut conn, link.tenant, &link.event_id, shape).await?;
    let event = event.ok_or_else(|| Error::Internal("a door link without its event".into()))?;
    answer(StatusCode::OK, &OpenedDoor { link: DoorLinkInfo::from(&link), event, pass, salt: &link.salt, counts })
}

/// How many have entered through the items that the link admits, and how many are still to come.
pub async fn get_counts(
    State(app): State<App>,
    DoorKeeper(LinkHolder { link, .. }): DoorKeeper,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    answer(StatusCode::OK, &types::entered(&mut conn, link.tenant, &link.event_id, &link.scope).await?)
}
