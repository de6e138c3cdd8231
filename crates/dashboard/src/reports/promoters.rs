//! What the promoters of an event sold and gave away.

use std::collections::BTreeMap;

use askama::Template;
use axum::{extract::State, response::Response};

use taquilla_domain::{
    config::{PROMOTERS_MAX, REPORT_ROWS_MAX},
    days::{self, Days},
    status::OrderChannel,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{download, page, query::Query};
use taquilla_store::{
    catalogue::ticket_types,
    sales::{
        figures::{self, Sold, SoldOnDay},
        promoter_sums, promoters,
    },
};

use super::{
    asked::{self, ReportRequest},
    choose::{PROMOTERS, Report},
};
use crate::{
    access::{Member, SeeReports},
    csv,
    frame::Frame,
};

/// What a promoter sold in these days.
struct PromoterLine {
    name: String,
    sold: Sold,
    /// Tickets that they gave away, less those that were taken back.
    given_away: i64,
}

impl PromoterLine {
    fn tick(&self) -> String {
        asked::tick(&self.name)
    }

    fn add(&mut self, (place, sold): &SoldOnDay) {
        match place.channel == OrderChannel::Promoter.as_str() {
            true => self.given_away += sold.units - sold.refunded_units,
            false => self.sold.add(sold),
        }
    }
}

#[derive(Template)]
#[template(path = "report_promoters.html")]
struct PromotersPage {
    f: Frame,
    asked: ReportRequest,
    days: Days,
    currency: String,
    lines: Vec<PromoterLine>,
    report: Report,
}

impl PromotersPage {
    /// The head of a column of money.
    fn of_money(&self, key: &str) -> String {
        format!("{} ({})", self.f.text(key), self.currency)
    }
}

/// The page, or the file.
pub async fn get_promoters(
    State(app): State<App>,
    member: Member<SeeReports>,
    query: Query,
) -> Result<Response, Error> {
    let (mut conn, tenant) = (app.store.read().await?, member.tenant());
    let mut asked = ReportRequest::read(&app, &mut conn, &member, &query).await?;
    let f = member.frame("reports");
    let (event_id, currency) =
        asked.event.as_ref().map(|event| (event.id.clone(), event.currency.clone())).unwrap_or_default();
    let days = asked.days(figures::span(&mut conn, tenant, &event_id).await?);
    let found = promoters::of_event(&mut conn, tenant, &event_id, PROMOTERS_MAX).await?;
    let names: BTreeMap<String, String> =
        found.into_iter().map(|selling| (selling.promoter.id, selling.promoter.name)).collect();
    let mut rows =
        promoter_sums::of_event(&mut conn, tenant, &event_id, (days.from, days.to), REPORT_ROWS_MAX + 1).await?;
    if rows.len() > REPORT_ROWS_MAX {
        asked.too_much(member.layout.t.text("report-too-much"));
        rows.clear();
    }
    let items = ticket_types::of_event(&mut conn, tenant, &event_id, true).await?;
    drop(conn);
    let name_of = |id: &str| names.get(id).cloned().unwrap_or_else(|| id.to_owned());
    if asked.wants_csv {
        let heads = [
            "day",
            "event_id",
            "promoter_id",
            "promoter",
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
        let mut file = csv::Lines::begin(asked.separator, heads);
        for (promoter_id, (place, sold)) in &rows {
            let (day, promoter) = (days::numbered(place.day).to_string(), name_of(promoter_id));
            let item = items.iter().find(|item| item.id == place.ticket_type_id);
            let texts = [
                day.as_str(),
                &place.event_id,
                promoter_id,
                &promoter,
                &place.ticket_type_id,
                item.map_or("", |item| &item.name),
                place.channel,
                &currency,
            ];
            let numbers = [sold.units, sold.amount, sold.refunded_units, sold.refunded_amount, sold.net()];
            file.write(texts.map(csv::Cell::from).into_iter().chain(numbers.map(csv::Cell::from)));
        }
        let name = format!("promoters-{}-{}.csv", days.from, days.to);
        return Ok(download::file(&name, download::CSV, file.into_bytes().into()));
    }
    let line = |name| PromoterLine { name, sold: Sold::default(), given_away: 0 };
    let mut by_promoter: BTreeMap<&str, PromoterLine> = BTreeMap::new();
    let mut total = line(f.text("report-total"));
    for (promoter_id, row) in &rows {
        by_promoter.entry(promoter_id).or_insert_with(|| line(name_of(promoter_id))).add(row);
        total.add(row);
    }
    let mut lines: Vec<PromoterLine> = by_promoter.into_values().collect();
    lines.sort_by_key(|line| std::cmp::Reverse((line.sold.net(), line.sold.units)));
    if lines.len() > 1 {
        lines.push(total);
    }
    page::show(asked.status(), &PromotersPage { f, asked, days, currency, lines, report: PROMOTERS })
}
