//! The tickets of an order with their QR codes, to be shown, printed or cut out.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    clock::Stamp,
    config::{ORDER_TICKETS_SHOWN, TICKETS_PRINTED},
    order::Order,
    role::Right,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{page, qr::drawn, query::Query};
use taquilla_store::{
    catalogue::{events, ticket_types},
    tickets::staff,
};

use super::one::{base, find};
use crate::{
    access::{Member, SeeOrders},
    frame::Frame,
};

/// A ticket on the page.
struct Printed {
    id: String,
    name: String,
    attendee: String,
    qr: String,
}

#[derive(Template)]
#[template(path = "order_tickets.html")]
struct PrintedPage {
    f: Frame,
    order: Order,
    base: String,
    event: String,
    venue: String,
    starts_at: Option<Stamp>,
    tickets: Vec<Printed>,
    count: i64,
    sees_people: bool,
    next: Option<usize>,
}

/// The page. Whoever may not see codes sees how many tickets there are.
pub async fn get_tickets(
    State(app): State<App>,
    member: Member<SeeOrders>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let (tenant, sees_people) = (member.tenant(), member.may(Right::SeePersonalData));
    let order = find(&app, tenant, &id).await?;
    let mut conn = app.store.read().await?;
    let shape = |event: taquilla_domain::event::Event<'_>| {
        (event.name.to_owned(), event.venue.unwrap_or_default().to_owned(), event.starts_at)
    };
    let (event, venue, starts_at) = events::find(&mut conn, tenant, &order.event_id, shape).await?.unwrap_or_default();
    let held = staff::of_order(&mut conn, tenant, &id, ORDER_TICKETS_SHOWN).await?;
    let live: Vec<_> = held.iter().map(|held| &held.state).filter(|state| state.counts()).collect();
    let first: usize = query.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let shown: Vec<_> = live.iter().skip(first).take(if sees_people { TICKETS_PRINTED } else { 0 }).collect();
    let types: Vec<&str> = shown.iter().map(|state| state.ticket_type_id.as_str()).collect();
    let names = ticket_types::summaries(&mut conn, tenant, &types).await?;
    let printed = |(state, (name, _)): (&&&taquilla_store::tickets::rows::State, (String, _))| Printed {
        id: state.id.clone(),
        name,
        attendee: state.attendee.name.clone(),
        qr: drawn(&state.id).unwrap_or_default(),
    };
    let next = first.saturating_add(TICKETS_PRINTED);
    let page = PrintedPage {
        f: member.frame("orders").done(&query),
        base: base(&member, &id),
        event,
        venue,
        starts_at,
        tickets: shown.iter().zip(names).map(printed).collect(),
        count: live.len() as i64,
        sees_people,
        next: (sees_people && next < live.len()).then_some(next),
        order,
    };
    page::show(StatusCode::OK, &page)
}
