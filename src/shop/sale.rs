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
    domain::status::EventStatus,
    http::{
        app::App,
        body::answer_json,
        errors::Error,
        params::{Known, Params},
    },
    store::{
        self,
        catalogue::{events, ticket_types},
    },
    wire::{
        api::Event,
        shop::{Sale, ShopItem},
    },
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
    // To the public a draft does not exist yet.
    let status = events::status(&mut conn, tenant, &event_id).await?;
    let items = match status.ok_or(Error::NotFound("event"))? {
        EventStatus::Draft => return Err(Error::NotFound("event")),
        EventStatus::Published => {
            ticket_types::on_sale(&mut conn, tenant, &event_id, access_code.as_deref(), app.time.now()).await?
        }
        EventStatus::Finished | EventStatus::Cancelled => Vec::new(),
    };
    let shown = events::find(&mut conn, tenant, &event_id, |event| {
        let sale = Sale { event: Event::from(event), items: items.iter().map(ShopItem::from).collect() };
        serde_json::to_string(&sale).map_err(store::Error::internal)
    })
    .await?;
    Ok(answer_json(StatusCode::OK, shown.ok_or(Error::NotFound("event"))??))
}
