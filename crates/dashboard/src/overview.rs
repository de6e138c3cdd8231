//! The first pages: a producer's overview, and the way to one.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    clock::Stamp,
    config::{EVENT_LASTS, EVENT_LASTS_MAX, OVERVIEW_EVENTS, OVERVIEW_EXAMINED},
    days,
    role::Right,
    status::EventStatus,
    webhook::DeliveryStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, formats::ShownTime, page, query::Query, redirects::go};
use taquilla_store::{
    Conn, Result as Stored, Tenant, keys,
    overview::{self as rows, Coming},
    webhooks::{delivery_log, endpoints},
};

use super::{
    access::{Anybody, Member, SignedIn},
    attention::{self, Waiting},
    first_steps::{self, FirstSteps},
    frame::{Frame, producer_path},
    recent_sales::RecentSales,
    sold::{self, SoldOfEvent},
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
    sold: SoldOfEvent,
    starts: ShownTime,
    path: String,
    id: String,
}

impl EventRow {
    /// How many of a hundred have entered.
    fn percent(&self) -> i64 {
        let (entered, expected) = self.sold.people;
        if expected > 0 { entered * 100 / expected } else { 0 }
    }
}

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    f: Frame,
    waiting: Option<Vec<Waiting>>,
    tonight: Vec<EventRow>,
    next: Vec<EventRow>,
    sales: Option<RecentSales>,
    first_steps: Option<FirstSteps>,
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
            let sold = sold::of_event(&mut conn, tenant, &f, &event.id, &event.currency).await?;
            let zone = days::zone(&event.timezone);
            let is_tonight = event.starts_at <= now || days::day_of(event.starts_at, &zone) == days::day_of(now, &zone);
            let starts = f.dates(&event.timezone).time(&event.starts_at);
            let id = in_path(&event.id);
            let row = EventRow { sold, starts, path: f.path(&format!("/events/{id}")), id, event };
            if is_tonight { tonight.push(row) } else { next.push(row) }
        }
    }
    let sales = match member.may(Right::SeeReports) {
        true => Some(RecentSales::read(&mut conn, tenant, &f, now).await?),
        false => None,
    };
    let first_steps = first_steps::find(&mut conn, &member, now, &member.service_address(&app)).await?;
    let has_second_factor = member.user.has_second_factor;
    let page = OverviewPage { f, waiting, tonight, next, sales, first_steps, keys, endpoints, has_second_factor };
    page::show(StatusCode::OK, &page)
}

/// The published events that are on or come next.
async fn on_or_coming(conn: &mut Conn, tenant: Tenant, now: Stamp) -> Stored<Vec<Coming>> {
    let found = rows::coming(conn, tenant, now.minus(EVENT_LASTS_MAX), OVERVIEW_EXAMINED).await?;
    let is_over = |event: &Coming| event.ends_at.unwrap_or(event.starts_at.plus(EVENT_LASTS)) <= now;
    let shown = found.into_iter().filter(|event| event.status == EventStatus::Published && !is_over(event));
    Ok(shown.take(OVERVIEW_EVENTS).collect())
}
