//! Taking back a mistaken entry, through a link that allows it.

use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;
use utoipa::ToSchema;

use taquilla_domain::{config::DOOR_BODY_MAX, door_link::LinkOption, id, refusal::Refusal};
use taquilla_http::{
    app::App,
    body::{JsonBody, answer_json},
    errors::Error,
    schema::{Id, Station},
};
use taquilla_rules::boxoffice::{Admission, Entry, Request, Undo};
use taquilla_wire::door::ScanAnswer;

use super::{
    access::DoorKeeper,
    scan::{door_of, station_here},
};

/// An entry to be taken back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Undo)]
struct SentUndo {
    /// The scan that let somebody in by mistake.
    #[schema(value_type = Id, example = "0d0c6e0e-7f9c-4fef-91a0-2b1c3d4e5f60")]
    scan_id: String,
    /// A new random one for each entry that is taken back, and the same when it is sent again.
    #[schema(value_type = Id, example = "5d5ff2a1-1b86-4d39-9a54-6d1c7a2f9e10")]
    undo_id: String,
    /// Where it is taken back. Without it, it is the link's only station, or the link's label.
    #[schema(value_type = Option<Station>, example = "Gate 1")]
    station: Option<String>,
}

/// Take an entry back
///
/// For a mistake: the ticket is valid again, and the next scan of it may admit somebody. It needs a link with the option
/// `undo`, which admits the ticket. The answer has `undo_id` as its `scan_id`, the outcome `entry_undone`, and the entry
/// that was taken back as `first_scan`. A repeated `undo_id` gets the same answer.
#[utoipa::path(post, path = "/door/v1/undo", tag = "Scans", security(("link" = [])),
    request_body(content = SentUndo, description = "The entry."),
    responses((status = 200, description = "It was taken back.", body = ScanAnswer<'static>)))]
pub async fn undo(
    State(app): State<App>,
    DoorKeeper(holder): DoorKeeper,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    holder.may(LinkOption::Undo)?;
    let SentUndo { scan_id, undo_id, station } = body.read()?;
    for (field, given) in [("scan_id", &scan_id), ("undo_id", &undo_id)] {
        if !id::is_plausible(given) {
            return Err(Refusal::invalid(field, id::FORM).into());
        }
    }
    let station = station_here(station, &holder.link)?;
    let undo = Undo { undo_id, entry: Entry::OfScan(scan_id), station, door: door_of(&holder.link) };
    match app.queue.ask(holder.tenant, Request::undo(undo)).await? {
        Admission::Decided(_, json) => Ok(answer_json(StatusCode::OK, json)),
        Admission::Reused => Err(Error::ScanIdReused),
    }
}
