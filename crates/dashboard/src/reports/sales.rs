//! What was sold: by day, by item and by channel.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use askama::Template;
use axum::{extract::State, response::Response};
use jiff::{ToSpan, civil::Date};

use taquilla_domain::{
    config::{DASHBOARD_ROWS, REPORT_BARS, REPORT_ROWS_MAX},
    days::{self, Days},
    status::Category,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, download, page, query::Query};
use taquilla_store::{
    Conn, Tenant,
    catalogue::{
        events,
        ticket_types::{self, ForSale},
    },
    sales::{
        figures::{self, Sold, SoldOnDay},
        sold::Figure,
    },
};

use super::{
    asked::{self, ReportRequest},
    choose::{Report, SALES},
    orders::Behind,
};
use crate::{
    access::{Member, SeeReports},
    csv,
    frame::Frame,
};

/// One line of a table.
struct SalesLine {
    /// What it is called.
    name: String,
    /// A shorter name for the axis of the chart.
    tick: String,
    /// Where the line itself leads to.
    path: Option<String>,
    /// The orders behind what was sold.
    orders: Option<String>,
    /// The orders behind what was refunded.
    refunds: Option<String>,
    sold: Sold,
}

/// Everything in one currency: money of two currencies is never added.
struct InCurrency {
    currency: String,
    total: SalesLine,
    steps: Vec<SalesLine>,
    /// Entrances, things from the bar and bundles apart, of one event.
    kinds: Vec<SalesLine>,
    /// By item, or by event where the report is of all events.
    parts: Vec<SalesLine>,
    /// How many of them are left out.
    more_parts: usize,
    channels: Vec<SalesLine>,
}

impl InCurrency {
    /// The head of a column of money.
    fn of_money(&self, head: impl std::fmt::Display) -> String {
        format!("{head} ({})", self.currency)
    }
}

#[derive(Template)]
#[template(path = "report_sales.html")]
struct SalesPage {
    f: Frame,
    asked: ReportRequest,
    days: Days,
    is_weekly: bool,
    sections: Vec<InCurrency>,
    report: Report,
}

/// The names of what was sold.
struct Names {
    items: HashMap<String, ForSale>,
    events: HashMap<String, events::Named>,
}

impl Names {
    async fn read(conn: &mut Conn, tenant: Tenant, rows: &[SoldOnDay]) -> Result<Self, Error> {
        let mut ids: Vec<&str> = rows.iter().map(|(place, _)| place.ticket_type_id.as_str()).collect();
        let mut event_ids: Vec<&str> = rows.iter().map(|(place, _)| place.event_id.as_str()).collect();
        for ids in [&mut ids, &mut event_ids] {
            ids.sort_unstable();
            ids.dedup();
        }
        let mut items = HashMap::new();
        conn.ask(vec![ticket_types::for_sale(tenant, &ids, &mut items)]).await?;
        Ok(Self { items, events: events::named(conn, tenant, &event_ids).await? })
    }

    fn item<'a>(&'a self, id: &'a str) -> &'a str {
        self.items.get(id).map_or(id, |item| &item.name)
    }

    /// The place of an item's category in the list of categories. The sums of all events name no items.
    fn kind(&self, id: &str) -> Option<usize> {
        let category = self.items.get(id)?.category;
        Category::ALL.iter().position(|each| *each == category)
    }

    fn event<'a>(&'a self, id: &'a str) -> &'a str {
        self.events.get(id).map_or(id, |event| &event.name)
    }

    /// The currency of an event and of all its items.
    fn currency(&self, event_id: &str) -> &str {
        self.events.get(event_id).map_or("", |event| &event.currency)
    }
}

