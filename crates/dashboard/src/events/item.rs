//! One ticket type or bundle: its stock, who may buy it, and what can be done with it.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{event::KeptEvent, role::Right, status::TypeStatus, ticket_type::Direction};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, formats::ShownTime, page, query::Query, redirects::go};
use taquilla_rules::admin::catalogue::{TicketTypeChange, change_ticket_type, move_item};
use taquilla_store::{catalogue::pools, sales::sold::Figure};

use super::{
    common::{event_path, find_event, find_item, item_path, item_status_key},
    rows::{ItemRow, rows},
    sold_by_day::{self, SoldDay},
};
use crate::{
    access::{ManageEvents, Member, SeeEvents},
    frame::Frame,
    reports::{asked, orders::Behind},
};

#[derive(Template)]
#[template(path = "item.html")]
struct ItemPage {
    f: Frame,
    event: KeptEvent,
    base: String,
    row: ItemRow,
    /// The names of the pools that it takes places from.
    pools: Vec<String>,
    category: String,
    who: String,
    on_sale_from: Option<ShownTime>,
    expires: Option<ShownTime>,
    /// The address that opens a hidden item, for whoever may hand it out.
    access_link: Option<String>,
    is_hidden: bool,
    may_change: bool,
    /// The rows behind what is sold: live tickets, or orders of a bundle.
    sold_rows: Option<String>,
    /// The orders behind what was sold, of any day.
    orders: Option<String>,
    /// For whoever may see reports.
    sold_by_day: Option<Vec<SoldDay>>,
}

/// The item's page.
pub async fn get_item(
    State(app): State<App>,
    member: Member<SeeEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let (event, item, access_code) = find_item(&app, member.tenant(), &event_id, &id).await?;
    let f = member.frame("events").done(&query);
    let may_change = member.may(Right::ManageEvents);
    let shop = format!(
        "{}/shop/{}/{}",
        member.service_address(&app),
        in_path(&member.producer.producer_id),
        in_path(&event_id)
    );
    let mut conn = app.store.read().await?;
    let now = app.time.now();
    let pools = pools::of_event(&mut conn, member.tenant(), &event_id).await?;
    let shared_with = pools.iter().filter(|pool| pool.taken_by(&item) > 0).map(|pool| pool.name.clone()).collect();
    let row = rows(&mut conn, &member, vec![item], &pools, now).await?.pop().ok_or(Error::NotFound("item"))?;
    let sold_by_day = match member.may(Right::SeeReports) {
        true => Some(sold_by_day::find(&mut conn, member.tenant(), &event, &id, now).await?),
        false => None,
    };
    drop(conn);
    let behind = Behind { figure: Figure::Sold, event_id: &event_id, item_id: Some(&id), channel: None, days: None };
    let orders = behind.path(&f);
    let page = ItemPage {
        base: event_path(&member, &event_id),
        category: f.text(&format!("item-category-{}", row.item.category.as_str())),
        who: f.text(&format!("{}-about", item_status_key(row.item.shown_status()))),
        on_sale_from: row.item.on_sale_from.map(|at| f.dates(&event.timezone).time(&at)),
        expires: row.item.expires_at.map(|at| f.dates(&event.timezone).time(&at)),
        sold_rows: match row.is_bundle {
            true => orders.clone(),
            false => asked::tickets(&f, &event_id, Some(&id), "live"),
        },
        orders,
        sold_by_day,
        access_link: access_code.filter(|_| may_change).map(|code| format!("{shop}?access_code={}", in_path(&code))),
        is_hidden: row.item.status == TypeStatus::Hidden,
        may_change,
        pools: shared_with,
        row,
        event,
        f,
    };
    page::show(StatusCode::OK, &page)
}

async fn set_deleted(
    app: &App,
    member: &Member<ManageEvents>,
    event_id: &str,
    id: &str,
    deleted: bool,
) -> Result<(), Error> {
    find_item(app, member.tenant(), event_id, id).await?;
    let change = TicketTypeChange { deleted: Some(deleted), ..TicketTypeChange::default() };
    // Deleting overwrites nothing, and it can be undone, so it needs no look at what others have changed.
    Ok(change_ticket_type(&app.store, member.tenant(), id, &change, None, member.by()).await?)
}

/// Deletes an item.
pub async fn post_delete(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    set_deleted(&app, &member, &event_id, &id, true).await?;
    Ok(go(&format!("{}?done=item-deleted#deleted", event_path(&member, &event_id))))
}

/// Brings an item back.
pub async fn post_restore(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    set_deleted(&app, &member, &event_id, &id, false).await?;
    Ok(go(&format!("{}?done=item-restored", item_path(&member, &event_id, &id))))
}

/// Moves an item up or down in the organiser's order.
pub async fn post_move(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    form: Form,
) -> Result<Response, Error> {
    find_event(&app, member.tenant(), &event_id).await?;
    let direction = if form.has("direction", "up") { Direction::Up } else { Direction::Down };
    move_item(&app.store, member.tenant(), &event_id, &id, direction, member.by()).await?;
    Ok(go(&format!("{}?done=item-moved#items", event_path(&member, &event_id))))
}
