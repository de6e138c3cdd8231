//! One ticket: its facts, what happened to it, and who held it.

use std::collections::HashMap;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use serde_json::Value;

use taquilla_domain::{
    admit::Outcome,
    audit::{Action, ending},
    clock::Stamp,
    config::DASHBOARD_ROWS,
    door_note::DoorNote,
    moves::TicketMove,
    person::Person,
    role::Right,
    status::TicketStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    address::in_path,
    badges::{self, Badge},
    page,
    qr::drawn,
    query::Query,
};
use taquilla_store::{
    Conn, Tenant,
    catalogue::{events, ticket_types},
    door::{links, scans},
    sales::orders,
    staff::audit,
    tickets::{
        chain,
        staff::{self, Held},
    },
};

use super::row;
use crate::{
    access::{Member, SeeOrders},
    frame::Frame,
    list_place,
    orders::named::{NamedOrder, named},
};

/// Something that happened to the ticket.
struct Moment {
    at: Stamp,
    badge: Badge,
    /// Where, through which link, by whom.
    details: Vec<(&'static str, String)>,
}

impl Moment {
    fn new(at: Stamp, class: &'static str, key: &'static str) -> Self {
        Self { at, badge: Badge { class, key }, details: Vec::new() }
    }
}

/// Somebody who held it.
struct Holder {
    path: String,
    name: String,
    issued_at: Stamp,
    badge: Badge,
    is_this: bool,
}

#[derive(Template)]
#[template(path = "ticket.html")]
struct TicketPage {
    f: Frame,
    base: String,
    name: String,
    event: String,
    order: Option<NamedOrder>,
    /// The value of its QR code, or a mask.
    code: String,
    qr: Option<String>,
    attendee: Person,
    badge: Badge,
    hidden: bool,
    moments: Vec<Moment>,
    holders: Vec<Holder>,
    sees_people: bool,
    may_change: bool,
    may_cancel: bool,
    may_pass_on: bool,
    may_hide: bool,
    /// What the scanner shows with it, or a mask.
    door_note: DoorNote,
    /// The address of the page that takes its entry back.
    undo: Option<String>,
}

/// The ticket in the path.
pub async fn find(app: &App, tenant: Tenant, handle: &str) -> Result<Held, Error> {
    let place = list_place::place(handle).ok_or(Error::NotFound("ticket"))?;
    staff::at(&mut app.store.read().await?, tenant, place).await?.ok_or(Error::NotFound("ticket"))
}

/// The ticket's id, to decide and to look up by. It opens a door, so no page has it from here.
#[expect(clippy::disallowed_methods, reason = "it is not shown")]
pub fn id_for_rules(held: &Held) -> &str {
    &held.state.uncovered().id
}

/// The ticket's page.
pub async fn get_ticket(
    State(app): State<App>,
    member: Member<SeeOrders>,
    Path((_, handle)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let held = find(&app, tenant, &handle).await?;
    let mut conn = app.store.read().await?;
    let state = held.state.clone().seen_by(sees);
    let mut names = ticket_types::summaries(&mut conn, tenant, &[&state.ticket_type_id]).await?;
    let shape = |event: taquilla_domain::event::Event<'_>| (event.name.to_owned(), event.timezone.to_owned());
    let (event, time_zone) = events::find(&mut conn, tenant, &state.event_id, shape).await?.unwrap_or_default();
    let f = member.frame("tickets").by_clocks_of(&time_zone).done(&query);
    let moments = moments(&mut conn, &member, &held, &f).await?;
    let holders = holders(&mut conn, &app, &member, &held).await?;
    let orders: Vec<&str> = state.order_id.as_deref().into_iter().collect();
    let order = named(&mut conn, &member, &orders).await?.into_values().next();
    let may_change = member.may(Right::ManageTickets);
    let may_undo = member.may(Right::ManageDoor) && TicketMove::UndoEntry.from(state.status).is_ok();
    let undo = format!("/door/{}/entries/{}/undo?from=ticket", in_path(&state.event_id), in_path(&handle));
    let works = matches!(state.status, TicketStatus::Valid | TicketStatus::Scanned);
    let page = TicketPage {
        f,
        base: row::path(&member, &held),
        name: names.pop().map(|(name, _)| name).unwrap_or_default(),
        event,
        order,
        qr: Some(&state.id).filter(|_| sees.people() && works).and_then(|id| drawn(id)),
        code: state.id,
        attendee: state.attendee,
        badge: badges::of_ticket(state.status),
        hidden: state.hidden,
        moments,
        holders,
        sees_people: sees.people(),
        may_change,
        may_cancel: may_change && TicketMove::Cancel.from(state.status).is_ok(),
        may_pass_on: may_change && TicketMove::Transfer.from(state.status).is_ok(),
        may_hide: may_change && !state.hidden,
        door_note: state.door_note,
        undo: may_undo.then(|| member.path(&undo)),
    };
    page::show(StatusCode::OK, &page)
}

/// Everything that happened to a ticket, oldest first. Of many attempts to enter with it, the last are shown.
async fn moments<N>(conn: &mut Conn, member: &Member<N>, held: &Held, f: &Frame) -> Result<Vec<Moment>, Error> {
    let (tenant, state) = (member.tenant(), held.state.clone().seen_by(member.sees()));
    let mut moments = vec![Moment::new(state.issued_at, "quiet", "moment-issued")];
    if let Some((at, _)) = &state.transferred {
        moments.push(Moment::new(*at, "quiet", "moment-passed-on"));
    }
    if let Some(at) = state.cancelled_at {
        moments.push(Moment::new(at, "bad", "moment-cancelled"));
    }
    if let (TicketStatus::Refunded, Some(order_id)) = (state.status, &state.order_id) {
        let refunded = orders::find(conn, tenant, order_id).await?;
        let refunded = refunded.and_then(|order| order.seen_by(member.sees()).refunded_at);
        moments.extend(refunded.map(|at| Moment::new(at, "bad", "moment-refunded")));
    }
    let attempts = scans::of_ticket(conn, tenant, id_for_rules(held), DASHBOARD_ROWS).await?;
    // Old attempts are forgotten, and imported tickets may have entered elsewhere.
    if let Some((at, station)) = &state.checked_in
        && !attempts.iter().any(|attempt| attempt.outcome == Outcome::Admitted && attempt.accepted_at == *at)
    {
        let mut moment = Moment::new(*at, "good", "attempt-admitted");
        moment.details.extend(station.clone().map(|station| ("moment-station", station)));
        moments.push(moment);
    }
    let mut labels: HashMap<String, String> = HashMap::new();
    for attempt in attempts {
        let mut moment =
            Moment { at: attempt.accepted_at, badge: badges::of_attempt(attempt.outcome), details: vec![] };
        moment.details.push(("moment-station", attempt.station));
        if let Some(id) = attempt.door_link_id {
            if !labels.contains_key(&id) {
                let label = links::find(conn, tenant, &id).await?.map(|link| link.label).unwrap_or_default();
                labels.insert(id.clone(), label);
            }
            moment.details.extend(labels.get(&id).cloned().map(|label| ("moment-link", label)));
        }
        let by_phone = attempt.scanned_at.map(|at| f.time(&at));
        let differs = by_phone.filter(|at| *at != f.time(&attempt.accepted_at));
        moment.details.extend(differs.map(|at| ("moment-phone", at.text().to_owned())));
        moments.push(moment);
    }
    moments.extend(by_staff(conn, member, held).await?);
    moments.sort_by_key(|moment| moment.at);
    Ok(moments)
}

/// What staff did that no fact of the ticket tells: when it was hidden, and who cancelled it or passed it on.
async fn by_staff<N>(conn: &mut Conn, member: &Member<N>, held: &Held) -> Result<Vec<Moment>, Error> {
    let filter = audit::Filter { subject: Some(ending(id_for_rules(held))), ..audit::Filter::default() };
    let entries = audit::list(conn, Some(member.tenant()), &filter, None, DASHBOARD_ROWS).await?;
    let state = held.state.clone().seen_by(member.sees());
    let (issued, attendee) = (state.issued_at.to_string(), state.attendee_id);
    let is_own = |entry: &audit::Entry| {
        // Entries from before schema version 24 have the attendee instead.
        let tells = |(name, value): &(String, String)| match name.as_str() {
            "issued" => *value == issued,
            "attendee" => *value == attendee,
            _ => false,
        };
        entry.details.iter().any(tells)
    };
    let mut moments = Vec::new();
    for entry in entries.into_iter().filter(is_own) {
        let key = match entry.action {
            Action::TicketHidden => "moment-hidden",
            Action::TicketNoted => "moment-noted",
            Action::TicketCancelled => "moment-cancelled-by-staff",
            Action::TicketTransferred => "moment-passed-on-by-staff",
            _ => continue,
        };
        // Who did it is for those who may see the history; only hiding has no other trace.
        if member.may(Right::SeeHistory) || entry.action == Action::TicketHidden {
            let mut moment = Moment::new(entry.at, "quiet", key);
            if member.may(Right::SeeHistory) {
                moment.details.push(("moment-by", entry.actor));
            }
            moments.push(moment);
        }
    }
    Ok(moments)
}

/// Who held it, the first one first.
async fn holders<N>(conn: &mut Conn, app: &App, member: &Member<N>, held: &Held) -> Result<Vec<Holder>, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let (mut documents, limit) = (b"[".to_vec(), DASHBOARD_ROWS as usize);
    chain::write(conn, tenant, &app.type_names, id_for_rules(held), None, limit, &mut documents).await?;
    documents.push(b']');
    let documents: Vec<Value> = serde_json::from_slice(&documents)
        .map_err(|cause| Error::Internal(format!("a chain of tickets is no JSON: {cause}")))?;
    let ids: Vec<&str> = documents.iter().filter_map(|document| document["id"].as_str()).collect();
    let chain = staff::with_ids(conn, tenant, &ids).await?;
    let holder = |other: Held| {
        let (path, is_this) = (row::path(member, &other), other.seq == held.seq);
        let state = other.state.seen_by(sees);
        let badge = badges::of_ticket(state.status);
        Holder { path, name: state.attendee.name, issued_at: state.issued_at, badge, is_this }
    };
    Ok(chain.into_iter().map(holder).collect())
}
