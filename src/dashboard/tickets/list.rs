//! Tickets: newest first, by event and status, and searched.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::row::{self, Row};
use crate::{
    admin::search,
    config::{DASHBOARD_ROWS, SEARCH_CODE_MIN, SEARCH_ORDERS_MAX},
    dashboard::{
        access::{Member, SeeOrders},
        badges,
        choice::{self, Offered},
        frame::{Frame, Query},
    },
    domain::{admit::spellings, role::Right, search_text::SearchText, status::TicketStatus},
    http::{app::App, errors::Error, page},
    store::{
        Conn, Tenant,
        lists::End,
        search::find::{self, By, Found},
        tickets::{
            listed,
            staff::{self, Held},
        },
    },
};

#[derive(Template)]
#[template(path = "dashboard/tickets.html")]
struct TicketsPage {
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
}

/// The list, or what was found.
pub async fn get_tickets(State(app): State<App>, member: Member<SeeOrders>, query: Query) -> Result<Response, Error> {
    let (tenant, sees_people) = (member.tenant(), member.may(Right::SeePersonalData));
    let (q, event) = (query.get("q").map(str::trim).unwrap_or_default(), query.get("event"));
    let status = query.get("status").and_then(TicketStatus::parse);
    let mut conn = app.store.read().await?;
    let (held, is_cut, older) = match SearchText::parse(q) {
        Some(text) => {
            let is_wanted = |held: &Held| {
                event.is_none_or(|event| held.state.event_id == event)
                    && status.is_none_or(|status| held.state.status == status)
            };
            let Found { rows, is_cut } = searched(&mut conn, tenant, q, &text, sees_people, is_wanted).await?;
            (rows, is_cut, None)
        }
        None => {
            let wanted = listed::Query {
                event_id: event.map(str::to_owned),
                statuses: status.into_iter().collect(),
                ..listed::Query::default()
            };
            let from = query.get("before").and_then(choice::place);
            let (rows, end) = staff::page(&mut conn, tenant, &wanted, from, DASHBOARD_ROWS as usize).await?;
            let given = [("event", event), ("status", status.map(TicketStatus::as_str))];
            let older = match end {
                End::More(place) => Some(choice::next(&given, place)),
                End::Complete => None,
            };
            (rows, false, older)
        }
    };
    let page = TicketsPage {
        f: member.frame("tickets").done(&query),
        rows: row::rows(&mut conn, &member, &held).await?,
        events: choice::offered(&mut conn, tenant, event).await?,
        statuses: TicketStatus::ALL.iter().map(|status| (status.as_str(), badges::of_ticket(*status).key)).collect(),
        q: q.to_owned(),
        event: event.unwrap_or_default().to_owned(),
        status: status.map(TicketStatus::as_str).unwrap_or_default().to_owned(),
        older,
        is_cut,
        hint_key: if sees_people { "tickets-search-hint" } else { "tickets-search-hint-masked" },
    };
    page::show(StatusCode::OK, &page)
}

/// The ticket with this very code, else the tickets of the order with this id or reference, else all that the text means.
/// Whoever may not see codes and people finds nothing by a part of a code or by a name: what is found would tell it.
async fn searched(
    conn: &mut Conn,
    tenant: Tenant,
    q: &str,
    text: &SearchText,
    sees_people: bool,
    is_wanted: impl Fn(&Held) -> bool,
) -> Result<Found<Held>, Error> {
    let limit = DASHBOARD_ROWS as usize;
    let codes: Vec<String> = spellings(q).collect();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let mut rows = staff::with_ids(conn, tenant, &codes).await?;
    if rows.is_empty()
        && let Some(order) = search::order(conn, tenant, q).await?
    {
        rows = staff::of_order(conn, tenant, &order.id, DASHBOARD_ROWS + 1).await?;
    }
    if !rows.is_empty() {
        let is_cut = rows.len() > limit;
        rows.truncate(limit);
        rows.retain(is_wanted);
        return Ok(Found { rows, is_cut });
    }
    let mut found = match sees_people {
        true => find::tickets(conn, tenant, text, limit, &is_wanted).await?,
        false => Found { rows, is_cut: false },
    };
    if text.code().len() >= SEARCH_CODE_MIN && found.rows.len() < limit {
        let orders = find::orders(conn, tenant, text, By::Ids, SEARCH_ORDERS_MAX, |_| true).await?;
        found.is_cut |= orders.is_cut;
        for order in orders.rows {
            let of_order = staff::of_order(conn, tenant, &order.id, DASHBOARD_ROWS).await?;
            found.rows.extend(of_order.into_iter().filter(|held| !held.state.hidden && is_wanted(held)));
        }
        found.rows.sort_by_key(|held| std::cmp::Reverse(held.place()));
        found.rows.dedup_by_key(|held| held.place());
        found.is_cut |= found.rows.len() > limit;
        found.rows.truncate(limit);
    }
    Ok(found)
}
