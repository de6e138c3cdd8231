//! `/orders`: the sales.

use std::sync::LazyLock;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use utoipa::IntoParams;

use taquilla_domain::{
    key::{Permission, Permissions},
    status::OrderStatus,
};
use taquilla_http::{
    app::App,
    envelope::Envelope,
    errors::Error,
    params::{Known, Params},
    path_id::PathId,
    reader::{OrdersRead, Reader},
    schema::{Cursor, Date, Id, Limit},
};
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant,
    lists::{End, Position, Shown},
    sales::{listed, orders::Query},
};
use taquilla_wire::api::Order;

use super::{
    json::ROW_BYTES,
    list::{List, Rows},
    pages::OrderPage,
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
    status: Vec<taquilla_wire::names::OrderStatus>,
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
    let mut list = List::open(&app, reader, "orders", &PARAMS, query.as_deref(), |params| {
        let query = Query {
            event_id: params.id("event_id")?,
            statuses: params.statuses(OrderStatus::ALL, OrderStatus::as_str)?,
            created_after: params.stamp("created_after")?,
            updated_after: params.stamp("updated_after")?,
            ..Query::default()
        };
        app.lost_marks.refuse(tenant, "updated_after", query.updated_after)?;
        Ok(query)
    })
    .await?;
    let query = std::mem::take(&mut list.query);
    let marks = [query.created_after, query.updated_after];
    let with_reference = shows_reference(list.reader.key.permissions);
    list.read(&marks, &Orders { query, with_reference }).await
}

/// The list, and whether it shows references.
struct Orders {
    query: Query,
    with_reference: bool,
}

impl Rows for Orders {
    fn start(&self) -> Position {
        self.query.filter().1
    }

    async fn read(
        &self,
        conn: &mut Conn,
        tenant: Tenant,
        (from, limit): (Position, usize),
        into: &mut Envelope,
        shown: &mut Shown,
    ) -> store::Result<End> {
        let (filter, _) = self.query.filter();
        listed::write_page(conn, tenant, &filter, from, limit, self.with_reference, b',', into.rows(), shown).await
    }
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
    let with_reference = shows_reference(reader.key.permissions);
    let mut json = Vec::with_capacity(ROW_BYTES);
    match listed::write_one(&mut reader.conn, tenant, &id, with_reference, &mut json).await? {
        true => Ok(reader.answer(json)),
        false => Err(Error::NotFound("order")),
    }
}

/// Whether a key with these permissions sees an order's reference. It opens the order's tickets in the shop, so it is
/// for keys that may read tickets anyway.
fn shows_reference(permissions: Permissions) -> bool {
    permissions.allow(Permission::TicketsRead)
}
