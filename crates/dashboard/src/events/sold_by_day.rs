//! What was sold of an item on each of the last days.

use jiff::{ToSpan, civil::Date};

use taquilla_domain::{
    clock::Stamp,
    config::REPORT_DAYS,
    days::{self, Days},
    event::KeptEvent,
};
use taquilla_http::errors::Error;
use taquilla_store::{
    Conn, Tenant,
    sales::figures::{self, Sold},
};

/// A day, as a bar of a chart and a line of a table.
pub struct SoldDay {
    /// The day.
    pub date: Date,
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
    let span = figures::span(conn, tenant, &event.id).await?;
    let to = span.map_or_else(|| days::day_of(now, &zone), |(_, last)| last);
    let days = Days { from: to.checked_sub((REPORT_DAYS - 1).days()).unwrap_or(to), to, zone };
    let by_day = figures::of_item(conn, tenant, &event.id, item_id, (days.from, days.to)).await?;
    let day = |date: Date| SoldDay { sold: by_day.get(&days::number(date)).copied().unwrap_or_default(), date };
    Ok(days.each().map(day).collect())
}
