//! What is on sale at a producer: for the page of its shop, and for the front page, which shows it with what all others sell.

use taquilla_domain::clock::Stamp;

use crate::{
    Conn, Result, Tenant,
    engine::sql::{Row, params},
    producers,
};

/// An event that the public can buy tickets for.
#[derive(Clone, Debug)]
pub struct OnSale {
    /// The producer's public id.
    pub producer_id: String,
    /// The producer's name.
    pub producer: String,
    /// The event's id.
    pub id: String,
    /// The event's name.
    pub name: String,
    /// Where it is.
    pub venue: String,
    /// When it begins, if that is known.
    pub starts_at: Option<Stamp>,
    /// The time zone of the place.
    pub timezone: String,
    /// The time zone of the producer.
    pub producer_time_zone: String,
    /// The lowest price of an entrance that everybody can buy, if there is one. A drink is no entrance.
    pub from_price: Option<i64>,
    /// Whether there are entrances for everybody, and all of them are sold.
    pub is_sold_out: bool,
    /// The currency.
    pub currency: String,
}

/// A place among the events of a producer: after this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// When it begins. Those without a date come last.
    pub starts_at: Option<Stamp>,
    /// Its id.
    pub id: String,
}

impl Place {
    /// Before all that begin at this moment or later.
    pub fn first(from: Stamp) -> Self {
        Self { starts_at: Some(from), id: String::new() }
    }
}

/// What both lists show of an event `e`: its lowest price, and how many kinds of entrances there are. ?2 is the present.
macro_rules! shown {
    () => {
        "SELECT e.id, e.name, e.venue, e.starts_at, e.timezone, e.currency, \
         (SELECT min(t.price) FROM ticket_types t WHERE t.producer_id = ?1 AND t.event_id = e.id \
          AND t.category = 'ticket' AND t.status = 'active' AND t.deleted = 0 AND (t.expires_at IS NULL OR t.expires_at > ?2) \
          AND (t.stock_limit IS NULL OR t.sold < t.stock_limit)), \
         (SELECT count(*) FROM ticket_types t WHERE t.producer_id = ?1 AND t.event_id = e.id \
          AND t.category = 'ticket' AND t.status IN ('active', 'sold_out') AND t.deleted = 0 \
          AND (t.expires_at IS NULL OR t.expires_at > ?2)) \
         FROM events e "
    };
}

/// The query of [`soonest`] for events with a date. One that has begun is shown while it lasts.
pub const SOONEST: &str = concat!(
    shown!(),
    "INDEXED BY events_of_producer_by_start WHERE e.producer_id = ?1 AND e.status = 'published' \
     AND e.starts_at >= ?3 AND (e.starts_at > ?3 OR e.id > ?4) AND (e.starts_at > ?5 OR e.ends_at > ?2) \
     ORDER BY e.starts_at, e.id LIMIT ?6"
);

/// The query of [`soonest`] for events without a date.
pub const UNDATED: &str = concat!(
    shown!(),
    "INDEXED BY events_of_producer_undated WHERE e.producer_id = ?1 AND e.status = 'published' \
     AND e.starts_at IS NULL AND e.id > ?3 ORDER BY e.id LIMIT ?4"
);

/// The events of a producer that begin next after a place. An event without an end counts as over if it began before `over`.
pub async fn soonest(
    conn: &mut Conn,
    tenant: Tenant,
    from: &Place,
    over: Stamp,
    now: Stamp,
    limit: usize,
) -> Result<Vec<OnSale>> {
    let number = tenant.number();
    let mut events = match from.starts_at {
        Some(starts_at) => {
            conn.collect(SOONEST, params![number, now, starts_at, &from.id, over, limit as i64], read).await?
        }
        None => Vec::new(),
    };
    let left = limit - events.len();
    if left > 0 {
        let after = if from.starts_at.is_none() { from.id.as_str() } else { "" };
        events.append(&mut conn.collect(UNDATED, params![number, now, after, left as i64], read).await?);
    }
    if !events.is_empty() {
        // A statement of its own: producers may be elsewhere than their events.
        let ((id, name), zone) = (producers::get(conn, tenant).await?, producers::time_zone(conn, tenant).await?);
        for event in &mut events {
            id.clone_into(&mut event.producer_id);
            name.clone_into(&mut event.producer);
            zone.clone_into(&mut event.producer_time_zone);
        }
    }
    Ok(events)
}

fn read(row: &Row<'_>) -> Result<OnSale> {
    let from_price = row.opt_int(6)?;
    Ok(OnSale {
        producer_id: String::new(),
        producer: String::new(),
        id: row.text(0)?.to_owned(),
        name: row.text(1)?.to_owned(),
        venue: row.opt_text(2)?.unwrap_or_default().to_owned(),
        starts_at: row.opt_stamp(3)?,
        timezone: row.text(4)?.to_owned(),
        currency: row.text(5)?.to_owned(),
        from_price,
        is_sold_out: from_price.is_none() && row.int(7)? > 0,
        producer_time_zone: String::new(),
    })
}
