//! `/events/{event_id}/ticket-types`: what is for sale.

use std::sync::LazyLock;

use axum::{extract::RawQuery, response::Response};
use utoipa::IntoParams;

use taquilla_http::{
    envelope::Envelope,
    errors::Error,
    params::{Known, Params},
    path_id::PathId,
    reader::{EventsRead, Reader},
    schema::Id,
};
use taquilla_store::catalogue::{events, ticket_types};
use taquilla_wire::api::TicketType;

use super::{json::ROW_BYTES, pages::TicketTypePage};

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<ListTicketTypes>);

/// The parameters of [`list_ticket_types`], as they are documented.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct ListTicketTypes {
    /// `true` lists deleted ticket types too: an old order may refer to one.
    #[param(required = false)]
    include_deleted: bool,
    /// Accepted and ignored: this list has one page.
    #[param(required = false)]
    limit: String,
    /// Accepted and ignored: this list has one page.
    #[param(required = false)]
    cursor: String,
}

/// List the ticket types of an event
///
/// Single items and bundles, in the organiser's order. All of them at once: `has_more` is always false.
///
/// The key needs the permission `EVENTS_READ`.
#[utoipa::path(get, path = "/api/v1/events/{event_id}/ticket-types", tag = "Events", security(("key" = [])),
    params(("event_id" = inline(Id), Path, description = "The event's id."), ListTicketTypes),
    responses((status = 200, description = "Every ticket type of the event.", body = TicketTypePage)))]
pub async fn list_ticket_types(
    reader: Reader<EventsRead>,
    event_id: PathId,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let include_deleted =
        Params::parse(query.as_deref(), &PARAMS).and_then(|mut params| params.flag("include_deleted"));
    let asked = include_deleted.and_then(|include_deleted| Ok((include_deleted, event_id.of("event")?)));
    let (mut reader, (include_deleted, event_id)) = reader.asked(asked).await?;
    let tenant = reader.tenant();
    let items = ticket_types::of_event(&mut reader.conn, tenant, &event_id, include_deleted).await?;
    // An event without ticket types is empty; one that does not exist is not found.
    if items.is_empty() && !events::exists(&mut reader.conn, tenant, &event_id).await? {
        return Err(Error::NotFound("event"));
    }
    let mut envelope = Envelope::with_capacity(items.len(), ROW_BYTES);
    for item in &items {
        envelope.push(&TicketType::from(item))?;
    }
    Ok(reader.answer(envelope.finish(None)))
}
