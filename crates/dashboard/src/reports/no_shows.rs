//! Who had a ticket and did not come.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{clock::Stamp, config::DASHBOARD_ROWS, status::ItemKind};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, download, page, query::Query};
use taquilla_store::{
    Conn, Tenant,
    catalogue::{
        events::{self, EVENTS},
        ticket_counts,
    },
    lists::{self, End, Position},
};

use super::{
    asked,
    choose::{NO_SHOWS, Report},
};
use crate::{
    access::{Member, SeeReports},
    chosen_event::{self, ChosenEvent},
    csv,
    exports::query::separator,
    frame::Frame,
};

/// A ticket type, or an event.
struct NoShowLine {
    id: String,
    name: String,
    /// Where the line itself leads to.
    path: Option<String>,
    valid: i64,
    scanned: i64,
    /// The tickets behind the figures.
    missing: Option<String>,
    entered: Option<String>,
    is_over: bool,
}

impl NoShowLine {
    fn tick(&self) -> String {
        asked::tick(&self.name)
    }

    fn expected(&self) -> i64 {
        self.valid + self.scanned
    }

    /// How many of a hundred did not come.
    fn share(&self) -> i64 {
        if self.expected() == 0 { 0 } else { (100 * self.valid + self.expected() / 2) / self.expected() }
    }
}

#[derive(Template)]
#[template(path = "report_no_shows.html")]
struct NoShowsPage {
    f: Frame,
    event: Option<ChosenEvent>,
    events: Vec<ChosenEvent>,
    lines: Vec<NoShowLine>,
    total: NoShowLine,
    older: Option<String>,
    file: String,
    report: Report,
}

impl NoShowsPage {
    /// What the lines are.
    fn head(&self) -> String {
        self.f.text(if self.event.is_some() { "report-ticket-type" } else { "report-event" })
    }

    fn event_id(&self) -> &str {
        self.event.as_ref().map_or("", |event| &event.id)
    }
}

/// The page, or the file.
pub async fn get_no_shows(State(app): State<App>, member: Member<SeeReports>, query: Query) -> Result<Response, Error> {
    let (mut conn, tenant, now) = (app.store.read().await?, member.tenant(), app.time.now());
    let event = chosen_event::named(&mut conn, tenant, query.get("event")).await?;
    let f = member.frame("reports");
    let (lines, older) = match &event {
        Some(event) => (of_types(&mut conn, tenant, &f, event, now).await?, None),
        None => of_events(&mut conn, tenant, &f, before(&query), now).await?,
    };
    let events = chosen_event::choice(&mut conn, tenant, query.get("event")).await?;
    drop(conn);
    if query.get("format") == Some("csv") {
        return Ok(download::file(
            "no-shows.csv",
            download::CSV,
            file(&lines, event.is_some(), separator(&member, &query)?).into(),
        ));
    }
    let counted = |count: fn(&NoShowLine) -> i64| lines.iter().map(count).sum();
    let total = NoShowLine {
        id: String::new(),
        name: f.text("report-total"),
        path: None,
        valid: counted(|line| line.valid),
        scanned: counted(|line| line.scanned),
        missing: event.as_ref().and_then(|event| asked::tickets(&f, &event.id, None, "valid")),
        entered: event.as_ref().and_then(|event| asked::tickets(&f, &event.id, None, "scanned")),
        is_over: event.as_ref().is_none_or(|event| event.is_over(now)),
    };
    let of_event = event.as_ref().map(|event| format!("event={}&", in_path(&event.id))).unwrap_or_default();
    let position = query.get("before").filter(|_| event.is_none()).map(|before| format!("before={}&", in_path(before)));
    let file = f.path(&format!("/reports/no-shows?{of_event}{}format=csv", position.unwrap_or_default()));
    page::show(StatusCode::OK, &NoShowsPage { f, event, events, lines, total, older, file, report: NO_SHOWS })
}

async fn of_types(
    conn: &mut Conn,
    tenant: Tenant,
    f: &Frame,
    event: &ChosenEvent,
    now: Stamp,
) -> Result<Vec<NoShowLine>, Error> {
    let items = ticket_counts::of_event(conn, tenant, &event.id).await?;
    // The tickets of a bundle count under their own ticket types.
    let singles = items.into_iter().filter(|item| item.kind == ItemKind::TicketType);
    let line = |item: ticket_counts::OfItem| NoShowLine {
        missing: asked::tickets(f, &event.id, Some(&item.id), "valid"),
        entered: asked::tickets(f, &event.id, Some(&item.id), "scanned"),
        id: item.id,
        name: item.name,
        path: None,
        valid: item.valid,
        scanned: item.scanned,
        is_over: event.is_over(now),
    };
    Ok(singles.map(line).collect())
}

/// Where the next page of events begins.
fn before(query: &Query) -> Position {
    let given = query.get("before").and_then(|text| text.split_once('-'));
    let read = given.and_then(|(stamp, seq)| Some((stamp.parse().ok()?, seq.parse().ok()?)));
    read.map_or(Position::above(Stamp::END), |(stamp, seq)| Position { stamp: Stamp::from_micros(stamp), seq })
}

/// A page of events, newest first, and the query of the next one.
async fn of_events(
    conn: &mut Conn,
    tenant: Tenant,
    f: &Frame,
    from: Position,
    now: Stamp,
) -> Result<(Vec<NoShowLine>, Option<String>), Error> {
    let mut found: Vec<ChosenEvent> = Vec::new();
    let end = lists::page(conn, tenant, &EVENTS, &events::filter(None), from, DASHBOARD_ROWS as usize, |row| {
        found.push(ChosenEvent::of(events::listed(row)?));
        Ok(())
    })
    .await?;
    let ids: Vec<&str> = found.iter().map(|event| event.id.as_str()).collect();
    let counts = ticket_counts::of_events(conn, tenant, &ids).await?;
    let lines = found.iter().map(|event| {
        let (valid, scanned) = counts.get(&event.id).copied().unwrap_or_default();
        NoShowLine {
            id: event.id.clone(),
            name: event.name.clone(),
            path: Some(f.path(&format!("/reports/no-shows?event={}", in_path(&event.id)))),
            valid,
            scanned,
            missing: asked::tickets(f, &event.id, None, "valid"),
            entered: asked::tickets(f, &event.id, None, "scanned"),
            is_over: event.is_over(now),
        }
    });
    let older = match end {
        End::More(Position { stamp, seq }) => Some(format!("before={}-{seq}", stamp.micros())),
        End::Complete => None,
    };
    Ok((lines.collect(), older))
}

fn file(lines: &[NoShowLine], is_of_types: bool, separator: csv::Separator) -> Vec<u8> {
    let (id, name) = if is_of_types { ("ticket_type_id", "ticket_type") } else { ("event_id", "event") };
    let heads = [id, name, "tickets", "entered", "did_not_enter", "percent", "is_over"];
    let mut file = csv::Lines::begin(separator, heads);
    for line in lines {
        let numbers = [line.expected(), line.scanned, line.valid, line.share()].map(csv::Cell::from);
        let over = if line.is_over { "true" } else { "false" };
        let cells = [csv::Cell::from(&line.id), (&line.name).into()].into_iter().chain(numbers).chain([over.into()]);
        file.write(cells);
    }
    file.into_bytes()
}
