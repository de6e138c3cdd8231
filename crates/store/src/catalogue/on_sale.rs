//! What is on sale at a producer, for the front page, which shows it with what all others sell.

use taquilla_domain::clock::Stamp;

use crate::{Conn, Result, Tenant, engine::sql::params, producers};

/// An event that the public can buy tickets for.
#[derive(Clone, Debug)]
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
pub const SOONEST: &str = "SELECT e.name, e.venue, e.starts_at, e.timezone, e.currency, \
     (SELECT min(t.price) FROM ticket_types t WHERE t.producer_id = ?1 AND t.event_id = e.id \
      AND t.category = 'ticket' AND t.status = 'active' AND t.deleted = 0 AND (t.expires_at IS NULL OR t.expires_at > ?2) \
      AND (t.stock_limit IS NULL OR t.sold < t.stock_limit)) \
     FROM events e INDEXED BY events_of_producer_by_start WHERE e.producer_id = ?1 AND e.status = 'published' \
     AND e.starts_at > ?2 ORDER BY e.starts_at, e.id LIMIT ?3";

/// The events of a producer that begin next.
pub async fn soonest(conn: &mut Conn, tenant: Tenant, now: Stamp, limit: i64) -> Result<Vec<OnSale>> {
    let mut events = conn
        .collect(SOONEST, params![tenant.number(), now, limit], |row| {
            Ok(OnSale {
                producer: String::new(),
                name: row.text(0)?.to_owned(),
                venue: row.opt_text(1)?.unwrap_or_default().to_owned(),
                starts_at: row.stamp(2)?,
                timezone: row.text(3)?.to_owned(),
                currency: row.text(4)?.to_owned(),
                from_price: row.opt_int(5)?,
                producer_time_zone: String::new(),
            })
        })
        .await?;
    if !events.is_empty() {
        // A statement of its own: producers may be elsewhere than their events.
        let ((_, name), zone) = (producers::get(conn, tenant).await?, producers::time_zone(conn, tenant).await?);
        for event in &mut events {
            name.clone_into(&mut event.producer);
            zone.clone_into(&mut event.producer_time_zone);
        }
    }
    Ok(events)
}
