//! What is on sale at all producers, for the front page.

use taquilla_domain::clock::Stamp;

use crate::{Conn, Result, engine::sql::params};

/// An event that the public can buy tickets for.
#[derive(Debug)]
pub struct OnSale {
    /// The producer's name.
    pub producer: String,
    /// The event's name.
    pub name: String,
    /// Where it is.
    pub venue: String,
    /// When it begins.
    pub starts_at: Stamp,
    /// The time zone of the place.
    pub timezone: String,
    /// The time zone of the producer.
    pub producer_time_zone: String,
    /// The lowest price of an entrance that everybody can buy, if there is one. A drink is no entrance.
    pub from_price: Option<i64>,
    /// The currency.
    pub currency: String,
}

/// The query of [`soonest`].
pub const SOONEST: &str = "SELECT p.name, e.name, e.venue, e.starts_at, e.timezone, e.currency, \
     (SELECT min(t.price) FROM ticket_types t WHERE t.producer_id = e.producer_id AND t.event_id = e.id \
      AND t.category = 'ticket' AND t.status = 'active' AND t.deleted = 0 AND (t.expires_at IS NULL OR t.expires_at > ?1) \
      AND (t.stock_limit IS NULL OR t.sold < t.stock_limit)), p.time_zone \
     FROM events e JOIN producers p ON p.producer_id = e.producer_id \
     WHERE e.status = 'published' AND e.starts_at > ?1 ORDER BY e.starts_at LIMIT ?2";

/// The events that begin next.
pub async fn soonest(conn: &mut Conn, now: Stamp, limit: i64) -> Result<Vec<OnSale>> {
    conn.collect(SOONEST, params![now, limit], |row| {
        Ok(OnSale {
            producer: row.text(0)?.to_owned(),
            name: row.text(1)?.to_owned(),
            venue: row.opt_text(2)?.unwrap_or_default().to_owned(),
            starts_at: row.stamp(3)?,
            timezone: row.text(4)?.to_owned(),
            currency: row.text(5)?.to_owned(),
            from_price: row.opt_int(6)?,
            producer_time_zone: row.text(7)?.to_owned(),
        })
    })
    .await
}
