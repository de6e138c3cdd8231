//! What is on sale for an event.

use std::sync::LazyLock;

use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
    response::Response,
};
use serde_json::value::RawValue;
use utoipa::IntoParams;

use taquilla_domain::{
    clock::Stamp,
    pool::{self, Pool},
    status::EventStatus,
    ticket_type::TicketType,
};
use taquilla_http::{
    app::App,
    body::answer,
    errors::Error,
    params::{Known, Params},
    schema::Id,
};
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant,
    catalogue::{events, pools, ticket_types},
    sales::holds::{self, HeldItems},
};
use taquilla_wire::{
    api::Event,
    shop::{Sale, ShopItem},
};

use super::requests::{ShopEvent, Visitor};

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<GetSale>);

/// The parameters of [`get_sale`].
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct GetSale {
    /// Also shows the hidden item that this code opens. A code that opens nothing changes nothing.
    #[param(required = false, inline)]
    access_code: Id,
}

/// Get what is on sale
///
/// The event, and its items that this caller may buy, sold-out ones included. If others hold all that is left of an item,
/// `held_until` says when to ask again. An event that is over or cancelled has no
/// items here, and a draft does not exist yet.
#[utoipa::path(get, path = "/shop/v1/{producer_id}/events/{event_id}", tag = "Sale",
    params(("producer_id" = inline(Id), Path, description = "The producer's id."),
        ("event_id" = inline(Id), Path, description = "The event's id."), GetSale),
    responses((status = 200, description = "The event and its items.", body = Sale<'static>)))]
pub async fn get_sale(
    _: Visitor,
    State(app): State<App>,
    ShopEvent { tenant, event_id }: ShopEvent,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let mut params = Params::parse(query.as_deref(), &PARAMS)?;
    let access_code = params.id("access_code")?;
    // What is paid between two statements would count as sold and as held.
    let mut conn = app.store.read_state(tenant).await?;
    let found = find(&mut conn, tenant, &event_id, access_code.as_deref(), app.time.now()).await;
    conn.end_state().await?;
    let (event, items, held, pools) = found?.ok_or(Error::NotFound("event"))?;
    let shown = items.iter().map(|item| {
        let held = held.get(&item.id).map(|held| (held.quantity, held.until));
        ShopItem::new(item, held, pool::shared(item, &pools))
    });
    answer(StatusCode::OK, &Sale { event: &event, items: shown.collect() })
}

/// An event as it is shown, the items that this caller may buy, what is held of them, and the pools that they share.
type SaleParts = (Box<RawValue>, Vec<TicketType>, HeldItems, Vec<Pool>);

async fn find(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    access_code: Option<&str>,
    now: Stamp,
) -> store::Result<Option<SaleParts>> {
    let found = events::find(conn, tenant, event_id, |event| {
        serde_json::value::to_raw_value(&Event::from(event)).map(|json| (event.status, json))
    })
    .await?;
    // To the public a draft does not exist yet.
    let found = found.transpose().map_err(store::Error::internal)?.filter(|(status, _)| *status != EventStatus::Draft);
    let Some((status, event)) = found else { return Ok(None) };
    let items = match status {
        EventStatus::Published => ticket_types::on_sale(conn, tenant, event_id, access_code, now).await?,
        _ => Vec::new(),
    };
    let limited: Vec<&str> = items.iter().filter(|item| item.limit.is_some()).map(|item| item.id.as_str()).collect();
    let held = holds::held_now(conn, tenant, &limited).await?;
    let pools = if items.is_empty() { Vec::new() } else { pools::of_event(conn, tenant, event_id).await? };
    Ok(Some((event, items, held, pools)))
}
