//! The list of codes for phones that go offline, as hashes.

use std::{collections::HashSet, sync::LazyLock};

use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};

use taquilla_domain::{
    admit::{Outcome, Way},
    clock::Stamp,
    config::{CODE_HASH_BYTES, CODES_PAGE, OUTSIDE_LISTED},
    door_link::LinkOption,
};
use taquilla_http::{
    app::App,
    body::answer_json,
    cursor::Request,
    envelope::Envelope,
    errors::Error,
    params::{Known, Params},
    schema::{Cursor, Date},
};
use taquilla_store::{
    catalogue::ticket_types,
    lists::Position,
    tickets::{
        listed::{self, Listed},
        whereabouts,
    },
};
use taquilla_wire::{
    Time,
    door::{DoorCode, TicketTypeNote},
};

use super::access::{DoorKeeper, LinkHolder};

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<ListCodes>);

/// The parameters of [`list_codes`].
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct ListCodes {
    /// `next_cursor` of the page before, unchanged.
    #[param(required = false, inline)]
    cursor: Cursor,
    /// Only tickets that changed strictly after this date.
    #[param(required = false, inline)]
    updated_after: Date,
}

/// A page of the offline list.
#[derive(ToSchema)]
#[expect(dead_code, reason = "http::envelope writes it row by row; this is its documentation")]
struct DoorCodePage {
    /// The codes, last changed first.
    data: Vec<DoorCode<'static>>,
    /// The last change of any of the events' tickets that the page went through; null when there were none.
    #[schema(required, value_type = Option<Time>)]
    newest: Option<Time>,
    /// The hashes of those codes whose holders are outside now and may come in again, 2,000 at most of each event, the last to go first. Only
    /// on the last page of a traversal. A scan of one gets `reentered` instead of `already_scanned`, and `not_inside` instead of
    /// `went_out`.
    #[schema(required = false, value_type = Vec<String>)]
    outside: Option<Vec<String>>,
    /// What the door is to know about all tickets of a type, for each type that has such a note and that the link admits.
    ticket_type_notes: Vec<TicketTypeNote<'static>>,
    /// Whether another page exists. The traversal is complete when it does not.
    has_more: bool,
    /// What to pass as `cursor` for the next page; null when there is none.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// List the codes for working offline
///
/// The tickets of the link's events that it admits, as hashes, last changed first. To follow changes, a phone finishes a
/// traversal and then passes the highest `newest` it saw. `newest` is the last change of any of the events' tickets, also
/// of those that the link does not admit, so that a phone at the bar need not go through a night's entrances again and
/// again.
#[utoipa::path(get, path = "/door/v1/codes", tag = "Link", params(ListCodes), security(("link" = [])),
    responses((status = 200, description = "A page of codes.", body = DoorCodePage)))]
pub async fn list_codes(
    State(app): State<App>,
    DoorKeeper(LinkHolder { tenant, link, .. }): DoorKeeper,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let mut params = Params::parse(query.as_deref(), &PARAMS)?;
    let updated_after = params.stamp("updated_after")?;
    app.lost_marks.refuse(tenant, "updated_after", updated_after)?;
    let list = format!("codes of {}", link.id);
    let request = Request::sized(CODES_PAGE, &params, &app.sealer, &list, tenant)?;
    let from = request.from.unwrap_or(Position::above(Stamp::END));

    let mut conn = app.store.read_of(tenant).await?;
    let events: Vec<&str> = link.events().collect();
    let mut envelope = Envelope::with_capacity(CODES_PAGE, 128);
    let mut newest = None;
    let way = link.options.way();
    let mut reentry = HashSet::new();
    for event_id in events.iter().filter(|_| way == Way::Out) {
        reentry.extend(ticket_types::with_reentry(&mut conn, tenant, event_id).await?);
    }
    let end = listed::changed(&mut conn, tenant, &events, updated_after, from, CODES_PAGE, |ticket| {
        let Listed { id, ticket_type_id, category, ticket_type, event_id, status, door_note, updated_at } = ticket;
        newest.get_or_insert(updated_at);
        if !link.scope.admits(ticket_type_id, category) {
            return Ok(());
        }
        let (code, updated_at) = (&hash(&link.salt, id), Time(updated_at));
        let outcome = Outcome::of(status, way, false, reentry.contains(ticket_type_id)).into();
        let door_note = Some(door_note).filter(|note| !note.is_empty() && !link.options.allow(LinkOption::Kiosk));
        let event_id = Some(event_id).filter(|_| events.len() > 1);
        envelope.push(&DoorCode { code, outcome, ticket_type, ticket_type_id, event_id, door_note, updated_at })
    })
    .await?;
    envelope.note("newest", newest.map(Time))?;
    let mut notes = Vec::new();
    for event_id in &events {
        notes.extend(ticket_types::door_notes(&mut conn, tenant, event_id).await?);
    }
    let admitted = notes.iter().filter(|(id, category, _)| link.scope.admits(id, *category));
    let notes = admitted.map(|(ticket_type_id, _, note)| TicketTypeNote { ticket_type_id, note });
    envelope.note("ticket_type_notes", notes.collect::<Vec<_>>())?;
    let next = request.next_cursor(&app.sealer, end, None)?;
    if next.is_none() {
        let mut outside = Vec::new();
        for event_id in &events {
            whereabouts::outside(&mut conn, tenant, event_id, OUTSIDE_LISTED, |id, ticket_type_id, category| {
                if link.scope.admits(ticket_type_id, category) {
                    outside.push(hash(&link.salt, id));
                }
            })
            .await?;
        }
        envelope.note("outside", outside)?;
    }
    drop(conn);
    Ok(answer_json(StatusCode::OK, envelope.finish(next.as_deref())))
}

/// The hash of a code on the offline list: the same for the same code under the same link.
pub fn hash(salt: &str, code: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(format!("{salt}:{code}"))[..CODE_HASH_BYTES])
}
