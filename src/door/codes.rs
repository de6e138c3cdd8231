//! The codes that a door may admit, for phones that go offline: hashes of them, not the codes.

use std::{collections::HashMap, sync::LazyLock};

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use utoipa::IntoParams;

use super::{
    access::{DoorKeeper, LinkHolder},
    answer_json,
};
use crate::{
    app::App,
    config::CODES_PAGE,
    domain::{admit::Outcome, clock::Stamp},
    error::Error,
    page::{Envelope, Request},
    params::{Known, Params},
    store::{
        keyset::Position,
        tickets::{self, Listed},
        types,
    },
    wire::{DoorCode, Time},
};

/// How much of a hash is kept: among a million codes two are alike once in 10^17 doors.
const HASH_BYTES: usize = 12;

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<ListCodes>);

/// The parameters of [`list_codes`].
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct ListCodes {
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    /// Only tickets that changed strictly after this.
    updated_after: Option<String>,
}

/// The event's tickets that this link admits, last changed first. To follow changes: finish a traversal, then pass the
/// highest `updated_at` seen.
pub async fn list_codes(
    State(app): State<App>,
    DoorKeeper(LinkHolder { link, mut conn, .. }): DoorKeeper,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let mut params = Params::parse(query.as_deref(), &PARAMS)?;
    let updated_after = params.stamp("updated_after")?;
    let list = format!("codes of {}", link.id);
    let request = Request::sized(CODES_PAGE, &params, &app.sealer, &list, link.tenant)?;
    let from = request.from.unwrap_or(Position::above(Stamp::END));

    let admitted = types::in_scope(&mut conn, link.tenant, &link.event_id, &link.scope).await?;
    let names: HashMap<&str, &str> = admitted.iter().map(|(id, name)| (id.as_str(), name.as_str())).collect();
    let mut envelope = Envelope::with_capacity(CODES_PAGE, 128);
    let end = tickets::changed(&mut conn, link.tenant, &link.event_id, updated_after, from, CODES_PAGE, |ticket| {
        let Listed { id, ticket_type_id, status, updated_at } = ticket;
        let Some(name) = names.get(ticket_type_id) else { return Ok(()) };
        envelope.push(&DoorCode {
            code: &hash(&link.salt, id),
            outcome: Outcome::of(status),
            ticket_type: name,
            updated_at: Time(updated_at),
        })
    })
    .await?;
    let next = request.next_cursor(&app.sealer, end)?;
    Ok(answer_json(envelope.finish(next.as_deref())))
}

/// What a phone compares with: the same for the same code under the same link.
fn hash(salt: &str, code: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(format!("{salt}:{code}"))[..HASH_BYTES])
}
