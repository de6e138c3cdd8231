//! What counts as sold against the tickets that are live (G5).

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::status::ItemKind;
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, download, page, query::Query};
use taquilla_store::{
    catalogue::{
        pools,
        ticket_counts::{self, OfItem},
    },
    sales::{holds, sold::Figure},
};

use super::{
    asked,
    choose::{Report, STOCK},
    orders::Behind,
};
use crate::{
    access::{Member, SeeReports},
    chosen_event::{self, ChosenEvent},
    csv,
    exports::query::separator,
    frame::Frame,
    sold::{self, SoldOfEvent},
};

/// An item of the event.
struct StockLine {
    item: OfItem,
    held: i64,
    /// For how many units its pools have room, if it is in one.
    room: Option<i64>,
    /// The rows behind what is sold: live tickets, or orders of a bundle.
    sold_rows: Option<String>,
    live_tickets: Option<String>,
    entered: Option<String>,
}

impl StockLine {
    fn tick(&self) -> String {
        asked::tick(&self.item.name)
    }

    fn is_bundle(&self) -> bool {
        self.item.kind == ItemKind::Bundle
    }

    /// What nobody has bought or holds, and has room in its pools.
    fn left(&self) -> Option<i64> {
        let own = self.item.limit.map(|limit| (limit - self.item.sold - self.held).max(0));
        own.into_iter().chain(self.room).min()
    }

    /// Live tickets. Those of a bundle count under their own ticket types.
    fn live(&self) -> Option<i64> {
        (!self.is_bundle()).then_some(self.item.valid + self.item.scanned)
    }

    /// Live tickets out of bundles.
    fn bundled(&self) -> Option<i64> {
        self.live().map(|live| live - self.item.sold)
    }

    /// Every unit that was sold directly is a live ticket.
    fn agrees(&self) -> bool {
        self.bundled().is_none_or(|rest| rest >= 0)
    }
}

#[derive(Template)]
#[template(path = "report_stock.html")]
struct StockPage {
    f: Frame,
    event: Option<ChosenEvent>,
    events: Vec<ChosenEvent>,
    lines: Vec<StockLine>,
    sold: Option<SoldOfEvent>,
    file: String,
    report: Report,
}

impl StockPage {
    fn event_id(&self) -> &str {
        self.event.as_ref().map_or("", |event| &event.id)
    }
}

/// The page, or the file.
pub async fn get_stock(State(app): State<App>, member: Member<SeeReports>, query: Query) -> Result<Response, Error> {
    let (mut conn, tenant) = (app.store.read().await?, member.tenant());
    let event = chosen_event::named(&mut conn, tenant, query.get("event")).await?;
    let mut lines = Vec::new();
    if let Some(event) = &event {
        let items = ticket_counts::of_event(&mut conn, tenant, &event.id).await?;
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        let held = holds::held_now(&mut conn, tenant, &ids).await?;
        let (takes, free) = pools::free_of_event(&mut conn, tenant, &event.id, &ids).await?;
        lines.extend(items.into_iter().map(|item| {
            let held = held.get(&item.id).map_or(0, |held| held.quantity);
            let places = pools::takes_of(&takes, &item.id);
            let room = places.iter().filter_map(|(pool, each)| Some(free.get(pool)? / each)).min();
            StockLine { item, held, room, sold_rows: None, live_tickets: None, entered: None }
        }));
    }
    let f = member.frame("reports");
    let sold = match &event {
        Some(event) => Some(sold::of_event(&mut conn, tenant, &f, &event.id, &event.currency).await?),
        None => None,
    };
    let events = chosen_event::choice(&mut conn, tenant, query.get("event")).await?;
    drop(conn);
    if query.get("format") == Some("csv") && event.is_some() {
        return Ok(download::file(
            "sold-and-listed.csv",
            download::CSV,
            file(&lines, separator(&member, &query)?).into(),
        ));
    }
    let id = event.as_ref().map(|event| event.id.as_str());
    if let Some(id) = id {
        for line in &mut lines {
            let item_id = Some(line.item.id.as_str());
            let behind = Behind { figure: Figure::Sold, event_id: id, item_id, channel: None, days: None };
            line.live_tickets = asked::tickets(&f, id, item_id, "live");
            line.sold_rows = if line.is_bundle() { behind.path(&f) } else { line.live_tickets.clone() };
            line.entered = asked::tickets(&f, id, item_id, "scanned");
        }
    }
    let file = f.path(&format!("/reports/stock?event={}&format=csv", in_path(id.unwrap_or_default())));
    page::show(StatusCode::OK, &StockPage { f, event, events, lines, sold, file, report: STOCK })
}

fn file(lines: &[StockLine], separator: csv::Separator) -> Vec<u8> {
    let heads = [
        "item_id",
        "item",
        "kind",
        "limit",
        "sold",
        "held",
        "left",
        "live_tickets",
        "from_bundles",
        "valid",
        "entered",
        "agrees",
    ];
    let mut file = csv::Lines::begin(separator, heads);
    for line in lines {
        let item = &line.item;
        let of_tickets = |count: i64| (!line.is_bundle()).then_some(count);
        let cells = [
            (&item.id).into(),
            (&item.name).into(),
            item.kind.as_str().into(),
            item.limit.into(),
            item.sold.into(),
            line.held.into(),
            line.left().into(),
            line.live().into(),
            line.bundled().into(),
            of_tickets(item.valid).into(),
            of_tickets(item.scanned).into(),
            if line.agrees() { "true" } else { "false" }.into(),
        ];
        file.write(cells);
    }
    file.into_bytes()
}
