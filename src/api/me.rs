//! `/me`: who is asking.

use axum::{extract::RawQuery, response::Response};

use super::json;
use crate::{
    auth::{EventsRead, Reader},
    error::Error,
    params::Params,
    store::{keys, producers},
    wire::{KeyInfo, Me},
};

/// Who is asking
///
/// The producer whose data the key reads, and the key itself without its secret.
#[utoipa::path(get, path = "/api/v1/me", tag = "Me", security(("key" = ["EVENTS_READ"])),
    responses((status = 200, description = "The producer and the key.", body = Me)))]
pub async fn get_me(mut reader: Reader<EventsRead>, RawQuery(query): RawQuery) -> Result<Response, Error> {
    reader.asked(Params::none(query.as_deref())).await?;
    let tenant = reader.tenant();
    let producer = producers::get(&mut reader.conn, tenant).await?;
    let key = keys::find(&mut reader.conn, tenant, &reader.key.id).await?.ok_or(Error::InvalidToken)?;
    let me = Me { producer, key: KeyInfo::from(&key) };
    Ok(reader.answer(json(&me)?))
}
