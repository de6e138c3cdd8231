//! What was sold of an item on each of the last days.

use std::collections::HashMap;

use jiff::ToSpan;

use crate::{
    config::{REPORT_DAYS, REPORT_ROWS_MAX},
    dashboard::days::{self, Days},
    domain::{clock::Stamp, event::KeptEvent},
    http::errors::Error,
    store::{
        Conn, Tenant,
        sales::figures::{self, Sold},
    },
};

/// A day, as a bar of a chart and a line of a table.
pub struct SoldDay {
    /// The day.
    pub date: String,
    /// The same, short.
    pub tick: String,
    /// What was sold and refunded.
    pub sold: Sold,
}

/// The days up to the last sale of the event, or up to today while it is sold.
pub async fn find(
    conn: &mut Conn,
    tenant: Tenant,
    event: &KeptEvent,
    item_id: &str,
    now: Stamp,
) -> Result<Vec<SoldDay>, Error> {
    let zone = days::zone(&event.timezone);
    let last = figures::span(conn, tenant, &event.id).await?.map_or(now, |(_, last)| last);
    let to = days::day_of(last, &zone);
    let days = Days { from: to.checked_sub((REPORT_DAYS - 1).days()).unwrap_or(to), to, zone };
    let mut by_day: HashMap<i64, Sold> = HashMap::new();
    for stretch in days.stretches() {
        for row in figures::by_day(conn, tenant, Some(&event.id), &stretch, REPORT_ROWS_MAX).await? {
            if row.ticket_type_id == item_id {
                by_day.entry(row.day).or_default().add(&row.sold);
            }
        }
    }
    let day = |date: jiff::civil::Date| SoldDay {
        sold: by_day.get(&days::number(date)).copied().unwrap_or_default(),
        tick: date.strftime("%d.%m.").to_string(),
        date: date.to_string(),
    };
    Ok(days.each().map(day).collect())
}