/// The page, or the file.
pub async fn get_sales(State(app): State<App>, member: Member<SeeReports>, query: Query) -> Result<Response, Error> {
    let (mut conn, tenant) = (app.store.read().await?, member.tenant());
    let mut asked = ReportRequest::read(&app, &mut conn, &member, &query).await?;
    let event_id = asked.event.as_ref().map(|event| event.id.clone());
    let span = match &event_id {
        Some(id) => figures::span(&mut conn, tenant, id).await?,
        None => {
            let (first, tomorrow) = asked.last_days_and_tomorrow();
            let is_sold = !figures::of_events(&mut conn, tenant, (tomorrow, tomorrow), 1).await?.is_empty();
            is_sold.then_some((first, tomorrow))
        }
    };
    let days = asked.days(span);
    let mut rows = rows(&mut conn, tenant, event_id.as_deref(), &days, asked.wants_csv).await?;
    if rows.len() > REPORT_ROWS_MAX {
        asked.too_much(member.layout.t.text("report-too-much"));
        rows.clear();
    }
    let names = Names::read(&mut conn, tenant, &rows).await?;
    drop(conn);
    if asked.wants_csv {
        let name = format!("sales-{}-{}.csv", days.from, days.to);
        return Ok(download::file(&name, download::CSV, file(&rows, &names, asked.separator).into()));
    }
    let f = member.frame("reports");
    let is_weekly = days.count() > REPORT_BARS;
    let sections = in_currencies(&f, &asked, &days, &rows, &names);
    page::show(asked.status(), &SalesPage { f, asked, days, is_weekly, sections, report: SALES })
}

/// What was sold. The page of all events shows no items, but a file does. One row more than a report has says that there
/// would be too many.
async fn rows(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: Option<&str>,
    days: &Days,
    is_file: bool,
) -> Result<Vec<SoldOnDay>, Error> {
    let (days, most) = ((days.from, days.to), REPORT_ROWS_MAX + 1);
    let Some(event_id) = event_id else {
        let of_events = figures::of_events(conn, tenant, days, most).await?;
        if !is_file || of_events.len() == most {
            return Ok(of_events);
        }
        let events: BTreeSet<&str> = of_events.iter().map(|(place, _)| place.event_id.as_str()).collect();
        let mut rows = Vec::new();
        for event in events {
            rows.extend(figures::of_event(conn, tenant, event, days, most - rows.len()).await?);
        }
        rows.sort_by(|(one, _), (other, _)| (one.day, one).cmp(&(other.day, other)));
        return Ok(rows);
    };
    Ok(figures::of_event(conn, tenant, event_id, days, most).await?)
}

/// Every day, item and channel.
fn file(rows: &[SoldOnDay], names: &Names, separator: csv::Separator) -> Vec<u8> {
    let heads = [
        "day",
        "event_id",
        "event",
        "item_id",
        "item",
        "channel",
        "currency",
        "units",
        "gross",
        "refunded_units",
        "refunded",
        "net",
    ];
    let mut file = csv::Lines::begin(separator, heads);
    for (place, sold) in rows {
        let day = days::numbered(place.day).to_string();
        let texts = [
            day.as_str(),
            &place.event_id,
            names.event(&place.event_id),
            &place.ticket_type_id,
            names.item(&place.ticket_type_id),
            place.channel,
            names.currency(&place.event_id),
        ];
        let numbers = [sold.units, sold.amount, sold.refunded_units, sold.refunded_amount, sold.net()];
        file.write(texts.map(csv::Cell::from).into_iter().chain(numbers.map(csv::Cell::from)));
    }
    file.into_bytes()
}

fn in_currencies(f: &Frame, asked: &ReportRequest, days: &Days, rows: &[SoldOnDay], names: &Names) -> Vec<InCurrency> {
    let mut by_currency: BTreeMap<&str, Vec<&SoldOnDay>> = BTreeMap::new();
    for row in rows {
        by_currency.entry(names.currency(&row.0.event_id)).or_default().push(row);
    }
    by_currency.into_iter().map(|(currency, rows)| in_currency(f, asked, days, currency, &rows, names)).collect()
}

