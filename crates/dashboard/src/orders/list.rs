//! Orders: newest first or oldest first, by event and status, and searched.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    order::Order,
    personal::{Personal, Sees},
    role::Right,
    search_text::SearchText,
    status::{OrderChannel, OrderStatus},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{badges, page, query::Query};
use taquilla_rules::admin::search;
use taquilla_store::{
    Conn, Tenant,
    sales::orders,
    search::find::{self, SearchResult},
};

use super::row::{self, OrderRow};
use crate::{
    access::{Member, SeeOrders},
    frame::Frame,
    sales_list::{FilterForm, Filters, ListPage, ROWS},
    sorting::SortHead,
};

#[derive(Template)]
#[template(path = "orders.html")]
struct OrdersPage {
    f: Frame,
    filters: FilterForm,
    rows: Vec<OrderRow>,
    when: Option<SortHead>,
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
    let status = query.get("status").and_then(OrderStatus::parse);
    let channel = query.get("channel").and_then(OrderChannel::parse);
    let filters = Filters {
        ticket_type: query.get("type").filter(|id| !id.is_empty()),
        channel: channel.map(OrderChannel::as_str),
        ..Filters::read(&query, status.map(OrderStatus::as_str))
    };
    let wanted = orders::Query {
        event_id: filters.event.map(str::to_owned),
        statuses: status.into_iter().collect(),
        channel,
        ticket_type_id: filters.ticket_type.map(str::to_owned),
        first: filters.first,
        ..orders::Query::default()
    };
    let mut conn = app.store.read().await?;
    let list = match SearchText::parse(filters.text) {
        Some(text) => ListPage::found(searched(&mut conn, tenant, filters.text, &text, sees, &wanted).await?),
        None => ListPage::read(orders::page(&mut conn, tenant, &wanted, filters.before, ROWS).await?, &filters),
    };
    let statuses = OrderStatus::ALL.iter().map(|status| (status.as_str(), badges::of_order(*status).key)).collect();
    let f = member.frame("orders").done(&query);
    let page = OrdersPage {
        when: filters.when_head(&f, "/orders", "order-placed"),
        f,
        filters: FilterForm::new(&mut conn, &member, &filters, statuses).await?.of_orders(&mut conn, &member).await?,
        rows: row::rows(&mut conn, &member, list.rows).await?,
        older: list.older,
        is_cut: list.is_cut,
        hint_key: if sees.people() { "orders-search-hint" } else { "orders-search-hint-masked" },
        may_sell: member.may(Right::Sell),
        file_query: filters.file_query(&member),
    };
    page::show(StatusCode::OK, &page)
}

/// The orders with this very number, id or reference, else those that the text means.
async fn searched(
    conn: &mut Conn,
    tenant: Tenant,
    q: &str,
    text: &SearchText,
    sees: Sees,
    wanted: &orders::Query,
) -> Result<SearchResult<Personal<Order>>, Error> {
    // An imported order may have an id that is another one's number.
    let called = [search::order(conn, tenant, q).await?, search::order_with_number(conn, tenant, q).await?];
    let mut rows: Vec<Personal<Order>> = called.into_iter().flatten().filter(|order| wanted.has(order)).collect();
    rows.dedup_by_key(|order| order.clone().seen_by(Sees::COVERED).number);
    if !rows.is_empty() {
        return Ok(SearchResult { rows, is_cut: false });
    }
    Ok(find::orders(conn, tenant, text, sees.into(), ROWS, wanted).await?)
}
