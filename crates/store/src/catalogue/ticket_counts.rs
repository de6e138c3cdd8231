//! How many units of each ticket type are sold, are still to come, and have entered: in all, at each station, in each
//! minute, and those of them who are inside, in each zone. Every move updates these counts; they are never counted anew.

use std::collections::{BTreeMap, HashMap};

use taquilla_domain::{
    admit::Scope,
    clock::Stamp,
    status::{Category, ItemKind, TicketStatus},
};

use crate::{
    Conn, Move, Result, Tenant, Write,
    engine::sql::{Row, params},
};

/// Changes to the counts, collected while a move decides and written once.
#[derive(Default)]
pub struct Counts {
    by_type: BTreeMap<String, OfType>,
    /// Scanned tickets by ticket type and station.
    by_station: BTreeMap<(String, String), i64>,
    /// Scanned tickets by event, the minute in which they entered, and ticket type.
    by_minute: BTreeMap<(String, Stamp, String), i64>,
    /// Scanned tickets of people who are inside, by event, zone and ticket type.
    by_zone: BTreeMap<(String, String, String), i64>,
}

/// A listed ticket, as far as it is counted.
pub struct Counted<'a> {
    /// The event it opens.
    pub event_id: &'a str,
    /// Its ticket type.
    pub ticket_type_id: &'a str,
    /// Its status.
    pub status: TicketStatus,
    /// When it entered, and at which station, if that is known.
    pub checked_in: Option<(Stamp, Option<&'a str>)>,
    /// The zone where whoever entered is, unless they are outside.
    pub inside: Option<&'a str>,
}

/// Changes to the counts of one ticket type or bundle.
#[derive(Default, PartialEq, Eq)]
struct OfType {
    /// Units that count as sold.
    sold: i64,
    /// Valid listed tickets.
    valid: i64,
    /// Scanned listed tickets.
    scanned: i64,
}

impl Counts {
    /// Counts units of a ticket type or bundle as sold, or as given back if `units` is negative.
    pub fn sell(&mut self, id: &str, units: i64) {
        self.by_type.entry(id.to_owned()).or_default().sold += units;
    }

    /// Counts a listed ticket under its status, and the station where and the minute when it entered, and the zone: 1 for its new
    /// status, -1 for its old one.
    pub fn add(&mut self, ticket: &Counted<'_>, times: i64) {
        let (valid, scanned) = match ticket.status {
            TicketStatus::Valid => (times, 0),
            TicketStatus::Scanned => (0, times),
            _ => return,
        };
        let id = ticket.ticket_type_id.to_owned();
        if let Some((at, station)) = ticket.checked_in.filter(|_| scanned != 0) {
            if let Some(station) = station {
                *self.by_station.entry((id.clone(), station.to_owned())).or_default() += scanned;
            }
            let minute = (ticket.event_id.to_owned(), at.minute(), id.clone());
            *self.by_minute.entry(minute).or_default() += scanned;
        }
        if let Some(zone) = ticket.inside.filter(|_| scanned != 0) {
            *self.by_zone.entry((ticket.event_id.to_owned(), zone.to_owned(), id.clone())).or_default() += scanned;
        }
        let counted = self.by_type.entry(id).or_default();
        counted.valid += valid;
        counted.scanned += scanned;
    }
}

/// Adds the changes to the stored counts.
pub fn write<'a>(tx: &Move, counts: &'a Counts) -> [Write<'a>; 4] {
    let tenant = tx.tenant().number();
    let changed = counts.by_type.iter().filter(|(_, counted)| **counted != OfType::default());
    let by_type = changed
        .map(|(id, OfType { sold, valid, scanned })| {
            vec![tenant.into(), id.into(), (*sold).into(), (*valid).into(), (*scanned).into()]
        })
        .collect();
    let changed = counts.by_station.iter().filter(|(_, entered)| **entered != 0);
    let by_station = changed
        .map(|((id, station), entered)| vec![tenant.into(), id.into(), station.into(), (*entered).into()])
        .collect();
    let changed = counts.by_minute.iter().filter(|(_, entered)| **entered != 0);
    let by_minute = changed
        .map(|((event, minute, id), entered)| {
            vec![tenant.into(), event.into(), (*minute).into(), id.into(), (*entered).into()]
        })
        .collect();
    let changed = counts.by_zone.iter().filter(|(_, inside)| **inside != 0);
    let by_zone = changed
        .map(|((event, zone, id), inside)| vec![tenant.into(), event.into(), zone.into(), id.into(), (*inside).into()])
        .collect();
    [
        Write::new(ADD, by_type),
        Write::new(ADD_ENTERED, by_station),
        Write::new(ADD_MINUTE, by_minute),
        Write::new(ADD_INSIDE, by_zone),
    ]
}

