//! What was sold: by day, by item and by channel.

use std::collections::{BTreeMap, HashMap};

use askama::Template;
use axum::{extract::State, response::Response};
use jiff::{ToSpan, civil::Date};

use super::{
    asked::{self, Asked},
    orders::Behind,
};
use crate::{
    config::{DASHBOARD_ROWS, REPORT_BARS, REPORT_ROWS_MAX},
    dashboard::{
        access::{Member, SeeReports},
        csv,
        days::{self, Days},
        download,
        frame::{Frame, Query, in_path},
    },
    http::{app::App, errors::Error, page},
    store::{
        Conn, Tenant,
        catalogue::{
            events,
            ticket_types::{self, ForSale},
        },
        sales::{
            figures::{self, Sold, SoldOnDay},
            sold::Figure,
        },
    },
};

/// One line of a table.
struct Line {
    /// What it is called.
    name: String,
    /// The event's name, where the report is of all events.
    event: Option<String>,
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
    total: Line,
    steps: Vec<Line>,
    items: Vec<Line>,
    /// How many items are left out.
    more_items: usize,
    channels: Vec<Line>,
}

#[derive(Template)]
#[template(path = "dashboard/report_sales.html")]
struct SalesPage {
    f: Frame,
    asked: Asked,
    days: Days,
    is_weekly: bool,
    sections: Vec<InCurrency>,
    page: &'static str,
}

/// The names of what was sold.
struct Names {
    items: HashMap<String, ForSale>,
    events: HashMap<String, String>,
}

impl Names {
    async fn read(conn: &mut Conn, tenant: Tenant, rows: &[SoldOnDay]) -> Result<Self, Error> {
        let mut ids: Vec<&str> = rows.iter().map(|row| row.ticket_type_id.as_str()).collect();
        let mut event_ids: Vec<&str> = rows.iter().map(|row| row.event_id.as_str()).collect();
        for ids in [&mut ids, &mut event_ids] {
            ids.sort_unstable();
            ids.dedup();
        }
        let mut items = HashMap::new();
        conn.ask(vec![ticket_types::for_sale(tenant, &ids, &mut items)]).await?;
        Ok(Self { items, events: events::names(conn, tenant, &event_ids).await? })
    }

    fn item<'a>(&'a self, id: &'a str) -> &'a str {
        self.items.get(id).map_or(id, |item| &item.name)
    }

    fn event<'a>(&'a self, id: &'a str) -> &'a str {
        self.events.get(id).map_or(id, String::as_str)
    }

    fn currency(&self, id: &str) -> &str {
        self.items.get(id).map_or("", |item| &item.currency)
    }
}

/// The page, or the file.
pub async fn get_sales(State(app): State<App>, member: Member<SeeReports>, query: Query) -> Result<Response, Error> {
    let (mut conn, tenant) = (app.store.read().await?, member.tenant());
    let mut asked = Asked::read(&app, &mut conn, &member, &query).await?;
    let span = match &asked.event {
        Some(event) => figures::span(&mut conn, tenant, &event.id).await?,
        None => None,
    };
    let days = asked.days(span);
    let event_id = asked.event.as_ref().map(|event| event.id.clone());
    let mut rows = Vec::new();
    for stretch in days.stretches() {
        let left = REPORT_ROWS_MAX + 1 - rows.len();
        rows.extend(figures::by_day(&mut conn, tenant, event_id.as_deref(), &stretch, left).await?);
    }
    if rows.len() > REPORT_ROWS_MAX {
        asked.too_much(member.layout.t.text("report-too-much"));
        rows.clear();
    }
    let rows = put_together(rows);
    let names = Names::read(&mut conn, tenant, &rows).await?;
    drop(conn);
    if asked.wants_csv {
        let name = format!("sales-{}-{}.csv", days.from, days.to);
        return Ok(download::file(&name, download::CSV, file(&rows, &names).into()));
    }
    let f = member.frame("reports");
    let is_weekly = days.count() > REPORT_BARS;
    let sections = in_currencies(&f, &asked, &days, &rows, &names);
    page::show(asked.status(), &SalesPage { f, asked, days, is_weekly, sections, page: "/reports/sales" })
}

/// A day on which clocks are put forward or back is in two stretches. Its parts become one row.
fn put_together(mut rows: Vec<SoldOnDay>) -> Vec<SoldOnDay> {
    fn key(row: &SoldOnDay) -> (i64, &str, &str, &str) {
        (row.day, &row.event_id, &row.ticket_type_id, &row.channel)
    }
    rows.sort_by(|one, other| key(one).cmp(&key(other)));
    rows.dedup_by(|later, earlier| {
        let is_same = key(later) == key(earlier);
        if is_same {
            earlier.sold.add(&later.sold);
        }
        is_same
    });
    rows
}

