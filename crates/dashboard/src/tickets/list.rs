//! Tickets: newest first, by event and status, and searched.

use std::collections::HashMap;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    admit::spellings,
    config::{DASHBOARD_ROWS, SEARCH_CODE_MIN, SEARCH_ORDERS_MAX},
    personal::Sees,
    role::Right,
    search_text::SearchText,
    status::TicketStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{badges, page, query::Query};
use taquilla_rules::admin::search;
use taquilla_store::{
    Conn, Tenant,
    catalogue::ticket_types,
    lists::End,
    sales::orders,
    search::find::{self, By, Found},
    tickets::{
        listed,
        staff::{self, Held},
    },
};

use super::row::{self, TicketRow};
use crate::{
    access::{Member, SeeOrders},
    choice::{self, Offered},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "tickets.html")]
struct TicketsPage {
    f: Frame,
    rows: Vec<TicketRow>,
    events: Vec<Offered>,
    statuses: Vec<(&'static str, &'static str)>,
    q: String,
    event: String,
    status: String,
    older: Option<String>,
    is_cut: bool,
    hint_key: &'static str,
    /// What the list is narrowed down by, for whoever may take it out as a file.
    file_query: Option<String>,
    /// The id and the name of the only ticket type that is shown.
    of_type: Option<(String, String)>,
}

/// The list, or what was found.
pub async fn get_tickets(State(app): State<App>, member: Member<SeeOrders>, query: Query) -> Result<Response, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let (q, event) = (query.get("q").map(str::trim).unwrap_or_default(), query.get("event"));
    let (status, statuses) = wanted_status(query.get("status"));
    let of_type = query.get("type");
    let mut conn = app.store.read().await?;
    let (held, is_cut, older) = match SearchText::parse(q) {
        Some(text) => {
            let is_wanted = |held: &Held| held.is(event, of_type, &statuses);
            let Found { rows, is_cut } = searched(&mut conn, tenant, q, &text, sees, is_wanted).await?;
            (rows, is_cut, None)
        }
        None => {
            let wanted = listed::Query {
                event_id: event.map(str::to_owned),
                statuses: statuses.clone(),
                ..listed::Query::default()
            };
            let from = query.get("before").and_then(choice::place);
            let (rows, end) = staff::page(&mut conn, tenant, &wanted, of_type, from, DASHBOARD_ROWS as usize).await?;
            let given = [("event", event), ("type", of_type), ("status", status)];
            let older = match end {
                End::More(place) => Some(choice::next(&given, place)),
                End::Complete => None,
            };
            (rows, false, older)
        }
    };
    let page = TicketsPage {
        f: member.frame("tickets").done(&query),
        rows: row::rows(&mut conn, &member, held).await?,
        events: choice::offered(&mut conn, tenant, event).await?,
        statuses: offered_statuses(),
        q: q.to_owned(),
        event: event.unwrap_or_default().to_owned(),
        status: status.unwrap_or_default().to_owned(),
        older,
        is_cut,
        // A file has no filter for the type, and one status at most.
        file_query: (q.is_empty() && of_type.is_none() && statuses.len() < 2 && member.may(Right::Export))
            .then(|| choice::query(&[("event", event), ("status", status)])),
        of_type: type_name(&mut conn, tenant, of_type).await?,
        hint_key: if sees.people() { "tickets-search-hint" } else { "tickets-search-hint-masked" },
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

async fn type_name(conn: &mut Conn, tenant: Tenant, id: Option<&str>) -> Result<Option<(String, String)>, Error> {
    let Some(id) = id else { return Ok(None) };
    let mut names = HashMap::new();
    conn.ask(vec![ticket_types::for_sale(tenant, &[id], &mut names)]).await?;
    Ok(Some((id.to_owned(), names.get(id).map_or(id, |item| &item.name).to_owned())))
}

/// The ticket with this very code, else the tickets of the order with this id or reference, else all that the text means.
async fn searched(
    conn: &mut Conn,
    tenant: Tenant,
    q: &str,
    text: &SearchText,
    sees: Sees,
    is_wanted: impl Fn(&Held) -> bool,
) -> Result<Found<Held>, Error> {
    let limit = DASHBOARD_ROWS as usize;
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
        return Ok(Found { rows, is_cut });
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
