//! One event: what is known of it, what it sells, and what can be done with it.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::DASHBOARD_ROWS, event::KeptEvent, role::Right, status::EventStatus};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, formats::ShownTime, page, query::Query, shop_links};
use taquilla_store::catalogue::{pools, ticket_types};

use super::{
    common::{event_badge, event_path, event_status_key, find_event},
    pools::{PoolRow, rows as pool_rows},
    rows::{ItemRow, rows},
};
use crate::{
    access::{Member, SeeEvents},
    frame::Frame,
    orders::till::held_for,
    promoters::rows::{self as promoters, PromoterRow},
    sold::{self, SoldOfEvent},
};

#[derive(Template)]
#[template(path = "event.html")]
struct EventPage {
    f: Frame,
    base: String,
    badge: &'static str,
    status: String,
    sold: SoldOfEvent,
    starts: Option<ShownTime>,
    ends: Option<ShownTime>,
    items: Vec<ItemRow>,
    pools: Vec<PoolRow>,
    /// Whether there is something that a pool could be shared by.
    has_single_items: bool,
    deleted: Vec<ItemRow>,
    links: Vec<(String, String)>,
    /// The page where people buy, once the event is there for them, and what sells it on another website.
    shop: Option<(String, String)>,
    may_change: bool,
    may_refund: bool,
    is_draft: bool,
    is_published: bool,
    is_cancelled: bool,
    event: KeptEvent,
    form: Form,
    /// How long unpaid orders hold their stock.
    held_for: String,
    promoters: Vec<PromoterRow>,
    sees_money: bool,
}

/// Where a member can go from an event: addresses and names.
fn links<N>(member: &Member<N>, f: &Frame, event_id: &str, status: EventStatus) -> Vec<(String, String)> {
    // The box office sells for no other.
    let is_sold = matches!(status, EventStatus::Published | EventStatus::Draft);
    let id = in_path(event_id);
    [
        (Right::Sell, format!("/orders/new?event={id}"), "sell"),
        (Right::SeeOrders, format!("/orders?event={id}"), "event-orders"),
        (Right::SeeOrders, format!("/tickets?event={id}"), "event-tickets"),
        (Right::SeeOrders, format!("/events/{id}/attendees"), "attendees-list"),
        (Right::SeeDoor, format!("/door/{id}"), "event-door"),
        (Right::ManageEvents, format!("/events/{id}/coupons"), "coupons"),
        (Right::ManageEvents, format!("/events/{id}/surcharges"), "surcharges"),
        (Right::ManageEvents, format!("/events/{id}/checkout"), "checkout"),
        (Right::SeeReports, format!("/reports/sales?event={id}"), "event-report"),
        (Right::SeeEvents, format!("/events/{id}/promoters"), "promoters"),
    ]
    .into_iter()
    .filter(|(right, ..)| member.may(*right) && (*right != Right::Sell || is_sold))
    .map(|(_, path, key)| (member.path(&path), f.text(key)))
    .collect()
}

/// Shows an event, with what is wrong if something was refused.
pub async fn show<N>(
    status: StatusCode,
    app: &App,
    member: &Member<N>,
    event: KeptEvent,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let f = member.frame("events").done(query);
    let mut conn = app.store.read().await?;
    let items = ticket_types::of_event(&mut conn, member.tenant(), &event.id, true).await?;
    let pools = pools::of_event(&mut conn, member.tenant(), &event.id).await?;
    let items = rows(&mut conn, member, items, &pools, app.time.now()).await?;
    let sold = sold::of_event(&mut conn, member.tenant(), &f, &event.id, &event.currency).await?;
    let shown = (event.id.as_str(), event.currency.as_str());
    let promoters = promoters::of_event(app, &mut conn, member, &f, shown, DASHBOARD_ROWS).await?;
    drop(conn);
    let pools = pool_rows(member, pools, &items.iter().map(|row| &row.item).collect::<Vec<_>>());
    let has_single_items = items.iter().any(|row| !row.is_bundle && !row.item.deleted);
    let (deleted, items) = items.into_iter().partition(|row| row.item.deleted);
    let (may, dates) = (|right| member.may(right), f.dates(&event.timezone));
    let page = EventPage {
        base: event_path(member, &event.id),
        sold,
        badge: event_badge(event.status),
        status: f.text(&event_status_key(event.status)),
        starts: event.starts_at.map(|at| dates.time(&at)),
        ends: event.ends_at.map(|at| dates.time(&at)),
        items,
        pools,
        has_single_items,
        deleted,
        shop: (event.status != EventStatus::Draft).then(|| {
            let shop = shop_links::event(&member.producer.producer_id, &event.id);
            let snippet = shop_links::snippet(&member.service_address(app), &shop, &event.name);
            (shop, snippet)
        }),
        links: links(member, &f, &event.id, event.status),
        may_change: may(Right::ManageEvents),
        may_refund: may(Right::Refund),
        is_draft: event.status == EventStatus::Draft,
        is_published: event.status == EventStatus::Published,
        is_cancelled: event.status == EventStatus::Cancelled,
        event,
        form,
        promoters,
        sees_money: may(Right::SeeReports),
        held_for: held_for(member.layout.t, app.config.holds.lasts),
        f,
    };
    page::show(status, &page)
}

/// The event's page.
pub async fn get_event(
    State(app): State<App>,
    member: Member<SeeEvents>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    show(StatusCode::OK, &app, &member, event, &query, Form::default()).await
}