/// Every day, item and channel.
fn file(rows: &[SoldOnDay], names: &Names) -> String {
    let mut text = csv::BEGINNING.to_owned();
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
    csv::write(heads.map(csv::Cell::from), &mut text);
    for row in rows {
        let (day, sold) = (days::numbered(row.day).to_string(), &row.sold);
        let texts = [
            day.as_str(),
            &row.event_id,
            names.event(&row.event_id),
            &row.ticket_type_id,
            names.item(&row.ticket_type_id),
            &row.channel,
            names.currency(&row.ticket_type_id),
        ];
        let numbers = [sold.units, sold.amount, sold.refunded_units, sold.refunded_amount, sold.net()];
        csv::write(texts.map(csv::Cell::from).into_iter().chain(numbers.map(csv::Cell::from)), &mut text);
    }
    text
}

fn in_currencies(f: &Frame, asked: &Asked, days: &Days, rows: &[SoldOnDay], names: &Names) -> Vec<InCurrency> {
    let mut by_currency: BTreeMap<&str, Vec<&SoldOnDay>> = BTreeMap::new();
    for row in rows {
        by_currency.entry(names.currency(&row.ticket_type_id)).or_default().push(row);
    }
    by_currency.into_iter().map(|(currency, rows)| in_currency(f, asked, days, currency, &rows, names)).collect()
}

fn in_currency(
    f: &Frame,
    asked: &Asked,
    days: &Days,
    currency: &str,
    rows: &[&SoldOnDay],
    names: &Names,
) -> InCurrency {
    let one = asked.event.as_ref().map(|event| event.id.as_str());
    let all_days = Some((days.from, days.to));
    // The orders behind a figure are of one event, by its own clocks. Lines of all events lead to the report of each.
    let behind = |event: Option<&str>, item_id: Option<&str>, channel: Option<&str>, days| {
        let of = |figure| event.and_then(|event_id| Behind { figure, event_id, item_id, channel, days }.path(f));
        (of(Figure::Sold), of(Figure::Refunded))
    };
    let line = |name: String, sold: Sold, (orders, refunds): (Option<String>, Option<String>)| Line {
        tick: asked::tick(&name),
        name,
        event: None,
        path: None,
        orders,
        refunds,
        sold,
    };
    let mut total = Sold::default();
    let mut by_day: BTreeMap<i64, Sold> = BTreeMap::new();
    let mut by_item: BTreeMap<(&str, &str), Sold> = BTreeMap::new();
    let mut by_channel: BTreeMap<&str, Sold> = BTreeMap::new();
    for row in rows {
        total.add(&row.sold);
        by_day.entry(row.day).or_default().add(&row.sold);
        by_item.entry((&row.event_id, &row.ticket_type_id)).or_default().add(&row.sold);
        by_channel.entry(&row.channel).or_default().add(&row.sold);
    }
    let steps = steps(days)
        .into_iter()
        .map(|(from, to)| {
            let mut sold = Sold::default();
            by_day.range(days::number(from)..=days::number(to)).for_each(|(_, day)| sold.add(day));
            let event = one.map(|id| format!("event={}&", in_path(id))).unwrap_or_default();
            let path = Some(f.path(&format!("/reports/sales?{event}from={from}&to={to}")));
            let behind = behind(one, None, None, Some((from, to)));
            Line { tick: from.strftime("%d.%m.").to_string(), path, ..line(asked::days_name(from, to), sold, behind) }
        })
        .collect();
    let mut items: Vec<Line> = by_item
        .into_iter()
        .map(|((event, item), sold)| Line {
            event: one.is_none().then(|| names.event(event).to_owned()),
            path: one.is_none().then(|| f.path(&format!("/reports/sales?event={}", in_path(event)))),
            ..line(names.item(item).to_owned(), sold, behind(one, Some(item), None, all_days))
        })
        .collect();
    items.sort_by_key(|item| std::cmp::Reverse((item.sold.amount, item.sold.units)));
    let more_items = items.len().saturating_sub(DASHBOARD_ROWS as usize);
    items.truncate(DASHBOARD_ROWS as usize);
    let mut channels: Vec<Line> = by_channel
        .into_iter()
        .map(|(channel, sold)| {
            line(f.text(&asked::channel_key(channel)), sold, behind(one, None, Some(channel), all_days))
        })
        .collect();
    channels.sort_by_key(|line| -line.sold.amount);
    let total = line(f.text("report-total"), total, behind(one, None, None, all_days));
    InCurrency { currency: currency.to_owned(), total, steps, items, more_items, channels }
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
