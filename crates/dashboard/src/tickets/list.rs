//! Tickets: newest first or oldest first, by event and status, and searched.

use std::collections::HashMap;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    admit::spellings,
    config::{DASHBOARD_ROWS, SEARCH_CODE_MIN, SEARCH_ORDERS_MAX},
    personal::Sees,
    search_text::SearchText,
    status::TicketStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{badges, page, query::Query};
use taquilla_rules::admin::search;
use taquilla_store::{
    Conn, Tenant,
    catalogue::ticket_types,
    sales::orders,
    search::find::{self, By, SearchResult},
    tickets::{
        listed,
        staff::{self, Held},
    },
};

use super::row::{self, TicketRow};
use crate::{
    access::{Member, SeeOrders},
    frame::Frame,
    sales_list::{FilterForm, Filters, ListPage, ROWS},
    sorting::SortHead,
};

#[derive(Template)]
#[template(path = "tickets.html")]
struct TicketsPage {
    f: Frame,
    filters: FilterForm,
    rows: Vec<TicketRow>,
    when: Option<SortHead>,
    older: Option<String>,
    is_cut: bool,
    hint_key: &'static str,
    /// What the list is narrowed down by, for whoever may take it out as a file.
    file_query: Option<String>,
    /// The name of the only ticket type that is shown.
    of_type: Option<String>,
}

/// The list, or what was found.
pub async fn get_tickets(State(app): State<App>, member: Member<SeeOrders>, query: Query) -> Result<Response, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let (status, statuses) = wanted_status(query.get("status"));
    let filters = Filters { ticket_type: query.get("type"), ..Filters::read(&query, status) };
    let mut conn = app.store.read().await?;
    let list = match SearchText::parse(filters.text) {
        Some(text) => {
            let is_wanted = |held: &Held| held.is(filters.event, filters.ticket_type, &statuses);
            ListPage::found(searched(&mut conn, tenant, filters.text, &text, sees, is_wanted).await?)
        }
        None => {
            let wanted = listed::Query {
                event_id: filters.event.map(str::to_owned),
                statuses: statuses.clone(),
                first: filters.first,
                ..listed::Query::default()
            };
            let page = staff::page(&mut conn, tenant, &wanted, filters.ticket_type, filters.before, ROWS).await?;
            ListPage::read(page, &filters)
        }
    };
    let f = member.frame("tickets").done(&query);
    let page = TicketsPage {
        when: filters.when_head(&f, "/tickets", "ticket-issued"),
        f,
        filters: FilterForm::new(&mut conn, &member, &filters, offered_statuses()).await?,
        rows: row::rows(&mut conn, &member, list.rows).await?,
        older: list.older,
        is_cut: list.is_cut,
        hint_key: if sees.people() { "tickets-search-hint" } else { "tickets-search-hint-masked" },
        // A file has one status at most.
        file_query: filters.file_query(&member).filter(|_| statuses.len() < 2),
        of_type: type_name(&mut conn, tenant, filters.ticket_type).await?,
    };
    page::show(StatusCode::OK, &page)
}

/// Tickets that opened the door or will, as one choice among the statuses.
const LIVE: &str = "live";

/// The status that is asked for, and the statuses that it means. None means any.
fn wanted_status(given: Option<&str>) -> (Option<&str>, Vec<TicketStatus>) {
    match given {
        Some(LIVE) => (Some(LIVE), vec![TicketStatus::Valid, TicketStatus::Scanned]),
        given => {
            let status = given.and_then(TicketStatus::parse);
            (status.map(TicketStatus::as_str), status.into_iter().collect())
        }
    }
}

fn offered_statuses() -> Vec<(&'static str, &'static str)> {
    let each = TicketStatus::ALL.iter().map(|status| (status.as_str(), badges::of_ticket(*status).key));
    each.chain([(LIVE, "tickets-live")]).collect()
}

async fn type_name(conn: &mut Conn, tenant: Tenant, id: Option<&str>) -> Result<Option<String>, Error> {
    let Some(id) = id else { return Ok(None) };
    let mut names = HashMap::new();
    conn.ask(vec![ticket_types::for_sale(tenant, &[id], &mut names)]).await?;
    Ok(Some(names.get(id).map_or(id, |item| &item.name).to_owned()))
}

/// The ticket with this very code, else the tickets of the order with this id or reference, else all that the text means.
pub async fn searched(
    conn: &mut Conn,
    tenant: Tenant,
    q: &str,
    text: &SearchText,
    sees: Sees,
    is_wanted: impl Fn(&Held) -> bool,
) -> Result<SearchResult<Held>, Error> {
    let limit = ROWS;
    let codes: Vec<String> = spellings(q).collect();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let mut rows = staff::with_ids(conn, tenant, &codes).await?;
    if rows.is_empty()
        && let Some(order) = search::order(conn, tenant, q).await?
    {
        rows = staff::of_order(conn, tenant, &order.seen_by(sees).id, DASHBOARD_ROWS + 1).await?;
    }
    if !rows.is_empty() {
        let is_cut = rows.len() > limit;
        rows.truncate(limit);
        rows.retain(is_wanted);
        return Ok(SearchResult { rows, is_cut });
    }
    let mut found = find::tickets(conn, tenant, text, sees, limit, &is_wanted).await?;
    if text.code().len() >= SEARCH_CODE_MIN && found.rows.len() < limit {
        let by_id = find::orders(conn, tenant, text, By::Ids, SEARCH_ORDERS_MAX, &orders::Query::default()).await?;
        found.is_cut |= by_id.is_cut;
        for order in by_id.rows {
            let of_order = staff::of_order(conn, tenant, &order.seen_by(sees).id, DASHBOARD_ROWS).await?;
            found.rows.extend(of_order.into_iter().filter(|held| !held.is_hidden() && is_wanted(held)));
        }
        found.rows.sort_by_key(|held| std::cmp::Reverse(held.place()));
        found.rows.dedup_by_key(|held| held.place());
        found.is_cut |= found.rows.len() > limit;
        found.rows.truncate(limit);
    }
    Ok(found)
}
