//! The sales of the last days: units by day, and the money for them.

use std::collections::BTreeMap;

use jiff::{ToSpan, civil::Date};

use taquilla_domain::{
    clock::Stamp,
    config::{REPORT_ROWS_MAX, SALES_DAYS},
    days,
};
use taquilla_store::{
    Conn, Result as Stored, Tenant,
    catalogue::events,
    sales::figures::{self, Sold},
};

use super::frame::Frame;

/// A day's sales.
pub struct Day {
    /// The day.
    pub date: Date,
    /// Its place on the axis, in seconds.
    pub x: i64,
    /// Units sold, whatever became of them.
    pub units: i64,
    /// Units refunded on this day.
    pub refunded: i64,
}

/// Money in one currency, less refunds.
pub struct Revenue {
    /// What came in today, by the clocks of each event.
    pub today: String,
    /// What came in on all of the days.
    pub in_all: String,
}

/// The sales of the last days, by the clocks of each event. The last is today by the clocks of the producer, or tomorrow if
/// an event sold something in its tomorrow already.
pub struct RecentSales {
    /// Every day.
    pub days: Vec<Day>,
    /// Each currency: money of two is never added.
    pub revenue: Vec<Revenue>,
    /// The query of the same days as a report.
    pub query: String,
}

impl RecentSales {
    /// Reads the sales up to now.
    pub async fn read(conn: &mut Conn, tenant: Tenant, f: &Frame, now: Stamp) -> Stored<Self> {
        let today = days::day_of(now, &days::zone(f.time_zone()));
        let (from, tomorrow) = (today.saturating_sub((SALES_DAYS as i64 - 1).days()), today.saturating_add(1.day()));
        let rows = figures::of_events(conn, tenant, (from, tomorrow), REPORT_ROWS_MAX).await?;
        let mut by_day: BTreeMap<i64, Sold> = BTreeMap::new();
        for (place, sold) in &rows {
            by_day.entry(place.day).or_default().add(sold);
        }
        let last = by_day.keys().next_back().copied().unwrap_or(0).max(days::number(today));
        let first = last + 1 - SALES_DAYS as i64;
        let day = |number: i64| {
            let sold = by_day.get(&number).copied().unwrap_or_default();
            let (date, x) = (days::numbered(number), number * 86_400);
            Day { date, x, units: sold.units, refunded: sold.refunded_units }
        };
        let days = (first..=last).map(day).collect();
        let query = format!("from={}&to={}", days::numbered(first), days::numbered(last));
        // A sum of some of the rows would be taken for the whole.
        let revenue = match rows.len() < REPORT_ROWS_MAX {
            true => revenue(conn, tenant, f, &rows, first, now).await?,
            false => Vec::new(),
        };
        Ok(Self { days, revenue, query })
    }
}

/// What came in, less refunds, in each currency: today, and since the first day.
async fn revenue(
    conn: &mut Conn,
    tenant: Tenant,
    f: &Frame,
    rows: &[figures::SoldOnDay],
    first: i64,
    now: Stamp,
) -> Stored<Vec<Revenue>> {
    let mut ids: Vec<&str> = rows.iter().map(|(place, _)| place.event_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let events = events::named(conn, tenant, &ids).await?;
    let mut sums: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for (place, sold) in rows.iter().filter(|(place, _)| place.day >= first) {
        let Some(event) = events.get(&place.event_id) else { continue };
        let (today, in_all) = sums.entry(&event.currency).or_default();
        *in_all += sold.net();
        if place.day == days::number(days::day_of(now, &days::zone(&event.time_zone))) {
            *today += sold.net();
        }
    }
    let money = |(currency, (today, in_all)): (&str, (i64, i64))| Revenue {
        today: f.money(today, currency),
        in_all: f.money(in_all, currency),
    };
    Ok(sums.into_iter().map(money).collect())
}
