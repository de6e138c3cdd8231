//! The list of events: those that come first, then those without a date, then those that are over. A list that is not long
//! can be sorted by any column.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    clock::Stamp,
    config::{DASHBOARD_ROWS, EVENT_LASTS, EVENT_PAGES_EXAMINED, EVENTS_SORTED_MAX},
    event::KeptEvent,
    role::Right,
    status::EventStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, formats::ShownTime, page, query::Query};
use taquilla_store::{
    catalogue::by_date::{self, Place, Stretch},
    overview,
    sales::figures::{self, Sold},
};

use super::{
    common::{event_badge, event_path, event_status_key},
    sorted::{self, Heads, Measures},
};
use crate::{
    access::{Member, SeeEvents},
    frame::Frame,
    sorting::Sort,
};

/// An event on the page.
struct EventRow {
    path: String,
    badge: &'static str,
    status: String,
    starts: Option<ShownTime>,
    /// What was sold: entrances, things from the bar and bundles apart.
    sold: Vec<String>,
    /// What came in for it less refunds, for those who may see reports.
    revenue: Option<String>,
    event: KeptEvent,
}

#[derive(Template)]
#[template(path = "events.html")]
struct EventsPage {
    f: Frame,
    events: Vec<EventRow>,
    statuses: Vec<(&'static str, String)>,
    status: Option<EventStatus>,
    is_first: bool,
    more: Option<String>,
    may_change: bool,
    sees_money: bool,
    heads: Heads,
    /// The sorting, which another filter keeps.
    sort: Option<String>,
    /// How many events can be sorted, if there are more.
    too_many: Option<usize>,
}

/// A place in an address, such as `coming.1790000000000000.ev_1`.
fn place(text: &str) -> Option<Place> {
    let mut parts = text.splitn(3, '.');
    let stretch = Stretch::parse(parts.next()?)?;
    let starts_at = Stamp::from_micros(parts.next()?.parse().ok()?);
    // PostgreSQL takes no text with this character, and no id has it.
    let id = parts.next().filter(|id| !id.contains('\0'))?.to_owned();
    Some(Place { stretch, starts_at, id })
}

/// The list.
pub async fn get_events(State(app): State<App>, member: Member<SeeEvents>, query: Query) -> Result<Response, Error> {
    let (tenant, limit) = (member.tenant(), DASHBOARD_ROWS as usize);
    let status = query.get("status").and_then(EventStatus::parse);
    let over = app.time.now().minus(EVENT_LASTS);
    let sees_money = member.may(Right::SeeReports);
    let sort = sorted::asked(&query, sees_money);
    let mut conn = app.store.read().await?;
    let all = match sort {
        Some(_) => sorted::all(&mut conn, tenant, over).await?,
        None => None,
    };
    let too_many = (sort.is_some() && all.is_none()).then_some(EVENTS_SORTED_MAX);
    let sort = sort.filter(|_| too_many.is_none());
    let is_wanted = |event: &KeptEvent| status.is_none_or(|status| event.status == status);
    let after = query.get("after").and_then(place);
    let from: usize = query.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let is_first = after.is_none() && from == 0;
    let mut found: Vec<KeptEvent> = Vec::new();
    let mut next = None;
    match all {
        Some(all) => found.extend(all.into_iter().filter(is_wanted)),
        None => {
            next = Some(after.unwrap_or_else(|| Place::first(over)));
            // Few events may have the status. A page that found less than it shows goes on where it stopped.
            for _ in 0..EVENT_PAGES_EXAMINED {
                let Some(from) = next.as_ref().filter(|_| found.len() < limit) else { break };
                let (some, place) = by_date::page(&mut conn, tenant, from, over, limit - found.len()).await?;
                found.extend(some.into_iter().filter(is_wanted));
                next = place;
            }
        }
    }
    let ids: Vec<&str> = found.iter().map(|event| event.id.as_str()).collect();
    let sold = overview::sold(&mut conn, tenant, &ids).await?;
    let totals = match sees_money {
        true => figures::in_all(&mut conn, tenant, &ids).await?,
        false => Default::default(),
    };
    drop(conn);
    let mut further = None;
    if let Some(sort) = sort {
        sorted::put(sort, &mut found, &Measures { sold: &sold, totals: &totals });
        let end = from.saturating_add(limit);
        further = (found.len() > end).then_some(end);
        found = found.into_iter().skip(from).take(limit).collect();
    }
    let f = member.frame("events").done(&query);
    let row = |event: KeptEvent| {
        let sold = sold.get(&event.id).into_iter().flatten().filter(|(_, units)| *units > 0);
        let net = totals.get(&event.id).map_or(0, Sold::net);
        EventRow {
            path: event_path(&member, &event.id),
            badge: event_badge(event.status),
            status: f.text(&event_status_key(event.status)),
            starts: event.starts_at.map(|at| f.dates(&event.timezone).time(&at)),
            sold: sold
                .map(|(category, units)| f.l.t.with(&format!("events-sold-{}", category.as_str()), "count", *units))
                .collect(),
            revenue: sees_money.then(|| f.money(net, &event.currency)),
            event,
        }
    };
    let narrowed = status.map(|status| format!("&status={}", status.as_str())).unwrap_or_default();
    let more = match (sort, next) {
        (Some(sort), _) => further.map(|from| format!("sort={}&from={from}{narrowed}", sort.written())),
        (None, next) => next.map(|Place { stretch, starts_at, id }| {
            format!("after={}.{}.{}{narrowed}", stretch.as_str(), starts_at.micros(), in_path(&id))
        }),
    };
    let page = EventsPage {
        events: found.into_iter().map(row).collect(),
        statuses: EventStatus::ALL.iter().map(|each| (each.as_str(), f.text(&event_status_key(*each)))).collect(),
        status,
        is_first,
        more,
        may_change: member.may(Right::ManageEvents),
        sees_money,
        heads: Heads::new(&f, sort, |sort| format!("{}?sort={sort}{narrowed}", f.path("/events"))),
        sort: sort.map(Sort::written),
        too_many,
        f,
    };
    page::show(StatusCode::OK, &page)
}
