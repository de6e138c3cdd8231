//! The first pages: a producer's overview, and the way to one.

use std::collections::BTreeMap;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::{ToSpan, civil::Date};

use taquilla_domain::{
    clock::Stamp,
    config::{EVENT_LASTS, EVENT_LASTS_MAX, OVERVIEW_EVENTS, OVERVIEW_EXAMINED, REPORT_ROWS_MAX, SALES_DAYS},
    days,
    role::Right,
    status::EventStatus,
    webhook::DeliveryStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, formats::ShownTime, page, query::Query, redirects::go};
use taquilla_store::{
    Conn, Result as Stored, Tenant, keys,
    overview::{self as rows, Coming, Figures},
    sales::figures::{self, Sold},
    webhooks::{delivery_log, endpoints},
};

use super::{
    access::{Anybody, Member, SignedIn},
    attention::{self, Waiting},
    frame::{Frame, producer_path},
};

#[derive(Template)]
#[template(path = "no_producer.html")]
struct NoProducerPage {
    f: Frame,
}

/// `/dashboard`: the user's producer, or the choice among several.
pub async fn get_dashboard(signed_in: SignedIn, query: Query) -> Result<Response, Error> {
    match signed_in.memberships.as_slice() {
        [only] => {
            let done = query.get("done").map(|done| format!("?done={}", in_path(done))).unwrap_or_default();
            Ok(go(&producer_path(&only.producer_id, &done)))
        }
        _ => page::show(StatusCode::OK, &NoProducerPage { f: signed_in.frame("").done(&query) }),
    }
}

/// An event on the page.
pub struct EventRow {
    event: Coming,
    figures: Figures,
    starts: ShownTime,
    id: String,
}

impl EventRow {
    /// How many of a hundred have entered.
    fn percent(&self) -> i64 {
        if self.figures.expected > 0 { self.figures.entered * 100 / self.figures.expected } else { 0 }
    }
}

/// A day's sales.
struct Day {
    date: Date,
    x: i64,
    units: i64,
    refunded: i64,
}

/// The sales of some days, and which they are.
struct Sales {
    days: Vec<Day>,
    query: String,
}

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    f: Frame,
    waiting: Option<Vec<Waiting>>,
    tonight: Vec<EventRow>,
    next: Vec<EventRow>,
    sales: Option<Sales>,
    keys: Option<usize>,
    endpoints: Option<(usize, usize)>,
    has_second_factor: bool,
}

/// A producer's overview.
pub async fn get_overview(State(app): State<App>, member: Member<Anybody>, query: Query) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let (tenant, now) = (member.tenant(), app.time.now());
    let keys = match member.may(Right::SeeKeys) {
        true => Some(keys::list(&mut conn, tenant).await?.iter().filter(|key| key.life.works(now)).count()),
        false => None,
    };
    let (mut endpoints, mut failed) = (None, 0);
    if member.may(Right::SeeWebhooks) {
        let all = endpoints::list(&mut conn, tenant).await?;
        let well = all.iter().filter(|endpoint| endpoint.state.is_sent_to() && endpoint.failing_since.is_none());
        endpoints = Some((all.len(), well.count()));
        for endpoint in &all {
            failed += delivery_log::count(&mut conn, endpoint, DeliveryStatus::Failed).await?;
        }
    }
    let shows_events = [Right::SeeEvents, Right::SeeDoor, Right::SeeOrders].iter().any(|right| member.may(*right));
    let events = if shows_events { on_or_coming(&mut conn, tenant, now).await? } else { Vec::new() };
    let waiting = attention::find(&mut conn, &member, &events, failed, now).await?;
    let f = member.frame("overview").done(&query);
    let (mut tonight, mut next) = (Vec::new(), Vec::new());
    if member.may(Right::SeeEvents) {
        for event in events {
            let figures = rows::figures(&mut conn, tenant, &event.id).await?;
            let zone = days::zone(&event.timezone);
            let is_tonight = event.starts_at <= now || days::day_of(event.starts_at, &zone) == days::day_of(now, &zone);
            let starts = f.dates(&event.timezone).time(&event.starts_at);
            let row = EventRow { figures, starts, id: in_path(&event.id), event };
            if is_tonight { tonight.push(row) } else { next.push(row) }
        }
    }
    let sales = match member.may(Right::SeeReports) {
        true => Some(last_days(&mut conn, tenant, f.time_zone(), now).await?),
        false => None,
    };
    let has_second_factor = member.user.has_second_factor;
    let page = OverviewPage { f, waiting, tonight, next, sales, keys, endpoints, has_second_factor };
    page::show(StatusCode::OK, &page)
}

/// The published events that are on or come next.
async fn on_or_coming(conn: &mut Conn, tenant: Tenant, now: Stamp) -> Stored<Vec<Coming>> {
    let found = rows::coming(conn, tenant, now.minus(EVENT_LASTS_MAX), OVERVIEW_EXAMINED).await?;
    let is_over = |event: &Coming| event.ends_at.unwrap_or(event.starts_at.plus(EVENT_LASTS)) <= now;
    let shown = found.into_iter().filter(|event| event.status == EventStatus::Published && !is_over(event));
    Ok(shown.take(OVERVIEW_EVENTS).collect())
}

/// The sales of the last days, by the clocks of each event. The last is today by the clocks of the producer, or tomorrow if
/// an event sold something in its tomorrow already.
async fn last_days(conn: &mut Conn, tenant: Tenant, zone: &str, now: Stamp) -> Stored<Sales> {
    let today = days::day_of(now, &days::zone(zone));
    let (from, tomorrow) = (today.saturating_sub((SALES_DAYS as i64 - 1).days()), today.saturating_add(1.day()));
    let mut by_day: BTreeMap<i64, Sold> = BTreeMap::new();
    for (place, sold) in figures::of_events(conn, tenant, (from, tomorrow), REPORT_ROWS_MAX).await? {
        by_day.entry(place.day).or_default().add(&sold);
    }
    let last = by_day.keys().next_back().copied().unwrap_or(0).max(days::number(today));
    let days: Vec<Day> = (last + 1 - SALES_DAYS as i64..=last)
        .map(|number| {
            let (date, sold) = (days::numbered(number), by_day.get(&number).copied().unwrap_or_default());
            Day { date, x: number * 86_400, units: sold.units, refunded: sold.refunded_units }
        })
        .collect();
    let query = format!("from={}&to={}", days::numbered(last + 1 - SALES_DAYS as i64), days::numbered(last));
    Ok(Sales { days, query })
}
