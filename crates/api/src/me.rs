//! `/me`: who is asking.

use axum::{extract::RawQuery, response::Response};

use taquilla_http::{
    errors::Error,
    params::Params,
    reader::{EventsRead, Reader},
};
use taquilla_store::{keys, producers};
use taquilla_wire::api::{KeyInfo, Me, Producer};

use super::json::json;

/// Who is asking
///
/// The producer whose data the key reads, and the key itself without its secret.
///
/// The key needs the permission `EVENTS_READ`.
#[utoipa::path(get, path = "/api/v1/me", tag = "Me", security(("key" = [])),
    responses((status = 200, description = "The producer and the key.", body = Me<'static>)))]
pub async fn get_me(reader: Reader<EventsRead>, RawQuery(query): RawQuery) -> Result<Response, Error> {
    let (mut reader, ()) = reader.asked(Params::none(query.as_deref())).await?;
    let tenant = reader.tenant();
    let (id, name) = producers::get(&mut reader.conn, tenant).await?;
    let key = keys::find(&mut reader.conn, tenant, &reader.key.id).await?.ok_or(Error::InvalidToken)?;
    let me = Me { producer: Producer { id: &id, name: &name }, key: KeyInfo::from(&key) };
    let json = json(&me)?;
    Ok(reader.answer(json))
}