const ADD_INSIDE: &str = "INSERT INTO inside (producer_id, event_id, zone, ticket_type_id, inside) \
     VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (producer_id, event_id, zone, ticket_type_id) \
     DO UPDATE SET inside = inside.inside + excluded.inside";

const ADD_MINUTE: &str = "INSERT INTO entries (producer_id, event_id, minute, ticket_type_id, entered) \
     VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (producer_id, event_id, minute, ticket_type_id) \
     DO UPDATE SET entered = entries.entered + excluded.entered";

const ADD_ENTERED: &str = "INSERT INTO station_entries (producer_id, ticket_type_id, station, entered) \
     VALUES (?1, ?2, ?3, ?4) ON CONFLICT (producer_id, ticket_type_id, station) \
     DO UPDATE SET entered = station_entries.entered + excluded.entered";

/// Adds to the counts of one ticket type.
pub const ADD: &str = "UPDATE ticket_types SET sold = sold + ?3, valid_tickets = valid_tickets + ?4, \
     scanned_tickets = scanned_tickets + ?5 WHERE producer_id = ?1 AND id = ?2";

/// How many tickets have entered, and how many may still come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// Tickets that have entered.
    pub entered: i64,
    /// Valid tickets that have not entered.
    pub to_come: i64,
    /// Tickets that have entered at the station that was asked for.
    pub at_station: i64,
}

/// The counts of an event's listed tickets in scope, and of those that entered at a station, if one is named.
pub async fn entered(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    scope: &Scope,
    station: Option<&str>,
) -> Result<Entered> {
    let mut counts = Entered::default();
    conn.query(ENTERED, params![tenant.number(), event_id, station], |row| {
        if scope.admits(row.text(0)?, row.named(1, Category::parse)?) {
            counts.to_come += row.int(2)?;
            counts.entered += row.int(3)?;
            counts.at_station += row.opt_int(4)?.unwrap_or(0);
        }
        Ok(())
    })
    .await?;
    Ok(counts)
}

/// The query of [`entered`].
pub const ENTERED: &str = "SELECT y.id, y.category, y.valid_tickets, y.scanned_tickets, \
     (SELECT s.entered FROM station_entries s WHERE s.producer_id = ?1 AND s.ticket_type_id = y.id AND s.station = ?3) \
     FROM ticket_types y WHERE y.producer_id = ?1 AND y.event_id = ?2";

/// The counts of one item.
#[derive(Debug)]
pub struct OfItem {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A single item or a bundle.
    pub kind: ItemKind,
    /// Its stock; `None` is infinite.
    pub limit: Option<i64>,
    /// Units that count as sold.
    pub sold: i64,
    /// Valid listed tickets.
    pub valid: i64,
    /// Scanned listed tickets.
    pub scanned: i64,
}

/// The counts of an event's items, deleted ones too, in the organiser's order.
pub async fn of_event(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<OfItem>> {
    conn.collect(OF_EVENT, params![tenant.number(), event_id], |row| {
        Ok(OfItem {
            id: row.text(0)?.to_owned(),
            name: row.text(1)?.to_owned(),
            kind: row.named(2, ItemKind::parse)?,
            limit: row.opt_int(3)?,
            sold: row.int(4)?,
            valid: row.int(5)?,
            scanned: row.int(6)?,
        })
    })
    .await
}

/// The query of [`of_event`].
pub const OF_EVENT: &str = "SELECT id, name, kind, stock_limit, sold, valid_tickets, scanned_tickets FROM ticket_types \
     WHERE producer_id = ?1 AND event_id = ?2 ORDER BY sort_order, id";

/// How many listed tickets of some events are valid and scanned, by event. Events without items are left out.
pub async fn of_events(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<HashMap<String, (i64, i64)>> {
    let sets = tenant.keys(ids);
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), (row.int(1)?, row.int(2)?)));
    Ok(conn.collect_many(OF_EVENTS, &sets, read).await?.into_iter().collect())
}

/// The query of [`of_events`] for one event.
pub const OF_EVENTS: &str = "SELECT event_id, CAST(sum(valid_tickets) AS BIGINT), CAST(sum(scanned_tickets) AS BIGINT) \
     FROM ticket_types WHERE producer_id = ?1 AND event_id = ?2 GROUP BY event_id";
