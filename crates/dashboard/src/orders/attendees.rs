//! The attendees of an event on paper: name, item, order and a box to tick.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::ATTENDEES_LISTED, status::TicketStatus};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, page};
use taquilla_store::{
    lists::End,
    tickets::{listed::Query, staff},
};

use crate::{
    access::{Member, SeeOrders},
    chosen_event::{self, ChosenEvent},
    frame::Frame,
    tickets::row::{self, TicketRow},
};

#[derive(Template)]
#[template(path = "attendees.html")]
struct AttendeesPage {
    f: Frame,
    event: ChosenEvent,
    base: String,
    rows: Vec<TicketRow>,
    /// Whether there are more than one page can have.
    is_cut: bool,
    sees_people: bool,
}

/// The list, by name. No index has names, so as many tickets as fit are read and sorted.
pub async fn get_attendees(
    State(app): State<App>,
    member: Member<SeeOrders>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let (mut conn, tenant) = (app.store.read().await?, member.tenant());
    let event = chosen_event::find(&mut conn, tenant, &id).await?;
    let statuses = vec![TicketStatus::Valid, TicketStatus::Scanned];
    let wanted = Query { event_id: Some(event.id.clone()), statuses, ..Query::default() };
    let (held, end) = staff::page(&mut conn, tenant, &wanted, None, None, ATTENDEES_LISTED).await?;
    let mut rows = row::rows(&mut conn, &member, held).await?;
    drop(conn);
    rows.sort_by_cached_key(|row| (row.attendee.to_lowercase(), row.order.as_ref().map(|order| order.number)));
    let page = AttendeesPage {
        f: member.frame("events").by_clocks_of(&event.time_zone),
        base: member.path(&format!("/events/{}", in_path(&event.id))),
        event,
        rows,
        is_cut: end != End::Complete,
        sees_people: member.sees().people(),
    };
    page::show(StatusCode::OK, &page)
}