fn in_currency(
    f: &Frame,
    asked: &ReportRequest,
    days: &Days,
    currency: &str,
    rows: &[&SoldOnDay],
    names: &Names,
) -> InCurrency {
    let one = asked.event.as_ref().map(|event| event.id.as_str());
    let all_days = Some((days.from, days.to));
    let dates = f.dates(&asked.zone_name);
    // The orders behind a figure are of one event.
    let behind = |event: Option<&str>, item_id: Option<&str>, channel: Option<&str>, days| {
        let of = |figure| event.and_then(|event_id| Behind { figure, event_id, item_id, channel, days }.path(f));
        (of(Figure::Sold), of(Figure::Refunded))
    };
    let line = |name: String, sold: Sold, (orders, refunds): (Option<String>, Option<String>)| SalesLine {
        tick: asked::tick(&name),
        name,
        path: None,
        orders,
        refunds,
        sold,
    };
    let mut total = Sold::default();
    let mut by_day: BTreeMap<i64, Sold> = BTreeMap::new();
    let mut by_part: BTreeMap<(&str, &str), Sold> = BTreeMap::new();
    let mut by_kind: BTreeMap<usize, Sold> = BTreeMap::new();
    let mut by_channel: BTreeMap<&str, Sold> = BTreeMap::new();
    for (place, sold) in rows {
        total.add(sold);
        by_day.entry(place.day).or_default().add(sold);
        by_part.entry((&place.event_id, &place.ticket_type_id)).or_default().add(sold);
        by_channel.entry(place.channel).or_default().add(sold);
        if let Some(kind) = names.kind(&place.ticket_type_id) {
            by_kind.entry(kind).or_default().add(sold);
        }
    }
    let steps = steps(days)
        .into_iter()
        .map(|(from, to)| {
            let mut sold = Sold::default();
            by_day.range(days::number(from)..=days::number(to)).for_each(|(_, day)| sold.add(day));
            let event = one.map(|id| format!("event={}&", in_path(id))).unwrap_or_default();
            let path = Some(f.path(&format!("/reports/sales?{event}from={from}&to={to}")));
            let behind = behind(one, None, None, Some((from, to)));
            SalesLine { tick: dates.tick(from), path, ..line(dates.days(from, to), sold, behind) }
        })
        .collect();
    let mut parts: Vec<SalesLine> = by_part
        .into_iter()
        .map(|((event, item), sold)| match one {
            Some(_) => line(names.item(item).to_owned(), sold, behind(one, Some(item), None, all_days)),
            None => {
                let days = format!("from={}&to={}", days.from, days.to);
                let path = Some(f.path(&format!("/reports/sales?event={}&{days}", in_path(event))));
                SalesLine {
                    path,
                    ..line(names.event(event).to_owned(), sold, behind(Some(event), None, None, all_days))
                }
            }
        })
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse((part.sold.amount, part.sold.units)));
    let more_parts = parts.len().saturating_sub(DASHBOARD_ROWS as usize);
    parts.truncate(DASHBOARD_ROWS as usize);
    let kind = |(kind, sold): (usize, Sold)| {
        let name = f.text(&format!("report-kind-{}", Category::ALL[kind].as_str()));
        line(name, sold, (None, None))
    };
    let kinds = by_kind.into_iter().map(kind).collect();
    let mut channels: Vec<SalesLine> = by_channel
        .into_iter()
        .map(|(channel, sold)| {
            line(f.text(&asked::channel_key(channel)), sold, behind(one, None, Some(channel), all_days))
        })
        .collect();
    channels.sort_by_key(|line| -line.sold.amount);
    let total = line(f.text("report-total"), total, behind(one, None, None, all_days));
    InCurrency { currency: currency.to_owned(), total, steps, kinds, parts, more_parts, channels }
}

/// The bars of the chart: days, or weeks from Monday on where there are too many days.
fn steps(days: &Days) -> Vec<(Date, Date)> {
    if days.count() <= REPORT_BARS {
        return days.each().map(|day| (day, day)).collect();
    }
    let mut weeks = Vec::new();
    let mut from = days.from;
    while from <= days.to {
        let left = 6 - i32::from(from.weekday().to_monday_zero_offset());
        let to = from.checked_add(left.days()).unwrap_or(days.to).min(days.to);
        weeks.push((from, to));
        from = to.tomorrow().unwrap_or(Date::MAX);
    }
    weeks
}
