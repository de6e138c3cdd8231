//! The page itself.

use std::{borrow::Borrow, collections::BTreeMap};

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::ToSpan;

use taquilla_domain::{
    config::PROMOTER_DAYS,
    days, id,
    promoter::Promoter,
    status::{Category, ItemKind, OrderChannel, TypeStatus},
    ticket_type::TicketType,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    form::Form,
    formats::{Dates, ShownTime, money},
    page::{self, Layout},
    page_headers::SHOP,
    qr, shop_links,
};
use taquilla_store::{
    catalogue::ticket_types,
    sales::{
        figures::{Sold, SoldOnDay},
        promoter_sums,
    },
};

use super::opened::Opened;

/// What was sold and given away of an item, or on a day.
struct Line {
    name: String,
    sold: Sold,
    given_away: i64,
}

impl Line {
    fn new(name: String) -> Self {
        Self { name, sold: Sold::default(), given_away: 0 }
    }

    fn add(&mut self, (place, sold): &SoldOnDay) {
        match place.channel == OrderChannel::Promoter.as_str() {
            true => self.given_away += sold.units - sold.refunded_units,
            false => self.sold.add(sold),
        }
    }
}

#[derive(Template)]
#[template(path = "promoter.html")]
struct PromoterPage {
    l: Layout,
    promoter: Promoter,
    sold: Sold,
    event: String,
    producer: String,
    starts: Option<ShownTime>,
    currency: String,
    time_zone: String,
    by_item: Vec<Line>,
    by_day: Vec<Line>,
    days_shown: i64,
    shop_url: String,
    shop_qr: String,
    path: String,
    /// What may be given away: ids and names.
    offered: Vec<(String, String)>,
    form: Form,
    key: String,
}

impl PromoterPage {
    fn money(&self, amount: impl Borrow<i64>) -> String {
        money(self.l.t.0, *amount.borrow(), &self.currency)
    }

    fn net(&self) -> String {
        self.money(self.sold.net())
    }

    /// How much of the contingent is given away.
    fn given(&self) -> String {
        let values = [("given", self.promoter.given_away.into()), ("all", self.promoter.complimentary.into())];
        self.l.t.with_two("promoter-page-given-of", values)
    }
}

/// Whether an item may be given away, as far as is known without asking the box office.
fn is_offered(item: &TicketType, opened: &Opened) -> bool {
    (item.kind, item.category) == (ItemKind::TicketType, Category::Ticket)
        && matches!(item.status, TypeStatus::Active | TypeStatus::Exclusive)
        && !item.deleted
        && item.limit.is_none_or(|limit| item.sold < limit)
        && item.expires_at.is_none_or(|expiry| opened.now() < expiry)
}

/// The page, with what is wrong if something could not be given away.
pub async fn show(status: StatusCode, app: &App, opened: Opened, form: Form) -> Result<Response, Error> {
    let (tenant, promoter) = (opened.tenant, &opened.selling.promoter);
    let dates = Dates::new(opened.visitor.layout.t.0, &opened.event.timezone, opened.now());
    let today = days::day_of(opened.now(), &days::zone(&opened.event.timezone));
    let first = today.checked_sub((PROMOTER_DAYS - 1).days()).unwrap_or(today);
    let mut conn = app.store.read().await?;
    let items = ticket_types::of_event(&mut conn, tenant, &promoter.event_id, true).await?;
    let sums = promoter_sums::of_promoter(&mut conn, tenant, &promoter.id).await?;
    drop(conn);
    let by_item = items.iter().filter_map(|item| {
        let mut line = Line::new(item.name.clone());
        let mut parts = sums.iter().filter(|(place, _)| place.ticket_type_id == item.id).peekable();
        parts.peek()?;
        parts.for_each(|part| line.add(part));
        Some(line)
    });
    let by_item = by_item.collect();
    let mut by_day: BTreeMap<i64, Line> = BTreeMap::new();
    for sum in sums.iter().filter(|(place, _)| place.day >= days::number(first)) {
        let day = sum.0.day;
        by_day.entry(day).or_insert_with(|| Line::new(dates.day(days::numbered(day)).to_string())).add(sum);
    }
    let offered = items.iter().filter(|item| opened.is_open() && is_offered(item, &opened));
    let offered = offered.map(|item| (item.id.clone(), item.name.clone())).collect();
    let shop_link = shop_links::sold_by(&opened.producer_id, &promoter.event_id, &promoter.id);
    let shop_url = format!("{}{shop_link}", opened.visitor.service_address(app));
    // A form that is shown again keeps its key: nothing was given away with it.
    let given = form.value("key");
    let key = if given.is_empty() { id::new_ticket_id() } else { given.to_owned() };
    let page = PromoterPage {
        by_item,
        by_day: by_day.into_values().rev().collect(),
        days_shown: PROMOTER_DAYS,
        starts: opened.event.starts_at.map(|at| dates.time(&at)),
        shop_qr: qr::drawn(&shop_url).unwrap_or_default(),
        shop_url,
        offered,
        form,
        key,
        sold: opened.selling.sold,
        promoter: opened.selling.promoter,
        event: opened.event.name,
        producer: opened.producer,
        currency: opened.event.currency,
        time_zone: opened.event.timezone,
        path: opened.path,
        l: opened.visitor.layout,
    };
    page::show_at(SHOP, status, &page)
}

/// The page.
pub async fn get_promoter(State(app): State<App>, opened: Opened) -> Result<Response, Error> {
    show(StatusCode::OK, &app, opened, Form::default()).await
}
