//! Orders: newest first, by event and status, and searched.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    config::DASHBOARD_ROWS,
    order::Order,
    personal::{Personal, Sees},
    role::Right,
    search_text::SearchText,
    status::OrderStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{badges, page, query::Query};
use taquilla_rules::admin::search;
use taquilla_store::{
    Conn, Tenant,
    lists::End,
    sales::orders,
    search::find::{self, Found},
};

use super::row::{self, OrderRow};
use crate::{
    access::{Member, SeeOrders},
    choice::{self, Offered},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "orders.html")]
struct OrdersPage {
    f: Frame,
    rows: Vec<OrderRow>,
    events: Vec<Offered>,
    statuses: Vec<(&'static str, &'static str)>,
    q: String,
    event: String,
    status: String,
    older: Option<String>,
    is_cut: bool,
    hint_key: &'static str,
    may_sell: bool,
    /// What the list is narrowed down by, for whoever may take it out as a file.
    file_query: Option<String>,
}

/// The list, or what was found.
pub async fn get_orders(State(app): State<App>, member: Member<SeeOrders>, query: Query) -> Result<Response, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let (q, event) = (query.get("q").map(str::trim).unwrap_or_default(), query.get("event"));
    let status = query.get("status").and_then(OrderStatus::parse);
    let wanted = orders::Query {
        event_id: event.map(str::to_owned),
        statuses: status.into_iter().collect(),
        ..orders::Query::default()
    };
    let mut conn = app.store.read().await?;
    let (orders, is_cut, older) = match SearchText::parse(q) {
        Some(text) => {
            let Found { rows, is_cut } = searched(&mut conn, tenant, q, &text, sees, &wanted).await?;
            (rows, is_cut, None)
        }
        None => {
            let from = query.get("before").and_then(choice::place);
            let (rows, end) = orders::page(&mut conn, tenant, &wanted, from, DASHBOARD_ROWS as usize).await?;
            let given = [("event", event), ("status", status.map(OrderStatus::as_str))];
            let older = match end {
                End::More(place) => Some(choice::next(&given, place)),
                End::Complete => None,
            };
            (rows, false, older)
        }
    };
    let page = OrdersPage {
        f: member.frame("orders").done(&query),
        rows: row::rows(&mut conn, &member, orders).await?,
        events: choice::offered(&mut conn, tenant, event).await?,
        statuses: OrderStatus::ALL.iter().map(|status| (status.as_str(), badges::of_order(*status).key)).collect(),
        q: q.to_owned(),
        event: event.unwrap_or_default().to_owned(),
        status: status.map(OrderStatus::as_str).unwrap_or_default().to_owned(),
        older,
        is_cut,
        hint_key: if sees.people() { "orders-search-hint" } else { "orders-search-hint-masked" },
        may_sell: member.may(Right::Sell),
        file_query: (q.is_empty() && member.may(Right::Export))
            .then(|| choice::query(&[("event", event), ("status", status.map(OrderStatus::as_str))])),
    };
    page::show(StatusCode::OK, &page)
}

/// The order with this very id or reference, else those that the text means.
async fn searched(
    conn: &mut Conn,
    tenant: Tenant,
    q: &str,
    text: &SearchText,
    sees: Sees,
    wanted: &orders::Query,
) -> Result<Found<Personal<Order>>, Error> {
    if let Some(order) = search::order(conn, tenant, q).await?.filter(|order| wanted.has(order)) {
        return Ok(Found { rows: vec![order], is_cut: false });
    }
    Ok(find::orders(conn, tenant, text, sees.into(), DASHBOARD_ROWS as usize, wanted).await?)
}
