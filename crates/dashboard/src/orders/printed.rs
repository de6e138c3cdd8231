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
    status::PaymentMethod,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{page, qr::drawn, query::Query};
use taquilla_store::{
    catalogue::{events, ticket_types},
    tickets::{
        rows,
        staff::{self, Held},
    },
};

use super::{
    one::{base, find},
    till,
};
use crate::{
    access::{Member, SeeOrders},
    frame::Frame,
};

/// A ticket on the page.
struct PrintedTicket {
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
    time_zone: String,
    tickets: Vec<PrintedTicket>,
    count: i64,
    sees_people: bool,
    next: Option<usize>,
    /// What was given in cash just now, and what is handed back of it.
    change: Option<(i64, i64)>,
}

/// The page. Whoever may not see codes sees how many tickets there are.
pub async fn get_tickets(
    State(app): State<App>,
    member: Member<SeeOrders>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let order = find(&app, tenant, &id).await?.seen_by(sees);
    let mut conn = app.store.read().await?;
    let shape = |event: taquilla_domain::event::Event<'_>| {
        let venue = event.venue.unwrap_or_default().to_owned();
        (event.name.to_owned(), venue, event.starts_at, event.timezone.to_owned())
    };
    let (event, venue, starts_at, time_zone) =
        events::find(&mut conn, tenant, &order.event_id, shape).await?.unwrap_or_default();
    let held = staff::of_order(&mut conn, tenant, &id, ORDER_TICKETS_SHOWN).await?;
    let live: Vec<Held> = held.into_iter().filter(Held::counts).collect();
    let count = live.len();
    let first: usize = query.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let shown = live.into_iter().skip(first).take(if sees.people() { TICKETS_PRINTED } else { 0 });
    let shown: Vec<rows::State> = shown.map(|held| held.state.seen_by(sees)).collect();
    let types: Vec<&str> = shown.iter().map(|state| state.ticket_type_id.as_str()).collect();
    let names = ticket_types::summaries(&mut conn, tenant, &types).await?;
    let printed = |(state, (name, _)): (rows::State, (String, _))| PrintedTicket {
        qr: drawn(&state.id).unwrap_or_default(),
        id: state.id,
        name,
        attendee: state.attendee.name,
    };
    let next = first.saturating_add(TICKETS_PRINTED);
    let given: Option<i64> = query.get("given").and_then(|given| given.parse().ok());
    let page = PrintedPage {
        f: member.frame("orders").done(&query),
        base: base(&member, &id),
        event,
        venue,
        starts_at,
        time_zone,
        tickets: shown.into_iter().zip(names).map(printed).collect(),
        count: count as i64,
        sees_people: sees.people(),
        next: (sees.people() && next < count).then_some(next),
        change: given
            .filter(|given| *given >= order.total && order.payment_method == Some(PaymentMethod::Cash))
            .map(|given| (given, given - order.total)),
        order,
    };
    page::show(StatusCode::OK, &page)
}
