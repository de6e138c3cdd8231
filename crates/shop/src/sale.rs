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
    config::AMOUNT_MAX,
    coupon::{Coupon, Uses, folded},
    pool::{self, Pool},
    pricing::{self, Per, Rate, Wanted},
    refusal::Refusal,
    status::{Category, EventStatus},
    surcharge::Surcharge,
    terms::Terms,
    text::Name,
    ticket_type::TicketType,
};
use taquilla_http::{
    app::App,
    body::answer,
    client_address::ClientAddress,
    errors::Error,
    params::{Known, Params},
    schema::{CouponCode, Id},
};
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant,
    catalogue::{events, pools, ticket_types},
    sales::{
        coupons,
        holds::{self, HeldItems},
        surcharges, terms,
    },
};
use taquilla_wire::{
    api::Event,
    prices::ShopSurcharge,
    shop::{Sale, ShopItem, ShopTerms},
};

use super::{
    coupon_tries,
    requests::{ShopEvent, Visitor},
};

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<GetSale>);

/// The parameters of [`get_sale`].
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct GetSale {
    /// Also shows the hidden item that this code opens. A code that opens nothing changes nothing.
    #[param(required = false, inline)]
    access_code: Id,
    /// Shows what each item costs with this coupon. One that cannot be used is refused.
    #[param(required = false, inline)]
    coupon: CouponCode,
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
    address: ClientAddress,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let mut params = Params::parse(query.as_deref(), &PARAMS)?;
    let access_code = params.id("access_code")?;
    let coupon = params.name("coupon")?;
    let sale = coupon_tries::asked(&app, address, coupon.is_some(), async {
        // What is paid between two statements would count as sold and as held.
        let mut conn = app.store.read_state(tenant).await?;
        let found = find(
            &mut conn,
            tenant,
            &event_id,
            access_code.as_deref(),
            coupon.as_ref().map(Name::as_str),
            app.time.now(),
        );
        let found = found.await;
        conn.end_state().await?;
        found?
    });
    let SaleParts { event, items, held, pools, coupon, surcharges, terms } = sale.await?;
    let shown = items.iter().map(|item| {
        let held = held.get(&item.id).map(|held| (held.quantity, held.until));
        ShopItem::new(item, held, pool::shared(item, &pools), price_of_one(item, coupon.as_ref(), &surcharges))
    });
    let sale = Sale {
        event: &event,
        items: shown.collect(),
        surcharges: surcharges.iter().map(ShopSurcharge::from).collect(),
        terms: terms.as_ref().map(ShopTerms::from),
    };
    answer(StatusCode::OK, &sale)
}

/// An event as it is shown, the items that this caller may buy, what is held of them, the pools that they share, what changes their prices, and the terms to accept.
struct SaleParts {
    event: Box<RawValue>,
    items: Vec<TicketType>,
    held: HeldItems,
    pools: Vec<Pool>,
    coupon: Option<Coupon>,
    surcharges: Vec<Surcharge>,
    terms: Option<Terms>,
}

async fn find(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    access_code: Option<&str>,
    code: Option<&str>,
    now: Stamp,
) -> store::Result<Result<SaleParts, Error>> {
    let found = events::find(conn, tenant, event_id, |event| {
        serde_json::value::to_raw_value(&Event::from(event)).map(|json| (event.status, json))
    })
    .await?;
    // To the public a draft does not exist yet.
    let found = found.transpose().map_err(store::Error::internal)?.filter(|(status, _)| *status != EventStatus::Draft);
    let Some((status, event)) = found else { return Ok(Err(Error::NotFound("event"))) };
    let items = match status {
        EventStatus::Published => ticket_types::on_sale(conn, tenant, event_id, access_code, now).await?,
        _ => Vec::new(),
    };
    let mut coupon = None;
    if let Some(code) = code {
        let meant = coupons::find_by_code(conn, tenant, event_id, &folded(code)).await?;
        // How often this buyer used it is looked at with the order, which says who buys.
        coupon = meant.filter(|coupon| coupon.is_open(now) && coupon.uses(0) == Uses::Free);
        if coupon.is_none() {
            return Ok(Err(Refusal::Coupon.into()));
        }
    }
    let surcharges = surcharges::of_event(conn, tenant, event_id).await?;
    let terms = terms::of_event(conn, tenant, event_id).await?;
    let limited: Vec<&str> = items.iter().filter(|item| item.limit.is_some()).map(|item| item.id.as_str()).collect();
    let held = holds::held_now(conn, tenant, &limited).await?;
    let pools = if items.is_empty() { Vec::new() } else { pools::of_event(conn, tenant, event_id).await? };
    Ok(Ok(SaleParts { event, items, held, pools, coupon, surcharges, terms }))
}

/// What one of an item costs, bought alone: with the coupon, and with the surcharges for each ticket.
fn price_of_one(item: &TicketType, coupon: Option<&Coupon>, surcharges: &[Surcharge]) -> i64 {
    let one =
        Wanted { price: item.price, quantity: 1, is_covered: true, is_ticket: item.category != Category::Merchandise };
    let coupon = coupon.filter(|coupon| coupon.covers(&item.id)).map(|coupon| coupon.rate);
    let for_each = surcharges.iter().filter(|surcharge| surcharge.per == Per::Ticket);
    let for_each: Vec<(Rate, Per)> = for_each.map(|surcharge| (surcharge.rate, surcharge.per)).collect();
    // More than an amount can be is more than anybody can order.
    pricing::price(&[one], coupon, &for_each).map_or(AMOUNT_MAX, |prices| prices.total())
}
