//! `/events`.

use std::sync::LazyLock;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use utoipa::IntoParams;

use taquilla_domain::clock::Stamp;
use taquilla_http::{
    app::App,
    envelope::Envelope,
    errors::Error,
    params::{Known, Params},
    path_id::PathId,
    reader::{EventsRead, Reader},
    schema::{Cursor, Date, Id, Limit},
};
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant,
    catalogue::events::{self, EVENTS},
    lists::{self, End, Position, Shown},
};
use taquilla_wire::api::Event;

use super::{
    json::json,
    list::{List, Rows},
    pages::EventPage,
};

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<ListEvents>);

/// The parameters of [`list_events`], as they are documented.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct ListEvents {
    /// Rows on the page.
    #[param(required = false, inline)]
    limit: Limit,
    /// `next_cursor` of the page before, unchanged.
    #[param(required = false, inline)]
    cursor: Cursor,
    /// Changed strictly after this date. The list is then sorted by `updated_at`.
    #[param(required = false, inline)]
    updated_after: Date,
}

/// List events
///
/// Newest first: sorted by `created_at`, or by `updated_at` when `updated_after` is given.
///
/// The key needs the permission `EVENTS_READ`.
#[utoipa::path(get, path = "/api/v1/events", tag = "Events", params(ListEvents), security(("key" = [])),
    responses((status = 200, description = "A page of events.", body = EventPage)))]
pub async fn list_events(
    State(app): State<App>,
    reader: Reader<EventsRead>,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let tenant = reader.tenant();
    let list = List::open(&app, reader, "events", &PARAMS, query.as_deref(), |params| {
        let updated_after = params.stamp("updated_after")?;
        app.lost_marks.refuse(tenant, "updated_after", updated_after)?;
        Ok(updated_after)
    })
    .await?;
    let updated_after = list.query;
    list.read(&[updated_after], &Events { updated_after }).await
}

/// The list.
struct Events {
    updated_after: Option<Stamp>,
}

impl Rows for Events {
    fn start(&self) -> Position {
        Position::above(Stamp::END)
    }

    async fn read(
        &self,
        conn: &mut Conn,
        tenant: Tenant,
        (from, limit): (Position, usize),
        into: &mut Envelope,
        shown: &mut Shown,
    ) -> store::Result<End> {
        lists::page(conn, tenant, &EVENTS, &events::filter(self.updated_after), from, limit, |row| {
            shown.note(row)?;
            into.push(&Event::from(events::listed(row)?))
        })
        .await
    }
}

/// Get an event
///
/// The key needs the permission `EVENTS_READ`.
#[utoipa::path(get, path = "/api/v1/events/{event_id}", tag = "Events", security(("key" = [])),
    params(("event_id" = inline(Id), Path, description = "The event's id.")),
    responses((status = 200, description = "The event.", body = Event<'static>)))]
pub async fn get_event(reader: Reader<EventsRead>, id: PathId, RawQuery(query): RawQuery) -> Result<Response, Error> {
    let asked = Params::none(query.as_deref()).and_then(|()| id.of("event"));
    let (mut reader, id) = reader.asked(asked).await?;
    let tenant = reader.tenant();
    let found = events::find(&mut reader.conn, tenant, &id, |event| json(&Event::from(event))).await?;
    Ok(reader.answer(found.ok_or(Error::NotFound("event"))??))
}
