//! `/orders`: the sales.

use std::sync::LazyLock;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use utoipa::IntoParams;

use super::{
    json::{ROW_BYTES, json},
    pages::OrderPage,
};
use crate::{
    domain::{
        self,
        key::{Permission, Permissions},
        status::OrderStatus,
    },
    http::{
        app::App,
        cursor::Request,
        envelope::Envelope,
        errors::Error,
        params::{Known, Params},
        path_id::PathId,
        reader::{OrdersRead, Reader},
        schema::{Cursor, Date, Id, Limit},
    },
    store::{
        Tenant,
        sales::orders::{self, Query},
    },
    wire::api::Order,
};

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<ListOrders>);

/// The parameters of [`list_orders`], as they are documented.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct ListOrders {
    /// Rows on the page.
    #[param(required = false, inline)]
    limit: Limit,
    /// `next_cursor` of the page before, unchanged.
    #[param(required = false, inline)]
    cursor: Cursor,
    /// Only this event's orders.
    #[param(required = false, inline)]
    event_id: Id,
    /// Only these; repeatable or comma-separated.
    #[param(required = false, inline, style = Form, explode, min_items = 1)]
    status: Vec<OrderStatus>,
    /// Changed strictly after this date. The list is then sorted by `updated_at`: synchronise by this one.
    #[param(required = false, inline)]
    updated_after: Date,
    /// Placed strictly after this date. Not for synchronising: a later refund would be missed.
    #[param(required = false, inline)]
    created_after: Date,
}

/// List orders
///
/// Newest first: sorted by `created_at`, or by `updated_at` when `updated_after` is given.
/// A page may be shorter than `limit` while `has_more` is true.
///
/// The key needs the permission `ORDERS_READ`.
#[utoipa::path(get, path = "/api/v1/orders", tag = "Orders", params(ListOrders), security(("key" = [])),
    responses((status = 200, description = "A page of orders.", body = OrderPage)))]
pub async fn list_orders(
    State(app): State<App>,
    reader: Reader<OrdersRead>,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let tenant = reader.tenant();
    let (mut reader, (query, request)) = reader.asked(read_query(query.as_deref(), &app, tenant)).await?;
    let (orders, end) = orders::page(&mut reader.conn, tenant, &query, request.from, request.limit).await?;
    let mut envelope = Envelope::with_capacity(orders.len(), ROW_BYTES);
    for order in &orders {
        envelope.push(&shown(order, reader.key.permissions))?;
    }
    let next = request.next_cursor(&app.sealer, end)?;
    Ok(reader.answer(envelope.finish(next.as_deref())))
}

fn read_query(query: Option<&str>, app: &App, tenant: Tenant) -> Result<(Query, Request), Error> {
    let mut params = Params::parse(query, &PARAMS)?;
    let query = Query {
        event_id: params.id("event_id")?,
        statuses: params.statuses(OrderStatus::ALL, OrderStatus::as_str)?,
        created_after: params.stamp("created_after")?,
        updated_after: params.stamp("updated_after")?,
    };
    let request = Request::read(&params, &app.sealer, "orders", tenant)?;
    Ok((query, request))
}

/// Get an order
///
/// The key needs the permission `ORDERS_READ`.
#[utoipa::path(get, path = "/api/v1/orders/{order_id}", tag = "Orders", security(("key" = [])),
    params(("order_id" = inline(Id), Path, description = "The order's id.")),
    responses((status = 200, description = "The order.", body = Order<'static>)))]
pub async fn get_order(reader: Reader<OrdersRead>, id: PathId, RawQuery(query): RawQuery) -> Result<Response, Error> {
    let asked = Params::none(query.as_deref()).and_then(|()| id.of("order"));
    let (mut reader, id) = reader.asked(asked).await?;
    let tenant = reader.tenant();
    let order = orders::find(&mut reader.conn, tenant, &id).await?.ok_or(Error::NotFound("order"))?;
    let order = json(&shown(&order, reader.key.permissions))?;
    Ok(reader.answer(order))
}

/// An order as a key with these permissions may see it. The reference opens the order's tickets in the shop, so it is
/// for keys that may read tickets anyway.
fn shown(order: &domain::order::Order, permissions: Permissions) -> Order<'_> {
    let shown = Order::from(order);
    match permissions.allow(Permission::TicketsRead) {
        true => shown,
        false => Order { reference: None, ..shown },
    }
}
