//! What is on sale for an event.

use std::sync::LazyLock;

use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
    response::Response,
};
use utoipa::IntoParams;

use super::requests::{ShopEvent, Visitor};
use crate::{
    app::App,
    body::answer,
    domain::status::EventStatus,
    error::Error,
    params::{Known, Params},
    store::{events, types},
    wire::ShopItem,
};

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<GetSale>);

/// The parameters of [`get_sale`].
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct GetSale {
    /// Shows the hidden items that this code opens.
    access_code: Option<String>,
}

/// The event and its items that this caller may buy, sold-out ones included.
pub async fn get_sale(
    _: Visitor,
    State(app): State<App>,
    ShopEvent { tenant, event_id }: ShopEvent,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let mut params = Params::parse(query.as_deref(), &PARAMS)?;
    let access_code = params.id("access_code")?;
    let mut conn = app.store.read().await?;
    let shaped =
        events::find(&mut conn, tenant, &event_id, |event| (event.status, serde_json::to_value(event))).await?;
    let (status, event) = match shaped {
        Some((status, Ok(event))) if status != EventStatus::Draft => (status, event),
        Some((_, Err(cause))) => return Err(Error::Internal(cause.to_string())),
        _ => return Err(Error::NotFound("event")),
    };
    let items: Vec<ShopItem> = match status {
        EventStatus::Published => {
            types::on_sale(&mut conn, tenant, &event_id, access_code.as_deref(), app.time.now()).await?
        }
        _ => Vec::new(),
    };
    answer(StatusCode::OK, &serde_json::json!({ "event": event, "items": items }))
}
