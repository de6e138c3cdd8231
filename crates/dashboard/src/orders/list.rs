//! Orders: newest first, by event and status, and searched.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    config::DASHBOARD_ROWS, order::Order, role::Right, search_text::SearchText, status::OrderStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{badges, page, query::Query};
use taquilla_rules::admin::search;
use taquilla_store::{
    Conn, Tenant,
    lists::End,
    sales::orders,
    search::find::{self, By, Found},
};

use super::row::{self, Row};
use crate::{
    access::{Member, SeeOrders},
    choice::{self, Offered},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "orders.html")]
struct OrdersPage {
    f: Frame,
    rows: Vec<Row>,
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
    let (tenant, sees_people) = (member.tenant(), member.may(Right::SeePersonalData));
    let (q, event) = (query.get("q").map(str::trim).unwrap_or_default(), query.get("event"));
    let status = query.get("status").and_then(OrderStatus::parse);
    let mut conn = app.store.read().await?;
    let (orders, is_cut, older) = match SearchText::parse(q) {
        Some(text) => {
            let by = if sees_people { By::All } else { By::Ids };
            let found = searched(&mut conn, tenant, q, &text, by, |order| {
                event.is_none_or(|event| order.event_id == event) && status.is_none_or(|status| order.status == status)
            });
            let Found { rows, is_cut } = found.await?;
            (rows, is_cut, None)
        }
        None => {
            let wanted = orders::Query {
                event_id: event.map(str::to_owned),
                statuses: status.into_iter().collect(),
                ..orders::Query::default()
            };
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
        rows: row::rows(&mut conn, &member, &orders).await?,
        events: choice::offered(&mut conn, tenant, event).await?,
        statuses: OrderStatus::ALL.iter().map(|status| (status.as_str(), badges::of_order(*status).key)).collect(),
        q: q.to_owned(),
        event: event.unwrap_or_default().to_owned(),
        status: status.map(OrderStatus::as_str).unwrap_or_default().to_owned(),
        older,
        is_cut,
        hint_key: if sees_people { "orders-search-hint" } else { "orders-search-hint-masked" },
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
    by: By,
    is_wanted: impl Fn(&Order) -> bool,
) -> Result<Found<Order>, Error> {
    if let Some(order) = search::order(conn, tenant, q).await?.filter(&is_wanted) {
        return Ok(Found { rows: vec![order], is_cut: false });
    }
    let mut found = find::orders(conn, tenant, text, by, DASHBOARD_ROWS as usize, is_wanted).await?;
    orders::add_items(conn, tenant, &mut found.rows).await?;
    Ok(found)
}
